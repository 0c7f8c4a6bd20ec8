import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../src/domain/errors.ts';
import type { SyncSettings } from '../../src/domain/settings.ts';
import { Crash, crashing } from '../doubles/crashing-ledger.ts';
import { but, refuse } from '../doubles/service-parts.ts';
import { showing } from '../doubles/showing.ts';
import { NO_GUARD, SYNC } from '../plan/build.ts';
import {
  having,
  inactive,
  loadedWorld,
  openWorld,
  person,
  SMALL,
  without,
  type SyncOptions,
  type World,
  type WorldOptions,
} from './world.ts';

const NONE_MAY = { ...SYNC.guard, leavers: { percent: 0, count: 0 } };
const DAY = 1_440;
const [ONE] = SMALL.people;
const BACK = having(ONE);
const ENABLED = 'enableEmployee, importEmployees';
const refusing = but({ disableEmployee: refuse('not allowed') });

const opened = ({ sync, ...options }: WorldOptions = {}): Promise<World> =>
  loadedWorld({ ...options, sync: { leavers: { ...SYNC.leavers, misses: 1 }, ...sync } });
const isLocked = (world: World): boolean => world.employee('l1').locked;

type Held = readonly [
  why: string,
  sync: Partial<SyncSettings>,
  how: SyncOptions,
  exit: number,
  inside: readonly string[],
];

const KEPT: readonly Held[] = [
  ['held by a guard', { guard: NONE_MAY }, { later: 15 }, 3, ['1 held', '1 held', '1 held']],
  [
    'protected',
    { protect: { usernames: ['l1'], units: [] } },
    { later: 15 },
    4,
    Array<string>(3).fill('1 protected'),
  ],
  [
    'refused, also while it is not asked again',
    {},
    { later: 1, through: refusing },
    4,
    ['1 not allowed', '1 not allowed', '1 not allowed, paused'],
  ],
];

describe.each([
  ['inactive', inactive('1')],
  ['missing', without('1')],
] as const)('who is %s and still has an active account', (_, leave) => {
  test.each(KEPT)('is named by every run: %s', async (...[, sync, how, exit, inside]) => {
    const world = await opened({ sync });
    world.change(leave);
    for (const [index, each] of inside.entries())
      await world.run({ ...how, full: exit === 3 && index === 2 }, { exit, inside: each });
    expect(isLocked(world)).toBe(false);
  });

  test('is named also by a run that ends before it comes to them', async () => {
    const world = await opened();
    const disableEmployee = () => Promise.reject(new ServiceError('the token is refused'));
    await world.run({ change: leave, through: but({ disableEmployee }) }, { exit: 1, inside: '1 runEnded' });
    await world.run({}, { inside: '' });
  });

  test('stays named by one that could read nothing', async () => {
    const world = await opened({ sync: { guard: NONE_MAY } });
    const { inside, plan } = await world.run(leave, { exit: 3 });
    expect(inside).toEqual([`1: held: rollcall sync --approve ${plan?.held[0]?.hash}`]);
    world.source.breakage = { part: 'people', after: 0 };
    const ran = await world.run({ later: 15 }, { exit: 1 });
    expect(ran.inside).toEqual(inside);
  });
});

test('a leaver whose disable is refused for days is tried again within the hour, and at once by sync --full', async () => {
  const world = await opened();
  world.change(inactive('1'));
  for (let tries = 0; tries < 12; tries += 1) await world.sync({ later: DAY, through: refusing });
  const ran = await world.run({ later: 1 }, { exit: 4, inside: '1 not allowed, paused' });
  expect(ran.inside.join()).toContain('(12 times');
  await world.run({ later: 60, through: refusing }, { exit: 4, sent: '' });
  await world.run({ full: true }, { sent: 'disableEmployee' });
});

test('who was named as inactive goes on being named if the record is gone before the account is locked', async () => {
  const world = await loadedWorld({ sync: { guard: NONE_MAY, leavers: { ...SYNC.leavers, misses: 3 } } });
  await world.run(inactive('1'), { exit: 3 });
  world.change(without('1'));
  for (const [exit, code] of [
    [4, 'inactive'],
    [4, 'inactive'],
    [3, 'held'],
  ] as const)
    await world.run({ later: 15 }, { exit, inside: `1 ${code}` });
  expect(isLocked(world)).toBe(false);
  await world.run(BACK, { inside: '' });
});

