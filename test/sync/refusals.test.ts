import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AmbiguousError, RefusedError } from '../../src/domain/errors.ts';
import type { EmployeeBody } from '../../src/domain/ports/service.ts';
import { FailuresInARow } from '../../src/sync/state/failures-in-a-row.ts';
import { but, refuse } from '../doubles/service-parts.ts';
import { NO_GUARD, personChange, SYNC } from '../plan/build.ts';
import { company } from '../scenarios/company.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import {
  at,
  having,
  loadedWorld,
  ofPeople,
  ofUnits,
  openWorld,
  person,
  SMALL,
  unit,
  withFields,
  without,
  type Ran,
  type World,
} from './world.ts';
import { codesOf } from './said.ts';

const people = (size: number) => Array.from({ length: size }, (_, index) => person(String(index + 1)));

/** Fails whole imports of people with one of these in it, and notes their sizes; all of them without. */
function trap(
  isBad: (body: EmployeeBody) => boolean = () => true,
  fail: Error = new RefusedError('no', 990_403),
) {
  const sizes: number[] = [];
  const through = but(({ importEmployees }) => ({
    importEmployees: (bodies, signal) => {
      sizes.push(bodies.length);
      return bodies.some((body) => isBad(body)) ? Promise.reject(fail) : importEmployees(bodies, signal);
    },
  }));
  return { sizes, through };
}

const isL11 = ({ username }: EmployeeBody): boolean => username === 'l11';

describe('an import that fails whole', () => {
  test.each([
    ['by a refusal is halved at once', new RefusedError('no', 990_401), [16], 10],
    ['without a clear word is halved after three tries', new AmbiguousError('no word'), [16, 16, 16, 8], 40],
  ])('%s: the others go, the culprit is named', async (_, fail, begins, most) => {
    const world = await openWorld({ people: people(16) });
    const { through, sizes } = trap(isL11, fail);
    await world.run({ through }, { exit: 4, listed: `11 ${fail.message}` });
    expect([sizes.slice(0, begins.length), world.state().people.length]).toEqual([begins, 15]);
    // 2 + 2·⌈log2 n⌉, and two tries more where nothing is clear.
    expect(sizes.length).toBeLessThanOrEqual(most);
    await world.run({});
    await world.rests();
  });

  test('alike for everybody is tried with one batch and a few single records, and ends the run', async () => {
    const world = await openWorld({ people: people(1_000) });
    for (const tries of [5, 404]) {
      const { sizes, through } = trap();
      await world.run({ through, later: 15 }, { exit: 1, error: 'service-refuses-all' });
      expect(sizes.slice(-5)).toEqual([200, 1, 1, 1, 1]);
      // The second time the first batch once more, down to each of its records.
      expect(sizes).toHaveLength(tries);
    }
    await world.run({ later: 15 }, { listed: '' });
    await world.rests();
  });

  test('that is too large is learned once in a run', async () => {
    const world = await openWorld({ people: people(1_000) });
    const sizes: number[] = [];
    const through = but(({ importEmployees }) => ({
      importEmployees: (bodies, signal) => {
        sizes.push(bodies.length);
        return bodies.length > 60 ? refuse('too many')() : importEmployees(bodies, signal);
      },
    }));
    await world.run({ through }, { listed: '' });
    // Of the first batch: 200, one alone, 100, 50, 50, 99, 50, 49.
    expect([sizes.filter((size) => size > 60).length, sizes.length]).toEqual([3, 8 + Math.ceil(800 / 49)]);
    await world.rests();
  });

  test('of units, or of removals, that is too large is learned once in a run, too', async () => {
    const units = Array.from({ length: 300 }, (_, n) => unit(`u${n}`));
    const everybody = people(500);
    const sync = {
      ...SYNC,
      guard: NO_GUARD,
      leavers: { ...SYNC.leavers, misses: 1, action: 'remove' as const },
    };
    const world = await openWorld({ units, people: everybody, sync });
    let tooLarge = 0;
    const refusing = <T>(bodies: readonly unknown[], send: () => Promise<T>): Promise<T> => {
      if (bodies.length <= 60) return send();
      tooLarge += 1;
      return refuse('too many')();
    };
    const ofUnitsAlone = but(({ importOrganizations }) => ({
      importOrganizations: (bodies, signal) => refusing(bodies, () => importOrganizations(bodies, signal)),
    }));
    await world.run({ through: ofUnitsAlone }, { listed: '' });
    expect(tooLarge).toBe(1);
    const through = but(({ importEmployees }) => ({
      importEmployees: (bodies, signal) => refusing(bodies, () => importEmployees(bodies, signal)),
    }));
    world.change(() => ({ people: everybody.slice(0, 60) }));
    await world.run({ through }, { listed: '' });
    // Of the first batch: 200, 100, 100.
    expect(tooLarge).toBe(4);
  });

  test('alike for sixty stops only these', async () => {
    const world = await openWorld({ people: people(1_000) });
    const { through } = trap(({ username }) => Number(username.slice(1)) <= 60);
    expect((await world.run({ through }, { exit: 4 })).listed).toHaveLength(60);
    expect(world.state().people).toHaveLength(940);
  });

  test('alike for all that there is to do keeps nobody out who comes after', async () => {
    const world = await loadedWorld({ people: people(40) });
    const bad = people(12).map((one) => ({ ...one, fields: { name: `BAD ${one.id}` } }));
    const { through } = trap(({ fields }) => JSON.stringify(fields['name']).includes('BAD'));
    await world.sync({ change: having(...bad), later: 15, through });
    const next = { change: having(...people(41).slice(12)), later: 15, through };
    expect((await world.run(next, { exit: 4 })).listed).toHaveLength(12);
    await world.run({ ...next, change: having(...people(44).slice(12)), full: true }, { exit: 4 });
    expect(world.state().people).toHaveLength(44);
  });
});

