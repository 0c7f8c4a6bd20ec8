import { chmodSync, closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { createHmac, randomBytes } from 'node:crypto';
import { readKey, requireKey } from './database/ledger-key.ts';
import { ConfigError, LedgerError } from '../domain/errors.ts';
import type { LedgerFacts } from '../domain/ports/ledger/ledger-facts.ts';
import type { Ledger } from '../domain/ports/ledger/ledger.ts';
import { systemWatch } from '../lib/system-watch.ts';
import type { Watch } from '../domain/ports/watch.ts';
import { approvalsTable } from './journal/approvals-table.ts';
import { json } from './database/columns.ts';
import { Database } from './database/database.ts';
import { journalTables } from './journal/journal.ts';
import { leftInsideTable } from './people/left-inside.ts';
import { LEDGER_VERSION, migrate, requireOurs, versionOf } from './database/migrations.ts';
import { peopleTable } from './people/people-table.ts';
import { readablePath, removeReadCopy } from './copies/read-copy.ts';
import { requireRoom } from './copies/require-room.ts';
import { runsTable } from './runs/runs-table.ts';
import { SqliteLease } from './runs/lease.ts';
import { SqlitePlanBook } from './staging/plan-book.ts';
import { SqliteStaging } from './staging/staging.ts';
import { sweepCopies } from './copies/sweep-copies.ts';
import { unitsTable } from './units/units-table.ts';
import { vanishedTable } from './people/vanished.ts';
import { viewTables } from './view/view.ts';

export interface LedgerOptions {
  readonly path: string;
  /** The service and organization this ledger is bound to: `domainId/orgCode`. */
  readonly binding: string;
  readonly now: () => number;
  /** The machine's own without. */
  readonly watch?: Watch;
  /**
   * - `write`: the run's own
   * - `scratch`: a private copy that goes on close, so that planning cannot change the ledger
   * - `read`: nothing is written at all; the file must exist
   */
  readonly mode: 'write' | 'scratch' | 'read';
}

/** Times from which something is counted. */
const COUNTED_FROM = [
  ['person', 'disabled_at'],
  ['approval', 'at'],
  ['repair', 'at'],
  ['tried', 'at'],
  ['call', 'settled_at'],
] as const;

const SIDE_FILES = ['', '-wal', '-shm', '-journal', '.staging'];

/** What the file system refuses, as a sentence. */
function onDisk(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof LedgerError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new LedgerError(
      `ledger ${path}: cannot be created or written (${reason}); check state.path and who may write there`,
      { cause: error },
    );
  }
}

/** Mode 0600 from the first byte on: the ledger names everybody (contract, "password … are secrets"). */
function createPrivate(path: string): void {
  onDisk(path, () => {
    mkdirSync(dirname(path), { recursive: true });
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
  });
}

/** Nobody else may read the staging file either; it is created by SQLite with the process's mask. */
function privateFromNowOn(): void {
  process.umask(0o077);
}

function openFile(options: LedgerOptions): Database {
  if (options.mode === 'read') return openToRead(options.path);
  privateFromNowOn();
  if (options.mode === 'write') {
    createPrivate(options.path);
    return new Database(options.path, { readonly: false });
  }
  return openScratch(options);
}

function openToRead(path: string): Database {
  if (existsSync(path)) return new Database(readablePath(path), { readonly: true });
  throw new LedgerError(
    `ledger ${path}: is not there yet, or cannot be seen by this user: rollcall sync creates it`,
  );
}

/** Nothing is written, so the file must be of this version as it is. */
function requireUsable(db: Database, binding: string): void {
  if (versionOf(db) < LEDGER_VERSION) {
    throw new LedgerError(
      `ledger ${db.path}: empty, or written by an older rollcall: rollcall sync brings it to this version`,
    );
  }
  requireBinding(db, binding);
}

function removeFiles(path: string): void {
  for (const suffix of SIDE_FILES) rmSync(path + suffix, { force: true });
}

