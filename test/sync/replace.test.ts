import { describe, expect, test } from 'vitest';
import type { SyncSettings } from '../../src/domain/settings.ts';
import type { EmployeeBody, Service } from '../../src/domain/ports/service.ts';
import { Crash, crashing } from '../doubles/crashing-ledger.ts';
import {
  at,
  openWorld,
  person,
  SMALL,
  unit,
  type Ran,
  type SyncOptions,
  type World,
  type WorldOptions,
} from './world.ts';

const REPLACE: Partial<SyncSettings> = { usernameChange: 'replace' };
const [one, two, three] = SMALL.people;
const renamed = person('1', { username: 'new', positions: [at('u1'), at('u2', { job_title: 'Head' })] });
const held = ({ plan }: Ran) => plan?.held.map(({ guard, first }) => [guard, ...first]);
const hashOf = ({ plan }: Ran): string => plan?.held[0]?.hash ?? '';

/** Loaded; then person 1 is called `new` in the source. */
async function changed(options: WorldOptions = {}): Promise<World> {
  const world = await openWorld({ ...options, sync: { ...REPLACE, ...options.sync } });
  expect((await world.sync()).exitCode).toBe(0);
  world.change(() => ({ people: [renamed, two, three] }));
  return world;
}

/** Runs until nothing is done any more; whether a later one asked again. */
async function rest(world: World): Promise<void> {
  for (let run = 1; run <= 3; run += 1) {
    world.minutes(60);
    expect((await world.sync({ full: run === 3 })).plan?.held).toEqual([]);
  }
  expect((await world.sync()).changing).toEqual([]);
}

const DONE = ['l1 Name 1 locked u1[primary]', 'new Name 1 u1[primary] u2[Head]'];
/** Somebody made this account in the service. */
const byHand = (world: World) => ({
  username: 'new',
  name: 'By hand',
  positions: [{ org_id: world.organization('u1').id }],
});
type Import = Service['importEmployees'];
/** The service, with imports that go through this. */
const withImports =
  (imports: (next: Import) => Import) =>
  (service: Service): Service => ({
    ...service,
    importEmployees: imports((bodies, signal) => service.importEmployees(bodies, signal)),
  });
const refusing = withImports((next) => async (bodies, signal) => {
  const outcomes = await next(
    bodies.filter(({ username }) => username !== 'new'),
    signal,
  );
  const others = [...outcomes];
  return bodies.map(({ username }) =>
    username === 'new' ? { outcome: 'refused', reason: 'not this one' } : others.shift()!,
  );
});
const crash = (world: World, options: SyncOptions) =>
  expect(world.sync(options)).rejects.toBeInstanceOf(Crash);
const oneOf = (world: World) => world.state().people.filter((text) => / Name 1\b/u.test(text));