/** Refuses person 11 alone. */
const refusing = but(({ importEmployees }) => ({
  importEmployees: async (bodies, signal) => {
    const rest = [
      ...(await importEmployees(
        bodies.filter((body) => !isL11(body)),
        signal,
      )),
    ];
    return bodies.map((body) =>
      isL11(body) ? { outcome: 'refused', reason: 'too long' } : (rest.shift() ?? { outcome: 'unknown' }),
    );
  },
}));

describe('a record that the service refuses', () => {
  test('is tried again with pauses, in which it still fails, and at once when it changes', async () => {
    const world = await openWorld({ people: people(16) });
    const tried = { through: refusing };
    for (const _ of [1, 2]) expect((await world.sync(tried)).planned).toContain('create person 11');
    const paused = { exit: 4, planned: '', listed: '11 refused, paused, 11 refused' };
    const { report } = await world.run(tried, paused);
    expect(report.end).toMatchObject({ result: 'partial', failed: 1, blocked: 0 });
    await world.run({ ...tried, later: 16 }, { exit: 4, planned: 'create 11' });
    await world.run(tried, paused);
    await world.run(having(person('11', { fields: { name: 'X' } })));
    await world.rests();
  });

  test('fails until it is done, also while it is blocked or held', async () => {
    const world = await openWorld({ people: people(16) });
    await world.run({ through: refusing }, { exit: 4 });
    const place = (to: string) => having(person('11', { positions: [at(to)] }));
    const blocked = await world.run(place('nowhere'), { exit: 4 });
    expect(blocked.report.end).toMatchObject({ failed: 1, blocked: 1 });
    world.configure({ guard: { ...SYNC.guard, joiners: { percent: 0, count: 0 } } });
    const held = await world.run(place('u1'), { exit: 3 });
    expect(held.report.end).toMatchObject({ failed: 1, held: 1 });
    expect((await world.run({ approve: held })).report.end.failed).toBe(0);
    await world.rests();
  });

  test('and is wanted no longer fails no longer', async () => {
    const world = await loadedWorld();
    const change = having(person('9'), person('8'));
    await world.run(
      { change, through: but({ importEmployees: refuse('no') }) },
      { exit: 4, listed: '8 no, 9 no' },
    );
    await world.run({ change: without('8', '9'), later: 1 }, { listed: '' });
  });
});

test('the fifth different call ends the run, and its words are told', () => {
  const failures = new FailuresInARow();
  for (const id of ['1', '2', '3', '4']) failures.failed([personChange(id)], 'no');
  expect(() => failures.failed([personChange('5')], 'POST /x: HTTP 500.')).toThrow(
    expect.objectContaining({
      problem: 'service-fails',
      message: expect.stringContaining(': POST /x: HTTP 500.') as string,
    }),
  );
});

const BEFORE = company({ units: 12, people: 120 });
const LIMITS = { unitsPerImport: 4, peoplePerImport: 10 };

