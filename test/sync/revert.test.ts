import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { RevertRequest } from '../../src/sync/state/run-request.ts';
import { NO_GUARD, SYNC } from '../plan/build.ts';
import { crashing } from '../doubles/crashing-ledger.ts';
import type { Told } from './said.ts';
import {
  at,
  hashesOf,
  having,
  inactive,
  loadedWorld,
  ofPeople,
  ofUnits,
  person,
  SMALL,
  unit,
  type Edit,
  type Ran,
  type SyncOptions,
  type World,
  type WorldOptions,
} from './world.ts';

const [ONE, TWO, THREE] = SMALL.people;
const mailed = (id: string, email: string | null, parts = {}) => person(id, { fields: { email }, ...parts });
const LEFT = inactive('3');

async function loaded(options: WorldOptions = {}): Promise<World> {
  const world = await loadedWorld(options);
  world.minutes(15);
  return world;
}

/** Applies a change of the source. */
async function changed(world: World, change: Edit): Promise<Ran> {
  const ran = await world.run(change);
  expect(ran.changing).not.toEqual([]);
  world.minutes(15);
  return ran;
}

type Only = RevertRequest['only'];
const shown = (world: World, { report }: Ran, only?: Only): Promise<Ran> =>
  world.plan({ revert: { run: report.run, only } });

/** Puts back what a run did, as it was just shown. */
async function revert(
  world: World,
  run: Ran,
  expected: Partial<Told>,
  how: Omit<SyncOptions, 'only'> & { readonly only?: Only } = {},
) {
  const { only, ...more } = how;
  const { plan } = await shown(world, run, only);
  const given = more.approve === undefined || 'report' in more.approve ? [] : more.approve;
  return world.run(
    { ...more, revert: { run: run.report.run, only }, approve: [...given, plan?.hash ?? ''] },
    expected,
  );
}

/** `record: reason` of all that is not put back. */
const notBack = ({ plan }: Ran): readonly string[] =>
  (plan?.reverts?.notBack ?? []).map(({ label, reason }) => `${label}: ${reason}`);

const TREE = {
  units: [unit('u1'), unit('u2', 'u1'), unit('u3')],
  people: [ONE, TWO, person('3', { positions: [at('u3')] })],
};

interface Case {
  readonly world?: WorldOptions;
  readonly bad: Edit;
  /** What the source changes afterwards, in no run. */
  readonly since?: Edit;
  readonly only?: Only;
  readonly planned: string;
  readonly exit?: number;
}

const CASES: Readonly<Record<string, Case>> = {
  'fields and positions of a person': {
    world: { people: [mailed('1', 'a@x'), TWO] },
    bad: having(mailed('1', 'b@x', { positions: [at('u2', { job_title: 'Boss' })] })),
    planned: 'update 1',
  },
  'names and parents of units: one that moved moves back, with all who are in it': {
    world: TREE,
    bad: ofUnits(unit('u1', null, { name: 'Renamed' }), unit('u2', 'u3'), unit('u3')),
    planned: 'update 2, update u1, move u2',
  },
  'a unit alone that moved, with who is in it and inactive in the source': {
    world: TREE,
    bad: ofUnits(unit('u1'), unit('u2', 'u3'), unit('u3')),
    since: inactive('2'),
    only: { subject: 'unit', id: 'u2' },
    planned: 'update 2, move u2',
  },
  'a new unit, which goes once it is empty': {
    bad: ({ units }) => ({ units: [...units, unit('u9')] }),
    planned: 'remove u9',
  },
  'leavers, who are enabled': { bad: LEFT, planned: 'enable 3', exit: 4 },
};

