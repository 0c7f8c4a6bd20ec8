import { createHmac, randomBytes } from 'node:crypto';
import { readKey, requireKey } from './database/ledger-key.ts';
import { ledgerProblem } from './database/problems.ts';
import type { LedgerFacts } from '../domain/ports/ledger/ledger-facts.ts';
import type { Ledger, Old } from '../domain/ports/ledger/ledger.ts';
import { systemWatch } from '../lib/clock.ts';
import type { Watch } from '../domain/ports/watch.ts';
import { approvalsTable } from './journal/approvals-table.ts';
import { bind, requireBinding } from './database/binding.ts';
import type { Database } from './database/database.ts';
import { factOf, setFact } from './database/facts.ts';
import { forgetOld } from './database/forget-old.ts';
import { forgottenTable } from './forgotten/forgotten-table.ts';
import { historyTable } from './history/history-table.ts';
import { journalTables } from './journal/journal.ts';
import { troublesTables } from './journal/troubles.ts';
import { leftInsideTable } from './people/left-inside.ts';
import { seenRecords } from './records/seen.ts';
import { createTables, isEmpty } from './database/schema.ts';
import { peopleTable } from './people/people-table.ts';
import { dropCopy, onDisk, makePrivate, openFile, type OpenOptions } from './copies/open-file.ts';
import { requireRoom } from './copies/require-room.ts';
import { giveBackRoom } from './database/file-space.ts';
import { runsTable, SqliteLease } from './runs/lease.ts';
import { SqlitePlanBook } from './staging/plan-book.ts';
import { SqliteStaging } from './staging/staging.ts';
import { unitsTable } from './units/units-table.ts';
import { viewTables } from './view/view.ts';

/** Columns with times from which something is counted. */
const COUNTED_FROM = [
  ['person', 'disabled_at', `state = 'disabled' AND `],
  ['approval', 'at', ''],
  ['reply', 'at', ''],
  ['call', 'settled_at', ''],
] as const;

export interface LedgerOptions extends OpenOptions {
  readonly now: () => number;
  /** Without it, the watch of this machine. */
  readonly watch?: Watch;
}

/** Returns the key. A copy for planning uses the ledger's key, and makes none. */
function keyOf({ path, mode }: LedgerOptions): Buffer {
  return mode === 'write' ? requireKey(path) : (readKey(path) ?? randomBytes(32));
}

class SqliteLedger implements Ledger {
  readonly staging: SqliteStaging;
  readonly plan: SqlitePlanBook;
  readonly view;
  readonly people;
  readonly units;
  readonly journal;
  readonly troubles;
  readonly history;
  readonly forgotten;
  readonly approvals;
  readonly seen: Ledger['seen'];
  readonly leftInside;
  readonly runs;
  readonly lease: SqliteLease;
  readonly #db: Database;
  readonly #options: LedgerOptions;
  #run = '';
  /** Read when the first secret is compared: most ledgers need none. */
  #key: Buffer | undefined;

  constructor(db: Database, options: LedgerOptions) {
    this.#db = db;
    this.#options = options;
    this.staging = new SqliteStaging(db);
    this.plan = new SqlitePlanBook(db);
    this.people = peopleTable(db);
    this.units = unitsTable(db);
    this.approvals = approvalsTable(db);
    this.seen = seenRecords(db);
    this.leftInside = leftInsideTable(db);
    this.lease = new SqliteLease(db, { now: options.now, watch: options.watch ?? systemWatch });
    const runs = runsTable(db);
    this.runs = {
      ...runs,
      begin: (run: Parameters<typeof runs.begin>[0]) => {
        this.#run = run.id;
        runs.begin(run);
      },
    };
    const context = { now: options.now, run: () => this.#run };
    this.view = viewTables(db);
    this.journal = journalTables(db, {
      ...context,
      // A copy for planning has no other user, so it needs no lease.
      requireLease: () => (options.mode === 'write' ? this.lease.require() : undefined),
    });
    this.troubles = troublesTables(db, context);
    this.history = historyTable(db, context);
    this.forgotten = forgottenTable(db);
  }

  fact<K extends keyof LedgerFacts>(name: K): LedgerFacts[K] | null {
    return factOf(this.#db, name);
  }

  setFacts(facts: Partial<LedgerFacts>): void {
    this.#db.transaction(() => {
      for (const [name, value] of Object.entries(facts)) setFact(this.#db, name as keyof LedgerFacts, value);
    });
  }

  keyed(text: string): string {
    this.#key ??= keyOf(this.#options);
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }

  noneAfter(latest: number, lapsed: number): void {
    this.#db.transaction(() => {
      for (const [table, column, where] of COUNTED_FROM) {
        this.#db
          .sql(`UPDATE ${table} SET ${column} = :latest WHERE ${where}${column} > :latest`)
          .run({ latest });
      }
      this.#db.sql('DELETE FROM approval WHERE at < ?').run(lapsed);
    });
  }

  forgetOld(old: Old): void {
    forgetOld(this.#db, old);
    giveBackRoom(this.#db);
  }

  transaction<T>(work: () => T): T {
    return this.#db.transaction(work);
  }

  requireRoom(): void {
    const { path } = this.#options;
    onDisk(path, () => requireRoom(path));
  }

  close(): void {
    if (this.#options.mode !== 'read') this.staging.end();
    this.#db.close();
    dropCopy(this.#options, this.#db.path);
  }
}

/** Throws a LedgerError if the file is empty: it is opened to be read. */
function requireUsable(db: Database, binding: string): void {
  if (isEmpty(db)) throw ledgerProblem('ledger-empty', { path: db.path });
  requireBinding(db, binding);
}

function makeUsable(db: Database, binding: string): void {
  const isNew = isEmpty(db);
  makePrivate(db.path);
  // Takes effect only before anything is written.
  if (isNew) db.pragma('auto_vacuum = INCREMENTAL');
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  // In KiB; more makes no load faster.
  db.pragma('cache_size = -8000');
  db.pragma('wal_autocheckpoint = 4000');
  createTables(db);
  bind(db, binding);
}

/**
 * Opens the ledger, creates its tables if it is empty, and checks that it belongs to this organization. Throws a LedgerBusyError
 * if another process is in the middle of a write.
 */
export function openLedger(options: LedgerOptions): Ledger {
  const db = openFile(options);
  try {
    db.impatiently(() => (options.mode === 'read' ? requireUsable : makeUsable)(db, options.binding));
    return new SqliteLedger(db, options);
  } catch (error) {
    db.close();
    dropCopy(options, db.path);
    throw error;
  }
}
