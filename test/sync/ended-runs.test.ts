import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { company } from '../scenarios/company.ts';
import { expectedState } from '../scenarios/expected-state.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { at, openWorld, person, unit, type Ran, type World } from './world.ts';

const BEFORE = company({ units: 12, people: 120 });
const LIMITS = { unitsPerImport: 4, peoplePerImport: 10 };

/** Complete, nothing twice, and quiet: what every run that was ended has to come to. */
async function expectComplete(world: World, state: unknown): Promise<void> {
  expect(world.state()).toEqual(state);
  const last = await world.sync({ full: true });
  expect([last.exitCode, last.changing, last.planned, last.listed]).toEqual([0, [], [], []]);
}

/** At the n-th changing call, before its work. */
function atChange(world: World, number: number, act: () => void): void {
  let calls = 0;
  world.sandbox.onCall = ({ method }) => {
    if (method === 'GET') return;
    calls += 1;
    if (calls === number) act();
  };
}

const endOf = ({ lines }: Ran): unknown =>
  lines.map(({ fields }) => fields).find(({ event }) => event === 'run.end');

/** A token that changes hands: as a file, and as a command that says how often it was asked. */
function openToken() {
  const folder = scratchFolder('token');
  onTestFinished(() => removeFolder(folder));
  const file = join(folder, 'token');
  const log = join(folder, 'asked');
  const set = (token: string): void => writeFileSync(file, `${token}\n`);
  set('sandbox-token');
  writeFileSync(log, '');
  const command = ['/bin/sh', '-c', `echo x >> '${log}'; sleep 0.05; cat '${file}'`];
  return { set, source: { command }, asked: () => readFileSync(log, 'utf8').split('\n').length - 1 };
}

const expire = (world: World, token: ReturnType<typeof openToken>, next: string): void => {
  world.sandbox.setToken('the second');
  token.set(next);
};

describe('a token that expires in the middle of a run', () => {
  test.each([1, 9])('at change %i: read again once, the run completes', async (number) => {
    const token = openToken();
    const world = await openWorld({ ...BEFORE, limits: LIMITS, token: token.source });
    atChange(world, number, () => expire(world, token, 'the second'));
    const ran = await world.sync();
    expect([ran.exitCode, ran.error, ran.listed, token.asked()]).toEqual([0, '', [], 2]);
    await expectComplete(world, expectedState(BEFORE));
  });

  test('and stands in the configuration: the run ends, with a sentence; the next does the rest', async () => {
    const world = await openWorld({ ...BEFORE, limits: LIMITS });
    atChange(world, 4, () => world.sandbox.setToken('the second'));
    const ran = await world.sync();
    expect(ran.exitCode).toBe(1);
    expect(ran.error).toMatch(/\(10011\): a new one is needed; see service\.token/u);
    expect(endOf(ran)).toMatchObject({ result: 'failed', failed: 0 });
    expect((await world.sync()).exitCode).toBe(0);
    await expectComplete(world, expectedState(BEFORE));
  });
});

/** Changing calls that were sent and not answered by the service. */
const unanswered = ({ calls }: Ran): number => calls.filter(({ fault }) => fault !== undefined).length;

const DIFFERENT =
  /failed 5 different calls in a row, each tried again.*the next one goes on from here\. The last: /u;

describe('five different calls in a row without a word of the service end the run', () => {
  test.each([
    ['importEmployees', '500', 4],
    ['importEmployees', '429', 4],
    ['importOrganizations', '500', 4],
  ])('%s, %s, %i at once; the next run goes on from there', async (operation, kind, concurrency) => {
    const world = await openWorld({ ...BEFORE, limits: { ...LIMITS, concurrency } });
    let seen = 0;
    world.sandbox.onCall = (call) => {
      if (call.operation === operation) seen += 1;
      // From the second on.
      if (seen === 1) world.sandbox.setFaults(`seed=1,rate=1,kinds=${kind},ops=${operation}`);
    };
    const ran = await world.sync();
    expect([ran.exitCode, ran.error]).toEqual([1, expect.stringMatching(DIFFERENT)]);
    expect(endOf(ran)).toMatchObject({ result: 'failed', error: `${ran.error} [service-fails]` });
    expect(unanswered(ran)).toBeLessThan(kind === '429' ? 100 : 130);
    world.sandbox.setFaults(undefined);
    world.sandbox.onCall = undefined;
    const next = await world.sync();
    expect([next.exitCode, next.listed]).toEqual([0, []]);
    expect(next.report.end.applied).toBeLessThan(BEFORE.people.length + BEFORE.units.length);
    await expectComplete(world, expectedState(BEFORE));
  });

  test('a service that is down for every call ends the run at its first read, with nothing changed', async () => {
    const world = await openWorld(BEFORE);
    world.sandbox.setFaults('seed=1,rate=1,kinds=500');
    const ran = await world.sync();
    expect([ran.exitCode, ran.calls.length, ran.changing]).toEqual([1, 5, []]);
    expect(ran.error).toMatch(/answered HTTP 500/u);
  });
});

const bad = (body: string, ids: readonly number[]): boolean => ids.some((id) => body.includes(`"l${id}"`));

describe('fewer failures than that do not end the run', () => {
  const people = Array.from({ length: 64 }, (_, index) =>
    person(String(index + 1), { positions: [at('u1')] }),
  );
  /** The service fails with an error page whenever one of these is in the import. */
  async function poisoned(ids: readonly number[], concurrency: number): Promise<readonly [World, Ran]> {
    const world = await openWorld({
      units: [unit('u1')],
      people,
      limits: { peoplePerImport: 16, concurrency },
    });
    world.sandbox.onCall = ({ operation }, body) => {
      if (operation === 'importEmployees' && bad(body, ids)) throw new Error('cannot digest this');
    };
    return [world, await world.sync()];
  }

  test('one bad record in each batch: everybody else goes', async () => {
    const ids = [1, 17, 33, 49];
    for (const concurrency of [1, 4]) {
      const [world, ran] = await poisoned(ids, concurrency);
      expect([ran.exitCode, ran.error, ran.listed.length]).toEqual([4, '', ids.length]);
      expect(world.state().people).toHaveLength(64 - ids.length);
    }
  });
});
