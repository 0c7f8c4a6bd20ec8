import { afterAll, expect, test } from 'vitest';
import { COMBINED, SINGLE } from './cases.ts';
import { readsIncrements, tell, type Figures, type Story } from './story.ts';

/**
 * `npm run chaos` sets 50: so many as the interface reads at first sight, a tenth for each other set of readings. Without
 * it, as by `npm test`, a handful is told: one for every tenth set.
 */
const SEEDS = Number(process.env['CHAOS_SEEDS'] ?? 1);
const EVERY = process.env['CHAOS_SEEDS'] === undefined ? 20 : 1;
/** The first one: to tell a story again. */
const FROM = Number(process.env['CHAOS_FROM'] ?? 1);

/** `2/3`: the second third of the sets of readings. */
const [PART = 1, PARTS = 1] = (process.env['CHAOS_PART'] ?? '1/1').split('/').map(Number);

/** What is visible later takes its time, and machines are shared. */
const LONGEST_MS = 480_000;

/** Runs that a story may take to converge. */
const LENGTHS = [2, 3, 4, 5, 6, 7, 8, 9, 10];

/** What failed is printed when it fails: a file of hundreds of stories takes an hour. */
function toldAtOnce(error: unknown): never {
  console.error(String(error));
  throw error;
}

/** Stories of each seed and set of readings: another one for each set, also where there is one seed. */
const storiesOf = (sets: readonly (readonly string[])[]): readonly Story[] =>
  sets
    .flatMap((readings, index) =>
      Array.from({ length: readings.length === 0 ? SEEDS : Math.ceil(SEEDS / 10) }, (_, seed) => ({
        seed: FROM + seed + index * 1_000,
        readings,
      })),
    )
    .filter((_, index) => index % EVERY === 0 && index % PARTS === PART - 1);
const STORIES = [...storiesOf(SINGLE), ...storiesOf(COMBINED)];
/** Files of tests that share them: a core has work until the end. */
const FILES = 2;

/** A test for each story that is dealt to this file of tests, and the sum of it all at the end. */
export function tellAll(file: number): void {
  const told: Figures[] = [];
  const cases = STORIES.filter((_, index) => index % FILES === file);
  for (const { seed, readings } of cases)
    test(
      `${readings.join(' ') || 'no reading switched'}, seed ${seed}`,
      async () => {
        const figures = await tell({ seed, readings }).catch(toldAtOnce);
        told.push(figures);
        expect(figures.faults).toBeGreaterThan(50);
        expect(figures.increments > 0).toBe(readsIncrements(seed));
      },
      LONGEST_MS,
    );
  afterAll(() => {
    const sum = (of: (figures: Figures) => number): number => told.reduce((all, one) => all + of(one), 0);
    const longest = LENGTHS.map((runs) => told.filter((one) => one.longest === runs).length);
    console.log(
      `${told.length} of ${cases.length} stories converged; ${sum((one) => one.runs)} runs, ${sum((one) => one.increments)} of them by increments, ` +
        `${sum((one) => one.calls)} calls, ${sum((one) => one.faults)} of them failed on purpose; ` +
        `${sum((one) => one.crashes)} crashes, ${sum((one) => one.pauses)} pauses; ${sum((one) => one.waiting)} records wait; longest convergence of a story ${LENGTHS.join(', ')} runs: ${longest.join(', ')}`,
    );
  });
}
