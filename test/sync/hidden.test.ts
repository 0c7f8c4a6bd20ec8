import { describe, expect, test } from 'vitest';
import { RefusedError } from '../../src/domain/errors.ts';
import type { Employee, Service } from '../../src/domain/ports/service.ts';
import { at, loadedWorld, openWorld, person, SMALL, unit, type World, type WorldOptions } from './world.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';

/** The employees list leaves one out; what its own record shows is up to the test. */
const hiding =
  (username: string, show: (employee: Employee | null) => Employee | null = (employee) => employee) =>
  (service: Service): Service => ({
    ...service,
    employees: async (usernames, signal) =>
      service.employees(
        usernames.filter((asked) => asked !== username),
        signal,
      ),
    accountsById: async (accounts, signal) => {
      const others = accounts.filter((account) => account.username !== username);
      const { found, unclear: refused } = await service.accountsById(others, signal);
      const [all, reasons] = [new Map(found), new Map(refused)];
      for (const { id } of accounts.filter((account) => !others.includes(account)))
        try {
          const own = show(await service.employee(id, signal));
          if (own !== null) all.set(id, { ...own, isUnlisted: true });
        } catch (error) {
          if (!(error instanceof RefusedError)) throw error;
          reasons.set(id, error.message);
        }
      return { found: all, unclear: reasons };
    },
  });

const unclear = (): never => {
  throw new RefusedError('trouble of its own', 500);
};

const gets = (calls: readonly { readonly operation: string }[]): number =>
  calls.filter(({ operation }) => operation === 'getEmployee').length;

