import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { loadedWorld, person, SMALL, type World } from './world.ts';

const DAY_MINUTES = 1_440;

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

  test('that did nothing go after three days, in which a run a minute makes thousands; the others stay', async () => {
    const world = await loadedWorld();
    await world.sync({ later: 15 });
    inLedger(world, (db) => {
      const add =
        db.prepare(`INSERT INTO run (id, kind, started_at, ended_at, result, exit_code, report, quiet)
        SELECT 'minute ' || ?, kind, started_at + ?, ended_at, result, exit_code, report, 1 FROM run WHERE quiet = 1 LIMIT 1`);
      for (let minute = 1; minute <= 2 * DAY_MINUTES; minute += 1) add.run(minute, minute * 60_000);
    });
    const count = (): number => isQuiet(world).length;
    await world.sync({ later: 2 * DAY_MINUTES });
    expect(count()).toBe(2 * DAY_MINUTES + 3);
    await world.sync({ later: 4 * DAY_MINUTES });
    expect(count()).toBe(1 + 1_000);
    expect(isQuiet(world)[0]).toBe(0);
  });
});
