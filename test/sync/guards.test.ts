import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/domain/records/records.ts';
import type { SyncSettings } from '../../src/domain/settings.ts';
import { NO_GUARD, SYNC } from '../plan/build.ts';
import {
  at,
  hashesOf,
  having,
  inactive,
  loadedWorld,
  ofPeople,
  openWorld,
  person,
  SMALL,
  unit,
  withFields,
  without,
  type Edit,
  type Ran,
  type World,
  type WorldOptions,
} from './world.ts';
import { but, refuse } from '../doubles/service-parts.ts';

const DAY = 1_440;
const IDS = Array.from({ length: 12 }, (_, index) => String(index + 1));
const full = (id: string): Person =>
  person(id, {
    fields: {
      email: `${id}@example.com`,
      mobile: `+49 ${id}`,
      properties: { '11': [`P${id}`], '12': ['kept'] },
    },
    positions: [at('u1', { job_title: `Title ${id}`, chief: id === '1' })],
  });
const COMPANY = {
  units: [unit('u1'), unit('u2'), ...IDS.map((id) => unit(`d${id}`, 'u1'))],
  people: IDS.map((id) => full(id)),
};
/** More than three. */
const FEW = { percent: 5, count: 3 };
const opened = (guard: Partial<SyncSettings['guard']>, options: WorldOptions = {}): Promise<World> =>
  loadedWorld({ ...COMPANY, ...options, sync: { guard: { ...NO_GUARD, ...guard } } });

/** Changes the first so many. */
const first =
  (count: number, change: (one: Person) => Person): Edit =>
  () => ({ people: IDS.map((id, index) => (index < count ? change(full(id)) : full(id))) });
const field = (name: string, value: string | null) => (one: Person) => ({
  ...one,
  fields: { ...one.fields, [name]: value },
});
const leaves = (one: Person): Person => ({ ...one, active: false });
const renamed = (one: Person): Person => field('name', `New ${one.id}`)(one);
const left = (count: number): Edit => first(count, leaves);

type Case = readonly [guard: keyof SyncSettings['guard'], what: string, change: Edit | null];
const withoutTitle = (one: Person): Person => ({
  ...one,
  positions: [at('u1', { job_title: null, chief: one.id === '1' })],
});
const CASES: readonly Case[] = [
  ['leavers', 'many inactive', left(4)],
  ['joiners', 'many new', having(...IDS.slice(0, 4).map((id) => person(`n${id}`)))],
  ['updates', 'many renamed', first(4, renamed)],
  ['unitsRemoved', 'many units missing', ({ units }) => ({ units: units.slice(0, -4) })],
  ['gone', 'many accounts vanished from the service', null],
  ['emptied', 'email', first(4, field('email', null))],
  ['emptied', 'positions.job_title', first(4, withoutTitle)],
  ['emptied', 'positions', first(4, (one) => ({ ...one, positions: [at(null, { job_title: 'Gone' })] }))],
];

