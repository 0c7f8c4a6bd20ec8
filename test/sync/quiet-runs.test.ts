import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { loadedWorld, person, SMALL, type World } from './world.ts';

function inLedger<T>({ ledgerFile }: World, work: (db: Sqlite.Database) => T): T {
  const db = new Sqlite(ledgerFile);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const isQuiet = (world: World): readonly unknown[] =>
  inLedger(world, (db) => db.prepare('SELECT quiet FROM run ORDER BY rowid').pluck().all());

describe('runs', () => {
  test('that did nothing are told from those that sent, held or failed something', async () => {
    const world = await loadedWorld();
    await world.sync({ later: 15 });
    world.change(() => ({ people: [...SMALL.people, person('9', { fields: { name: '' } })] }));
    await world.sync({ later: 15 });
    expect(isQuiet(world)).toEqual([0, 1, 0]);
  });
});