describe('a person whose username changed gets another account', () => {
  test('when somebody approves it: until then it is held, and nothing is sent but the other fields', async () => {
    const world = await changed();
    world.change(() => ({ people: [person('1', { username: 'new' }), two, three] }));
    for (let run = 1; run <= 3; run += 1) {
      const ran = await world.sync({ full: run === 3 });
      expect([ran.exitCode, ran.changing, held(ran)]).toEqual([3, [], [['usernameReuse', 'l1 → new (1)']]]);
      world.minutes(60);
    }
    const hash = hashOf(await world.plan());
    world.change(() => ({ people: [renamed, two, three] }));
    const ran = await world.sync();
    expect([ran.exitCode, ran.changing]).toEqual([3, ['importEmployees']]);
    expect(hashOf(ran)).not.toBe(hash);
    expect(oneOf(world)).toEqual(['l1 Name 1 u1[primary] u2[Head]']);
    expect((await world.sync()).changing).toEqual([]);
  });

  test('complete at once; the old one stays active until it was missed twice', async () => {
    const world = await changed();
    const first = await world.sync();
    const approved = await world.sync({ approve: [hashOf(first)] });
    expect([approved.exitCode, approved.changing, approved.report.end.applied]).toEqual([
      0,
      ['importEmployees'],
      1,
    ]);
    expect(world.employee('new').positions).toHaveLength(2);
    expect(world.employee('l1').locked).toBe(false);
    world.minutes(60);
    expect((await world.sync()).changing).toEqual([]);
    world.minutes(60);
    expect((await world.sync()).changing).toEqual(['disableEmployee']);
    expect(world.employee('l1').locked).toBe(true);
    for (const full of [false, true]) {
      const after = await world.sync({ full });
      expect([after.exitCode, after.changing]).toEqual([0, []]);
    }
  });

  test('is not released by a hash from before the record changed', async () => {
    const world = await changed();
    world.change(() => ({ people: [person('1', { username: 'new' }), two, three] }));
    const hash = hashOf(await world.sync());
    world.change(() => ({ people: [renamed, two, three] }));
    const ran = await world.sync({ approve: [hash] });
    expect(ran.exitCode).toBe(3);
    expect(oneOf(world)).toEqual(['l1 Name 1 u1[primary] u2[Head]']);
    expect((await world.sync({ approve: [hashOf(ran)] })).exitCode).toBe(0);
    await rest(world);
    expect(oneOf(world)).toEqual(['l1 Name 1 locked u1[primary] u2[Head]', DONE[1]]);
  });

  test('with what goes out on creation only', async () => {
    const world = await changed();
    const secret = person('1', { username: 'new', secrets: { password: 'first' } });
    world.change(() => ({ people: [secret, two, three] }));
    const sent: EmployeeBody[] = [];
    const through = withImports((next) => async (bodies, signal) => {
      sent.push(...bodies);
      return next(bodies, signal);
    });
    expect((await world.sync({ approve: [hashOf(await world.plan())], through })).exitCode).toBe(0);
    expect(sent).toMatchObject([{ username: 'new', fields: { password: 'first' } }]);
  });

  test('also where the account was kept before', async () => {
    const world = await openWorld();
    await world.sync();
    world.change(() => ({ people: [person('1', { username: 'new' }), two, three] }));
    expect((await world.sync()).exitCode).toBe(0);
    expect((await world.sync()).planned).toEqual([]);
    world.configure(REPLACE);
    expect(held(await world.sync())).toEqual([['usernameReuse', 'l1 → new (1)']]);
  });

  test('and is not asked for again after the source takes the change back', async () => {
    const world = await changed();
    world.change(() => ({ people: [person('1', { username: 'new' }), two, three] }));
    await world.sync();
    world.change(() => ({ people: [one, two, three] }));
    const ran = await world.sync();
    expect([ran.exitCode, ran.changing]).toEqual([0, []]);
  });

  test('not for another case or blanks', async () => {
    const world = await changed();
    world.change(() => ({ people: [person('1', { username: 'L 1' }), two, three] }));
    const ran = await world.sync();
    expect([ran.exitCode, ran.planned]).toEqual([0, []]);
  });

  test('and keeps it where the ledger is lost: the old one is an unmanaged employee, and nobody is disabled', async () => {
    const world = await changed();
    await world.sync({ approve: [hashOf(await world.plan())] });
    world.loseLedger();
    for (let run = 1; run <= 4; run += 1) {
      const ran = await world.sync({ full: run === 4 });
      expect([ran.exitCode, ran.changing.includes('disableEmployee')]).toEqual([0, false]);
      expect(ran.report.end.unmanaged).toBe(1);
      world.minutes(60);
    }
    expect(world.employee('l1').locked).toBe(false);
  });
});

/** Done, and the old account has left. */
async function replaced(): Promise<World> {
  const world = await changed();
  await world.sync({ approve: [hashOf(await world.plan())] });
  await rest(world);
  expect(oneOf(world)).toEqual(DONE);
  return world;
}

