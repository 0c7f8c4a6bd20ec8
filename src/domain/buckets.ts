import type { Change } from './changes.ts';
import { emptiedOf } from './records/emptied.ts';

const EMPTIED = 'emptied person ';

export const emptiedBucket = (what: string): string => EMPTIED + what;

/** Returns what turns empty in a bucket that counts this; `null` for any other bucket. */
export const emptiedIn = (bucket: string): string | null =>
  bucket.startsWith(EMPTIED) ? bucket.slice(EMPTIED.length) : null;

/**
 * Returns whether a change disables an account that others made, as soon as it is found. It counts apart from
 * adoptions that change an account.
 */
const isUnmanagedLeaver = ({ guard, kind }: Change): boolean => guard === 'adopted' && kind === 'disable';

const ADOPTED = 'adopted person';

/** Counts accounts that rollcall does not manage and would disable. */
export const STRANGERS = `${ADOPTED} disabled`;

const OTHERS = ' others';

/**
 * Returns whether a bucket counts accounts that others made under another person's name, found after the
 * first load.
 */
export const isOthersBucket = (bucket: string): boolean =>
  bucket.startsWith(ADOPTED) && bucket.endsWith(OTHERS);

const OF_PART = 'leavers person of ';

/** Returns the part of the source whose leavers a bucket counts; `null`: any other bucket. */
export const partIn = (bucket: string): string | null =>
  bucket.startsWith(OF_PART) ? bucket.slice(OF_PART.length) : null;

/** Returns the bucket of the whole of which this bucket counts a part; `null`: this bucket is no part. */
export function wholeOf(bucket: string): string | null {
  if (isOthersBucket(bucket)) return bucket.slice(0, -OTHERS.length);
  return partIn(bucket) === null ? null : 'leavers person';
}

/**
 * Returns the buckets that a change counts in: its guard by subject, and one for each thing that it empties.
 */
export function bucketsOf(change: Change): readonly string[] {
  const isOthers = change.subject === 'person' && change.isOthers === true;
  const { guard, loses, doubt } = change;
  const guards = [guard, loses === undefined ? null : 'lost', doubt === undefined ? null : 'unexplained'];
  const own = guards.flatMap((one) => {
    if (one === null) return [];
    return one === guard && isUnmanagedLeaver(change) ? [STRANGERS] : [`${one} ${change.subject}`];
  });
  if (isOthers) {
    const whole = own.find((bucket) => bucket.startsWith(ADOPTED)) ?? ADOPTED;
    own.push(...(own.includes(whole) ? [] : [whole]), whole + OTHERS);
  }
  if (change.subject === 'unit') return own;
  if (change.guard === 'leavers' && change.broughtBy !== undefined) own.push(OF_PART + change.broughtBy);
  return [...own, ...emptiedOf(change).map(({ what }) => emptiedBucket(what))];
}
