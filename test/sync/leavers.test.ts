import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/domain/records/records.ts';
import { but, refuse } from '../doubles/service-parts.ts';
import { NO_GUARD, SYNC } from '../plan/build.ts';
import {
  at,
  guest,
  having,
  inactive,
  loadedWorld,
  ofPeople,
  ofUnits,
  person,
  refusal,
  SMALL,
  unit,
  without,
  type World,
} from './world.ts';

const DAY = 1_440;
const leavers = (parts: Partial<typeof SYNC.leavers>) => ({ leavers: { ...SYNC.leavers, ...parts } });
const isLocked = (world: World, ...names: readonly string[]) =>
  names.map((name) => world.employee(name).locked);

test('who is inactive is disabled once, by the employee id of the list, whatever id an import answered', async () => {
  const world = await loadedWorld({ readings: ['importIds=user'] });
  const ran = await world.run(inactive('1'), { sent: 'disableEmployee' });
  const { id, userId } = world.employee('l1');
  expect(id).not.toBe(userId);
  expect(ran.calls.find(({ method }) => method !== 'GET')?.path).toContain(`/employees/${id}/disable`);
  await world.rests();
});

describe('who is head of a unit and leaves', () => {
  const HEAD = person('1', { positions: [at('u1', { job_title: 'Head', chief: true })] });
  const people = [HEAD, person('2')];

  test.each([[[]], [['importEnables', 'absent=clear', 'positions=merge']]])(
    'is none while the account is disabled, keeps the headships of others, and is head again when back (%j)',
    async (readings) => {
      const world = await loadedWorld({ people, readings });
      const { id: project } = world.sandbox.edit.addOrganization(world.sandbox.rootId, 'Project');
      const [own] = world.employee('l1').positions;
      const theirs = { org_id: project, job_title: '', primary: false, chief: true };
      const positions = [{ org_id: own?.orgId ?? '', job_title: 'Head', primary: true, chief: true }, theirs];
      world.sandbox.edit.changeEmployee('l1', { positions, mobile: '13800000000' });
      await world.sync();
      await world.run(inactive('1'), { planned: 'disable 1', sent: 'modifyEmployee, disableEmployee' });
      const heads = () => world.employee('l1').positions.map(({ jobTitle, chief }) => [jobTitle, chief]);
      expect([isLocked(world, 'l1'), heads()]).toEqual([
        [true],
        [
          ['Head', false],
          [undefined, true],
        ],
      ]);
      expect(world.employee('l1').profile['mobile']).toBe('13800000000');
      await world.isSilent();
      await world.run(ofPeople(...people));
      expect([isLocked(world, 'l1'), heads()]).toEqual([
        [false],
        [
          ['Head', true],
          [undefined, true],
        ],
      ]);
      await world.isSilent();
    },
  );

  test.each([
    ['refused', refuse('not now'), 'not now'],
    ['not done', () => Promise.resolve(), 'headStays'],
  ])('is disabled all the same if that is %s, which is noted', async (_, modifyEmployee, code) => {
    const world = await loadedWorld({ people });
    await world.run({ change: inactive('1'), through: but({ modifyEmployee }) }, { exit: 4, failed: code });
    expect(isLocked(world, 'l1')).toEqual([true]);
  });
});