describe('a revert puts back', () => {
  test.each(Object.entries(CASES))(
    '%s',
    async (_, { world: options, bad, since, only, planned, exit = 0 }) => {
      const world = await loaded(options);
      const before = world.state();
      const run = await changed(world, bad);
      expect(world.state()).not.toEqual(before);
      if (since !== undefined) world.change(since);
      const done = await revert(world, run, { exit, planned }, { only });
      expect([notBack(done), world.state()]).toEqual([[], before]);
      const { why } = done.changes.find(({ cause }) => cause === null) ?? {};
      expect(why).toEqual({ code: 'reverted', values: { run: run.report.run } });
    },
  );

  test('what the source decides again with the next run: leavers leave, named at once', async () => {
    const world = await loaded();
    await revert(world, await changed(world, LEFT), { exit: 4, inside: '3 putBack' });
    await world.run({}, { planned: 'disable 3', inside: '' });
  });

  test('joiners, who are disabled and never removed', async () => {
    const world = await loaded({ people: [ONE] });
    await revert(world, await changed(world, having(TWO, THREE)), { planned: 'disable 2, disable 3' });
    await world.run({}, { planned: 'enable 2, enable 3' });
    await world.rests();
  });

  test('one record alone, and nothing of what the source has changed since', async () => {
    const world = await loaded();
    const bad = await changed(
      world,
      having(mailed('1', 'a@x'), mailed('2', 'b@x', { positions: [at('u2')] })),
    );
    world.change(having(person('4')));
    world.change(({ units }) => ({ units: [...units, unit('u7')] }));
    await revert(world, bad, { planned: 'update 1' }, { only: { subject: 'person', id: '1' } });
    expect(['l1', 'l2'].map((name) => world.employee(name).profile['email'] ?? '')).toEqual(['', 'b@x']);
  });

  test('a revert, as any other run', async () => {
    const world = await loaded({ people: [mailed('1', 'a@x'), TWO] });
    const bad = await changed(world, having(mailed('1', 'b@x'), THREE));
    const first = await revert(world, bad, { planned: 'update 1, disable 3' });
    await revert(world, first, { planned: 'update 1, enable 3' });
    await world.rests();
  });
});

const gone: WorldOptions = { sync: { leavers: { ...SYNC.leavers, misses: 1, action: 'remove' } } };
const withB = having(mailed('2', 'b@x'));
type Stays = readonly [string, WorldOptions, Edit, (world: World, bad: Ran) => unknown, readonly RegExp[]];

describe('a revert leaves, and names,', () => {
  test.each<Stays>([
    [
      'who was removed, and units that were removed',
      gone,
      () => ({ units: [unit('u1')], people: [ONE, THREE] }),
      () => undefined,
      [/^Unit u2: the unit was removed/u, /^l2: the account was removed/u],
    ],
    [
      'positions in a unit that is gone',
      {},
      having(person('2')),
      (world) => changed(world, ofUnits(unit('u1'))),
      [/unit u2 is not there any more/u],
    ],
    [
      'units where they are never removed',
      { sync: { unitsGone: 'keep' } },
      ({ units }) => ({ units: [...units, unit('u9')] }),
      () => undefined,
      [/unitsGone: keep/u],
    ],
    [
      'who left, came back and left again: a later run has decided that',
      {},
      LEFT,
      async (world) => {
        await changed(world, having(THREE));
        await changed(world, LEFT);
      },
      [/^l3: changed since$/u],
    ],
    [
      'changes that are in doubt',
      {},
      withB,
      (world, bad) => {
        const db = new Database(world.ledgerFile);
        db.prepare('update history set unseen = 1 where run = ?').run(bad.report.run);
        db.close();
      },
      [/^l2: in doubt/u],
    ],
  ])('%s', async (...[, options, change, since, reasons]) => {
    const world = await loaded(options);
    const bad = await changed(world, change);
    await since(world, bad);
    const ran = await shown(world, bad);
    expect([ran.planned, notBack(ran)]).toEqual([
      [],
      reasons.map((one) => expect.stringMatching(one) as unknown),
    ]);
  });

  test.each<readonly [string, Edit, (world: World) => unknown, RegExp]>([
    [
      'whose account is gone: it makes none',
      withB,
      ({ sandbox }) => sandbox.edit.removeEmployee('l2'),
      /a revert makes none/u,
    ],
    [
      'who is locked by others',
      withB,
      ({ sandbox }) => sandbox.edit.lockEmployee('l2'),
      /^locked in the service/u,
    ],
    [
      'below a unit that the source moves just now',
      ofUnits(unit('u1'), unit('u2', 'u1', { name: 'Other' }), unit('u3')),
      (world) => world.change(ofUnits(unit('u1', 'u3'), unit('u2', 'u1', { name: 'Other' }), unit('u3'))),
      /^unit u1 moves in the source/u,
    ],
  ])('as blocked, one %s', async (_, change, since, reason) => {
    const world = await loaded(TREE);
    const bad = await changed(world, change);
    since(world);
    const ran = await shown(world, bad);
    expect([ran.planned, ran.plan?.blocked.map((one) => one.reason)]).toEqual([
      [],
      [expect.stringMatching(reason)],
    ]);
  });
});