const MANY = Array.from({ length: 30 }, (_, index) => person(`p${index}`));
const crowded = (options: WorldOptions = {}) =>
  opened({ people: [...SMALL.people, ...MANY], sync: { guard: NO_GUARD }, ...options });

describe('a service that says yes to a disable', () => {
  test('and does nothing: it failed, is named in every run, tried again with pauses, and not ours', async () => {
    const world = await crowded({ readings: ['lockIgnored=1000'] });
    world.change(inactive('1'));
    for (const sent of ['disableEmployee', 'disableEmployee', '', '']) {
      const inside = `1 unconfirmed${sent === '' ? ', paused' : ''}`;
      const ran = await world.run({ later: 1 }, { exit: 4, sent, inside });
      expect(ran.report.end.applied).toBe(0);
    }
    await world.run({ later: 20 }, { exit: 4, sent: 'disableEmployee' });
    expect(isLocked(world)).toBe(false);
  });

  test('and does it later than anybody waits: it was ours, so who comes back is enabled', async () => {
    const world = await crowded();
    world.sandbox.setReadings(['lockLater=600s']);
    await world.run(inactive('1'), { exit: 4, inside: '1 unconfirmed' });
    await world.run({ later: 11 }, { sent: '', listed: '', inside: '' });
    world.sandbox.setReadings([]);
    await world.run(BACK, { sent: ENABLED });
    await world.rests();
  });

  test('and never shows it: who comes back is enabled, once, and no longer listed', async () => {
    const world = await crowded();
    const through: SyncOptions['through'] = (service) =>
      showing(service, (one) => ({ ...one, locked: false }));
    await world.run({ change: inactive('1'), through }, { exit: 4 });
    expect(isLocked(world)).toBe(true);
    await world.run({ change: BACK, through }, { sent: ENABLED, listed: '', inside: '' });
    await world.rests({ through });
  });
});

test('who comes back while the locked account is not shown is named as locked once it is shown again', async () => {
  const world = await crowded();
  await world.run(inactive('1'));
  const { id } = world.employee('l1');
  const through: SyncOptions['through'] = (service) =>
    showing(service, (one) => (one.id === id ? null : one));
  await world.run({ change: BACK, through }, { exit: 4 });
  await world.run({ full: true }, { exit: 4, listed: '1 lockedByOthers' });
  expect(isLocked(world)).toBe(true);
});

test('an enable that does nothing is failed, and nothing is imported until it is enabled', async () => {
  const world = await crowded();
  await world.run(inactive('1'));
  world.sandbox.setReadings(['lockIgnored=1']);
  await world.run(BACK, { exit: 4, sent: 'enableEmployee' });
  await world.run({}, { sent: ENABLED, listed: '' });
  await world.rests();
});

test.each([
  ['and the service does nothing', 'lockIgnored=1', 'disableEmployee'],
  ['and the service has done it', 'lockIgnored=0', ''],
])('a crash between a disable and its read-back, %s: the next run finds out', async (_, reading, sent) => {
  const world = await crowded();
  world.sandbox.setReadings([reading]);
  const crashed = world.sync({ change: inactive('1'), wrap: (ledger) => crashing(ledger, 2, 'before') });
  await expect(crashed).rejects.toThrow(Crash);
  expect(world.sandbox.calls.filter(({ operation }) => operation === 'disableEmployee')).toHaveLength(1);
  await world.run({}, { sent, inside: '' });
  world.sandbox.setReadings([]);
  await world.rests();
  await world.run(BACK, { sent: ENABLED });
});

