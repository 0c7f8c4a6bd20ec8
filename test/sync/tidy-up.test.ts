import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { Space } from '../../src/domain/ports/ledger/ledger.ts';
import { LedgerError } from '../../src/domain/errors.ts';
import { tidyUp } from '../../src/sync/tidy/tidy-up.ts';
import { FakeClock } from '../doubles/fake-clock.ts';
import { MemoryLog } from '../runtime/memory-log.ts';
import { openWorld, person, SMALL, type Ran, type World } from './world.ts';

function inLedger<T>({ ledgerFile }: World, work: (db: Sqlite.Database) => T): T {
  const db = new Sqlite(ledgerFile);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** As a version before this one made it. */
const makeOld = (world: World): void =>
  inLedger(world, (db) => {
    db.pragma('auto_vacuum = NONE');
    db.exec('VACUUM');
  });

const canGiveBack = (world: World): boolean =>
  inLedger(world, (db) => db.pragma('auto_vacuum', { simple: true }) === 2);

const said = ({ lines }: Pick<Ran, 'lines'>): readonly string[] =>
  lines.map(({ message }) => message).filter((message) => message.includes('anew'));

const isQuiet = (world: World): readonly unknown[] =>
  inLedger(world, (db) => db.prepare('SELECT quiet FROM run ORDER BY rowid').pluck().all());

const diskIsFull = (): void => {
  throw new LedgerError('the disk is full');
};

describe('a ledger of an older version', () => {
  test('is written anew at the end of a full run, which says so before and after; then it is as before', async () => {
    const world = await openWorld();
    await world.sync();
    makeOld(world);
    world.minutes(15);
    const quiet = await world.sync();
    expect([said(quiet), canGiveBack(world)]).toEqual([[], false]);
    world.minutes(15);
    const full = await world.sync({ full: true });
    expect(said(full)).toEqual([
      'the ledger is written anew, once, so that it can give free room back',
      'the ledger was written anew',
    ]);
    expect([full.exitCode, canGiveBack(world)]).toEqual([0, true]);
    world.minutes(15);
    const again = await world.sync({ full: true });
    expect([again.exitCode, again.changing, said(again)]).toEqual([0, [], []]);
  });

  interface Case extends Partial<Space> {
    readonly full?: boolean;
    readonly byHand?: boolean;
    readonly stopped?: boolean;
    readonly isWhole?: boolean;
  }

  /** What is done to a file of 1 GB. */
  function tidied({ full = true, byHand = true, stopped = false, isWhole = true, ...space }: Case) {
    const done: string[] = [];
    const log = new MemoryLog();
    const file: Space = {
      giveBack: () => void done.push('given back'),
      bytes: () => 1_073_741_824,
      isRigid: () => true,
      lackingRoom: () => null,
      writeAnew: () => void done.push('written anew'),
      ...space,
    };
    const stop = stopped ? AbortSignal.abort() : new AbortController().signal;
    const clock = new FakeClock();
    tidyUp({ ledger: { space: file }, log, clock, full, waitsForNothing: byHand, stop }, isWhole);
    return { done, said: log.lines.map(({ level, message }) => `${level} ${message}`) };
  }

  const SAYS = 'info the ledger can give no room back until rollcall sync --full, by hand, writes it anew';

  test('that is large is written anew where somebody asked for a full run and waits for it', () => {
    expect(tidied({}).done).toEqual(['given back', 'written anew']);
    expect(tidied({ byHand: false })).toEqual({ done: ['given back'], said: [SAYS] });
    expect(tidied({ byHand: false, bytes: () => 1_000_000 }).done).toContain('written anew');
  });

  test('is left as it is where there is no room, where the run was stopped or failed, and between full runs', () => {
    expect(tidied({ lackingRoom: () => 2_147_483_648 })).toEqual({
      done: ['given back'],
      said: [expect.stringContaining('too little room')],
    });
    for (const one of [{ stopped: true }, { isWhole: false }, { full: false }, { isRigid: () => false }])
      expect(tidied(one)).toEqual({ done: ['given back'], said: [] });
  });

  test('that cannot be written fails no run', () => {
    expect(tidied({ writeAnew: diskIsFull }).said.at(-1)).toBe(
      'warn the ledger cannot give room back to the disk',
    );
  });
});

describe('runs', () => {
  test('that did nothing are told from those that sent, held or failed something', async () => {
    const world = await openWorld();
    await world.sync();
    world.minutes(15);
    await world.sync();
    world.change(() => ({ people: [...SMALL.people, person('9', { fields: { name: '' } })] }));
    world.minutes(15);
    await world.sync();
    expect(isQuiet(world)).toEqual([0, 1, 0]);
  });
});
