import { expect, test } from 'vitest';
import type { UnitEntry } from '../../src/domain/ports/ledger/entries.ts';
import type { MovedPeople } from '../../src/domain/ports/ledger/source-stage.ts';
import { buildTree } from '../../src/plan/units/tree.ts';
import { renamedValues, renamedWithBelow, type RenamesInput } from '../../src/plan/units/unit-renames.ts';

const parentOf = (id: string): string | null => (id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : null);

function entry(id: string): UnitEntry {
  const sent = { parent: parentOf(id), fields: { name: id.split('/').at(-1) ?? id } };
  return { id, orgId: `o-${id}`, serialNo: id, state: 'managed', sent, accepted: null };
}

interface Values {
  readonly before: readonly string[];
  readonly now: readonly string[];
  /** `from > to: people`; without `to`, they are nowhere. */
  readonly moved: readonly string[];
  readonly joined: Readonly<Record<string, number>>;
}

function inputOf({ before, now, moved, joined }: Values): RenamesInput {
  const units = now.map((id) => entry(id)).map(({ id, sent }) => ({ id, refs: [id], ...sent }));
  return {
    tree: buildTree({ units, refusals: [], root: null }),
    entries: before.map((id) => entry(id)),
    sync: { protect: { usernames: [], units: [] }, root: null },
    moved: moved.map((text): MovedPeople => {
      const [, from = '', to = '', people = ''] = /^(\S+) > (\S*):? ?(\d+)$/u.exec(text) ?? [];
      return { from, to: to.replace(':', '') === '' ? null : to.replace(':', ''), people: Number(people) };
    }),
    joined: new Map(Object.entries(joined)),
  };
}

const renames = (values: Values): readonly string[] =>
  renamedValues(inputOf(values)).map(({ from, to }) => `${from} → ${to}`);

type Case = readonly [
  before: readonly string[],
  now: readonly string[],
  moved: readonly string[],
  joined: Readonly<Record<string, number>>,
  found: readonly string[],
];

const CASES: readonly (readonly [string, ...Case])[] = [
  ['most of both sides', ['a'], ['b'], ['a > b: 6', 'a > : 4'], { b: 8 }, ['a → b']],
  ['no more than half of the old one', ['a'], ['b'], ['a > b: 5', 'a > : 5'], { b: 5 }, []],
  ['no more than half of the new one', ['a'], ['b'], ['a > b: 5'], { b: 10 }, []],
  ['one person', ['a'], ['b'], ['a > b: 1'], { b: 1 }, []],
  ['a new one that was there', ['a', 'b'], ['b'], ['a > b: 9'], {}, []],
  ['an old one that is still there', ['a'], ['a', 'b'], [], { b: 9 }, []],
  ['another parent', ['s', 's/a'], ['s', 't', 't/a'], ['s/a > t/a: 9'], { 't/a': 9 }, []],
  ['two that became one new', ['a', 'b'], ['c'], ['a > c: 5', 'b > c: 5'], { c: 10 }, []],
  ['one that became two', ['a'], ['b', 'c'], ['a > b: 6', 'a > c: 3'], { b: 6, c: 3 }, ['a → b']],
];

test.each(CASES.map(([name, ...rest]) => ({ name, rest })))('$name', ({ rest }) => {
  const [before, now, moved, joined, found] = rest;
  expect(renames({ before, now, moved, joined })).toEqual(found);
});

test('a path that is renamed at its top is one rename, and what is below it goes along', () => {
  const values = {
    before: ['sales', 'sales/emea', 'sales/emea/north', 'sales/asia', 'hr'],
    now: ['vertrieb', 'vertrieb/emea', 'vertrieb/emea/north', 'vertrieb/neu', 'hr'],
    moved: ['sales/emea/north > vertrieb/emea/north: 5', 'sales/asia > vertrieb/neu: 2'],
    joined: { 'vertrieb/emea/north': 6, 'vertrieb/neu': 2 },
  };
  const input = inputOf(values);
  const found = renamedValues(input);
  expect(found).toEqual([{ from: 'sales', to: 'vertrieb', people: 7, of: { before: 7, now: 8 } }]);
  expect([...renamedWithBelow(input, found)]).toEqual([
    ['sales', 'vertrieb'],
    ['sales/emea', 'vertrieb/emea'],
    ['sales/emea/north', 'vertrieb/emea/north'],
  ]);
});
