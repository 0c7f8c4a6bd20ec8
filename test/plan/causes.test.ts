import { describe, expect, test } from 'vitest';
import type { Individual } from '../../src/domain/ports/ledger/plan-book.ts';
import { chance } from '../../src/plan/causes/chance.ts';
import { findCauses } from '../../src/plan/causes/find-causes.ts';
import { candidatesOf, Tally } from '../../src/plan/causes/tally.ts';
import { traitKey, traitOf, type TraitKey } from '../../src/plan/causes/trait.ts';
import { changeTraits, personTraits } from '../../src/plan/causes/traits-of.ts';
import { UnitsAbove } from '../../src/plan/causes/units-above.ts';
import { describeCauses, type CauseWords } from '../../src/plan/words/describe-cause.ts';
import { at, personChange, treeOf, unit } from './build.ts';

const ABOVE = new UnitsAbove([], treeOf([unit('all'), unit('sales', 'all'), unit('north', 'sales')]));

function individual(id: string, parts: Partial<Individual> = {}): Individual {
  const payload = { fields: {}, positions: [at('north')] };
  return {
    id,
    username: `u${id}`,
    payload,
    made: null,
    isDisabled: false,
    buckets: [],
    change: null,
    ...parts,
  };
}

const told = (traits: ReadonlySet<TraitKey>): readonly string[] =>
  [...traits]
    .map((key) => traitOf(key))
    .filter(({ what }) => what !== 'prefix')
    .map(({ what, field, value }) => [what, field, value].filter((text) => text !== '').join(' '));

describe('what a person can have in common with others', () => {
  test('is the unit with those above, values of groups, the domain of an address, the day of the account', () => {
    const fields = {
      email: 'ann@Example.com',
      gender: 'F',
      tags: ['1', '2'],
      tag_names: { Site: ['Berlin'] },
      properties: { '11': ['A'] },
      city: null,
    };
    const payload = { fields, positions: [at('north', { job_title: 'Clerk', primary: true })] };
    const made = Date.UTC(2026, 10, 1, 12);
    expect(told(personTraits(individual('1', { payload, made }), ABOVE))).toEqual([
      'unit north',
      'unit sales',
      'unit all',
      'value job_title Clerk',
      'domain email example.com',
      'value gender F',
      'value tags 1',
      'value tags 2',
      'value tag_names.Site Berlin',
      'value properties.11 A',
      'value city',
      'made 2026-11-01',
    ]);
  });

  test('is never a name, a number, an address or a masked value', () => {
    const fields = {
      name: 'Ann Private',
      mobile: '+49 30 1234567',
      tel: '030/1234567',
      birthday: '1700000000000',
      email: 'ann.private@example.com',
      otherEmail: 'not an address',
      city: 'ann.private@example.com',
      region: '+49 (30) 1234567',
      properties: { '11': ['0301234567', 'An***'], '12': ['ann.private@example.com'] },
    };
    const traits = personTraits(individual('7', { payload: { fields, positions: [] } }), ABOVE);
    expect(told(traits)).toEqual(['domain email example.com']);
    const change = personChange('7', {
      fields: Object.entries(fields).map(([field, to]) => ({ field, from: 'old.private@x.example', to })),
    });
    const words = told(changeTraits(change)).join('\n');
    expect(words).toContain('change email from "…@x.example" to "…@example.com"');
    expect(words).not.toMatch(/private@|Ann P|1234567|An\*|17000/u);
  });

  test('is the base of a source id that is a DN', () => {
    const one = individual(String.raw`uid=a\,b,ou=sales,dc=example`, {
      payload: { fields: {}, positions: [] },
    });
    expect(told(personTraits(one, ABOVE))).toEqual(['base ou=sales,dc=example', 'base dc=example']);
  });
});

const A = traitKey('value', 'gender', 'A');
const B = traitKey('value', 'city', 'B');
const TAIL = traitKey('unit', '', 'sales');

