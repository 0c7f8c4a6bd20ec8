import { expect, test } from 'vitest';
import type { Source } from '../../src/domain/reading/source.ts';
import { openWorld } from './world.ts';

const having = (source: Source, tables: Readonly<Record<string, number>>): Source =>
  Object.assign(Object.create(source) as Source, { tables });

test('a table of lookups that had entries and has none makes the read incomplete, until it has some or is no file', async () => {
  const world = await openWorld();
  const sync = (tables: Readonly<Record<string, number>>) =>
    world.sync({ from: (source) => having(source, tables) });
  // One that is empty from the beginning is as somebody wants it.
  expect((await sync({ left: 5, more: 0 })).exitCode).toBe(0);
  for (let run = 1; run <= 2; run += 1) {
    const emptied = await sync({ left: 0, more: 0 });
    expect([emptied.exitCode, emptied.changing]).toEqual([1, []]);
    expect(emptied.error).toMatch(
      /lookups\.left\.file has its header alone, and had 5 entries in the last complete read; .* values: \{\}/u,
    );
  }
  expect((await sync({ left: 1, more: 0 })).exitCode).toBe(0);
  expect((await sync({ left: 0, more: 0 })).error).toContain('had one entry');
  expect((await sync({ more: 0 })).exitCode).toBe(0);
});
