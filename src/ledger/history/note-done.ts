import { ACTIVE, type HistoryRecord, type Subject } from '../../domain/ports/history.ts';
import type { Operation, Settlement } from '../../domain/ports/ledger/journal.ts';
import type { Database } from '../database/database.ts';
import { addEntry, type Done } from './history-rows.ts';

type ChangeKind = HistoryRecord['kind'];

/**
 * What a settlement says of the change:
 *
 * - `done`: all of it
 * - `unlocked`: only that the account can be used again; an import follows
 * - `open`: it may be done, and shows later
 * - `over`: it is not done, or was only a step on the way
 */
const FATE = {
  unit: 'done',
  unitGone: 'done',
  imported: 'done',
  disabled: 'done',
  personGone: 'done',
  enabled: 'unlocked',
  reopened: 'open',
  unconfirmed: 'open',
  doubt: 'open',
  noted: 'over',
  swept: 'over',
  modified: 'over',
  vanished: 'over',
  failed: 'over',
} as const satisfies Record<Settlement['is'], string>;
type Fate = (typeof FATE)[keyof typeof FATE];

/** What is seen to be done when a later change begins from there: by kind of the later change. */
const SHOWS: Readonly<Partial<Record<ChangeKind, ChangeKind>>> = {
  adopt: 'create',
  update: 'enable',
  forget: 'remove',
};

/** A call that is settled now. */
export interface SettledCall {
  readonly call: number;
  /** The run that sent it. */
  readonly run: string;
  /** When it was done, ms: now, or when it was sent, if a later run found out that it was done. */
  readonly at: number;
  /** Whether a later run has settled it, from what the service shows. */
  readonly isLater: boolean;
}

interface SettledItem extends NamedRecord {
  readonly settlement: Settlement;
}

/** What the history gets of an item of a call when it is done. */
export type KeptRecord = readonly [subject: Subject, id: string, record: HistoryRecord];

/**
 * Notes in the history what is done with these settlements, and what earlier calls are seen to have done. What is in
 * doubt is kept: what the service shows later may prove it.
 */
export function noteDone(
  db: Database,
  settled: SettledCall,
  items: readonly SettledItem[],
  kept: readonly KeptRecord[],
): void {
  const records = new Map(kept.map(([subject, id, record]) => [`${subject} ${id}`, record]));
  const isAnyOpen = db.sql('SELECT 1 FROM call_item WHERE record NOTNULL LIMIT 1').get() !== undefined;
  for (const { subject, id, settlement } of items) {
    const record = records.get(`${subject} ${id}`);
    if (record === undefined) continue;
    const fate = fateOf(record, settlement, settled.isLater);
    const named = { subject, id, call: settled.call };
    if (fate === 'open') keepRecord(db, named, record);
    else if (isAnyOpen) {
      noteShown(db, named, fate !== 'over' || record.kind === 'forget' ? SHOWS[record.kind] : undefined);
      forgetRecords(db, named);
    }
    const done = partOf(record, fate);
    if (done !== null) addEntry(db, { at: settled.at, run: settled.run, subject, id }, done);
  }
}

/** Keeps what is in doubt. */
function keepRecord(db: Database, { subject, id, call }: NamedRecord & Called, record: HistoryRecord): void {
  const keep = 'UPDATE call_item SET record = ? WHERE subject = ? AND id = ? AND call = ?';
  db.sql(keep).run(JSON.stringify(record), subject, id, call);
}

/**
 * Returns what a settlement says of its change. A later run knows from a node that is there only that it was made; and
 * a node that is gone was removed only if that was asked for.
 */
function fateOf({ kind }: HistoryRecord, settlement: Settlement, later: boolean): Fate {
  const { is } = settlement;
  if (is === 'unit' && later && kind !== 'create' && settlement.accepted === null) return 'open';
  if (is === 'unitGone' && kind !== 'remove') return 'over';
  return FATE[is];
}

/** Returns the part of the record that is done: an account is unlocked by one call, and imported by another. */
function partOf(record: HistoryRecord, fate: Fate): HistoryRecord | null {
  if (fate === 'over' || fate === 'open') return null;
  if (record.kind !== 'enable') return record;
  const isLock = fate === 'unlocked';
  const fields = record.fields.filter(({ field }) => (field === ACTIVE) === isLock);
  return fields.length === 0 ? null : { ...record, fields };
}

type NamedRecord = Pick<Done, 'subject' | 'id'>;
type Called = Pick<SettledCall, 'call'>;

interface OpenItem extends Done, Called {
  readonly operation: Operation;
  readonly record: string;
}

const OPEN = `SELECT c.call, c.at, c.run, c.operation, i.subject, i.id, i.record FROM call_item i JOIN call c USING (call)
  WHERE i.subject = ? AND i.id = ? AND i.record NOTNULL ORDER BY i.call DESC`;

/** Notes the latest change of this kind that was in doubt: what the service shows proves it. */
export function noteShown(db: Database, { subject, id }: NamedRecord, kind: ChangeKind | undefined): void {
  if (kind === undefined) return;
  for (const item of db.sql<OpenItem>(OPEN).all(subject, id)) {
    const record = JSON.parse(item.record) as HistoryRecord;
    // If two calls enable an account, the one that unlocks is meant.
    if (record.kind !== kind || (kind === 'enable' && item.operation !== 'employee.enable')) continue;
    const done = partOf(record, kind === 'enable' ? 'unlocked' : 'done');
    if (done !== null) addEntry(db, item, done);
    forgetRecords(db, item);
    return;
  }
}

const COLUMNS = 'at, run, subject, id, name, name_key, kind, fields, why, guard, approval, approver, places';
const UNSEEN = `WHERE subject = 'person' AND id = ? AND unseen = 1`;

/** Lists what was done to a person and not shown until now, as if it were written down now. */
export function noteSeen(db: Database, id: string): void {
  const again = `INSERT INTO history (${COLUMNS}) SELECT ${COLUMNS} FROM history ${UNSEEN} ORDER BY n`;
  if (db.sql(again).changes(id) > 0) db.sql(`DELETE FROM history ${UNSEEN}`).run(id);
}

/** Drops what was kept for the history, of this call and of earlier ones: another change has come since. */
function forgetRecords(db: Database, { subject, id, call }: NamedRecord & Called): void {
  const forget =
    'UPDATE call_item SET record = NULL WHERE subject = ? AND id = ? AND call <= ? AND record NOTNULL';
  db.sql(forget).run(subject, id, call);
}
