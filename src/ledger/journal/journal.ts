import { ledgerProblem } from '../database/problems.ts';
import type {
  CallEntry,
  Journal,
  OpenCall,
  Operation,
  PastCall,
  Settlement,
} from '../../domain/ports/ledger/journal.ts';
import { countOf, type Database } from '../database/database.ts';
import type { HistoryContext } from '../history/history-rows.ts';
import { noteDone, type KeptRecord } from '../history/note-done.ts';
import { noteEvent } from '../records/known-people.ts';
import { keepGivenUp } from './name-hashes.ts';
import { claim, settleInto } from './settle.ts';

export interface JournalContext extends HistoryContext {
  /** The fence: throws if this process no longer holds the lease. */
  readonly requireLease: () => void;
}

const UNIT_SETTLEMENTS: ReadonlySet<Settlement['is']> = new Set(['unit', 'unitGone', 'noted', 'swept']);

function idOf(settlement: Settlement): { subject: 'unit' | 'person'; id: string } {
  if ('failure' in settlement) return settlement.failure;
  return { subject: UNIT_SETTLEMENTS.has(settlement.is) ? 'unit' : 'person', id: settlement.id };
}

const UNSETTLED = 'SELECT call, run, operation FROM call WHERE settled_at IS NULL ORDER BY call';
const ITEMS = 'SELECT subject, id FROM call_item WHERE call = ?';

function unsettled(db: Database): readonly OpenCall[] {
  const items = db.sql<OpenCall['items'][number]>(ITEMS);
  const calls = db.sql<Omit<OpenCall, 'items'>>(UNSETTLED).all();
  return calls.map((one) => ({ ...one, items: items.all(one.call) }));
}

function writeDown(db: Database, context: JournalContext, { operation, items }: CallEntry): number {
  context.requireLease();
  const records = items.flatMap(({ subject, id, record }): KeptRecord[] =>
    record === undefined ? [] : [[subject, id, record]],
  );
  db.sql('INSERT INTO call (run, operation, at, records) VALUES (?, ?, ?, ?)').run(
    context.run(),
    operation,
    context.now(),
    JSON.stringify(records),
  );
  const call = countOf(db, 'SELECT last_insert_rowid() AS n');
  const people = items.flatMap(({ claims }) => (claims?.subject === 'person' ? [claims] : []));
  keepGivenUp(db, people);
  const item = db.sql('INSERT INTO call_item (call, subject, id, buckets, approved) VALUES (?, ?, ?, ?, ?)');
  for (const { subject, id, buckets, isApproved, claims } of items) {
    if (claims !== null) claim(db, claims);
    const counted = buckets.length === 0 ? null : JSON.stringify(buckets);
    item.run(call, subject, id, counted, Number(isApproved));
    if (operation === 'employee.disable') noteEvent(db, id, { is: 'locking', at: context.now() });
  }
  return call;
}

/**
 * Settles a call, and throws if the lease is lost: by then another run may have read what became of the call. A call
 * that is left open is read again.
 */
function settle(
  db: Database,
  { now, run, requireLease }: JournalContext,
  call: number,
  settlements: readonly Settlement[],
): void {
  requireLease();
  const sent = db.sql<SentCall>('SELECT run, at, operation, records FROM call WHERE call = ?').get(call);
  if (sent === undefined) throw ledgerProblem('ledger-no-call', { path: db.path, call });
  const isLater = sent.run !== run();
  settleInto(db, settlements);
  if (SWITCHES.has(sent.operation))
    for (const one of settlements)
      if (one.is === 'failed') noteEvent(db, one.failure.id, { is: 'locking', at: null });
  noteOutcomes(db, call, settlements);
  const done = settlements.map((settlement) => ({ settlement, ...idOf(settlement) }));
  const records = JSON.parse(sent.records ?? '[]') as readonly KeptRecord[];
  noteDone(db, { call, run: sent.run, at: isLater ? sent.at : now(), isLater }, done, records);
  db.sql('UPDATE call SET settled_at = ?, records = NULL WHERE call = ?').run(now(), call);
}

interface SentCall extends Pick<PastCall, 'run' | 'at' | 'operation'> {
  readonly records: string | null;
}

/** Calls that lock or unlock an account. */
const SWITCHES: ReadonlySet<Operation> = new Set(['employee.disable', 'employee.enable']);

/** Writes down what became of each item: of all of them at once where it is the same. */
function noteOutcomes(db: Database, call: number, settlements: readonly Settlement[]): void {
  const [first] = settlements;
  const items = countOf(db, 'SELECT count(*) AS n FROM call_item WHERE call = ?', call);
  if (first !== undefined && items === settlements.length && settlements.every(({ is }) => is === first.is)) {
    db.sql('UPDATE call_item SET outcome = ? WHERE call = ?').run(first.is, call);
    return;
  }
  const outcome = db.sql('UPDATE call_item SET outcome = ? WHERE subject = ? AND id = ? AND call = ?');
  for (const settlement of settlements) {
    const { subject, id } = idOf(settlement);
    outcome.run(settlement.is, subject, id, call);
  }
}

const CALLS_OF = `
  SELECT c.at, c.run, c.operation, coalesce(i.outcome, 'not settled') AS outcome FROM call_item i JOIN call c USING (call)
  WHERE i.subject = ? AND i.id = ? ORDER BY call DESC LIMIT ?`;

/** Writes down every changing call before it is sent, and settles it together with the ledger (promise 6). */
export function journalTables(db: Database, context: JournalContext): Journal {
  return {
    open: (entry) => db.transaction(() => writeDown(db, context, entry)),
    settle: (call, settlements) => db.transaction(() => settle(db, context, call, settlements)),
    unsettled: () => unsettled(db),
    callsOf: (subject, id, limit) => db.sql<PastCall>(CALLS_OF).all(subject, id, limit),
  };
}
