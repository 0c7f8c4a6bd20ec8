import { bucketsOf, emptiedBucket, emptiedIn, wholeOf } from '../../domain/buckets.ts';
import { isRekey, type Change } from '../../domain/changes.ts';
import type { CountedChange, PlannedChange } from '../../domain/ports/ledger/plan-book.ts';
import type { Approval } from '../../domain/records/approval.ts';
import { emptiedOf } from '../../domain/records/emptied.ts';
import { digest, LinesDigest } from '../../lib/digest.ts';
import { changeLabel, onlyEmpties } from './guards.ts';

const LOST: ReadonlySet<string> = new Set(['lost person', 'lost unit']);

/**
 * Kinds of changes that remove or disable a record. If the record changes meanwhile, e.g. because rollcall
 * itself renames a node that is to go, they stay the same changes.
 */
const GOING: ReadonlySet<Change['kind']> = new Set(['remove', 'disable']);

/**
 * Returns what an approval names: the change as a guard counts it. It does not depend on the rest of the
 * plan. If the change empties something, the digest covers only what is emptied; if it loses fields, only
 * these. The record's other fields go on without it.
 */
export function changeDigest(change: Change, bucket: string): string {
  // One approval covers all counts of a person who joins or leaves.
  const name = wholeOf(bucket) ?? bucket;
  if (GOING.has(change.kind)) return digest(JSON.stringify([name, change.kind, change.id]));
  if (LOST.has(bucket)) return digest(JSON.stringify([bucket, change.id, change.loses?.fields]));
  const what = emptiedIn(bucket);
  if (what === null || change.subject === 'unit') return digest(`${name} ${hashLine(change)}`);
  const emptied = emptiedOf(change).find((one) => one.what === what);
  return digest(JSON.stringify([name, change.id, emptied?.from ?? null]));
}

/**
 * Returns the buckets of a change that only empties. They stand for all of it, and no other guard counts it as well.
 */
function answering(change: Change): readonly string[] {
  if (change.subject === 'unit' || change.loses !== undefined || change.doubt !== undefined) return [];
  const emptied = emptiedOf(change).map(({ what }) => what);
  return onlyEmpties(change, emptied) ? emptied.map(emptiedBucket) : [];
}

/** Approvals by the digest of the change. */
export type Approvals = ReadonlyMap<string, Approval>;

/**
 * Returns the approval of a change that a person has approved for every guard that counts it, else `null`; of several,
 * the first.
 */
export function approvalOf(change: Change, approved: Approvals): Approval | null {
  if (approved.size === 0) return null;
  const answers = answering(change);
  const buckets = answers.length > 0 ? answers : bucketsOf(change);
  const all = buckets.map((bucket) => approved.get(changeDigest(change, bucket)));
  return all.includes(undefined) ? null : (all[0] ?? null);
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
 * Returns the hash that `--approve` takes, made from the digests of a plan, or of what is held, in the order of the plan.
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
    counted: countedOf(change),
  };
}

/** Returns whether the record becomes ours, or would if the person had not left. */
function isAdoption(change: Change): boolean {
  return (
    (change.kind === 'adopt' && !isRekey(change)) || (change.kind === 'disable' && change.guard === 'adopted')
  );
}

function countedOf(change: Change): readonly CountedChange[] {
  const isEmptying = answering(change).length > 0;
  return bucketsOf(change).map((bucket) => ({
    bucket,
    digest: changeDigest(change, bucket),
    role: emptiedIn(bucket) !== null ? 'empties' : isEmptying ? 'answered' : 'plain',
  }));
}