describe('who is missing', () => {
  test('leaves after two complete reads that are ten minutes apart; a plan counts none', async () => {
    const world = await loadedWorld();
    world.change(without('1'));
    for (let times = 0; times < 4; times += 1) expect((await world.plan({ later: 11 })).planned).toEqual([]);
    for (const later of [0, 5, 4]) await world.run({ later }, { sent: '' });
    await world.run({ later: 1 }, { sent: 'disableEmployee' });
    await world.rests({ later: 60 });
  });

  test('goes where the action is remove, with the required fields, and comes back as a new account', async () => {
    const world = await loadedWorld({ sync: leavers({ action: 'remove' }) });
    await world.run(without('1'), { sent: '' });
    const ran = await world.run({ later: 10 }, { sent: 'importEmployees' });
    const operations = ran.calls.map(({ operation }) => operation);
    expect(operations.indexOf('listEmployees')).toBeLessThan(operations.indexOf('importEmployees'));
    await world.rests();
    await world.run(having(SMALL.people[0]), { planned: 'create 1' });
    await world.rests();
  });

  test('counts as removed when the service shows it, however late', async () => {
    const world = await loadedWorld({ sync: leavers({ misses: 1, action: 'remove' }) });
    world.sandbox.setReadings(['asyncImport=600s']);
    await world.run(without('1'), { exit: 4, listed: '1 stillThere' });
    await world.run({ later: 15 }, { sent: '', listed: '' });
  });

  test('while others had locked the account leaves right after they unlock it', async () => {
    const world = await loadedWorld({ sync: leavers({ misses: 3 }) });
    world.sandbox.edit.lockEmployee('l1');
    world.change(without('1'));
    for (let runs = 0; runs < 5; runs += 1)
      expect((await world.run({ later: 15 }, { sent: '' })).plan?.waiting).toEqual([]);
    world.sandbox.edit.unlockEmployee('l1');
    await world.run({ later: 15 }, { sent: 'disableEmployee' });
  });
});

test('a unit that is gone waits for a locked employee of others, with all above it', async () => {
  const chain = [unit('u1'), unit('u2', 'u1'), unit('u3', 'u2'), unit('u4', 'u3')];
  const world = await loadedWorld({ units: chain, people: [person('1')] });
  guest(world, 'guest', { at: world.organization('u4').id });
  world.sandbox.edit.lockEmployee('guest');
  const listed = 'u2 occupied, u3 occupied, u4 occupied';
  const ran = await world.run(ofUnits(unit('u1')), { exit: 4, sent: '', listed });
  expect(ran.listed.join()).toContain('guest');
  world.sandbox.edit.removeEmployee('guest');
  await world.run({}, { sent: 'deleteOrganization*3' });
});

const IDS = Array.from({ length: 200 }, (_, index) => String(index + 1));
const ALL = IDS.map((id) => person(id));
const EIGHT = 8;
const isTurn = (round: number, index: number): boolean => Math.floor(index / EIGHT) === round;

test.each<readonly ['disable' | 'remove', string, (round: number) => readonly Person[]]>([
  [
    'disable',
    'say that they have left',
    (round) => ALL.map((one, n) => ({ ...one, active: !isTurn(round, n) })),
  ],
  ['remove', 'are missing', (round) => ALL.filter((_, n) => !isTurn(round, n))],
])('of eight others who %s in each read, no more go than in one day', async (action, _, people) => {
  const sync = { guard: SYNC.guard, ...leavers({ action, misses: 1 }) };
  const units = [unit('u1'), ...IDS.slice(0, 60).map((id) => unit(`d${id}`, 'u1'))];
  const world = await loadedWorld({ units, people: ALL, sync });
  const working = () =>
    new Set(world.sandbox.state.employees().flatMap(({ id, locked }) => (locked ? [] : [id])));
  const before = working();
  for (let round = 0; round < 6; round += 1) {
    await world.run({ change: ofPeople(...people(round)), later: 20 }, { exit: round === 0 ? 0 : 3 });
    expect([...before].filter((id) => !working().has(id)).length).toBeLessThanOrEqual(EIGHT);
  }
  await world.run({ change: ofPeople(...ALL), later: 20 });
  expect(working().size).toBe(IDS.length);
  await world.run(ofPeople(...people(20)), { exit: 3 });
  await world.run({ later: DAY });
});

