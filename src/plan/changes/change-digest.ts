import { bucketsOf, wholeOf } from '../../domain/buckets.ts';
import { isRekey, type Change } from '../../domain/changes.ts';
import type { PlannedChange } from '../../domain/ports/ledger/plan-book.ts';
import type { Approval } from '../../domain/records/approval.ts';
import { digest, LinesDigest } from '../../lib/digest.ts';
import { changeLabel } from './guards.ts';

/** Kinds of changes that remove or disable a record: what it was matters no more. */
const GOING: ReadonlySet<Change['kind']> = new Set(['remove', 'disable']);

/**
 * Returns what an approval names: all of the change that is listed, for one of the guards that count it. It does not
 * depend on the rest of the plan. A change that counts in a part and in the whole is one.
 */
export function changeDigest(change: Change, bucket: string): string {
  const { kind, id, loses } = change;
  const listed = GOING.has(kind) ? [kind, id] : [hashLine(change), loses?.fields];
  return digest(JSON.stringify([wholeOf(bucket) ?? bucket, ...listed]));
}

/** Approvals by the digest of the change. */
export type Approvals = ReadonlyMap<string, Approval>;

/** Returns the approval of a change, else `null`: of several guards, the first one's. A change that is sent needs no other. */
export function approvalOf(change: Change, approved: Approvals): Approval | null {
  if (approved.size === 0) return null;
  const all = bucketsOf(change).flatMap((bucket) => approved.get(changeDigest(change, bucket)) ?? []);
  return all[0] ?? null;
}

/**
 * Returns one line of what the plan's hash covers: source id, kind, values before and after; no times and no service
 * ids.
 */
export function hashLine({ subject, kind, id, fields, payload }: Change): string {
  return JSON.stringify([subject, kind, id, fields, payload]);
}

/** How many lines are hashed at once. */
const LINES_AT_ONCE = 10_000;

/**
 * Returns the hash that `--approve` takes, made from the digests of a plan in its order, or of what is held in theirs.
 * Yields between its steps. Twelve hex digits are few enough to be read over the phone, and enough to tell the plans of
 * one ledger apart.
 */
export function* hashOf(digests: Iterable<string>): Generator<void, string> {
  const lines = new LinesDigest();
  let count = 0;
  for (const line of digests) {
    lines.add(line);
    count += 1;
    if (count % LINES_AT_ONCE === 0) yield;
  }
  return lines.hex(12);
}

/** Returns a change with all that the plan book records of it. */
export function plannedOf(change: Change): PlannedChange {
  return {
    change,
    label: changeLabel(change),
    digest: digest(hashLine(change)),
    isAdoption: isAdoption(change),
    counted: bucketsOf(change).map((bucket) => ({ bucket, digest: changeDigest(change, bucket) })),
  };
}

/** Returns whether the record becomes ours, or would if the person had not left. */
function isAdoption(change: Change): boolean {
  return (
    (change.kind === 'adopt' && !isRekey(change)) || (change.kind === 'disable' && change.guard === 'adopted')
  );
}
