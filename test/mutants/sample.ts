import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOfSource, ROOT, sitesIn, type Mutant } from './sites.ts';

const FILE = join(ROOT, 'test/mutants/sample.json');
const SEED = 58;
const SIZE = 72;

/** Returns numbers from 0 to 1 that look random, and are the same each time (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The sample as it was drawn. */
export const sampled = (): readonly Mutant[] =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as readonly Mutant[]) : [];

/** Draws a sample where there is none: two sessions compare the same places. At most one is of one file. */
export function drawSample(): readonly Mutant[] {
  if (existsSync(FILE)) return sampled();
  const next = numbersFrom(SEED);
  const all = filesOfSource().flatMap((file) => sitesIn(file).map(({ mutant }) => mutant));
  const sample: Mutant[] = [];
  while (sample.length < SIZE) {
    const mutant = all[Math.floor(next() * all.length)];
    if (mutant !== undefined && sample.every(({ file }) => file !== mutant.file)) sample.push(mutant);
  }
  writeFileSync(FILE, `${JSON.stringify(sample, null, 2)}\n`);
  return sample;
}