describe('a clock that was in the future', () => {
  const opened = async (): Promise<World> => {
    const world = await loadedWorld({ sync: leavers({ removeAfterDays: 30 }) });
    world.minutes(15);
    return world;
  };

  test('makes a miss due: the next read disables', async () => {
    const world = await opened();
    await world.run({ change: without('3'), later: DAY });
    await world.run({ later: -DAY + 1 }, { planned: 'disable 3' });
  });

  test('lets what was refused be tried again at once', async () => {
    const world = await opened();
    world.change(having(person('3', { fields: { name: 'New' } })));
    world.minutes(DAY);
    const through = but({ importEmployees: refuse('no') });
    for (const planned of ['update 3', 'update 3', '']) await world.run({ through }, { exit: 4, planned });
    await world.run({ later: -DAY }, { planned: 'update 3' });
  });

  test('begins the days until the removal anew: nobody is removed early, nor waits for years', async () => {
    const world = await opened();
    world.minutes(365 * DAY);
    await world.run(without('3'));
    await world.run({ later: 15 }, { planned: 'disable 3' });
    for (const days of [-365, 29]) await world.run({ later: days * DAY }, { planned: '' });
    await world.run({ later: 2 * DAY }, { planned: 'remove 3' });
  });
});

describe('a service that shows nobody for a while', () => {
  const LEAVERS = Array.from({ length: 10 }, (_, index) => person(`w${index}`));
  const DISABLED = Array.from({ length: 10 }, (_, index) => person(`d${index}`));
  const gone = DISABLED.map((one) => ({ ...one, active: false }));
  const FEW = { ...NO_GUARD, gone: { percent: 0, count: 5 } };

  /** Ten are disabled by us, ten are missing once, three stay. */
  async function waiting(guard: typeof NO_GUARD): Promise<World> {
    const people = [...SMALL.people, ...LEAVERS, ...DISABLED];
    const world = await loadedWorld({ people, sync: { guard } });
    await world.run(having(...gone));
    await world.run({ change: ofPeople(...SMALL.people, ...gone), later: 15 });
    world.minutes(15);
    return world;
  }

  async function forgetful(world: World) {
    world.sandbox.setReadings(['forgetful']);
    const ran = await world.sync({ full: true });
    world.sandbox.setReadings([]);
    return ran;
  }

  const locked = (world: World, people: readonly Person[]) => [
    ...new Set(isLocked(world, ...people.map(({ username }) => username))),
  ];

  test('makes nobody removed: what vanished is held, and changes nothing', async () => {
    const world = await waiting(FEW);
    const ran = await forgetful(world);
    expect([ran.exitCode, ran.changing, ran.plan?.held]).toMatchObject([
      3,
      [],
      [{ guard: 'gone', count: 23 }],
    ]);
    await world.run({ full: true }, { sent: 'disableEmployee*10', inside: '' });
    await world.rests();
  });

  test('though nothing is held: what shows up again is what it was', async () => {
    const world = await waiting(NO_GUARD);
    const ran = await forgetful(world);
    expect(ran.planned.filter((text) => text.startsWith('forget'))).toHaveLength(20);
    await world.sync({ later: 15, full: true });
    expect(locked(world, LEAVERS)).toEqual([true]);
    await world.run(
      { change: ofPeople(...SMALL.people, ...DISABLED), later: 15, full: true },
      { listed: '' },
    );
    expect(locked(world, DISABLED)).toEqual([false]);
  });

  test('is told from accounts that somebody removed: these are forgotten once that is approved', async () => {
    const world = await waiting(FEW);
    for (const { username } of [...LEAVERS, ...DISABLED]) world.sandbox.edit.removeEmployee(username);
    const held = await world.run({ full: true }, { exit: 3, sent: '', held: 'gone 20/5' });
    const again = await world.run({ later: 15 }, { exit: 3, held: 'gone 20/5' });
    expect(again.plan?.held[0]?.hash).toBe(held.plan?.held[0]?.hash);
    await world.run({ approve: held }, { sent: '', inside: '' });
    await world.isSilent();
  });
});