describe('an account that the employees list does not have', () => {
  test('is not gone while its own id is known: nothing is sent, and nothing of it counts as an edit', async () => {
    const world = await loadedWorld({
      people: [person('1', { fields: { mobile: '1234567' } }), person('2')],
    });
    const through = hiding('l1');
    for (const full of [true, false, true]) {
      const ran = await world.sync({ full, through });
      expect(ran.planned).toEqual([]);
      expect([ran.exitCode, ran.changing]).toEqual([0, []]);
    }
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test.each([['codes'], ['own'], ['null']])(
    'is gone where nothing has its id (notFound=%s): made anew',
    async (notFound) => {
      const world = await loadedWorld({ readings: [`notFound=${notFound}`] });
      world.sandbox.edit.removeEmployee('l1');
      const ran = await world.sync({ full: true });
      expect(ran.planned).toEqual(['create person 1']);
      // One more tells how the service speaks of an id that nobody has.
      expect(gets(ran.calls)).toBe(notFound === 'codes' ? 1 : 2);
      expect(world.employee('l1').locked).toBe(false);
    },
  );

  test('is not gone where the answer is unclear: nothing is sent', async () => {
    const world = await loadedWorld();
    world.sandbox.edit.removeEmployee('l1');
    world.change(({ people }) => ({
      people: people.map((one) => ('username' in one ? { ...one, fields: { name: 'New' } } : one)),
    }));
    const ran = await world.sync({ full: true, through: hiding('l1', unclear) });
    expect([ran.exitCode, ran.planned]).toEqual([4, ['update person 2', 'update person 3']]);
    expect(ran.listed.join()).toMatch(
      /^1: not in the list of employees, and could not be asked for by its id/u,
    );
    expect((await world.sync({ full: true })).planned).toEqual(['create person 1']);
  });

  test('under the known username goes on under the one that the service has now, and is listed', async () => {
    const world = await loadedWorld();
    world.sandbox.edit.respell('l1', 'other');
    const { id } = world.employee('other');
    for (const full of [true, false]) {
      const ran = await world.sync({ full });
      expect([ran.exitCode, ran.changing, ran.listed]).toEqual([0, [], []]);
      expect(ran.plan?.kept).toMatchObject([{ id: '1', label: 'other', inSource: 'l1' }]);
    }
    const ran = await world.syncAfter(() => ({
      people: [person('1', { fields: { mobile: '123' } }), ...SMALL.people.slice(1)],
    }));
    expect([ran.exitCode, ran.planned]).toEqual([0, ['update person 1']]);
    expect(world.employee('other')).toMatchObject({ id, profile: { mobile: '123' } });
    world.sandbox.edit.respell('other', 'l1');
    const back = await world.sync({ later: 15 });
    expect([back.exitCode, back.plan?.kept]).toEqual([0, []]);
  });

  test.each(['users', 'nobody'])('goes on also if the list takes no ids of employees (%s)', async (ids) => {
    const world = await loadedWorld({ readings: [`idsAskFor=${ids}`, 'hidesLocked'] });
    world.sandbox.edit.respell('l1', 'other');
    world.sandbox.edit.removeEmployee('l2');
    world.sandbox.edit.lockEmployee('l3');
    const ran = await world.sync({ full: true });
    expect([ran.exitCode, ran.planned]).toEqual([4, ['create person 2']]);
    expect(ran.plan?.kept).toMatchObject([{ id: '1', label: 'other', inSource: 'l1' }]);
    expect(ran.listed.join()).toContain('3: locked in the service by somebody else');
    expect((await world.sync({ later: 15, full: true })).planned).toEqual([]);
  });

  test('and goes under the username of another known person is unclear: nothing is sent, and it is listed', async () => {
    const world = await loadedWorld();
    world.sandbox.edit.removeEmployee('l2');
    world.sandbox.edit.respell('l1', 'l2');
    const ran = await world.sync({ full: true });
    expect([ran.exitCode, ran.changing, world.employee('l2').name]).toEqual([4, [], 'Name 1']);
    expect(ran.listed.join()).toMatch(/1: the service calls its account l2 now/u);
  });

  test('and the new username of a renamed account is not adopted for somebody else', async () => {
    const world = await loadedWorld();
    world.sandbox.edit.respell('l1', 'new');
    await world.sync({ full: true });
    const ran = await world.syncAfter(({ people }) => ({
      people: [...people, { ...SMALL.people[0], id: '9', username: 'new' }],
    }));
    expect(ran.changing).toEqual([]);
    expect(ran.listed.join('\n')).toMatch(
      /9: the account new is that of Name 1 \(l1 in the source\): give the new person another/u,
    );
  });
});

const HIDES = ['hidesLocked', 'importEnables'];
const leavers = { misses: 1, action: 'disable', removeAfterDays: null } as const;
const hidesLocked = (options: WorldOptions = {}): Promise<World> =>
  openWorld({ readings: HIDES, sync: { leavers }, ...options });

const inactive = ({ people }: MemoryWorld): Partial<MemoryWorld> => ({
  people: people.map((one) => (one.id === '1' ? { ...one, active: false } : one)),
});
const without = ({ people }: MemoryWorld): Partial<MemoryWorld> => ({
  people: people.filter(({ id }) => id !== '1'),
});
const HIRED = { people: [...SMALL.people, person('9')] };

/** Sends it, and the process dies before it can write down what became of it. */
const dying = (service: Service): Service => ({
  ...service,
  disableEmployee: async (id, signal) => {
    await service.disableEmployee(id, signal);
    throw new Error('killed');
  },
});

describe('a service whose employees list leaves out who is locked', () => {
  test.each([
    ['inactive', inactive],
    ['missing', without],
  ])('who was %s and disabled by us comes back enabled and imported', async (_, leave) => {
    const world = await hidesLocked();
    await world.sync();
    expect((await world.syncAfter(leave)).changing).toEqual(['disableEmployee']);
    for (const full of [false, true, false]) {
      const ran = await world.sync({ later: 20, full });
      expect([ran.exitCode, ran.changing]).toEqual([0, []]);
    }
    expect((await world.sync()).calls.map(({ operation }) => operation)).not.toContain('getEmployee');
    world.change(() => ({ people: [person('1', { positions: [at('u2')] }), ...SMALL.people.slice(1)] }));
    const ran = await world.sync();
    expect([ran.exitCode, ran.changing]).toEqual([0, ['enableEmployee', 'importEmployees']]);
    expect(world.state().people).toContain('l1 Name 1 u2[primary]');
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test.each([['managed'], ['not ours yet']])(
    'whom a killed run disabled, %s until then, is known as disabled by us',
    async (before) => {
      const world = await hidesLocked({
        people: before === 'managed' ? SMALL.people : SMALL.people.slice(1),
      });
      await world.sync();
      if (before !== 'managed') {
        const positions = [{ org_id: world.sandbox.rootId }];
        world.sandbox.edit.addEmployee({ username: 'l1', name: 'x', positions });
      }
      expect((await world.syncAfter(() => inactive(SMALL), { full: true, through: dying })).exitCode).toBe(1);
      expect((await world.sync()).changing).toEqual([]);
      expect((await world.syncAfter(() => SMALL)).changing).toEqual(['enableEmployee', 'importEmployees']);
      expect(world.employee('l1').locked).toBe(false);
    },
  );
});

async function leaver(options: WorldOptions = {}): Promise<World> {
  const world = await hidesLocked(options);
  const positions = [{ org_id: world.sandbox.rootId }];
  world.sandbox.edit.addEmployee({ username: 'l9', name: 'Theirs', positions });
  world.sandbox.edit.lockEmployee('l9');
  return world;
}

describe("somebody's leaver whom the list leaves out", () => {
  test.each([
    ['on the first run', HIRED],
    ['later', SMALL],
  ])('is not imported, and so not unlocked, when the source has the username %s', async (_, first) => {
    const world = await leaver(first);
    await world.sync();
    await world.sync({ later: 60 });
    world.change(() => HIRED);
    for (const full of [false, true]) {
      const ran = await world.sync({ full });
      expect([ran.exitCode, ran.changing]).toEqual([4, []]);
      expect(ran.listed).toEqual([expect.stringMatching(/^9: an account .* is disabled.*: enable it/u)]);
    }
    expect(world.employee('l9')).toMatchObject({ locked: true, name: 'Theirs' });
    world.sandbox.edit.unlockEmployee('l9');
    expect((await world.sync()).planned).toEqual(['adopt person 9']);
    expect(world.state().people).toContain('l9 Name 9 u1[primary]');
  });
});

describe('a node where locked employees sit whom no look shows', () => {
  const TWO = {
    units: [unit('u1'), unit('u2', 'u1')],
    people: [person('1', { positions: [at('u2')] }), person('2')],
  };

  test.each([
    ['disabled by us', 'wait'],
    ['locked by somebody else', 'wait'],
    ['on another node by now', 'go'],
  ])('%s: it has to %s', async (who, what) => {
    const stale = what === 'go' ? ['usersRefreshBlind'] : [];
    const readings = ['hidesLocked', 'disabledCount=off', 'deleteCascades', ...stale];
    const world = await loadedWorld({ ...TWO, readings });
    if (who === 'locked by somebody else') world.sandbox.edit.lockEmployee('l1');
    else world.change(inactive);
    await world.sync();
    await world.sync({ later: 60 });
    if (who === 'gone by now') world.sandbox.edit.removeEmployee('l1');
    const elsewhere = [{ org_id: world.organization('u1').id }];
    if (who === 'on another node by now') world.sandbox.edit.changeEmployee('l1', { positions: elsewhere });
    world.change(() => ({ units: [unit('u1')], people: [person('1', { active: false }), person('2')] }));
    const ran = await world.sync();
    expect(ran.changing).toEqual(what === 'go' ? ['deleteOrganization'] : []);
    if (what === 'go') return;
    expect(world.employee('l1').positions).toHaveLength(1);
    expect(ran.listed.join('\n')).toMatch(/u2: waits to be removed, still there: locked employees l1/u);
  });
});

const trouble = hiding('l1', () => {
  throw new RefusedError('too many requests', 990_429);
});

describe('leavers whom the list does not show, and of whom the service only says that there is trouble', () => {
  test('are named and not forgotten', async () => {
    const world = await loadedWorld();
    world.change(inactive);
    for (const full of [false, true, false]) {
      const ran = await world.sync({ later: 15, full, through: trouble });
      expect([ran.exitCode, ran.planned]).toEqual([4, []]);
      expect([...ran.listed, ...ran.inside].join()).toMatch(
        /^1: not in the list of employees.*too many requests/u,
      );
    }
    const back = await world.sync({ later: 15, full: true });
    expect([back.exitCode, back.changing, world.employee('l1').locked]).toEqual([
      0,
      ['disableEmployee'],
      true,
    ]);
  });
});