describe('the old username', () => {
  test('is not given to anybody else', async () => {
    const world = await replaced();
    world.change(() => ({ people: [renamed, two, three, person('4', { username: 'L1' })] }));
    const ran = await world.sync();
    expect([ran.exitCode, ran.changing]).toEqual([3, []]);
    expect(held(ran)).toEqual([['usernameReuse', 'l1 (4)']]);
    expect(world.employee('l1').locked).toBe(true);
  });

  test('is not taken back: the person is left on the new account, with the reason', async () => {
    const world = await replaced();
    world.change(() => ({ people: [one, two, three] }));
    for (const changing of [['importEmployees'], []]) {
      const ran = await world.sync();
      expect([ran.exitCode, ran.changing]).toEqual([4, changing]);
      expect(ran.listed.join()).toMatch(/1: username l1 was this person's before/u);
    }
    expect(oneOf(world)).toEqual(['l1 Name 1 locked u1[primary]', 'new Name 1 u1[primary]']);
    world.change(() => ({ people: [renamed, two, three] }));
    expect((await world.sync()).exitCode).toBe(0);
  });

  test('goes with the removal of the account, when its days are over', async () => {
    const world = await replaced();
    world.configure({ leavers: { misses: 2, missEveryMinutes: 10, action: 'disable', removeAfterDays: 5 } });
    world.minutes(6 * 24 * 60);
    expect((await world.sync()).changing).toEqual(['importEmployees']);
    expect(oneOf(world)).toEqual(['new Name 1 u1[primary] u2[Head]']);
  });
});

describe('the new username', () => {
  test('of another managed person is blocked', async () => {
    const world = await changed();
    world.change(() => ({ people: [person('1', { username: 'l9' }), two, three] }));
    world.change(({ people }) => ({ people: [...people, person('9')] }));
    expect((await world.sync()).listed.join()).toMatch(/several records share the username l9/u);
    world.change(() => ({
      people: [person('1', { username: 'l2' }), { ...two, username: 'x' }, three],
    }));
    const ran = await world.sync();
    expect(ran.changing).toEqual([]);
    expect(ran.listed.join()).toMatch(/1: username l2 belongs to source id 2/u);
  });

  test('of an employee whom nobody manages is that account, and the plan says so', async () => {
    const world = await changed();
    world.sandbox.edit.addEmployee(byHand(world));
    const lines = await world.sync({ approve: [hashOf(await world.plan())] });
    expect([lines.exitCode, oneOf(world)[1]]).toEqual([0, 'new Name 1 u1[primary] u2[Head]']);
    await rest(world);
    expect(oneOf(world)).toEqual(DONE);
  });

  test.each([[[]], [['hidesLocked', 'importEnables']], [['usersRefreshBlind']]])(
    'of an account that somebody locked is blocked, readings %j',
    async (readings) => {
      const world = await changed({ readings });
      world.sandbox.edit.addEmployee(byHand(world));
      for (let run = 1; run <= 2; run += 1) {
        expect((await world.sync()).exitCode).toBe(3);
        world.minutes(60);
      }
      world.sandbox.edit.lockEmployee('new');
      const ran = await world.sync();
      expect([ran.exitCode, ran.changing]).toEqual([4, []]);
      expect(ran.listed.join()).toMatch(
        /1: the username changes to new, and an account .* is there and disabled/u,
      );
    },
  );
});

describe('a replacement', () => {
  test('that the service refuses leaves the old account as it is', async () => {
    const world = await changed();
    const hash = hashOf(await world.plan());
    const ran = await world.sync({ approve: [hash], through: refusing });
    expect(ran.exitCode).toBe(4);
    expect(ran.listed.join()).toMatch(/1: refused by the service: not this one/u);
    for (let run = 1; run <= 3; run += 1) {
      world.minutes(60);
      expect((await world.sync({ through: refusing })).listed.join()).toMatch(/1: .*not this one/u);
    }
    expect(oneOf(world)).toEqual(['l1 Name 1 u1[primary]']);
    world.minutes(24 * 60);
    await world.sync({ approve: [hashOf(await world.plan())] });
    await rest(world);
    expect(oneOf(world)).toEqual(DONE);
  });

  test('that the service refuses leaves the new username to others', async () => {
    const world = await changed();
    await world.sync({ approve: [hashOf(await world.plan())], through: refusing });
    world.change(() => ({ people: [one, two, three, person('4', { username: 'new' })] }));
    const ran = await world.sync();
    expect([ran.exitCode, ran.plan?.counts.people.create]).toEqual([0, 1]);
    expect(world.employee('new').name).toBe('Name 4');
  });

  const CRASHES = [1, 2].flatMap((write) => (['before', 'after'] as const).map((when) => ({ write, when })));
  test.each(CRASHES)(
    'that dies $when journal write $write ends the same and does not ask again',
    async ({ write, when }) => {
      const world = await changed();
      const approve = [hashOf(await world.plan())];
      await crash(world, { approve, wrap: (ledger) => crashing(ledger, write, when) });
      expect((await world.sync()).plan?.held).toEqual([]);
      expect(oneOf(world)).toEqual(['l1 Name 1 u1[primary]', 'new Name 1 u1[primary] u2[Head]']);
      await rest(world);
      expect(oneOf(world)).toEqual(DONE);
    },
  );

  test('that is in doubt when the source takes the username back leaves the new account to leave', async () => {
    const world = await changed();
    const hash = hashOf(await world.plan());
    await crash(world, { approve: [hash], wrap: (ledger) => crashing(ledger, 2, 'before') });
    expect(oneOf(world)).toHaveLength(2);
    world.change(() => ({ people: [one, two, three] }));
    await rest(world);
    expect(oneOf(world)).toEqual(['l1 Name 1 u1[primary]', 'new Name 1 locked u1[primary] u2[Head]']);
  });

  test('that is in doubt when the person turns inactive leaves no active account', async () => {
    const world = await changed();
    const approve = [hashOf(await world.plan())];
    await crash(world, { approve, wrap: (ledger) => crashing(ledger, 2, 'before') });
    world.change(() => ({ people: [{ ...renamed, active: false }, two, three] }));
    await rest(world);
    expect(oneOf(world)).toEqual(['l1 Name 1 locked u1[primary]', 'new Name 1 locked u1[primary] u2[Head]']);
  });

  test('ends the same where locked accounts are not listed, and imports enable', async () => {
    const world = await changed({ readings: ['hidesLocked', 'importEnables'] });
    await world.sync({ approve: [hashOf(await world.plan())] });
    await rest(world);
    expect(oneOf(world)).toEqual(DONE);
  });

  test('of somebody whose unit moves goes to the new place', async () => {
    const world = await changed();
    world.change(() => ({ units: [unit('u1'), unit('u2'), unit('u3')], people: [renamed, two, three] }));
    const ran = await world.sync();
    expect([ran.exitCode, held(ran)]).toEqual([3, [['usernameReuse', 'l1 → new (1)']]]);
    expect(oneOf(world)).toEqual(['l1 Name 1 u1[primary] u2[Head]']);
    expect((await world.sync()).changing).toEqual([]);
    expect(world.state().units).toContain('/Root/Unit u2 #u2');
  });
});
