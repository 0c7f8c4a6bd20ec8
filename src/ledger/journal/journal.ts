import { LedgerError } from '../../domain/errors.ts';
import { bucketsOf, type Blocked, type Change } from '../../domain/changes.ts';
import type {
  CallEntry,
  Failure,
  Journal,
  OpenCall,
  PastCall,
  RecordedFailure,
  Settlement,
} from '../../domain/ports/ledger/journal.ts';
import { blockedOf } from '../staging/plan-book.ts';
import { number, text, textOrNull } from '../database/columns.ts';
import type { Operation } from '../../domain/ports/operation.ts';
import type { Database, Row } from '../database/database.ts';
import { claim, settleInto } from './settle.ts';

export interface JournalContext {
  readonly now: () => number;
  readonly run: () => string;
  /** The fence: throws where this process no longer holds the lease. */
  readonly requireLease: () => void;
}

const subjectOf = (row: Row): 'unit' | 'person' => (text(row, 'subject') === 'unit' ? 'unit' : 'person');
const operationOf = (row: Row): Operation => text(row, 'operation') as Operation;

const UNIT_SETTLEMENTS: ReadonlySet<Settlement['is']> = new Set([
  'unit',
  'unitGone',
  'moved',
  'aside',
  'noted',
  'swept',
]);

function idOf(settlement: Settlement): { subject: 'unit' | 'person'; id: string } {
  if ('failure' in settlement) return settlement.failure;
  return { subject: UNIT_SETTLEMENTS.has(settlement.is) ? 'unit' : 'person', id: settlement.id };
}

function failureOf(row: Row): RecordedFailure {
  return {
    subject: subjectOf(row),
    id: text(row, 'id'),
    label: text(row, 'label'),
    reason: text(row, 'reason'),
    attempts: number(row, 'attempts'),
    firstAt: number(row, 'first_at'),
    lastAt: number(row, 'last_at'),
    kind: text(row, 'kind') === 'refused' ? 'refused' : 'doubt',
    ...(row['digest'] === null ? {} : { digest: text(row, 'digest') }),
  };
}

function openCall(db: Database, row: Row): OpenCall {
  const call = number(row, 'call');
  const items = db.sql('SELECT subject, id FROM call_item WHERE call = ?').all(call);
  return {
    call,
    operation: operationOf(row),
    items: items.map((item) => ({ subject: subjectOf(item), id: text(item, 'id') })),
  };
}

function writeDown(
  db: Database,
  context: JournalContext,
  { operation, changes, approved = new Set() }: CallEntry,
): number {
  context.requireLease();
  const insert = db.sql('INSERT INTO call (run, operation, at) VALUES (?, ?, ?) RETURNING call');
  const row = insert.get(context.run(), operation, context.now());
  if (row === undefined) throw new LedgerError(`ledger ${db.path}: the journal gave no number to a call`);
  const call = number(row, 'call');
  const item = db.sql('INSERT INTO call_item (call, subject, id, buckets, approved) VALUES (?, ?, ?, ?, ?)');
  for (const change of changes) {
    claim(db, change);
    const buckets = bucketsOf(change);
    const counted = buckets.length === 0 ? null : JSON.stringify(buckets);
    item.run(call, change.subject, change.id, counted, Number(approved.has(change.id)));
  }
  return call;
}

/** Too late, another run may have read already what became of it: left open, it is read again. */
function settle(
  db: Database,
  { now, requireLease }: JournalContext,
  call: number,
  settlements: readonly Settlement[],
): void {
  requireLease();
  const outcome = db.sql('UPDATE call_item SET outcome = ? WHERE subject = ? AND id = ? AND call = ?');
  for (const settlement of settlements) {
    settleInto(db, settlement);
    const { subject, id } = idOf(settlement);
    outcome.run(settlement.is, subject, id, call);
  }
  db.sql('UPDATE call SET settled_at = ? WHERE call = ?').run(now(), call);
}

