import { describe, expect, test } from 'vitest';
import { SYNC } from '../plan/build.ts';
import { RefusedError } from '../../src/domain/errors.ts';
import { expectSilence } from './reverting.ts';
import {
  at,
  guest,
  SMALL,
  inactive,
  loadedWorld,
  openWorld,
  person,
  unit,
  without,
  type World,
} from './world.ts';

describe('who is inactive', () => {
  test('is disabled once, by the employee id of the employees list, whatever id an import answered', async () => {
    const world = await loadedWorld({ readings: ['importIds=user'] });
    const ran = await world.syncAfter(inactive('1'));
    const { id, userId, locked } = world.employee('l1');
    expect(id).not.toBe(userId);
    expect(ran.changing).toEqual(['disableEmployee']);
    expect(ran.calls.find(({ method }) => method !== 'GET')?.path).toContain(`/employees/${id}/disable`);
    expect(locked).toBe(true);
    for (const full of [false, true]) expect((await world.sync({ full })).changing).toEqual([]);
  });
});

const heads = (world: World): readonly boolean[] => world.employee('l1').positions.map(({ chief }) => chief);

describe('who is head of a unit and leaves', () => {
  const HEAD = person('1', { positions: [at('u1', { job_title: 'Head', chief: true })] });
  test.each([[[]], [['importEnables', 'absent=clear', 'positions=merge']]])(
    'is no head any more when the account is disabled, and is again when it comes back (%j)',
    async (readings) => {
      const world = await loadedWorld({ people: [HEAD, person('2')], readings });
      const { id: project } = world.sandbox.edit.addOrganization(world.sandbox.rootId, 'Project');
      const [own] = world.employee('l1').positions;
      const others = { org_id: project, job_title: '', primary: false, chief: true };
      const positions = [{ org_id: own?.orgId ?? '', job_title: 'Head', primary: true, chief: true }, others];
      world.sandbox.edit.changeEmployee('l1', { positions, mobile: '13800000000' });
      await world.sync();
      world.change(inactive('1'));
      const ran = await world.sync();
      expect([ran.exitCode, ran.planned, ran.changing]).toEqual([
        0,
        ['disable person 1'],
        ['modifyEmployee', 'disableEmployee'],
      ]);
      const { locked, positions: now, profile } = world.employee('l1');
      expect([locked, heads(world), now[0]?.jobTitle, profile['mobile']]).toEqual([
        true,
        [false, true],
        'Head',
        '13800000000',
      ]);
      await expectSilence(world);
      const back = await world.syncAfter(() => ({ people: [HEAD, person('2')] }));
      expect([back.exitCode, world.employee('l1').locked, heads(world)]).toEqual([0, false, [true, true]]);
      await expectSilence(world);
    },
  );

  test.each([
    ['refused', () => Promise.reject(new RefusedError('not now', 990_001)), 'not now'],
    ['not done', () => Promise.resolve(), 'still shown as head of a unit'],
  ])('is disabled all the same if that is %s, which is listed', async (_, modifyEmployee, words) => {
    const world = await loadedWorld({ people: [HEAD, person('2')] });
    world.change(inactive('1'));
    const ran = await world.sync({ through: (service) => ({ ...service, modifyEmployee }) });
    expect([ran.exitCode, world.employee('l1').locked]).toEqual([4, true]);
    const failed = ran.lines.filter(({ fields }) => fields['event'] === 'item.failed');
    expect(failed.map(({ fields }) => fields['reason'])).toEqual([words]);
  });
});