describe('a missing person whom we disabled and somebody enabled', () => {
  /** Person 1 is missing and disabled by us. */
  async function disabled({ sync, ...options }: WorldOptions = {}): Promise<World> {
    const world = await opened({
      ...options,
      sync: { leavers: { ...SYNC.leavers, misses: 1, removeAfterDays: 30 }, ...sync },
    });
    await world.run(without('1'), { sent: 'disableEmployee' });
    return world;
  }

  test('keeps the account for so many days after our new disable', async () => {
    const world = await disabled();
    world.minutes(29 * DAY);
    world.sandbox.edit.unlockEmployee('l1');
    await world.run({}, { sent: 'disableEmployee' });
    await world.run({ later: 29 * DAY, full: true }, { sent: '' });
    await world.run({ later: DAY }, { planned: 'remove 1' });
  });

  test('is never removed while somebody has it active, also where no run was told of it', async () => {
    const world = await disabled({ readings: ['usersRefreshBlind'] });
    await world.sync({ later: 60 });
    world.minutes(31 * DAY);
    let questions = 0;
    world.sandbox.onCall = ({ operation }) => {
      if (operation === 'listEmployees') questions += 1;
      if (questions === 1) world.sandbox.edit.unlockEmployee('l1');
    };
    await world.run({}, { exit: 4, planned: 'remove 1', sent: '', listed: '1 enabledMeanwhile' });
    world.sandbox.onCall = undefined;
    await world.run({}, { sent: 'disableEmployee' });
    expect(isLocked(world)).toBe(true);
  });

  test('is fought over three times in seven days, then named and left', async () => {
    const world = await disabled();
    for (const exit of [0, 0, 0, 4, 4]) {
      world.sandbox.edit.unlockEmployee('l1');
      await world.run({ later: 60 }, { exit, sent: exit === 0 ? 'disableEmployee' : '' });
    }
    await world.run({}, { exit: 4, listed: '1 leftAndEnabledAgain' });
    await world.run({ later: 8 * DAY }, { sent: 'disableEmployee' });
  });

  test('is named by every run and left where drift is to be reported', async () => {
    const world = await disabled({ sync: { drift: 'report' } });
    world.sandbox.edit.unlockEmployee('l1');
    await world.runs({ later: 10 * DAY }, { exit: 4, sent: '', listed: '1 staysEnabled' });
    expect(isLocked(world)).toBe(false);
  });
});

describe('a service whose employees list leaves out who is locked', () => {
  const readings = ['hidesLocked', 'importEnables'];
  const HIRED = having(person('9'));

  test.each([
    ['inactive', inactive('1')],
    ['missing', without('1')],
  ] as const)(
    'who was %s and disabled by us is not looked for, and comes back enabled and imported',
    async (_, leave) => {
      const world = await opened({ readings });
      await world.run(leave, { sent: 'disableEmployee' });
      const { calls } = await world.runs({ later: 20 }, { sent: '' });
      expect(calls.map(({ operation }) => operation)).not.toContain('getEmployee');
      await world.run(having(person('1', { fields: { name: 'Back' } })), { sent: ENABLED });
      await world.rests();
    },
  );

  test.each([true, false])(
    'whom a killed run disabled is known as disabled by us, managed before: %s',
    async (isOurs) => {
      const world = await opened({ readings, people: isOurs ? SMALL.people : SMALL.people.slice(1) });
      const positions = [{ org_id: world.sandbox.rootId }];
      if (!isOurs) world.sandbox.edit.addEmployee({ username: 'l1', name: 'x', positions });
      const through = but(({ disableEmployee }) => ({
        disableEmployee: async (...call) => {
          await disableEmployee(...call);
          throw new Error('killed');
        },
      }));
      await world.run({ change: having({ ...ONE, active: false }), full: true, through }, { exit: 1 });
      await world.run({}, { sent: '' });
      await world.run(BACK, { sent: ENABLED });
      await world.rests();
    },
  );

  test.each([
    ['on the first run', [...SMALL.people, person('9')]],
    ['later', SMALL.people],
  ])(
    'somebody’s leaver is not imported, and so not unlocked, if the source has the username %s',
    async (_, people) => {
      const world = await openWorld({ readings, people });
      const positions = [{ org_id: world.sandbox.rootId }];
      world.sandbox.edit.addEmployee({ username: 'l9', name: 'Theirs', positions });
      world.sandbox.edit.lockEmployee('l9');
      for (const later of [0, 60]) await world.sync({ later });
      await world.runs(HIRED, { exit: 4, sent: '', listed: '9 lockedInDomain' }, [false, true]);
      expect(world.employee('l9')).toMatchObject({ locked: true, name: 'Theirs' });
      world.sandbox.edit.unlockEmployee('l9');
      await world.run({}, { planned: 'adopt 9' });
      await world.rests();
    },
  );
});
