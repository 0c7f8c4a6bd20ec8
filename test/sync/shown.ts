import type { FieldChange } from '../../src/domain/changes.ts';
import type { HistoryRecord } from '../../src/domain/ports/history.ts';
import type { SequencedChange } from '../../src/domain/ports/ledger/plan-book.ts';
import { propertiesOf } from '../../src/domain/records/emptied.ts';
import { historyRecord } from '../../src/plan/changes/history-record.ts';
import type { Ran } from './world.ts';

type Record = Pick<HistoryRecord, 'kind' | 'fields'> & { readonly subject: string; readonly id: string };

/** Each property and each group of tags is shown and sent on its own. */
function partsOf(change: FieldChange): readonly FieldChange[] {
  const { field, from, to } = change;
  if (to === null || typeof to !== 'object' || Array.isArray(to)) return [change];
  const [before, after] = [propertiesOf(from), propertiesOf(to)];
  return Object.keys(after)
    .map((key) => ({ field: `${field}.${key}`, from: before[key] ?? null, to: after[key] ?? null }))
    .filter((one) => JSON.stringify(one.from) !== JSON.stringify(one.to));
}

/** Kinds that their fields tell. */
const TOLD: ReadonlySet<Record['kind']> = new Set(['update', 'enable', 'disable']);

/** A line for each field of a record, with its new value; what else is done with the record is one line more. */
export function linesOf({ subject, id, kind, fields }: Record): readonly string[] {
  const own = fields
    .flatMap(partsOf)
    .map(({ field, to }) => `${subject} ${id} ${field} → ${JSON.stringify(to)}`);
  return TOLD.has(kind) ? own : [`${subject} ${id}: ${kind}`, ...own];
}

/** Returns whether approving these hashes sends what is listed: all that hold it are needed, one that it waits for. */
export function isReleasedBy({ isHeld, hashes }: SequencedChange, approved: readonly string[]): boolean {
  if (hashes.length === 0) return false;
  return isHeld
    ? hashes.every((hash) => approved.includes(hash))
    : hashes.some((hash) => approved.includes(hash));
}

export function linesOfRow({ change }: SequencedChange): readonly string[] {
  return linesOf({ ...historyRecord(change, null), subject: change.subject, id: change.id });
}

/** What the plan lists under these hashes, field by field. */
export function shownUnder({ rows }: Ran, approved: readonly string[]): readonly string[] {
  const released = rows.filter((row) => isReleasedBy(row, approved));
  return released.flatMap(linesOfRow).toSorted();
}

/** What a run has done, field by field. */
export function doneBy({ done }: Ran): readonly string[] {
  return done.flatMap(linesOf).toSorted();
}
