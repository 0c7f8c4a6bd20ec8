import { describe, expect, test } from 'vitest';
import { RefusedError } from '../../src/domain/errors.ts';
import type { Employee, Service } from '../../src/domain/ports/service.ts';
import { UNSTOPPABLE } from '../../src/sync/state/world.ts';
import { but } from '../doubles/service-parts.ts';
import { SYNC } from '../plan/build.ts';
import {
  at,
  having,
  inactive,
  loadedWorld,
  ofPeople,
  ofUnits,
  openWorld,
  person,
  SMALL,
  unit,
  withFields,
  type World,
  type WorldOptions,
} from './world.ts';

const [ONE] = SMALL.people;
const NEW = withFields({ name: 'New' });

/** The employees list leaves one out; what its own record shows is up to the test. */
const hiding = (username: string, show = (employee: Employee | null): Employee | null => employee) =>
  but((service) => ({
    employees: async (usernames, signal) =>
      service.employees(
        usernames.filter((asked) => asked !== username),
        signal,
      ),
    accountsById: async (accounts, signal) => {
      const others = accounts.filter((account) => account.username !== username);
      const { found, unclear } = await service.accountsById(others, signal);
      const [all, reasons] = [new Map(found), new Map(unclear)];
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
  }));

const trouble = (): never => {
  throw new RefusedError('too many requests', 990_429);
};

describe('an account that the employees list does not have', () => {
  test('is not gone while its own id is known, and nothing of it counts as an edit', async () => {
    const world = await loadedWorld({
      people: [person('1', { fields: { mobile: '1234567' } }), person('2')],
    });
    await world.runs({ through: hiding('l1') }, { planned: '' }, [true, false, true]);
    await world.rests();
  });

  test.each([
    ['codes', 1],
    ['own', 2],
    ['null', 2],
  ])('is gone where nothing has its id (notFound=%s): made anew', async (notFound, gets) => {
    const world = await loadedWorld({ readings: [`notFound=${notFound}`] });
    world.sandbox.edit.removeEmployee('l1');
    const { calls } = await world.run({ full: true }, { planned: 'create 1' });
    // One more tells how the service speaks of an id that nobody has.
    expect(calls.filter(({ operation }) => operation === 'getEmployee')).toHaveLength(gets);
    await world.rests();
  });

  test('is not gone where the answer is unclear: nothing is sent', async () => {
    const world = await loadedWorld();
    world.sandbox.edit.removeEmployee('l1');
    const through = hiding('l1', trouble);
    const expected = { exit: 4, planned: 'update 2, update 3', listed: '1 unclear' };
    await world.run({ change: NEW, full: true, through }, expected);
    await world.run({ full: true }, { planned: 'create 1' });
  });

  test('of a leaver is named and not forgotten while the service only says that there is trouble', async () => {
    const world = await loadedWorld();
    world.change(inactive('1'));
    const named = { exit: 4, planned: '', inside: '1 unclear' };
    await world.runs({ later: 15, through: hiding('l1', trouble) }, named);
    await world.run({ later: 15, full: true }, { sent: 'disableEmployee' });
    await world.rests();
  });
});

describe('an account that others rename', () => {
  test('goes on under the username that the service has now, and is listed', async () => {
    const world = await loadedWorld();
    world.sandbox.edit.respell('l1', 'other');
    const { id } = world.employee('other');
    await world.runs({}, { sent: '', listed: '', kept: 'other: l1' }, [true, false]);
    await world.run(having(person('1', { fields: { mobile: '123' } })), { planned: 'update 1' });
    expect(world.employee('other')).toMatchObject({ id, profile: { mobile: '123' } });
    world.sandbox.edit.respell('other', 'l1');
    await world.run({ later: 15 }, { kept: '' });
    await world.rests();
  });

  test.each(['users', 'nobody'])('goes on also if the list takes no ids of employees (%s)', async (ids) => {
    const world = await loadedWorld({ readings: [`idsAskFor=${ids}`, 'hidesLocked'] });
    world.sandbox.edit.respell('l1', 'other');
    world.sandbox.edit.removeEmployee('l2');
    world.sandbox.edit.lockEmployee('l3');
    const listed = '3 lockedByOthers';
    await world.run({ full: true }, { exit: 4, planned: 'create 2', kept: 'other: l1', listed });
    await world.run({ later: 15, full: true }, { exit: 4, planned: '', listed });
  });

  test('to the username of another known person is unclear: nothing is sent, and it is listed', async () => {
    const world = await loadedWorld();
    world.sandbox.edit.removeEmployee('l2');
    world.sandbox.edit.respell('l1', 'l2');
    await world.run({ full: true }, { exit: 4, sent: '', listed: '1 hasNameOfOther, 2 accountOfOther' });
    expect(world.employee('l2').name).toBe('Name 1');
  });

  test('is not adopted for somebody else who comes under that username', async () => {
    const world = await loadedWorld();
    world.sandbox.edit.respell('l1', 'new');
    await world.run({ full: true });
    await world.run(having({ ...ONE, id: '9', username: 'new' }), { exit: 4, sent: '', listed: '9 takenBy' });
  });

  test.each([false, true])(
    'and whose username they give to a new one goes on; that is theirs (full: %s)',
    async (full) => {
      const world = await loadedWorld();
      const { edit, rootId } = world.sandbox;
      edit.respell('l3', 'carl3');
      edit.addEmployee({ username: 'l3', name: 'Impostor', mobile: '999', positions: [{ org_id: rootId }] });
      const change = having(person('3', { fields: { mobile: '123' } }));
      await world.run({ change, full, later: 15 }, { planned: 'update 3', listed: '', kept: 'carl3: l3' });
      expect(world.employee('carl3').profile['mobile']).toBe('123');
      expect(world.employee('l3')).toMatchObject({ name: 'Impostor', locked: false });
      await world.isSilent({ later: 15 });
    },
  );
});

test.each([
  ['disabled by us', []],
  ['locked by somebody else', []],
  ['on another node', ['usersRefreshBlind']],
])('a node waits for a locked employee whom no look shows, if there (%s)', async (who, stale) => {
  const readings = ['hidesLocked', 'disabledCount=off', 'deleteCascades', ...stale];
  const people = [person('1', { positions: [at('u2')] }), person('2')];
  const world = await loadedWorld({ people, readings });
  if (who === 'locked by somebody else') world.sandbox.edit.lockEmployee('l1');
  else world.change(inactive('1'));
  for (const later of [0, 60]) await world.sync({ later });
  const elsewhere = [{ org_id: world.organization('u1').id }];
  if (who === 'on another node') world.sandbox.edit.changeEmployee('l1', { positions: elsewhere });
  world.change(() => ({ units: [unit('u1')], people: [person('1', { active: false }), person('2')] }));
  const goes = stale.length > 0;
  const waits = { exit: 4, sent: '', listed: 'u2 occupied' };
  await world.run({}, goes ? { sent: 'deleteOrganization' } : waits);
  expect(world.employee('l1').positions).toHaveLength(1);
});

describe('a service that does not tell of a locked account (usersRefreshBlind)', () => {
  async function settled(readings: readonly string[]): Promise<World> {
    const world = await loadedWorld({ units: [...SMALL.units, unit('u3')], readings });
    for (const later of [60, 60]) await world.sync({ later });
    return world;
  }

  test('who has changed in the source is looked at before anything is sent', async () => {
    const world = await settled(['usersRefreshBlind']);
    world.sandbox.edit.lockEmployee('l1');
    const change = having(person('1', { fields: { name: 'New' } }));
    await world.run(change, { exit: 4, sent: '', listed: '1 lockedByOthers' });
    expect(world.employee('l1')).toMatchObject({ name: 'Name 1', locked: true });
  });

  test('who follows a unit that moves, as well', async () => {
    const world = await settled(['usersRefreshBlind', 'importEnables']);
    world.sandbox.edit.lockEmployee('l2');
    const ran = await world.sync({ change: ofUnits(unit('u1'), unit('u2', 'u3'), unit('u3')) });
    expect([ran.planned, world.employee('l2').locked]).toEqual([['move unit u2'], true]);
  });
});

const LEAVERS = { misses: 1, action: 'remove', removeAfterDays: null } as const;
const named = (username: string, more = {}) => person('1', { username, ...more });
const OTHER = person('2', { username: 'other' });

async function spelled(
  readings: string,
  { before = [], ...options }: WorldOptions & { readonly before?: readonly string[] },
): Promise<World> {
  const world = await openWorld({ units: [unit('u1')], ...options, readings: [`usernameCase=${readings}`] });
  const positions = [{ org_id: world.sandbox.rootId, primary: true }];
  for (const username of before)
    world.sandbox.edit.addEmployee({ username, name: `Old ${username}`, positions });
  return world;
}

const usernames = (world: World) => world.sandbox.state.employees().map(({ username }) => username);

describe.each(['fold', 'keep'])('usernames that differ in case alone (usernameCase=%s)', (readings) => {
  test('an account that is there in another case is this person’s, under its own spelling', async () => {
    const people = [named('User0'), OTHER];
    const world = await spelled(readings, { people, sync: { leavers: LEAVERS }, before: ['user0'] });
    const { id } = world.employee('user0');
    const { report } = await world.run({}, { planned: 'adopt 1, create 2, create u1' });
    expect([report.end.unmanaged, world.employee('user0').id]).toEqual([0, id]);
    await world.isSilent();
    const change = (more: object) => having(named('User0', more));
    await world.run(change({ fields: { name: 'New' } }), { planned: 'update 1' });
    expect(world.employee('user0').name).toBe('New');
    await world.run(change({ active: false }), { planned: 'disable 1' });
    await world.run(change({}), { planned: 'enable 1' });
    expect(world.employee('user0')).toMatchObject({ name: 'Name 1', locked: false });
    await world.run(ofPeople(OTHER), { planned: 'remove 1' });
    await world.rests();
  });

  test('a protected username is that of the account, or that of the source', async () => {
    const protect = { usernames: ['boss'], units: [] };
    const world = await spelled(readings, { people: [named('user0')], sync: { protect } });
    await world.run({}, { exit: 4 });
    await world.run(ofPeople(named('boss')));
    await world.run(ofPeople(named('boss', { active: false })), { exit: 4, sent: '', listed: '1 protected' });
  });

  test('a username that changes in case alone, in the source or the service, is no change', async () => {
    const world = await spelled(readings, { people: [named('user0')] });
    await world.sync();
    await world.run(ofPeople(named('USER0')), { planned: '', listed: '', kept: '' });
    await world.run(ofPeople(named('USER0', { fields: { name: 'New' } })), { planned: 'update 1' });
    await world.rests();
    const { id } = world.employee('user0');
    world.sandbox.edit.respell('user0', 'USER0');
    await world.runs({}, { planned: '' }, [true, false]);
    await world.run(ofPeople(named('user0', { fields: { name: 'Newer' } })), { planned: 'update 1' });
    expect(world.employee('USER0')).toMatchObject({ id, name: 'Newer' });
    expect(usernames(world)).toEqual(['USER0']);
  });

  test('two people of the source who share one without case: neither is touched', async () => {
    const people = [named('User0'), person('3', { username: 'user0' }), OTHER];
    const world = await spelled(readings, { people, before: ['user0'] });
    await world.run({}, { exit: 4 });
    expect(usernames(world).toSorted()).toEqual(['other', 'user0']);
    expect(world.employee('user0').name).toBe('Old user0');
  });
});

describe('two accounts that differ in case alone', () => {
  const both = (username: string) =>
    spelled('keep', { people: [named(username)], before: ['User0', 'user0'] });

  test('one person spelled as neither: blocked, both named, in every run, until the source says which', async () => {
    const world = await both('USER0');
    const ran = await world.runs({}, { exit: 4, listed: '1 severalSpellings' });
    expect(ran.listed.join()).toContain('User0, user0');
    expect(world.sandbox.calls.some(({ operation }) => operation === 'importEmployees')).toBe(false);
    await world.run(ofPeople(named('user0')), { planned: 'adopt 1' });
    await world.isSilent();
  });

  test('whose account is deleted is not the other one: blocked, and the other one stays as it is', async () => {
    const world = await both('User0');
    await world.sync();
    world.sandbox.edit.removeEmployee('User0');
    await world.run({ full: true }, { exit: 4, planned: '', listed: '1 spelledOtherwise' });
    expect(world.employee('user0').name).toBe('Old user0');
    world.sandbox.edit.removeEmployee('user0');
    await world.run({ full: true }, { planned: 'create 1' });
    await world.rests();
  });
});

const LAB = [unit('a'), unit('b'), unit('c', 'a'), unit('d', 'c')];
const MOVED = ofUnits(unit('a'), unit('b'), unit('c', 'b'), unit('d', 'c'));
const STAFF = ['a', 'c', 'd'].map((id) => person(id, { positions: [at(id)] }));

describe('a ledger of the day before', () => {
  async function restored(day: (world: World) => Promise<unknown>): Promise<World> {
    const world = await loadedWorld({ units: LAB, people: STAFF, sync: { guard: SYNC.guard } });
    const restore = world.backupLedger();
    world.minutes(1_440);
    await day(world);
    restore();
    world.minutes(15);
    return world;
  }

  test.each([false, true])('takes over the new nodes of units that moved since, full: %s', async (full) => {
    const world = await restored((it) => it.run(MOVED));
    const nodes = () => ['c', 'd'].map((id) => world.organization(id).id);
    const before = nodes();
    await world.run({ full }, { listed: '' });
    expect(nodes()).toEqual(before);
    await world.rests({ later: 15 });
  });

  test('takes over an account that was made anew since, so that its person can leave', async () => {
    const world = await restored(async (it) => {
      it.sandbox.edit.removeEmployee('la');
      await it.run({ full: true });
    });
    await world.run({}, { listed: '' });
    await world.rests({ later: 15 });
    await world.run(inactive('a'), { sent: 'disableEmployee' });
    await world.rests();
  });
});

test('a subtree that somebody deleted and made again by hand is taken over', async () => {
  const world = await loadedWorld({ units: LAB, people: STAFF });
  const { edit } = world.sandbox;
  edit.removeOrganization(world.organization('c').id);
  const c = edit.addOrganization(world.organization('a').id, 'Unit c', { serialNo: 'c' });
  const d = edit.addOrganization(c.id, 'Unit d', { serialNo: 'd' });
  await world.run({ later: 15 }, { listed: '' });
  expect(['c', 'd'].map((id) => world.organization(id).id)).toEqual([c.id, d.id]);
  await world.rests({ later: 15 });
});

describe('the service of the day before', () => {
  const people = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => person(id, { positions: [at('a')] }));
  const JOINS: Parameters<World['change']>[0] = (now) => ({
    units: [...now.units, unit('nx', 'b')],
    people: [...now.people, person('x', { positions: [at('nx')] })],
  });

  async function restored(
    day: Parameters<World['change']>[0],
    look: (world: World) => void = () => undefined,
  ): Promise<World> {
    const world = await loadedWorld({ units: LAB, people });
    await world.sync({ later: 15 });
    const restore = world.sandbox.edit.backup();
    await world.run({ change: day, later: 1_440 });
    look(world);
    await world.run({ later: 15 });
    restore();
    world.minutes(15);
    return world;
  }

  test('leavers who are active again are locked by the next full run', async () => {
    const world = await restored(inactive('e'));
    expect(world.employee('le').locked).toBe(false);
    await world.run({ full: true }, { kind: 'full', sent: 'disableEmployee' });
    await world.rests({ later: 15 });
  });

  test('joiners and units who are missing are made again by the next incremental run', async () => {
    const world = await restored(JOINS);
    await world.run({}, { listed: '' });
    await world.rests({ later: 15 });
  });

  test('whose ids are given again to accounts of others: joiners get accounts of their own again', async () => {
    let lost = '';
    const world = await restored(JOINS, (it) => void (lost = it.employee('lx').id));
    world.serviceAhead(60);
    world.sandbox.edit.addUser('first', 'First');
    const positions = [{ org_id: world.organization('a').id, primary: true }];
    const theirs = world.sandbox.edit.addEmployee({ username: 'alien', name: 'Alien', positions });
    expect(theirs.id).toBe(lost);
    for (const full of [false, true]) await world.run({ full, later: 15 }, { listed: '' });
    expect(world.employee('lx').id).not.toBe(lost);
    expect(world.employee('alien')).toMatchObject({ id: lost, name: 'Alien', locked: false });
    await world.rests({}, { people: ['alien Alien a[primary]'] });
  });
});

test('who is not there when they are to be changed is listed, and the next run looks again', async () => {
  const world = await loadedWorld();
  // What is asked for without a stop is asked for while the plan is carried out.
  const losingAll = (service: Service): Service => ({
    ...service,
    accountsById: async (accounts, signal) =>
      signal === UNSTOPPABLE
        ? { found: new Map(), unclear: new Map() }
        : service.accountsById(accounts, signal),
  });
  await world.run({ change: inactive('3'), later: 15, through: losingAll }, { exit: 4, kind: 'incremental' });
  await world.run({ later: 1 }, { kind: 'incremental', inside: '' });
  await world.rests();
});