describe('a guard', () => {
  test.each(CASES)(
    '%s holds everything at one more than its limit (%s), until it is approved',
    async (guard, _, change) => {
      const world = await opened({ [guard]: FEW });
      if (change === null) for (const id of IDS.slice(0, 4)) world.sandbox.edit.removeEmployee(`l${id}`);
      const before = world.state();
      const expected = { exit: 3, sent: '', held: `${guard} 4/3` };
      const held = await world.run({ change: change ?? (() => ({})), full: true }, expected);
      const ready = held.lines.find(({ fields }) => fields['event'] === 'plan.ready')?.fields['held'];
      expect([ready, held.plan?.heldChanges, held.report.end.held]).toEqual([4, 4, 4]);
      expect(held.lines.some(({ fields }) => fields['event'] === 'guard.held')).toBe(true);
      expect(world.state()).toEqual(before);
      await world.run({ approve: ['000000000000'] }, { exit: 2, error: 'approve-unknown', sent: '' });
      expect(hashesOf(await world.plan())).toEqual(hashesOf(held));
      expect((await world.run({ approve: held }, { held: '' })).changing).not.toEqual([]);
      await world.isSilent();
    },
  );

  test.each(CASES.filter(([guard]) => guard === 'emptied'))(
    '%s holds the whole record, under the hash of each that counts it (%s)',
    async (_guard, _, change) => {
      const world = await opened({ emptied: FEW, updates: FEW });
      const before = world.state();
      world.change(change ?? (() => ({})));
      const names = having(...(world.source.world.people.slice(0, 4) as Person[]).map(renamed));
      const ran = await world.run(names, { exit: 3, held: 'updates 4/3, emptied 4/3' });
      expect(ran.rows.map((row) => [row.isHeld, row.hashes])).toEqual(
        Array.from({ length: 4 }, () => [true, hashesOf(ran)]),
      );
      const half = await world.run({ approve: hashesOf(ran).slice(0, 1) }, { exit: 3, sent: '' });
      expect(world.state()).toEqual(before);
      await world.run({ approve: half }, { held: '' });
      await world.isSilent();
    },
  );

  test('of a field that turns empty in one part of a tree holds from more than half on, once for each field', async () => {
    const crowd =
      (gone: number): Edit =>
      () => ({
        people: Array.from({ length: 100 }, (_, index) => {
          const one = { ...full(String(index + 1)), positions: [at(index < 6 ? 'east' : 'rest')] };
          return index < gone ? field('mobile', null)(field('email', null)(one)) : one;
        }),
      });
    const units = [unit('rest'), unit('north', 'rest'), unit('east', 'north')];
    const world = await opened(
      { emptied: { percent: 10, count: 5 } },
      { units, ...crowd(0)({ units, people: [] }) },
    );
    const ran = await world.run(crowd(4), { exit: 3, sent: '', held: 'emptied 4/3, emptied 4/3' });
    expect(ran.plan?.held[0]?.about).toContain(' Unit north,');
    const [email = '', mobile = ''] = hashesOf(ran);
    expect(hashesOf(await world.run({ approve: [email] }, { exit: 3, sent: '' }))).toEqual([mobile]);
    await world.run({ approve: [mobile] });
    await world.rests();
  });
});

describe('an approval', () => {
  test('releases what was listed and is planned unchanged; what came since is held under a new hash', async () => {
    const world = await opened({ leavers: FEW });
    const listed = await world.run(left(4), { exit: 3 });
    const ran = await world.run(
      { change: left(8), approve: listed },
      { exit: 3, sent: 'modifyEmployee, disableEmployee*4', held: 'leavers 4/3' },
    );
    expect(ran.plan?.held[0]?.first[0]).toBe('l5 (Name 5)');
    expect(hashesOf(ran)).not.toEqual(hashesOf(listed));
    await world.run({}, { exit: 3, sent: '', held: 'leavers 4/3' });
  });

  test('does not count against what came since: a guard allows it at once, or holds it until it is approved', async () => {
    const world = await opened({ leavers: FEW });
    const listed = await world.run(left(4), { exit: 3 });
    await world.run({ change: left(5), approve: listed }, { sent: 'modifyEmployee, disableEmployee*5' });
    await world.rests();
  });

  test('of what is not held is refused, and counts as no run', async () => {
    const world = await opened({});
    await world.run(
      { change: left(2), approve: ['000000000000'] },
      { exit: 2, error: 'approve-unknown', sent: '' },
    );
    let known: readonly unknown[] = [];
    const after = async ({
      ledger,
    }: Parameters<NonNullable<Parameters<World['sync']>[0]>['after'] & object>[0]) =>
      void (known = ledger.runs.last(9).map(({ result }) => result));
    await world.run({ after });
    expect(known).toEqual(['ok', 'ok']);
  });

  test('outlives a run that could not carry it out, and lapses after 7 days', async () => {
    const world = await opened({ leavers: FEW });
    const held = await world.run(left(4), { exit: 3 });
    world.sandbox.setFaults('rate=1,kinds=500,ops=disableEmployee');
    for (const options of [{ approve: held }, { later: DAY }])
      expect((await world.sync(options)).exitCode).not.toBe(3);
    world.sandbox.setFaults(undefined);
    await world.run({ later: 7 * DAY }, { exit: 3 });
    await world.run({ approve: held });
    await world.rests();
  });
});

