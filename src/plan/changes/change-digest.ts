import {
  bucketsOf,
  emptiedBucket,
  emptiedIn,
  ENABLED_BUCKET,
  isReplacement,
  type Change,
} from '../../domain/changes.ts';
import { emptiedOf } from '../../domain/records/emptied.ts';
import { digest } from '../../lib/digest.ts';
import { onlyEmpties } from './guards.ts';
import { hashLine } from './plan-hash.ts';

const LOST: ReadonlySet<string> = new Set(['lost person', 'lost unit']);

/** Who goes, goes: what was done to the record meanwhile, a node set aside by ourselves, makes it no other change. */
const GOING: ReadonlySet<Change['kind']> = new Set(['remove', 'disable']);

/**
 * Returns what an approval names: the change as a guard counts it, the same whatever else a plan has. Of what turns
 * empty it is that alone, of a replacement the two usernames, of a loss the lost fields: the record's other fields go
 * their own way.
 */
export function changeDigest(change: Change, bucket: string): string {
  if (isReplacement(change)) return digest(JSON.stringify([bucket, change.id, change.fields]));
  if (GOING.has(change.kind)) return digest(JSON.stringify([bucket, change.kind, change.id]));
  if (LOST.has(bucket)) return digest(JSON.stringify([bucket, change.id, change.loses?.fields]));
  const what = emptiedIn(bucket);
  // One approval answers for both counts.
  const name = bucket === ENABLED_BUCKET ? 'joiners person' : bucket;
  if (what === null || change.subject === 'unit') return digest(`${name} ${hashLine(change)}`);
  const emptied = emptiedOf(change).find((one) => one.what === what);
  return digest(JSON.stringify([bucket, change.id, emptied?.from ?? null]));
}

/** Buckets of a change that only empties: they answer for all of it, and no other guard counts it as well. */
export function answering(change: Change): readonly string[] {
  if (change.subject === 'unit' || change.loses !== undefined) return [];
  const emptied = emptiedOf(change).map(({ what }) => what);
  return onlyEmpties(change, emptied) ? emptied.map(emptiedBucket) : [];
}

/** Every guard that counts it was told so by a person. */
export function isApproved(change: Change, approved: ReadonlySet<string>): boolean {
  const answers = answering(change);
  const buckets = answers.length > 0 ? answers : bucketsOf(change);
  return buckets.length > 0 && buckets.every((bucket) => approved.has(changeDigest(change, bucket)));
}