/** At the n-th changing call, before its work. */
function atChange(world: World, number: number, act: () => void): void {
  let calls = 0;
  world.sandbox.onCall = ({ method }) => {
    if (method !== 'GET' && (calls += 1) === number) act();
  };
}

const endOf = ({ lines }: Ran) => lines.map(({ fields }) => fields).find(({ event }) => event === 'run.end');

describe('a token that expires in the middle of a run', () => {
  test.each([1, 9])('at change %i: read again once, the run completes', async (number) => {
    const folder = scratchFolder('token');
    onTestFinished(() => removeFolder(folder));
    const [file, log] = [join(folder, 'token'), join(folder, 'asked')];
    writeFileSync(file, 'sandbox-token\n');
    const command = ['/bin/sh', '-c', `echo x >> '${log}'; sleep 0.05; cat '${file}'`];
    const world = await openWorld({ ...BEFORE, limits: LIMITS, token: { command } });
    atChange(world, number, () => {
      world.sandbox.setToken('the second');
      writeFileSync(file, 'the second\n');
    });
    await world.run({}, { listed: '' });
    expect(readFileSync(log, 'utf8')).toBe('x\nx\n');
    await world.rests();
  });

  test('and stands in the configuration: the run ends, with a sentence; the next does the rest', async () => {
    const world = await openWorld({ ...BEFORE, limits: LIMITS });
    atChange(world, 4, () => world.sandbox.setToken('the second'));
    const ran = await world.run({}, { exit: 1, error: 'service-token-unknown' });
    expect(endOf(ran)).toMatchObject({ result: 'failed', failed: 0 });
    await world.run({});
    await world.rests();
  });
});

describe('five different calls in a row without a word of the service end the run', () => {
  test.each([
    ['importEmployees', '500', 130],
    ['importEmployees', '429', 100],
    ['importOrganizations', '500', 130],
  ])('%s, %s; the next run goes on from there', async (operation, kind, most) => {
    const world = await openWorld({ ...BEFORE, limits: LIMITS });
    world.sandbox.onCall = (call) => {
      // From the second on.
      if (call.operation !== operation) return;
      world.sandbox.setFaults(`seed=1,rate=1,kinds=${kind},ops=${operation}`);
      world.sandbox.onCall = undefined;
    };
    const ran = await world.run({}, { exit: 1, error: 'service-fails' });
    expect(endOf(ran)).toMatchObject({ result: 'failed', error: `[service-fails] ${ran.error}` });
    expect(ran.calls.filter(({ fault }) => fault !== undefined).length).toBeLessThan(most);
    world.sandbox.setFaults(undefined);
    const next = await world.run({}, { listed: '' });
    expect(next.report.end.applied).toBeLessThan(BEFORE.people.length + BEFORE.units.length);
    await world.rests();
  });

  test('a service that is down for every call ends the run at its first read, with nothing changed', async () => {
    const world = await openWorld(BEFORE);
    world.sandbox.setFaults('seed=1,rate=1,kinds=500');
    const { calls } = await world.run({}, { exit: 1, error: 'service-in-trouble', sent: '' });
    expect(calls).toHaveLength(5);
  });

  test.each([1, 4])(
    'one bad record in each batch is less: everybody else goes (%i at once)',
    async (concurrency) => {
      const ids = [1, 17, 33, 49];
      const limits = { peoplePerImport: 16, concurrency };
      const world = await openWorld({ people: people(64), limits });
      world.sandbox.onCall = ({ operation }, body) => {
        if (operation !== 'importEmployees') return;
        if (ids.some((id) => body.includes(`"l${id}"`))) throw new Error('cannot digest this');
      };
      expect((await world.run({}, { exit: 4, error: '' })).listed).toHaveLength(ids.length);
      expect(world.state().people).toHaveLength(60);
    },
  );
});

test('a full run that failed is owed: made up for a quarter of an hour later, then later and later', async () => {
  const world = await loadedWorld();
  const stop = AbortSignal.abort();
  const kinds: string[] = [];
  for (const [later, options] of [[15, { full: true, stop }], [5], [15, { stop }], [16], [16], [15]] as const)
    kinds.push((await world.sync({ later, ...options })).report.end.kind);
  expect(kinds).toEqual(['full', 'incremental', 'full', 'incremental', 'full', 'incremental']);
});