test('a first load of which nothing could be done is over after a week', async () => {
  const people = Array.from({ length: 30 }, (_, index) => person(`${index}`));
  const world = await openWorld({ people, sync: { guard: SYNC.guard } });
  const through = but({ importOrganizations: refuse('not now'), createOrganization: refuse('not now') });
  for (const later of [0, 8 * DAY]) await world.sync({ later, through });
  expect((await world.sync()).plan?.held).toMatchObject([{ guard: 'joiners', count: 30 }]);
});

describe('a field that turned empty', () => {
  const has = person('1', { fields: { email: 'a@example.com', sort_order: '7', tags: ['1', '2'] } });
  const lacks = person('1', { fields: { email: null, sort_order: null, tags: [] } });

  test.each([
    ['empty', [], { email: '', tags: [], sort_order: null }, false],
    ['omit', [], {}, true],
    ['omit', ['absent=clear'], {}, false],
  ] as const)(
    'goes out as clear: %s says, with %j, and is not fought over',
    async (...[clear, readings, sent, isKept]) => {
      const world = await loadedWorld({ people: [has], readings, sync: { clear } });
      const bodies: Record<string, unknown>[] = [];
      world.sandbox.onCall = ({ operation }, text) => {
        if (operation === 'importEmployees') bodies.push(...(JSON.parse(text) as Record<string, unknown>[]));
      };
      await world.run(ofPeople(lacks), { sent: 'importEmployees' });
      expect(bodies).toMatchObject([sent]);
      expect(Object.hasOwn(bodies[0] ?? {}, 'email')).toBe(clear !== 'omit');
      expect((world.employee('l1').profile['sort_order'] ?? null) !== null).toBe(isKept);
      await world.isSilent();
    },
  );
});

describe('another source: nothing is planned or sent until a person says that it is right', () => {
  const another = (world: World, identity = 'other'): void => void (world.source.identity = identity);
  const HELD = { exit: 3, sent: '', planned: '', held: 'source 1/0' };

  test('one line is held, it says what was and what is, and nobody is missed', async () => {
    const world = await opened(SYNC.guard, SMALL);
    another(world);
    const before = world.state();
    const next = {
      units: [unit('u1'), unit('n2', 'u1')],
      people: [person('1', { fields: { name: 'X' } }), person('4')],
    };
    await world.runs({ change: () => next, later: 15 }, HELD, [true, true, true]);
    expect(world.state()).toEqual(before);
    const { plan, text } = await world.plan({ describe: true });
    expect(plan?.held[0]?.about).toMatch(/ memory .* other /u);
    expect(text).toContainEqual(expect.stringMatching(/; 1 held\.$/u));
    another(world, 'memory');
    world.change(() => SMALL);
    await world.rests();
  });

  test('leavers by their own records are named meanwhile', async () => {
    const world = await loadedWorld();
    another(world);
    await world.run({ change: inactive('2'), later: 15 }, { ...HELD, inside: '2 held' });
  });

  test('approved, it is remembered, and the ordinary guards apply in the same run', async () => {
    const world = await opened(SYNC.guard, SMALL);
    const { id } = world.employee('l1');
    another(world);
    const held = await world.run(withFields({ name: 'New' }), HELD);
    const ran = await world.run({ approve: held }, { exit: 3, held: 'updates 3/2' });
    await world.run({ approve: ran });
    expect(world.employee('l1').id).toBe(id);
    await world.rests();
  });

  test('the hash is of the identity: other records have the same one, another server has not', async () => {
    const world = await loadedWorld();
    another(world);
    const held = await world.run({}, HELD);
    expect(hashesOf(await world.run({ change: without('3'), full: true }, HELD))).toEqual(hashesOf(held));
    another(world, 'a third server');
    expect(hashesOf(await world.run({ approve: held }, HELD))).not.toEqual(hashesOf(held));
  });

  test('another sync.root: approved, the units move and the one that is the root now goes', async () => {
    const world = await loadedWorld();
    world.configure({ root: 'u1' });
    const held = await world.run({}, HELD);
    expect(held.plan?.held[0]?.about).toMatch(/^sync\.root .*\bnone\b.* u1 /u);
    await world.run({ approve: held }, { listed: '' });
    await world.rests();
  });

  test('another root node of the service is held too', async () => {
    const world = await loadedWorld();
    const through = but(({ root }) => ({
      root: async (signal) => ({ ...(await root(signal)), id: '990001' }),
    }));
    await world.run({ through }, HELD);
  });
});

