import { describe, expect, test } from 'vitest';
import { READINGS } from '../../src/sandbox/options/readings.ts';
import { openWorld } from '../sync/world.ts';
import { company, reorganized } from './company.ts';
import { expectedState } from './expected-state.ts';

interface Case {
  readonly readings: readonly string[];
  readonly why: string;
}

/** Every value that is no default, alone; then worlds of several. */
const CASES: readonly Case[] = [
  { readings: [], why: 'as the document reads at first sight' },
  { readings: ['pathKeys=ids'], why: 'answers of an import of nodes are keyed by paths of ids' },
  { readings: ['keysLower'], why: 'keys of answers are lowercased' },
  { readings: ['importIds=user'], why: 'an import of people answers ids of users, which no call may use' },
  { readings: ['errors=http4xx'], why: 'a refusal comes with an HTTP error' },
  { readings: ['notFound=codes'], why: 'unknown ids have the codes of the document everywhere' },
  { readings: ['notFound=null'], why: 'unknown ids are answered with null' },
  { readings: ['importOrgs=off'], why: 'nodes cannot be imported, only created one by one' },
  { readings: ['lockOnly'], why: 'the older interface' },
  { readings: ['pageCap=7'], why: 'pages are shorter than asked for' },
  { readings: ['disabledCount=off'], why: 'locked employees do not keep a node from being deleted' },
  { readings: ['deleteCascades'], why: 'deleting a node would delete what is in it' },
  { readings: ['emptyPositions=taken'], why: 'an empty list of positions is taken' },
  { readings: ['absent=clear'], why: 'what is absent from an import is cleared' },
  { readings: ['usersRemain=off'], why: 'users go with their employee' },
  { readings: ['usersRefreshBlind'], why: 'changes of employees do not show in the list of users' },
  { readings: ['normalizes'], why: 'names and phones are stored otherwise than sent' },
  { readings: ['siblings=merge'], why: 'a node named like a sibling updates it' },
  { readings: ['positions=merge'], why: 'imported positions are added to the old ones' },
  { readings: ['importEnables'], why: 'an import unlocks' },
  { readings: ['hidesLocked'], why: 'the list of employees leaves out locked ones' },
  { readings: ['usernameCase=keep'], why: 'usernames that differ in case alone are two' },
  { readings: ['sister=60'], why: 'lists return people of another organization as well' },
  { readings: ['maxLimit=7'], why: 'a longer page is refused' },
  { readings: ['maxUrl=400'], why: 'a longer address is refused' },
  { readings: ['maxNames=3'], why: 'more names in one query are refused' },
  { readings: ['namesRead=3'], why: 'the first names of a query alone are looked at' },
  { readings: ['maxBatch=3'], why: 'more records in one import are refused' },
  { readings: ['properties=merge'], why: 'imported properties are added by schema' },
  { readings: ['defaults=zero'], why: 'fields that nobody has set are shown as 0 and ""' },
  { readings: ['defaults=null'], why: 'fields that nobody has set are shown as null' },
  { readings: ['idsAskFor=users'], why: 'ids of the employees list mean users' },
  { readings: ['idsAskFor=nobody'], why: 'the employees list finds nobody by id' },
  { readings: ['propertyShape=schema'], why: 'properties are shown in a form that no import takes' },
  { readings: ['tagsShown=names'], why: 'tags are shown in a form that no import takes' },
  { readings: ['masked'], why: 'phones and mail addresses are shown masked' },
  { readings: ['totals=all'], why: 'total_count counts everything, also of what changed' },
  {
    readings: ['hidesLocked', 'importEnables', 'disabledCount=off', 'deleteCascades'],
    why: 'nothing shows who is locked, and much could be done to them',
  },
  {
    readings: ['hidesLocked', 'positions=merge', 'absent=clear'],
    why: 'both make rollcall ask and send more',
  },
  {
    readings: [
      'pathKeys=ids',
      'keysLower',
      'importIds=user',
      'errors=http4xx',
      'notFound=own',
      'lockOnly',
      'pageCap=3',
    ],
    why: 'several at once',
  },
];

