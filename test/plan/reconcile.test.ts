import { expect, test } from 'vitest';

import type { PersonEntry } from '../../src/domain/ports/ledger/entries.ts';
import type { PersonRow } from '../../src/domain/ports/ledger/person-row.ts';
import type { SyncSettings } from '../../src/domain/settings.ts';
import type { PersonDecision, PersonRules } from '../../src/plan/people/person-decision.ts';
import { decidePerson } from '../../src/plan/people/reconcile.ts';
import { tellDecision, told } from './tell.ts';
import { at, employee, entry, NOW, row, rules, shown, staged, SYNC } from './build.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** `update(updates)`, `blocked`, `miss 1`: a decision in a few letters. */
function brief(decision: PersonDecision): string {
  if (decision.is === 'miss') return `miss ${decision.misses}`;
  if (decision.is !== 'change') return decision.is;
  const { kind, guard } = decision.change;
  return guard === null ? kind : `${kind}(${guard})`;
}

const SOURCE: Readonly<Record<string, PersonRow['record']>> = {
  active: staged(),
  changed: staged({
    payload: { fields: { name: 'Anna', email: 'ann@example.com' }, positions: [at('sales')] },
  }),
  unchanged: 'unchanged',
  inactive: staged({ active: false }),
  unknown: staged({ active: null }),
  missing: null,
  left: 'left',
};
const LEDGER: Readonly<Record<string, PersonEntry | null>> = {
  unknown: null,
  creating: entry({ state: 'creating', employeeId: null, accepted: null }),
  managed: entry(),
  unread: entry({ accepted: null }),
  locking: entry({ disabledAt: NOW - DAY, accepted: null }),
  disabled: entry({ state: 'disabled', disabledAt: NOW - DAY }),
  another: entry({ employeeId: '999' }),
  removed: entry({ state: 'removed', accepted: null }),
};
const SERVICE: Readonly<Record<string, PersonRow['employee']>> = {
  same: employee(),
  edited: employee({ shown: shown({ name: 'Ann', email: 'other@example.com' }) }),
  locked: employee({ locked: true }),
  gone: null,
};

/** What is planned for each source, ledger and service. A record can only be unchanged of who is managed. */
test('every case', async () => {
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell) => cell.padEnd(17))
      .join('')
      .trimEnd();
  const rows = Object.entries(SOURCE).flatMap(([source, record]) =>
    Object.entries(LEDGER).flatMap(([ledger, known]) => {
      if (source === 'unchanged' && ledger !== 'managed') return [];
      const decided = Object.values(SERVICE).map((shownAs) =>
        brief(decidePerson(row({ record, entry: known, employee: shownAs }), rules())),
      );
      return [line([source, ledger, ...decided])];
    }),
  );
  const heads = line(['source', 'ledger', ...Object.keys(SERVICE)]);
  await expect(`${[heads, ...rows].join('\n')}\n`).toMatchFileSnapshot('people-cells.txt');
});

interface Situation {
  readonly row?: Partial<PersonRow>;
  readonly sync?: Partial<SyncSettings>;
  readonly rules?: Partial<PersonRules>;
}

const { leavers } = SYNC;
const missing = (options: Partial<PersonEntry>): Partial<PersonRow> => ({
  record: null,
  entry: entry(options),
});
/** Missing, and disabled by us at that time. */
const longDisabled = (disabledAt: number | null, misses = 2): Partial<PersonRow> => ({
  ...missing({ state: 'disabled', disabledAt, misses }),
  employee: employee({ locked: true }),
});
const inactive = { record: staged({ active: false }) };
const changed = SOURCE['changed']!;
const edited = (view: Parameters<typeof employee>[0]) => ({ employee: employee(view) });
const theirs = { employee: SERVICE['edited']! };
const isProtected = (username: string): boolean => username === 'ann';
const remove = { ...leavers, misses: 1, action: 'remove' as const };
const after30Days = { leavers: { ...leavers, removeAfterDays: 30 } };
const head = { job_title: 'Boss', chief: true };
const heads = [at('sales', head), at('tech', head)];
const shownHead = { fields: {}, positions: [{ orgId: '51', fields: { ...head, primary: true } }] };
const odd = shown({ name: 'ANN', email: 'ann@example.com' });
const same: Partial<PersonRow> = { record: 'unchanged' };
const moving = new Map([['sales', 'hq']]);
const noNode = { orgIdOf: () => undefined };
const hidden = (known: PersonEntry | null, record: PersonRow['record'] = staged()): Situation => ({
  row: { employee: null, isUserDisabled: true, entry: known, record },
});
const shownWith = (fields: Parameters<typeof shown>[0], orgId?: string) => ({ shown: shown(fields, orgId) });

