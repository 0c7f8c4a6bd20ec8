import { bucketsOf, isReplacement, type Change } from '../domain/changes.ts';
import { digest } from '../lib/digest.ts';
import { hashLine } from '../plan/plan-hash.ts';

const LOST = 'lost person';

/**
 * What an approval names: the change as a guard counts it, the same whatever else a plan has. Of an emptied field it
 * is that field alone, of a replacement the two usernames, of a loss the lost fields, since the record's other fields go their own way.
 */
export function changeDigest(change: Change, bucket: string): string {
  const emptied = /^emptied person (?<field>.*)$/u.exec(bucket)?.groups?.['field'];
  if (isReplacement(change)) return digest(JSON.stringify([bucket, change.id, change.fields]));
  if (bucket === LOST && change.subject === 'person')
    return digest(JSON.stringify([bucket, change.id, change.loses?.fields]));
  if (emptied === undefined) return digest(`${bucket} ${hashLine(change)}`);
  const from = change.fields.find(({ field }) => field === emptied)?.from ?? null;
  return digest(JSON.stringify([bucket, change.id, from]));
}

/** Every guard that counts it was told so by a person. */
export function isApproved(change: Change, approved: ReadonlySet<string>): boolean {
  const buckets = bucketsOf(change);
  return buckets.length > 0 && buckets.every((bucket) => approved.has(changeDigest(change, bucket)));
}

/** A replacement, and what goes to the old account while it is held, count each on its own. */
export function* countedOf(change: Change): Iterable<{ readonly part: Change; readonly bucket: string }> {
  for (const bucket of bucketsOf(change)) yield { part: change, bucket };
  if (change.subject === 'person' && change.meanwhile !== undefined) yield* countedOf(change.meanwhile);
}