function openScratch({ path, binding }: LedgerOptions): Database {
  const copy = `${path}.plan-${process.pid}`;
  onDisk(path, () => removeFiles(copy));
  if (existsSync(path)) {
    onDisk(path, () => sweepCopies(path));
    copyLedger(path, copy, binding);
  }
  createPrivate(copy);
  return new Database(copy, { readonly: false });
}

/** What is wrong with the original is told of the original. */
function copyLedger(path: string, copy: string, binding: string): void {
  const original = new Database(path, { readonly: true });
  try {
    if (versionOf(original) > 0) requireBinding(original, binding);
    original.sql('VACUUM INTO ?').run(copy);
  } catch (error) {
    removeFiles(copy);
    throw error;
  } finally {
    original.close();
  }
}

function bind(db: Database, binding: string): void {
  if (requireBinding(db, binding)) return;
  db.sql(`INSERT OR IGNORE INTO fact VALUES ('binding', ?)`).run(JSON.stringify(binding));
  requireBinding(db, binding);
}

/** Returns whether the file is bound at all. */
function requireBinding(db: Database, binding: string): boolean {
  const row = db.sql(`SELECT value FROM fact WHERE name = 'binding'`).get();
  if (row === undefined) return false;
  const bound = json<string>(row, 'value');
  if (bound === binding) return true;
  throw new ConfigError(
    `ledger ${db.path}: belongs to "${bound}", but the configuration names "${binding}" ` +
      '(service.domainId/service.orgCode); set them back, or use another state.path for another organization',
  );
}

/** A copy for planning uses the ledger's own and makes none. */
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
  readonly approvals;
  readonly leftInside;
  readonly vanished;
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
    this.view = viewTables(db, { now: options.now, flush: () => this.staging.flush() });
    this.people = peopleTable(db);
    this.units = unitsTable(db);
    this.approvals = approvalsTable(db);
    this.vanished = vanishedTable(db);
    this.leftInside = leftInsideTable(db, () => this.staging.flush());
    this.lease = new SqliteLease(db, { now: options.now, watch: options.watch ?? systemWatch });
    const runs = runsTable(db);
    this.runs = {
      ...runs,
      begin: (run: Parameters<typeof runs.begin>[0]) => {
        this.#run = run.id;
        runs.begin(run);
      },
    };
    this.journal = journalTables(db, {
      now: options.now,
      run: () => this.#run,
      // A copy for planning is nobody else's.
      requireLease: () => (options.mode === 'write' ? this.lease.require() : undefined),
    });
  }

  fact<K extends keyof LedgerFacts>(name: K): LedgerFacts[K] | null {
    const row = this.#db.sql('SELECT value FROM fact WHERE name = ?').get(name);
    return row === undefined ? null : json<LedgerFacts[K]>(row, 'value');
  }

  setFacts(facts: Partial<LedgerFacts>): void {
    this.#db.transaction(() => {
      for (const [name, value] of Object.entries(facts)) {
        this.#db.sql('INSERT OR REPLACE INTO fact VALUES (?, ?)').run(name, JSON.stringify(value));
      }
    });
  }

  keyed(text: string): string {
    this.#key ??= keyOf(this.#options);
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }

  noneAfter(latest: number): void {
    this.#db.transaction(() => {
      for (const [table, column] of COUNTED_FROM) {
        this.#db.sql(`UPDATE ${table} SET ${column} = :latest WHERE ${column} > :latest`).run({ latest });
      }
    });
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

function dropCopy({ mode, path }: LedgerOptions, opened: string): void {
  if (mode === 'scratch') removeFiles(opened);
  if (mode === 'read') removeReadCopy(path, opened);
}

function makeUsable(db: Database, binding: string): void {
  requireOurs(db);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('cache_size = -16000');
  migrate(db);
  bind(db, binding);
}

/**
 * Opens the ledger, brings it to this version and checks that it belongs to this organization. Throws a LedgerBusyError
 * where another process is in the middle of a write.
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
