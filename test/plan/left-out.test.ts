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
    expect(nameUnits('waits for unit U1: its parent U2 is blocked', labels)).toBe(
      'waits for unit Finance: its parent Sales is blocked',
    );
    expect(nameUnits('it is its own ancestor: U1 > U2 > U1', labels)).toBe(
      'it is its own ancestor: Finance > Sales > Finance',
    );
    expect(nameUnits('unit "U1" is unknown', labels)).toBe('unit "U1" is unknown');
    expect(nameUnits('its parent "U2" is no unit of the source', labels)).toBe(
      'its parent "U2" is no unit of the source',
    );
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
  expect(countRecords([person('1'), { subject: 'unit', id: '1' }, person('1')])).toBe('1 person and 1 unit');
});
