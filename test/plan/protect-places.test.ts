import { describe, expect, test } from 'vitest';
import type { PersonRow } from '../../src/domain/ports/ledger/person-row.ts';
import { decidePerson, type PersonDecision, type PersonRules } from '../../src/plan/people/decide-person.ts';
import { at, employee, entry, row, rules, shown, staged } from './build.ts';

const UNITS: Readonly<Record<string, string | null>> = { 50: null, 51: 'sales', 52: 'tech' };

function decide(options: Partial<PersonRow>, more: Partial<PersonRules> = {}): PersonDecision {
  const known = { isProtected: (username: string) => username === 'ann', unitOf: (id: string) => UNITS[id] };
  return decidePerson(row(options), rules({ ...known, ...more }));
}

const inTech = (name = 'Ann') =>
  staged({ payload: { fields: { name, email: 'ann@example.com' }, positions: [at('tech')] } });
const TO_TECH = 'protected by sync.protect: would be moved from unit sales to unit tech';
const fieldsOf = (decision: PersonDecision) =>
  decision.is === 'change' ? decision.change.fields.map(({ field }) => field) : decision.is;

describe('who is protected', () => {
  test('stays in the unit that was sent, listed, while nothing else changes', () => {
    expect(decide({ desired: inTech() })).toEqual({ is: 'none', partialReason: TO_TECH });
  });

  test('stays there while other fields flow', () => {
    const decision = decide({ desired: inTech('Anna') });
    expect(fieldsOf(decision)).toEqual(['name']);
    expect(decision).toMatchObject({
      partialReason: TO_TECH,
      change: { partial: true, payload: { positions: entry().sent.positions } },
    });
  });

  test('gets another title in the same unit like everybody', () => {
    const payload = { ...staged().payload, positions: [at('sales', { job_title: 'Boss' })] };
    expect(fieldsOf(decide({ desired: staged({ payload }) }))).toEqual(['positions']);
  });

  test('goes along with a unit that moves, also where the source wants another one', () => {
    const moving = new Map([['sales', 'sales']]);
    for (const desired of ['unchanged', inTech()] as const)
      expect(decide({ desired }, { moving })).toMatchObject({
        change: { cause: 'sales', payload: { positions: entry().sent.positions } },
      });
    const left = employee({ shown: shown(undefined, '40') });
    expect(decide({ desired: 'unchanged', employee: left }, { oldNodes: new Set(['40']) })).toMatchObject({
      is: 'change',
      change: { why: "not at its unit's node" },
    });
  });

  test.each(['unchanged', staged(), inTech()] as const)('is not moved back after others: %#', (desired) => {
    const elsewhere = employee({ shown: shown(undefined, '52') });
    expect(decide({ desired, employee: elsewhere })).toEqual({
      is: 'blocked',
      reason: 'protected by sync.protect: would be moved from unit tech to unit sales',
    });
  });

  test('is adopted where they are', () => {
    expect(decide({ desired: inTech(), entry: null })).toMatchObject({
      is: 'change',
      partialReason: TO_TECH,
      change: { kind: 'adopt', payload: { positions: [at('sales', { job_title: 'Clerk', primary: true })] } },
    });
  });

  test('is not adopted out of nodes that are not ours', () => {
    const guest = employee({ shown: shown(undefined, '99') });
    expect(decide({ desired: inTech(), entry: null, employee: guest })).toMatchObject({
      is: 'blocked',
      reason: 'protected by sync.protect: would be moved from nodes of others to unit tech',
    });
  });

  test('is made anew in the unit of the source where the account is gone', () => {
    expect(decide({ desired: inTech(), employee: null })).toMatchObject({
      is: 'change',
      change: { kind: 'create', payload: { positions: [at('tech', { primary: true })] } },
    });
  });
});