/** Told below, and in `test/sync/locks.test.ts` and `test/sync/vanished.test.ts`. */
const ELSEWHERE = ['asyncImport', 'fillsNodes', 'lockIgnored', 'lockLater', 'forgetful'];

/** Of operations that a run does not call: told in `test/sandbox`. */
const OF_OTHERS = ['pushTypes'];

test('no reading of the sandbox is left out', () => {
  const tried = new Set(
    [...CASES, { readings: [...ELSEWHERE, ...OF_OTHERS] }].flatMap(({ readings }) =>
      readings.map((text) => text.split('=')[0]),
    ),
  );
  expect(Object.keys(READINGS).filter((name) => !tried.has(name))).toEqual([]);
});

describe('load, reorganization, and then silence', () => {
  test.each(CASES)('$readings: $why', async ({ readings }) => {
    const before = company({ units: 12, people: 40 });
    const after = reorganized(before);
    const world = await openWorld({ ...before, readings });
    expect((await world.sync()).listed).toEqual([]);
    expect(world.state()).toEqual(expectedState(before));
    expect((await world.sync()).changing).toEqual([]);
    world.change(() => after);
    const ran = await world.sync();
    expect(ran.listed).toEqual([]);
    expect(ran.exitCode).toBe(0);
    expect(world.state()).toEqual(expectedState(after, before));
    for (const full of [false, true, false]) {
      const next = await world.sync({ full });
      expect(next.changing).toEqual([]);
      expect(next.exitCode).toBe(0);
    }
  });
});

test('positions=stay: an old position that nothing takes away is listed as failed, and nobody is made twice', async () => {
  const before = company({ units: 12, people: 40 });
  const after = reorganized(before);
  const world = await openWorld({ ...before, readings: ['positions=stay'] });
  expect((await world.sync()).exitCode).toBe(0);
  world.change(() => after);
  const ran = await world.sync();
  expect(ran.exitCode).toBe(4);
  expect(ran.listed.join('\n')).toMatch(/old positions are still there/u);
  expect(ran.changing.filter((name) => name === 'deleteOrganization')).toEqual([]);
  expect(world.state().people.map((line) => line.split(' ')[0])).toEqual(
    expectedState(after, before).people.map((line) => line.split(' ')[0]),
  );
});

test('fillsNodes: a move would lose what the service has filled in, which is asked, then silence', async () => {
  const before = company({ units: 12, people: 40 });
  const after = reorganized(before);
  const world = await openWorld({ ...before, readings: ['fillsNodes'] });
  expect((await world.sync()).exitCode).toBe(0);
  world.change(() => after);
  const held = await world.sync();
  expect([held.exitCode, held.plan?.held.map(({ guard }) => guard)]).toEqual([3, ['lost']]);
  expect((await world.sync({ approve: held.plan?.held.map(({ hash }) => hash) ?? [] })).exitCode).toBe(0);
  expect(world.state()).toEqual(expectedState(after, before));
  expect((await world.sync({ full: true })).changing).toEqual([]);
});

test('asyncImport: what is visible later is waited for; nodes that are left are deleted after that', async () => {
  const before = company({ units: 12, people: 40 });
  const after = reorganized(before);
  const world = await openWorld({ ...before, readings: ['asyncImport=200ms'], realTime: true });
  expect((await world.sync()).listed).toEqual([]);
  expect(world.state()).toEqual(expectedState(before));
  expect((await world.sync({ full: true })).changing).toEqual([]);
  world.change(() => after);
  const ran = await world.sync();
  expect(ran.exitCode).toBe(0);
  expect(ran.changing.slice(-2)).toEqual(['deleteOrganization', 'deleteOrganization']);
  expect(ran.changing).not.toContain('modifyEmployee');
  expect(world.state()).toEqual(expectedState(after, before));
  expect((await world.sync({ full: true })).changing).toEqual([]);
});
