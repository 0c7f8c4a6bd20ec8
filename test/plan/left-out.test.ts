import { describe, expect, test } from 'vitest';
import { plain } from '../../src/domain/text/line.ts';
import { countRecords, leftOutItems } from '../../src/plan/words/left-out.ts';
import { nameUnits, unitLabels } from '../../src/plan/words/unit-labels.ts';

const NAMES = new Map([
  ['U1', 'Finance'],
  ['U2', 'Sales'],
  ['U3', 'U3'],
]);

describe('units in reasons', () => {
  test('are named where a unit is meant; what the source itself says stays as it is there', () => {
    const labels = unitLabels(NAMES);
    for (const reason of [
      'waits for unit U1: its parent U2 is blocked',
      'it is its own ancestor: U1 > U2 > U1',
    ])
      expect(nameUnits(reason, labels)).toBe(reason.replaceAll('U1', 'Finance').replaceAll('U2', 'Sales'));
    for (const reason of ['unit "U1" is unknown', 'its parent "U2" is no unit of the source'])
      expect(nameUnits(reason, labels)).toBe(reason);
  });

  test('have the id beside the name where another one has it, or had it before', () => {
    const swapped = new Map([
      ['U1', 'Sales'],
      ['U2', 'Finance'],
    ]);
    expect([...unitLabels(swapped, NAMES).values()]).toEqual(['Sales (U1)', 'Finance (U2)']);
    expect([...unitLabels(NAMES, NAMES).values()]).toEqual(['Finance', 'Sales', 'U3']);
    expect([...unitLabels(new Map([...NAMES, ['U4', 'Sales']])).values()]).toEqual([
      'Finance',
      'Sales (U2)',
      'U3',
      'Sales (U4)',
    ]);
  });

  test('that are unknown make a group each, by what the source calls them', () => {
    const blocked = ['U1', 'U1', 'U9'].map(
      (ref, n) =>
        ({ subject: 'person', id: `${n}`, label: `p${n}`, reason: `unit "${ref}" is unknown` }) as const,
    );
    const options = { labels: unitLabels(NAMES), paint: plain, atMost: 9, more: '' };
    expect(leftOutItems(blocked, options)).toEqual([
      { text: '2 people: unit "U1" is unknown', names: 'p0, p1' },
      { text: 'person p2: unit "U9" is unknown' },
    ]);
  });
});

const person = (id: string) => ({ subject: 'person', id }) as const;

test('records are counted once, whatever is said of them how often', () => {
  expect(countRecords([person('1'), person('1'), person('2')])).toBe('2 people');
  expect(countRecords([person('1'), { subject: 'unit', id: '1' }, person('1')])).toMatch(
    /^1 person\b.*\b1 unit$/u,
  );
});