test('what a run rests on stands in the plan and in the log: every part of the source, every list of the service', async () => {
  const ran = await (await openWorld()).sync();
  const { source, service } = ran.plan?.evidence ?? {};
  expect(source?.parts).toEqual([
    { part: 'units', records: 2, pages: 1, end: 'end of rows' },
    { part: 'people', records: 3, pages: 1, end: 'end of rows' },
  ]);
  const [organizations, users] = [
    { count: 1, total: 1 },
    { count: 0, total: 0 },
  ];
  expect(service).toEqual({ organizations, users, employees: { asked: 0, found: 0 } });
  const events = ran.lines.map(({ fields }) => fields);
  expect(events.find(({ event }) => event === 'source.read')?.['parts']).toEqual(source?.parts);
  expect(events.find(({ event }) => event === 'service.refresh')?.['organizations']).toEqual(organizations);
});

describe('a likely cause', () => {
  const units = [unit('u1'), unit('lab', 'u1', { name: 'Lab' })];
  const people = Array.from({ length: 24 }, (_, n) =>
    person(`${n + 10}`, { positions: [at(n < 6 ? 'lab' : 'u1')] }),
  );
  const company = () => opened({ leavers: { percent: 0, count: 0 } }, { units, people });
  const causesOf = ({ plan }: Ran) => (plan?.held ?? []).map(({ cause }) => cause);

  /** Without the people whom these positions in the list have, read as often as it takes for them to leave. */
  async function losing(world: World, isGone: (index: number) => boolean): Promise<Ran> {
    await world.sync({ change: ofPeople(...people.filter((_, n) => !isGone(n))), later: 15 });
    return world.sync({ later: 15, describe: true });
  }

  test.each([
    [
      0,
      /^The query, filter or mapping of people is another one since .* UTC\. All 6: missing in the source$/u,
    ],
    [25 * 60, /^All 6: missing in the source$/u],
  ])('is a query that was changed, until a day has passed (%i minutes)', async (minutes, cause) => {
    const world = await company();
    world.source.asks = { ...world.source.asks, people: 'another' };
    if (minutes > 0) await world.sync();
    world.minutes(minutes);
    expect(causesOf(await losing(world, (n) => n % 4 === 0))).toEqual([expect.stringMatching(cause)]);
  });

  test('is no query that was changed and set back', async () => {
    const world = await company();
    const { asks } = world.source;
    world.source.asks = { ...asks, people: 'another' };
    await world.sync();
    world.source.asks = asks;
    expect(causesOf(await losing(world, (n) => n % 4 === 0))).toEqual(['All 6: missing in the source']);
  });

  test('stands in plan and log, and the same changes keep it', async () => {
    const world = await company();
    const ran = await losing(world, (n) => n < 6);
    const [cause = ''] = causesOf(ran);
    expect(cause).toContain('in Lab');
    expect(ran.text.join('\n')).toContain(cause);
    const held = ran.lines.flatMap(({ fields }) =>
      fields['event'] === 'guard.held' ? [fields['cause']] : [],
    );
    const again = await world.sync();
    expect([held, causesOf(await world.plan()), causesOf(again), hashesOf(again)]).toEqual([
      [cause],
      [cause],
      [cause],
      hashesOf(ran),
    ]);
  });
});