const SITUATIONS: Readonly<Record<string, Situation>> = {
  'gone, and spelled otherwise: made again as before': {
    row: { record: staged({ username: 'ANN' }), employee: null },
  },
  'gone, and renamed: made again as the source has it': {
    row: { record: staged({ username: 'anna' }), employee: null },
  },
  'missing within ten minutes of the last miss': {
    row: missing({ misses: 1, missedAt: NOW - 10 * MINUTE + 1 }),
    sync: { leavers: { ...leavers, misses: 3 } },
  },
  'missing ten minutes after it': {
    row: missing({ misses: 1, missedAt: NOW - 10 * MINUTE }),
    sync: { leavers: { ...leavers, misses: 3 } },
  },
  'missing for the second time': { row: missing({ misses: 1, missedAt: NOW - 10 * MINUTE }) },
  'missing, and held before': { row: missing({ misses: 2, missedAt: NOW - 1 }) },
  'missing, action remove': { row: { record: null }, sync: { leavers: remove } },
  'missing, disabled just less than 30 days ago': {
    row: longDisabled(NOW - 30 * DAY + 1),
    sync: after30Days,
  },
  'missing, disabled 30 days ago': { row: longDisabled(NOW - 30 * DAY), sync: after30Days },
  'missing, disabled by others': { row: longDisabled(null), sync: after30Days },
  'missing for the first time, disabled before': {
    row: longDisabled(NOW, 0),
    sync: { leavers: { ...leavers, removeAfterDays: 0 } },
  },
  'missing for the second time, disabled before': {
    row: longDisabled(NOW, 1),
    sync: { leavers: { ...leavers, removeAfterDays: 0 } },
  },
  'inactive, action remove': { row: inactive, sync: { leavers: { ...remove, removeAfterDays: 0 } } },
  'inactive, disabled long ago, action remove': {
    row: {
      ...inactive,
      entry: entry({ state: 'disabled', disabledAt: 0 }),
      employee: employee({ locked: true }),
    },
    sync: { leavers: { ...remove, removeAfterDays: 0 } },
  },
  'inactive, head of two units by us, of which one is shown': {
    row: {
      ...inactive,
      ...edited({ shown: shownHead }),
      entry: entry({ sent: { fields: {}, positions: heads } }),
    },
  },
  'inactive, head of a unit by others': { row: { ...inactive, ...edited({ shown: shownHead }) } },
  'protected, missing': { row: { record: null }, sync: { leavers: remove }, rules: { isProtected } },
  'protected, inactive': { row: inactive, rules: { isProtected } },
  'protected, changed': { row: { record: changed }, rules: { isProtected } },
  'edited by others': { row: theirs },
  'edited by others, drift report': { row: theirs, sync: { drift: 'report' } },
  'edited by others and changed, drift report': {
    row: { ...theirs, record: changed },
    sync: { drift: 'report' },
  },
  'edited by others where it changed': {
    row: { record: changed, ...edited(shownWith({ name: 'Theirs', email: 'ann@example.com' })) },
  },
  'stored in the service’s own way': { row: { ...edited({ shown: odd }), entry: entry({ accepted: odd }) } },
  'edited back to what the source has': {
    row: { entry: entry({ accepted: shown({ name: 'Ann', email: 'old@example.com' }, '52') }) },
  },
  'shown without a field': { row: edited(shownWith({ name: 'Ann' })) },
  'moved by others': { row: edited(shownWith(undefined, '52')) },
  'not read back': { row: { entry: entry({ accepted: null }) } },
  'not read back, and not listed': { row: { entry: entry({ accepted: null }), employee: null } },
  'adopted: what differs, and what is not shown': {
    row: {
      entry: null,
      record: staged({
        payload: {
          fields: { name: 'Ann', email: 'new@example.com', mobile: '2', user_id: 'x' },
          positions: [at('tech')],
        },
      }),
      ...edited({ shown: { ...shown(), fields: { name: 'Ann', email: 'ann@example.com', user_id: 'y' } } }),
    },
  },
  'adopted: what is shown is as it should be': {
    row: {
      entry: null,
      record: staged({
        payload: {
          fields: { name: 'Ann', mobile: '2' },
          positions: [at('tech', { job_title: 'Clerk', primary: true })],
        },
      }),
      ...edited(shownWith({ name: 'Ann' }, '52')),
    },
  },
  'other secrets': { row: { record: staged({ secretHash: 's2' }), entry: entry({ secretHash: 's1' }) } },
  'the unit moves': { row: same, rules: { moving } },
  'another unit moves': { row: same, rules: { moving: new Map([['tech', 'tech']]) } },
  'the unit moves, and the record changed': {
    row: { record: staged({ payload: { ...entry().sent, fields: { name: 'New' } } }) },
    rules: { moving },
  },
  'the unit moves, and the account is locked by others': {
    row: { ...same, ...edited({ locked: true }) },
    rules: { moving },
  },
  'last sent to another node of the unit': { row: { ...same, entry: entry({ nodes: ['49'] }) } },
  'last sent to the node of the unit': { row: { ...same, entry: entry({ nodes: ['51'] }) } },
  'the unit has no node': { row: { ...same, entry: entry({ nodes: ['51'] }) }, rules: noNode },
  'the unit has no node, and is blocked': {
    row: { ...same, entry: entry({ nodes: ['51'] }) },
    rules: { ...noNode, isBlocked: (unit) => unit === 'sales' },
  },
  'disabled in the domain, not listed: a joiner': hidden(null),
  'disabled in the domain, not listed: sent, never seen': hidden(LEDGER['creating']!),
  'disabled in the domain, not listed: sent, not read back': hidden(
    entry({ employeeId: null, accepted: null }),
  ),
  'disabled in the domain, not listed: the same, unchanged': hidden(
    entry({ employeeId: null, accepted: null }),
    'unchanged',
  ),
  'disabled in the domain, not listed: gone by its id': hidden(LEDGER['managed']!),
  'disabled in the domain, not listed: disabled by us': hidden(LEDGER['disabled']!),
  'disabled in the domain, not listed: removed by us': hidden(LEDGER['removed']!),
  'disabled in the domain, not listed: removed, never seen': hidden(
    entry({ state: 'removed', employeeId: null }),
  ),
  'disabled in the domain, not listed: seen once': hidden(entry({ state: 'creating' })),
  'disabled in the domain, not listed: inactive': hidden(null, staged({ active: false })),
};

test('situations', async () => {
  const lines = Object.entries(SITUATIONS).map(([what, { row: options = {}, sync, rules: more }]) => {
    const one = row(options);
    const decision = decidePerson(one, rules({ sync: { ...SYNC, ...sync }, ...more }));
    return [what, tellDecision(decision, one.entry?.sent)] as const;
  });
  await expect(told(lines)).toMatchFileSnapshot('people.txt');
});

test('a record with a problem is blocked by it, whatever ledger and service have', () => {
  const record = staged({ problem: 'unit x is unknown' });
  const decisions = Object.values(SERVICE).flatMap((account) =>
    Object.values(LEDGER).map((known) =>
      decidePerson(row({ record, entry: known, employee: account }), rules()),
    ),
  );
  expect(new Set(decisions.map((one) => tellDecision(one)))).toEqual(
    new Set(['blocked: words(words unit x is unknown)']),
  );
});