describe('guards', () => {
  test('count what the revert changes alone, and hold it; approved, it goes', async () => {
    const world = await loaded({ people: [ONE] });
    const bad = await changed(world, having(TWO, THREE));
    world.configure({ guard: { ...NO_GUARD, leavers: { percent: 0, count: 1 } } });
    const held = await revert(world, bad, { exit: 3, sent: '', held: 'leavers 2/1' });
    await revert(world, bad, { sent: 'disableEmployee*2' }, { approve: hashesOf(held) });
  });

  test('what is held of the ordinary plan, and approved, stays so', async () => {
    const world = await loaded();
    const bad = await changed(world, having(mailed('1', 'b@x')));
    world.configure({ guard: { ...NO_GUARD, leavers: { percent: 0, count: 0 } } });
    const held = await world.run(LEFT, { exit: 3 });
    const db = new Database(world.ledgerFile);
    // Approved, and not done yet.
    db.prepare(`insert into approval values ('given', 'other', 'other', ?, null)`).run(world.clock.now());
    const listed = () => db.prepare(`select hash from approval where kind <> 'account'`).all();
    const before = listed();
    const done = await revert(world, bad, { held: '', inside: '3 held' });
    expect([listed(), before.length, done.inside.join().includes(hashesOf(held)[0] ?? '-')]).toEqual([
      before,
      2,
      true,
    ]);
    db.close();
    await world.run({ approve: held }, { sent: 'disableEmployee, importEmployees' });
  });
});

test('what is applied is what was shown: without its hash, or with an old one, nothing is sent', async () => {
  const world = await loaded();
  const bad = await changed(world, having(mailed('1', 'b@x')));
  const { plan } = await shown(world, bad);
  await changed(world, having(mailed('1', 'c@x')));
  const request = { run: bad.report.run };
  for (const approve of [[], [plan?.hash ?? '']])
    await world.run({ revert: request, approve }, { exit: 2, error: 'revert-changed', sent: '' });
});

test('a revert beside another source is refused, and does not release it', async () => {
  const world = await loaded({ people: [mailed('1', 'a@x'), TWO] });
  const bad = await changed(world, having(mailed('1', 'b@x')));
  const { plan } = await shown(world, bad);
  world.source.identity = 'another server';
  const held = hashesOf(await world.sync());
  const request = { revert: { run: bad.report.run }, approve: [plan?.hash ?? '', ...held] };
  await world.run(request, { exit: 2, error: 'revert-other-source', sent: '' });
  await world.run({}, { exit: 3, held: 'source 1/0' });
});

test('a revert that dies on the way is put back by another one', async () => {
  const world = await loaded({ limits: { peoplePerImport: 1 } });
  const before = world.state();
  const bad = await changed(
    world,
    ofPeople(mailed('1', 'b@x'), person('2', { positions: [at('u1')] }), { ...THREE, active: false }),
  );
  for (let write = 1; write <= 8; write += 1) {
    const { plan } = await shown(world, bad);
    if (plan?.flowing === 0) break;
    const request = { revert: { run: bad.report.run }, approve: [plan?.hash ?? ''] };
    await world
      .sync({ ...request, wrap: (ledger) => crashing(ledger, write, 'after') })
      .catch(() => undefined);
    world.minutes(1);
  }
  await revert(world, bad, {});
  expect(world.state()).toEqual(before);
});