function inLedger({ ledgerFile }: World, sql: string): void {
  const db = new Sqlite(ledgerFile);
  db.prepare(sql).run();
  db.close();
}

test.each([
  ['before its next call: it sends nothing', false, ''],
  ['before it settles: what it sent is read by the run that follows', true, 'importEmployees'],
])('a holder that was paused beyond its lease stops %s', async (_, isSent, sent) => {
  const world = await loadedWorld();
  const takeOver = () =>
    inLedger(world, `UPDATE fact SET value = json_set(value, '$.holder', 'another') WHERE name = 'lease'`);
  const through = but(({ importEmployees }) => ({
    importEmployees: async (...call) => {
      if (!isSent) takeOver();
      const outcomes = await importEmployees(...call);
      takeOver();
      return outcomes;
    },
  }));
  const ran = await world.run(
    { change: withFields({ name: 'New' }), later: 15, through },
    { exit: 1, error: 'ledger-taken-over', sent },
  );
  expect(ran.report.end.applied).toBe(0);
  inLedger(world, `DELETE FROM fact WHERE name = 'lease'`);
  await world.run({}, { kind: 'incremental' });
  await world.rests();
});

test('a stop lets the call in flight end and be settled; the next run sends only the rest', async () => {
  const world = await openWorld();
  const stop = new AbortController();
  const through = but(({ importOrganizations }) => ({
    importOrganizations: (...call) => {
      stop.abort();
      return importOrganizations(...call);
    },
  }));
  expect((await world.sync({ stop: stop.signal, through })).changing).toEqual(['importOrganizations']);
  const next = await world.run({}, { planned: 'create 1, create 2, create 3, create u2' });
  expect(next.lines.some(({ message }) => message.includes('interrupted'))).toBe(false);
  await world.rests();
});

describe('two rollcalls on one organization', () => {
  const staff = [person('1', { positions: [at('c')] }), person('2', { positions: [at('b')] })];
  const BELOW_A = { units: [unit('a'), unit('b'), unit('c', 'a')], people: staff };
  const BELOW_B = ofUnits(unit('a'), unit('b'), unit('c', 'b'));

  async function bothRun(ours: World, theirs: World): Promise<readonly string[]> {
    return [...(await ours.sync({ later: 15 })).changing, ...(await theirs.sync({ later: 15 })).changing];
  }

  test.each([
    ['a move', BELOW_B],
    ['a name', ofUnits(unit('a', null, { name: 'New' }), unit('b'), unit('c', 'a'))],
  ])('with one source follow %s one after the other, and are quiet then', async (_, later) => {
    const ours = await loadedWorld(BELOW_A);
    const theirs = ours.rival();
    await bothRun(ours, theirs);
    for (const world of [ours, theirs]) world.change(later);
    for (let times = 0; times < 2; times += 1) await bothRun(ours, theirs);
    expect(await bothRun(ours, theirs)).toEqual([]);
    for (const world of [ours, theirs]) await world.rests();
  });

  test('with sources that contradict each other take a unit from each other a few times, and say so then', async () => {
    const ours = await loadedWorld(BELOW_A);
    const theirs = ours.rival();
    theirs.change(BELOW_B);
    for (let times = 0; times < 8; times += 1) await bothRun(ours, theirs);
    expect(await bothRun(ours, theirs)).toEqual([]);
    const [first, second] = [await ours.sync(), await theirs.sync()];
    expect([first, second].map(({ exitCode }) => exitCode)).toContain(4);
    expect([...codesOf(first), ...codesOf(second)].join()).toContain(' editedAgain');
    expect(ours.state().people).toHaveLength(2);
  });
});

test('an approval outlasts the pauses of a change that the service refuses', async () => {
  const guard = { ...SYNC.guard, leavers: { percent: 0, count: 0 } };
  const world = await loadedWorld({ sync: { guard } });
  const held = await world.run(ofPeople(...SMALL.people.map((one) => ({ ...one, active: one.id === '2' }))), {
    exit: 3,
  });
  const { id } = world.employee('l1');
  const through = but(({ disableEmployee }) => ({
    disableEmployee: (...call) => (call[0] === id ? refuse('not yet')() : disableEmployee(...call)),
  }));
  await world.run({ through, approve: held }, { exit: 4, held: '', sent: 'disableEmployee' });
  for (const _ of [1, 2]) await world.run({ through }, { exit: 4, held: '' });
  await world.run({ later: 20 }, { held: '' });
  await world.rests();
});