function fail(db: Database, { now }: JournalContext, failures: readonly Failure[]): void {
  for (const failure of failures) settleInto(db, { is: 'doubt', failure, at: now() });
}

function repaired(db: Database, { subject, id, fields }: Change, at: number): void {
  const insert = db.sql('INSERT INTO repair VALUES (?, ?, ?, ?)');
  for (const { field } of fields) insert.run(subject, id, field, at);
}

function repairs(db: Database, since: number): ReadonlyMap<string, number> {
  const rows = db
    .sql(
      `SELECT subject || ' ' || id || ' ' || field AS key, count(*) AS n FROM repair WHERE at >= ? GROUP BY 1`,
    )
    .all(since);
  return new Map(rows.map((row) => [text(row, 'key'), number(row, 'n')]));
}

function setBlocked(db: Database, blocked: readonly Blocked[]): void {
  db.sql('DELETE FROM blocked').run();
  const insert = db.sql('INSERT INTO blocked VALUES (?, ?, ?, ?, ?)');
  for (const { subject, id, label, reason, goesOn } of blocked)
    insert.run(subject, id, label, reason, Number(goesOn === true));
}

const FORGET_SETTLED = `DELETE FROM failure WHERE kind = 'refused'
  AND last_at < (SELECT started_at FROM run WHERE id = ?)
  AND NOT EXISTS (SELECT 1 FROM staging.change c WHERE c.subject = failure.subject AND c.id = failure.id)
  AND NOT EXISTS (SELECT 1 FROM staging.blocked b WHERE b.subject = failure.subject AND b.id = failure.id)`;

function prune(db: Database, before: number): void {
  const old = 'SELECT call FROM call WHERE settled_at < ?';
  db.sql(`DELETE FROM call_item WHERE call IN (${old})`).run(before);
  db.sql('DELETE FROM call WHERE settled_at < ?').run(before);
  db.sql('DELETE FROM run WHERE started_at < ?').run(before);
  db.sql('DELETE FROM repair WHERE at < ?').run(before);
}

function callsOf(db: Database, subject: 'unit' | 'person', id: string, limit: number): readonly PastCall[] {
  const rows = db
    .sql(
      `SELECT c.at, c.run, c.operation, i.outcome FROM call_item i JOIN call c USING (call)
       WHERE i.subject = ? AND i.id = ? ORDER BY call DESC LIMIT ?`,
    )
    .all(subject, id, limit);
  return rows.map((row) => ({
    at: number(row, 'at'),
    run: text(row, 'run'),
    operation: operationOf(row),
    outcome: textOrNull(row, 'outcome') ?? 'not settled',
  }));
}

/** Every changing call is written down before it is sent and settled together with the ledger (promise 6). */
export function journalTables(db: Database, context: JournalContext): Journal {
  const unsettled = 'SELECT call, operation FROM call WHERE settled_at IS NULL ORDER BY call';
  return {
    open: (entry) => db.transaction(() => writeDown(db, context, entry)),
    settle: (call, settlements) => db.transaction(() => settle(db, context, call, settlements)),
    unsettled: () =>
      db
        .sql(unsettled)
        .all()
        .map((row) => openCall(db, row)),
    failures: () => db.sql('SELECT * FROM failure ORDER BY subject, id').all().map(failureOf),
    failed: (failures) => db.transaction(() => fail(db, context, failures)),
    repaired: (change) => db.transaction(() => repaired(db, change, context.now())),
    repairs: (since) => repairs(db, since),
    blocked: () => db.sql('SELECT * FROM blocked ORDER BY subject, id').all().map(blockedOf),
    setBlocked: (blocked) => db.transaction(() => setBlocked(db, blocked)),
    forgetSettled: () => db.sql(FORGET_SETTLED).run(context.run()),
    callsOf: (subject, id, limit) => callsOf(db, subject, id, limit),
    prune: (before) => db.transaction(() => prune(db, before)),
  };
}
