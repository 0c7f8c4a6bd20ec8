import { describe, expect, test } from 'vitest';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import type { Person } from '../../src/domain/records/records.ts';
import { codesOf } from './said.ts';
import {
  at,
  having,
  loadedWorld,
  ofPeople,
  ofUnits,
  openWorld,
  person,
  refusal,
  unit,
  type Edit,
  type Ran,
} from './world.ts';

const COMPANY = {
  units: [unit('u1'), unit('u2', 'u1'), unit('u3', 'u2')],
  people: [
    person('1'),
    person('2', { positions: [at('u2')] }),
    person('3', { positions: [at('u3')] }),
    person('4'),
  ],
} as const satisfies MemoryWorld;
const HEALED: Edit = () => COMPANY;
const GOES_ON = person('4', { fields: { name: 'Goes on' } });

type Records = MemoryWorld['people'];
/** Person 1 in other records. */
const ones = (...next: Records): Edit => ofPeople(...next, ...COMPANY.people.slice(1));
const unitsAre = (...units: MemoryWorld['units']): Edit => ofUnits(unit('u1'), ...units);

/** What is bad, and what is listed besides, of a known record and of a new one. */
const CASES = (
  [
    ['two records with one id', ones(person('1'), person('1', { username: 'twin' })), '1 sharesId'],
    [
      'a username in another case',
      ones(person('1'), person('9', { username: 'L1' })),
      '9 takenBy',
      '1 sharesUsername, 9 sharesUsername',
    ],
    ['no username', ones(refusal('person', '1', 'username')), '1 unusable username'],
    [
      'an id that cannot be read, known by the username',
      ones({ ...refusal('person', null, 'id'), label: 'L1' }),
      '1 unusable id',
      'L1 unusable id',
    ],
    ['an unknown unit', ones(person('1', { positions: [at('nowhere')] })), '1 unknownUnit'],
    ['no position at all', ones(person('1', { positions: [] })), '1 noUnit'],
    ['active that cannot be told', ones(person('1', { active: null })), '1 notEvaluated'],
    ['units in a circle', unitsAre(unit('u2', 'u3'), unit('u3', 'u2')), 'u2 ownAncestor, u3 ownAncestor'],
    [
      'an unknown parent',
      unitsAre(unit('u2', 'nowhere'), unit('u3', 'u2')),
      'u2 parentUnknown, u3 belowUnplaced',
    ],
    [
      'a unit that cannot be mapped',
      unitsAre(refusal('unit', 'u2', 'sort_order'), unit('u3', 'u2')),
      'u2 unusable sort_order, u3 parentRefused',
    ],
    [
      'a unit whose id cannot be read',
      unitsAre({ ...refusal('unit', null, 'id'), label: 'Unit u2' }, unit('u3', 'u2')),
      'Unit u2 unusable id, u3 parentUnknown',
    ],
    [
      'two units with one id',
      unitsAre(unit('u2', 'u1'), unit('u2', 'u1', { name: 'Other' }), unit('u3', 'u2')),
      'u2 sharedId',
    ],
  ] as readonly (readonly [string, Edit, string, string?])[]
).map(([what, bad, known, fresh = known]) => [what, bad, known, fresh] as const);

const expectListed = (ran: Ran, listed: string): void =>
  expect(codesOf(ran)).toEqual(expect.arrayContaining(listed.split(', ')));

describe('one bad record stops only itself', () => {
  test.each(CASES)('%s: left as it is, run after run, and the rest goes on', async (...[, bad, listed]) => {
    const world = await loadedWorld(COMPANY);
    const before = world.state();
    world.change(bad);
    for (const full of [false, false, true, false])
      expectListed(await world.run({ later: 11, full }, { exit: 4, sent: '' }), listed);
    expect(world.state()).toEqual(before);
    await world.run(having(GOES_ON), { exit: 4, planned: 'update 4' });
    world.change(HEALED);
    await world.run(having(GOES_ON), { sent: '', listed: '' });
    await world.rests();
  });

  test.each(CASES)('%s: never created, and neither is what hangs below it', async (...[, bad, , fresh]) => {
    const world = await openWorld(COMPANY);
    expectListed(await world.run(bad, { exit: 4 }), fresh);
    expect(world.employee('l4').locked).toBe(false);
    await world.run({}, { exit: 4, sent: '' });
    await world.run(HEALED);
    await world.rests();
  });

  test.each<[string, Partial<Person>]>([
    ['the same twice', {}],
    ['the same twice with a secret', { secrets: { password: 'Secret-1' } }],
    [
      'the same twice with a value that cannot be read',
      { losses: [{ field: 'mobile', reason: 'no number' }] },
    ],
  ])('%s is one record, new and known', async (_, more) => {
    const world = await openWorld(COMPANY);
    const [exit, listed] = more.losses === undefined ? [0, ''] : [4, '1 keeps mobile'];
    const ran = await world.run(ones(person('1', more), person('1', more)), { exit, listed });
    expect(ran.planned).toContain('create person 1');
    await world.runs({ later: 11 }, { exit, planned: '', listed }, [false, true]);
  });

  test.each<[string, Partial<Person>, string]>([
    ['a position', { positions: [at('u2')] }, '1 sharesIdInPlaces'],
    ['a name too', { positions: [at('u2')], fields: { name: 'X' } }, '1 sharesId'],
    ['a secret', { secrets: { id_card: '123' } }, '1 sharesId'],
  ])('records of one id that differ in %s make nobody, and say what to do', async (_, more, listed) => {
    for (const world of [await openWorld(COMPANY), await loadedWorld(COMPANY)])
      await world.run(ones(person('1'), person('1', more)), { exit: 4, listed });
  });
});

test('a reason of many records is one line in the log, with the number and ten names; of few a line each', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => `${index + 10}`);
  const world = await loadedWorld({ people: [] });
  const blockedIn = ({ lines }: Ran) =>
    lines.map(({ fields }) => fields).filter(({ event }) => event === 'item.blocked');
  const nowhere = (unitOf: (id: string) => string) =>
    ids.map((id) => person(id, { positions: [at(unitOf(id))] }));
  const many = await world.run(ofPeople(...nowhere(() => 'typo')), { exit: 4 });
  const first = ids.slice(0, 10).map((id) => `l${id}`);
  const line = { event: 'item.blocked', subject: 'person', count: 30, first };
  expect(blockedIn(many)).toEqual([{ ...line, reason: 'unit "typo" is unknown' }]);
  expect(many.report.end.blocked).toBe(30);
  // Reasons that differ in a name alone are one line with an example.
  const alike = await world.run(ofPeople(...nowhere((id) => `typo ${id}`)), { exit: 4 });
  expect(blockedIn(alike)).toMatchObject([
    { count: 30, reason: 'unit … is unknown', example: 'unit "typo 10" is unknown' },
  ]);
  const few = await world.run(ofPeople(...nowhere(() => 'typo').slice(0, 10)), { exit: 4 });
  expect(blockedIn(few).map(({ username }) => username)).toEqual(first);
});
