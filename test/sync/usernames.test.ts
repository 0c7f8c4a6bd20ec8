import { describe, expect, test } from 'vitest';
import { openWorld, person, unit, type World, type WorldOptions } from './world.ts';

const CASES = ['fold', 'keep'] as const;
const named = (id: string, username: string, more = {}) => person(id, { username, ...more });
const units = [unit('u1')];

async function worldWith(
  usernameCase: (typeof CASES)[number],
  options: Omit<WorldOptions, 'readings'>,
  ...accounts: readonly string[]
): Promise<World> {
  const world = await openWorld({ units, ...options, readings: [`usernameCase=${usernameCase}`] });
  for (const username of accounts) {
    const positions = [{ org_id: world.sandbox.rootId, primary: true }];
    world.sandbox.edit.addEmployee({ username, name: `Old ${username}`, positions });
  }
  return world;
}

/** A second run, incremental and full, sends nothing and lists as many. */
async function isQuiet(world: World): Promise<void> {
  for (const full of [false, true, false]) {
    const ran = await world.sync({ full });
    expect([ran.error, ran.changing, ran.planned]).toEqual(['', [], []]);
  }
}

const accounts = (world: World) =>
  world.sandbox.state
    .employees()
    .map(({ username }) => username)
    .toSorted();
const shownBy = (world: World) => world.state().people;

describe.each(CASES)('usernames that differ in case alone (usernameCase=%s)', (usernameCase) => {
  test('an account that is there in another case is this person’s, and keeps its spelling', async () => {
    const world = await worldWith(usernameCase, { people: [named('1', 'User0')] }, 'user0');
    const id = world.employee('user0').id;
    const ran = await world.sync();
    expect([ran.exitCode, ran.planned]).toEqual([0, ['adopt person 1', 'create unit u1']]);
    expect(shownBy(world)).toEqual(['user0 Name 1 u1[primary]']);
    expect(world.employee('user0').id).toBe(id);
    await isQuiet(world);
    expect((await world.sync({ full: true })).report.end.unmanaged).toBe(0);
  });

  test('it is changed, disabled, enabled and removed under its own spelling', async () => {
    const world = await worldWith(
      usernameCase,
      { people: [named('1', 'User0'), named('2', 'other')], sync: { leavers: LEAVERS } },
      'user0',
    );
    await world.sync();
    const change = (more: object) =>
      world.change(() => ({ people: [named('1', 'User0', more), named('2', 'other')] }));
    change({ fields: { name: 'New' } });
    expect((await world.sync()).exitCode).toBe(0);
    expect(world.employee('user0').name).toBe('New');
    change({ active: false });
    expect((await world.sync()).planned).toEqual(['disable person 1']);
    expect(world.employee('user0').locked).toBe(true);
    change({});
    expect((await world.sync()).planned).toEqual(['enable person 1']);
    expect(shownBy(world)).toContain('user0 Name 1 u1[primary]');
    world.change(() => ({ people: [named('2', 'other')] }));
    expect((await world.sync()).planned).toEqual(['remove person 1']);
    expect(accounts(world)).toEqual(['other']);
    await isQuiet(world);
  });

  test('a protected username is that of the account, or that of the source', async () => {
    const protect = { usernames: ['boss'], units: [] };
    const world = await worldWith(usernameCase, { people: [named('1', 'user0')], sync: { protect } });
    const loaded = await world.sync();
    const renamed = await world.syncAfter(() => ({ people: [named('1', 'boss')] }));
    expect([loaded.exitCode, renamed.exitCode, (await world.sync()).exitCode]).toEqual([4, 0, 0]);
    const left = await world.syncAfter(() => ({ people: [named('1', 'boss', { active: false })] }));
    expect([left.exitCode, left.listed]).toEqual([
      4,
      [expect.stringMatching(/^1: protected by sync.protect/u)],
    ]);
    expect(world.employee('user0').locked).toBe(false);
  });

  test('a username that changes in case alone in the source is no change, and none that is kept', async () => {
    const world = await worldWith(usernameCase, { people: [named('1', 'user0')] });
    await world.sync();
    const ran = await world.syncAfter(() => ({ people: [named('1', 'USER0')] }));
    expect([ran.exitCode, ran.planned, ran.listed]).toEqual([0, [], []]);
    expect(accounts(world)).toEqual(['user0']);
    world.change(() => ({ people: [named('1', 'USER0', { fields: { name: 'New' } })] }));
    expect((await world.sync()).planned).toEqual(['update person 1']);
    expect(shownBy(world)).toEqual(['user0 New u1[primary]']);
    await isQuiet(world);
  });

  test('an account whose case somebody changes in the service is the same account', async () => {
    const world = await worldWith(usernameCase, { people: [named('1', 'user0')] });
    await world.sync();
    const { id } = world.employee('user0');
    world.sandbox.edit.respell('user0', 'USER0');
    for (const full of [true, false]) expect((await world.sync({ full })).planned).toEqual([]);
    world.change(() => ({ people: [named('1', 'user0', { fields: { name: 'New' } })] }));
    expect((await world.sync()).planned).toEqual(['update person 1']);
    expect(world.employee('USER0')).toMatchObject({ id, name: 'New' });
    expect(accounts(world)).toEqual(['USER0']);
    await isQuiet(world);
  });

  test('two people of the source who share one without case: neither is touched', async () => {
    const world = await worldWith(
      usernameCase,
      { people: [named('1', 'User0'), named('2', 'user0'), named('3', 'other')] },
      'user0',
    );
    const ran = await world.sync();
    expect([ran.exitCode, accounts(world)]).toEqual([4, ['other', 'user0']]);
    expect(world.employee('user0').name).toBe('Old user0');
  });
});

const LEAVERS = { misses: 1, action: 'remove', removeAfterDays: null } as const;

const both = (people: readonly ReturnType<typeof named>[], more: Omit<WorldOptions, 'readings'> = {}) =>
  worldWith('keep', { people, ...more }, 'User0', 'user0');

describe('two accounts that differ in case alone', () => {
  test('one person spelled as neither: blocked, both named, in every run, until the source says which', async () => {
    const world = await both([named('1', 'USER0')]);
    for (const full of [false, false, true]) {
      const ran = await world.sync({ full });
      expect([ran.exitCode, ran.changing.filter((one) => one === 'importEmployees')]).toEqual([4, []]);
      expect(ran.listed).toEqual([expect.stringMatching(/^1: .*User0, user0/u)]);
    }
    world.change(() => ({ people: [named('1', 'user0')] }));
    expect((await world.sync()).planned).toEqual(['adopt person 1']);
    await isQuiet(world);
  });

  test('whose account is deleted is not the other one: blocked, and the other one is left as it is', async () => {
    const world = await both([named('1', 'User0')]);
    await world.sync();
    world.sandbox.edit.removeEmployee('User0');
    const ran = await world.sync({ full: true });
    expect([ran.exitCode, ran.planned, ran.listed]).toEqual([
      4,
      [],
      [expect.stringMatching(/^1: the account User0 is gone, and user0, .* is another one/u)],
    ]);
    expect(shownBy(world)).toEqual(['user0 Old user0 (root)[primary]']);
    world.sandbox.edit.removeEmployee('user0');
    expect((await world.sync({ full: true })).planned).toEqual(['create person 1']);
    await isQuiet(world);
  });
});
