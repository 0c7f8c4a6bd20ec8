import { describe, expect, test } from 'vitest';
import type { Unit } from '../../src/domain/records/records.ts';
import { Crash, crashing } from '../doubles/crashing-ledger.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { at, openWorld, person, unit } from './world.ts';

const WRITES = 60;
const MOST_RUNS = 4;

const peopled = (units: readonly Unit[]): MemoryWorld => ({
  units,
  people: ['a', 'b', 'c', 'd'].map((id) => person(id, { positions: [at(id)] })),
});

const BEFORE = peopled([unit('a'), unit('b'), unit('c', 'b'), unit('d', 'c')]);
const STORIES: readonly (readonly [string, MemoryWorld])[] = [
  ['a subtree', peopled([unit('a'), unit('b', 'a'), unit('c', 'b'), unit('d', 'c')])],
  ['a unit into its former child', peopled([unit('a'), unit('c'), unit('b', 'c'), unit('d', 'c')])],
];

async function expected(source: MemoryWorld) {
  const world = await openWorld(source);
  await world.sync();
  return world.state();
}

describe('the ledger is lost halfway through the move of', () => {
  test.each(STORIES)('%s: the same in the end, nobody locked, nothing twice', async (_, after) => {
    const target = await expected(after);
    for (let write = 1; write < WRITES; write += 1) {
      const world = await openWorld(BEFORE);
      await world.sync();
      world.change(() => after);
      let crashed = false;
      try {
        await world.sync({ wrap: (ledger) => crashing(ledger, write, 'after') });
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        crashed = true;
      }
      if (!crashed) return;
      world.loseLedger();
      let ran = await world.sync();
      for (
        let runs = 1;
        runs < MOST_RUNS && JSON.stringify(world.state()) !== JSON.stringify(target);
        runs += 1
      ) {
        world.minutes(15);
        ran = await world.sync({ full: runs % 2 === 0 });
      }
      expect([write, ran.listed, world.state()]).toEqual([write, [], target]);
      world.minutes(15);
      const last = await world.sync({ full: true });
      expect([write, last.exitCode, last.changing, world.state()]).toEqual([write, 0, [], target]);
    }
    expect('a run without a crash').toBe('reached');
  });
});