const nameless = (label: string | null) => ({ ...refusal('person', null, 'id'), label, active: true });
const bad = (field: string, active: boolean | null = false) => ({
  ...refusal('person', '1', field),
  label: 'l1',
  active,
});
const left = (parts: Parameters<typeof person>[1] = {}) => person('1', { active: false, ...parts });
const [, TWO, THREE] = SMALL.people;

describe('a leaver in a record that cannot be used', () => {
  test.each<readonly [string, World['source']['world']['people'], readonly [string, string], string]>([
    [
      'none of it, without id and username: listed by its place',
      [nameless(null), TWO, THREE],
      ['', 'disable 1'],
      'row of null unusable id',
    ],
    [
      'without id, with the username: who has it is kept',
      [nameless('L1'), TWO, nameless('l3')],
      ['', ''],
      '1 unusable id, 3 unusable id',
    ],
    ['without name: leaves at once', [bad('name'), TWO, THREE], ['disable 1', ''], ''],
    [
      'without id, known by the username: leaves at once',
      [{ ...bad('id'), id: null }, TWO, THREE],
      ['disable 1', ''],
      '',
    ],
    [
      'twice: leaves at once',
      [left(), left({ fields: { name: 'Other' } }), TWO, THREE],
      ['disable 1', ''],
      '',
    ],
    ['one record says it and one does not: stays', [left(), person('1'), TWO, THREE], ['', ''], '1 sharesId'],
    [
      'one that cannot be read does not: stays',
      [left(), bad('name', true), TWO, THREE],
      ['', ''],
      '1 unusable name',
    ],
    ['it cannot be told: stays', [bad('name', null), TWO, THREE], ['', ''], '1 unusable name'],
  ])('%s', async (_, people, planned, listed) => {
    const world = await loadedWorld();
    const exit = listed === '' ? 0 : 4;
    await world.run({ change: ofPeople(...people), later: 11 }, { exit, planned: planned[0], listed });
    await world.run({ later: 11 }, { exit, planned: planned[1], listed });
    await world.run({ later: 11, full: true }, { exit, planned: '', listed });
    expect(isLocked(world, 'l1', 'l2', 'l3')).toEqual([planned.join('') !== '', false, false]);
  });

  test('is known by the username that the source had, where the account kept another', async () => {
    const world = await loadedWorld();
    await world.run(having(person('1', { username: 'new' })));
    world.change(ofPeople(nameless('New'), TWO, THREE));
    for (let reads = 1; reads <= 3; reads += 1)
      await world.run({ later: 11 }, { exit: 4, listed: '1 unusable id' });
    expect(isLocked(world, 'l1')).toEqual([false]);
  });

  test('is nothing to us if we do not know them, and adopted and disabled if others made the account', async () => {
    const world = await loadedWorld({ people: [...SMALL.people, { ...bad('name'), id: '9', label: 'l9' }] });
    await world.rests();
    guest(world, 'l9');
    await world.run({ full: true });
    expect(isLocked(world, 'l9')).toEqual([true]);
    await world.isSilent({ later: 15 });
  });

  test('leaves where a row of positions of theirs is bad, and the missing one of such a row too', async () => {
    const rows = SMALL.people.map(({ id }) => ({ person: id, position: at('u1') }));
    const people = SMALL.people.map((one) => ({ ...one, positions: [] }));
    const world = await loadedWorld({ positions: rows, people });
    const positions = [rows[1]!, ...['1', '3'].map((id) => refusal('position', id, 'unit'))];
    world.change(() => ({ positions, people: [{ ...people[0]!, active: false }, people[1]!] }));
    expect((await world.sync()).planned).toEqual(['disable person 1']);
    expect((await world.sync({ later: 11 })).planned).toEqual(['disable person 3']);
  });

  test('comes back under a new id while the old row stays: the active one counts', async () => {
    const back = person('3b', { username: 'l3', fields: { name: 'Back' } });
    const world = await loadedWorld({
      people: [...SMALL.people.slice(0, 2), { ...THREE, active: false }, back],
    });
    await world.rests();
  });
});