/** Counts so many held records and others with these traits. */
function tallyOf(groups: readonly (readonly [traits: readonly TraitKey[], held: number, others: number])[]) {
  const sets = groups.map(([traits, held, others]) => ({ traits: new Set(traits), held, others }));
  const held = sets.flatMap((one) => Array.from({ length: one.held }, () => one.traits));
  const others = sets.flatMap((one) => Array.from({ length: one.others }, () => one.traits));
  const tally = new Tally(candidatesOf(held, others));
  for (const traits of held) tally.add(traits, true);
  for (const traits of others) tally.add(traits, false);
  return tally;
}

const found = (...groups: Parameters<typeof tallyOf>[0]): readonly (readonly unknown[])[] =>
  findCauses(tallyOf(groups)).map(({ value, held, of, others, ofOthers, isSecond }) => [
    value,
    held,
    of,
    others,
    ofOthers,
    isSecond,
  ]);

describe('a cause', () => {
  test('is what most of the held have and few others, with the exact counts', () => {
    expect(found([[A], 18, 2], [[], 1, 379])).toEqual([['A', 18, 19, 2, 381, false]]);
  });

  test.each([
    ['covers too few of the held', [[A], 11, 2], [[], 9, 378]],
    ['is nearly as frequent among the others', [[A], 15, 200], [[], 5, 180]],
    ['is only twice as frequent', [[A], 90, 190], [[], 10, 190]],
    ['may well be by chance', [[A], 4, 2], [[], 1, 6]],
    ['is of two records alone', [[A], 2, 0], [[], 0, 398]],
    ['has no others beside it', [[A], 20, 0], [[], 0, 0]],
  ] as const)('is nothing that %s', (_, some, rest) => {
    expect(found(some, rest)).toEqual([]);
  });

  test('is the kind that says more, where several say the same', () => {
    expect(found([[A, TAIL, B], 20, 0], [[], 0, 380])).toEqual([['sales', 20, 20, 0, 380, false]]);
  });

  test('has a second one for most of the rest', () => {
    expect(found([[A], 12, 0], [[B], 9, 1], [[], 0, 378])).toEqual([
      ['A', 12, 21, 0, 379, false],
      ['B', 9, 9, 1, 379, true],
    ]);
  });

  test('is nothing where two leave too many unexplained', () => {
    expect(found([[A], 15, 0], [[B], 15, 0], [[], 10, 360])).toEqual([]);
  });
});

describe('the chance of a draw', () => {
  test.each([
    [{ held: 6, of: 6, others: 0, ofOthers: 6 }, 1 / 924],
    [{ held: 1, of: 2, others: 1, ofOthers: 2 }, 5 / 6],
    [{ held: 0, of: 5, others: 5, ofOthers: 5 }, 1],
  ])('%j', (counts, p) => {
    expect(chance(counts)).toBeCloseTo(p, 6);
  });
});

describe('the words', () => {
  const words: CauseWords = {
    bucket: 'leavers person',
    labelOf: (id) => `Unit ${id}`,
    standingOf: () => 'gone',
    hasUnitsBelow: () => false,
    moveOf: () => null,
  };
  const counts = { held: 18, of: 19, others: 1, ofOthers: 1_381, isSecond: false };

  test.each([
    [
      'unit',
      '',
      'sales',
      '18 of the 19 were in Unit sales, which is gone as well; 1 of the 1,381 others was',
    ],
    ['value', 'tags', '7', '18 of the 19 had the tag "7"; 1 of the 1,381 others did'],
    ['value', 'city', '', '18 of the 19 had no city; 1 of the 1,381 others did'],
    [
      'prefix',
      'username',
      'x-',
      '18 of the 19 had a username that begins with "x-"; 1 of the 1,381 others did',
    ],
    ['base', '', 'ou=a', '18 of the 19 were below ou=a; 1 of the 1,381 others was'],
  ] as const)('of %s %s %s', (what, field, value, text) => {
    expect(describeCauses([{ what, field, value, ...counts }], words)).toBe(text);
  });

  test('leave out what only repeats the guard, and are none where nothing was found', () => {
    const causes = [{ what: 'change', field: 'email', value: 'to nothing', ...counts }] as const;
    expect(describeCauses(causes, { ...words, bucket: 'emptied person email' })).toBeNull();
    expect(describeCauses([], words)).toBeNull();
  });
});
