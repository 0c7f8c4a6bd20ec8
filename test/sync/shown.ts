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

/** Returns whether approving these hashes sends what is listed: all of its hashes are needed. */
export function isReleasedBy({ hashes }: SequencedChange, approved: readonly string[]): boolean {
  return hashes.length > 0 && hashes.every((hash) => approved.includes(hash));
}

export function linesOfRow({ change }: SequencedChange): readonly string[] {
  return linesOf({ ...historyRecord(change, null), subject: change.subject, id: change.id });
}

/** Returns whether the run lists a removal that waits: a unit goes after it is empty. */
const waitsIn =
  ({ listed }: Ran) =>
  ({ change: { id, kind } }: SequencedChange): boolean =>
    kind === 'remove' && listed.some((one) => one.startsWith(`${id}: waits to be removed`));

/** What a run with these approvals is to do, by the plan before: what is released, and what waited for that alone. */
export function dueAfter(before: Ran, approved: readonly string[], ran: Ran): readonly string[] {
  const waited = before.rows.filter((row) => row.goesOn && waitsIn(before)(row));
  const due = [...before.rows.filter((row) => isReleasedBy(row, approved)), ...waited];
  const waits = waitsIn(ran);
  return due
    .filter((row) => !waits(row))
    .flatMap(linesOfRow)
    .toSorted();
}

/** What a run has done, field by field. */
export function doneBy({ done }: Ran): readonly string[] {
  return done.flatMap(linesOf).toSorted();
}
