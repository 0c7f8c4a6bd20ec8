import { describe, expect, test } from 'vitest';
import { FAULT_KINDS } from '../../src/sandbox/options/faults.ts';
import { openWorld, type Ran, type World } from '../sync/world.ts';
import { company, reorganized } from './company.ts';
import { expectedState } from './expected-state.ts';

const MOST_RUNS = 6;
const BEFORE = company({ units: 60, people: 300 });
const AFTER = reorganized(BEFORE);
/** Small batches: more calls, more of them spoilt. */
const LIMITS = { unitsPerImport: 7, peoplePerImport: 20 };

/** Runs until one has nothing left to do. */
async function converge(world: World): Promise<readonly Ran[]> {
  const runs: Ran[] = [];
  for (let times = 0; times < MOST_RUNS; times += 1) {
    world.minutes(15);
    const ran = await world.sync();
    runs.push(ran);
    if (ran.exitCode === 0) return runs;
  }
  throw new Error(
    runs.map(({ exitCode, error, listed }) => `${exitCode} ${error} ${listed.join('; ')}`).join('\n'),
  );
}

function expectNothingTwice(world: World): void {
  const { state } = world.sandbox;
  const serials = state.organizations().flatMap(({ serialNo }) => serialNo ?? []);
  expect(new Set(serials).size).toBe(serials.length);
  const usernames = state.employees().map(({ username }) => username.toLowerCase());
  expect(new Set(usernames).size).toBe(usernames.length);
}

const ALL = FAULT_KINDS.join('+');
const CASES = [
  ...FAULT_KINDS.map((kind, index) => ({ kinds: kind, rate: 0.25, seed: index + 1 })),
  ...[11, 12, 13].map((seed) => ({ kinds: ALL, rate: 0.3, seed })),
  { kinds: 'dropAfter+cut', rate: 0.45, seed: 21 },
];

describe('answers that fail on purpose', () => {
  test.each(CASES)(
    '$kinds at $rate, seed $seed: converged, nothing twice, then silence',
    async ({ kinds, rate, seed }) => {
      const world = await openWorld({ ...BEFORE, limits: LIMITS });
      const spoil = (shift: number) =>
        world.sandbox.setFaults(`seed=${seed + shift},rate=${rate},slowMs=5,kinds=${kinds}`);
      spoil(0);
      await converge(world);
      expectNothingTwice(world);
      expect(world.state()).toEqual(expectedState(BEFORE));
      world.change(() => AFTER);
      spoil(100);
      await converge(world);
      expectNothingTwice(world);
      expect(world.state()).toEqual(expectedState(AFTER, BEFORE));
      world.sandbox.setFaults(undefined);
      const last = await world.sync({ full: true });
      expect([last.exitCode, last.changing, last.listed]).toEqual([0, [], []]);
    },
  );
});