describe('who is missing', () => {
  test('leaves after two complete reads that are ten minutes apart', async () => {
    const world = await loadedWorld();
    world.change(without('1'));
    for (const minutes of [0, 5, 4]) expect((await world.sync({ later: minutes })).changing).toEqual([]);
    const ran = await world.sync({ later: 1 });
    expect([ran.exitCode, ran.changing]).toEqual([0, ['disableEmployee']]);
    expect(world.employee('l1').locked).toBe(true);
    expect((await world.sync({ later: 60, full: true })).changing).toEqual([]);
  });

  test('a plan counts no miss', async () => {
    const world = await loadedWorld();
    world.change(without('1'));
    for (let times = 0; times < 4; times += 1) expect((await world.plan({ later: 11 })).planned).toEqual([]);
    expect((await world.sync()).planned).toEqual([]);
  });

  test('goes where the action is remove, with the required fields, and comes back as a new account', async () => {
    const world = await loadedWorld({
      sync: { leavers: { misses: 2, action: 'remove', removeAfterDays: null } },
    });
    await world.syncAfter(without('1'));
    const ran = await world.sync({ later: 10 });
    expect(ran.changing).toEqual(['importEmployees']);
    expect(ran.calls.findIndex(({ operation }) => operation === 'listEmployees')).toBeLessThan(
      ran.calls.findIndex(({ operation }) => operation === 'importEmployees'),
    );
    expect(ran.exitCode).toBe(0);
    expect(world.sandbox.state.employee('l1')).toBeUndefined();
    expect((await world.sync({ full: true })).changing).toEqual([]);
    expect((await world.syncAfter(() => ({ people: SMALL.people }))).planned).toEqual(['create person 1']);
    expect(world.state().people).toContain('l1 Name 1 u1[primary]');
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('is not removed by one read, also where the days were over before', async () => {
    const leavers = { misses: 2, action: 'disable', removeAfterDays: 0 } as const;
    const world = await loadedWorld({ sync: { leavers } });
    await world.syncAfter(inactive('1'));
    const missing = await world.syncAfter((now) => ({ people: (now.people ?? []).slice(1) }));
    expect([missing.planned, missing.exitCode]).toEqual([[], 0]);
    expect((await world.sync({ later: 10 })).planned).toEqual(['remove person 1']);
  });
});

describe('a unit that is gone from the source', () => {
  const TREE = {
    units: [unit('u1'), unit('u2', 'u1'), unit('u3', 'u2'), unit('u4', 'u3')],
    people: [person('1')],
  };

  test('waits for a locked employee of somebody else, and is listed with who is there', async () => {
    const world = await loadedWorld(TREE);
    guest(world, 'guest', { at: world.organization('u4').id });
    world.sandbox.edit.lockEmployee('guest');
    const ran = await world.syncAfter(() => ({ units: [unit('u1')] }));
    expect([ran.exitCode, ran.changing]).toEqual([4, []]);
    expect(ran.listed.join('\n')).toMatch(/u4: waits .*guest|u4: waits .*more/u);
    expect(ran.listed).toHaveLength(3);
    world.sandbox.edit.removeEmployee('guest');
    expect((await world.sync()).changing).toHaveLength(3);
  });
});

describe('a removal that the service shows later', () => {
  const ACTION = { leavers: { ...SYNC.leavers, misses: 1, action: 'remove' } } as const;

  test('much later counts as failed, and is off the list when it is seen', async () => {
    const world = await loadedWorld({ sync: ACTION });
    world.sandbox.setReadings(['asyncImport=600s']);
    const ran = await world.syncAfter(({ people }) => ({ people: people.slice(1) }));
    expect([ran.exitCode, ran.listed]).toEqual([4, ['1: not removed: it is still an employee']]);
    const next = await world.sync({ later: 15 });
    expect([next.exitCode, next.changing, next.listed]).toEqual([0, [], []]);
  });
});

test('who was missing while somebody else had locked the account leaves right after it is unlocked', async () => {
  const world = await loadedWorld({ sync: { leavers: { ...SYNC.leavers, misses: 3 } } });
  world.sandbox.edit.lockEmployee('l1');
  world.change(without('1'));
  for (let runs = 0; runs < 5; runs += 1) {
    const ran = await world.sync({ later: 15 });
    expect([ran.changing, ran.plan?.waiting]).toEqual([[], []]);
  }
  world.sandbox.edit.unlockEmployee('l1');
  const ran = await world.sync({ later: 15 });
  expect([ran.exitCode, ran.changing]).toEqual([0, ['disableEmployee']]);
});

const IDS = Array.from({ length: 200 }, (_, index) => String(index + 1));
const EIGHT = 8;
const ALL = IDS.map((id) => person(id));
const UNITS = [unit('u1'), ...IDS.slice(0, 60).map((id) => unit(`d${id}`, 'u1'))];

/** Returns everybody but the eight whose turn it is. */
const withoutEight = (round: number) => ALL.filter((_, index) => Math.floor(index / EIGHT) !== round);

/** Returns everybody; the eight whose turn it is say that they have left. */
const withEightLeft = (round: number) =>
  ALL.map((one, index) => (Math.floor(index / EIGHT) === round ? person(one.id, { active: false }) : one));

/** Ids of the accounts that work. */
const working = ({ sandbox }: World): ReadonlySet<string> =>
  new Set(sandbox.state.employees().flatMap(({ id, locked }) => (locked ? [] : [id])));

const openCompany = (action: 'disable' | 'remove'): Promise<World> =>
  openWorld({
    units: UNITS,
    people: ALL,
    sync: { guard: SYNC.guard, leavers: { ...SYNC.leavers, action, misses: 1 } },
  });

describe('a source that loses eight others in each read, every 20 minutes', () => {
  test.each([
    ['disable', 'say that they have left', withEightLeft],
    ['remove', 'are missing', withoutEight],
  ] as const)('action %s: of those who %s, no more go than in one day', async (action, _, people) => {
    const world = await openCompany(action);
    await world.sync();
    const before = working(world);
    for (let round = 0; round < 6; round += 1) {
      world.change(() => ({ people: people(round) }));
      expect((await world.sync({ later: 20 })).exitCode, `read ${round}`).toBe(round === 0 ? 0 : 3);
      expect([...before].filter((id) => !working(world).has(id)).length).toBeLessThanOrEqual(EIGHT);
    }
    expect((await world.syncAfter(() => ({ people: ALL }), { later: 20 })).exitCode).toBe(0);
    expect(working(world).size).toBe(IDS.length);
    expect((await world.syncAfter(() => ({ people: people(20) }))).exitCode, 'on the same day').toBe(3);
    expect((await world.sync({ later: 24 * 60 })).exitCode, 'a day later').toBe(0);
  });
});
