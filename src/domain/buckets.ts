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

const OTHERS = ' others';

/** Returns whether a bucket counts accounts that others made for somebody of another name, found after the first load. */
export const isOthersBucket = (bucket: string): boolean =>
  bucket.startsWith(ADOPTED) && bucket.endsWith(OTHERS);

/**
 * Bucket of the joiners who come back: it alone shows a guard that everybody who ever left would be let in.
 */
export const ENABLED_BUCKET = 'joiners person enabled';

/**
 * Buckets of those who come in, leave, are removed or lose a place since something is absent that was there before, or
 * that most have: it may only be hidden from the reading account.
 */
export const ABSENT_BUCKETS = {
  joiners: 'joiners person absent',
  leavers: 'leavers person absent',
  lacking: 'leavers person lacking',
  updates: 'updates person absent',
  unitsRemoved: 'unitsRemoved unit absent',
  unitsJoining: 'joiners unit absent',
} as const;

/** Returns whether a bucket counts what comes from an absent value. */
export const isAbsentBucket = (bucket: string): boolean =>
  Object.values<string>(ABSENT_BUCKETS).includes(bucket);

/** Buckets that count some of those whom another one counts as well: what holds or releases all does so with these. */
const WITHIN: ReadonlyMap<string, string> = new Map([
  [ENABLED_BUCKET, 'joiners person'],
  [ABSENT_BUCKETS.joiners, 'joiners person'],
  [ABSENT_BUCKETS.leavers, 'leavers person'],
  [ABSENT_BUCKETS.lacking, 'leavers person'],
  [ABSENT_BUCKETS.updates, 'updates person'],
  [ABSENT_BUCKETS.unitsRemoved, 'unitsRemoved unit'],
  [ABSENT_BUCKETS.unitsJoining, 'joiners unit'],
]);

const OF_PART = 'leavers person of ';

/** Returns the part of the source whose leavers a bucket counts; `null`: any other bucket. */
export const partIn = (bucket: string): string | null =>
  bucket.startsWith(OF_PART) ? bucket.slice(OF_PART.length) : null;

/** Returns the bucket that counts all of whom this one counts some; `null`: it counts its own. */
export function wholeOf(bucket: string): string | null {
  if (isOthersBucket(bucket)) return bucket.slice(0, -OTHERS.length);
  return partIn(bucket) === null ? (WITHIN.get(bucket) ?? null) : 'leavers person';
}

const ABSENT: ReadonlyMap<string, string> = new Map(Object.entries(ABSENT_BUCKETS));

function absentBucketsOf({ subject, guard, absent = [], lacking = [] }: Change): readonly string[] {
  if (guard === 'leavers' && lacking.length > 0) return [ABSENT_BUCKETS.lacking];
  const by = subject === 'unit' && guard === 'joiners' ? 'unitsJoining' : (guard ?? '');
  const bucket = absent.length > 0 ? ABSENT.get(by) : undefined;
  return bucket === undefined ? [] : [bucket];
}

/**
 * Returns the buckets that a change counts in: its guard by subject, and one for each thing that it empties.
 */
export function bucketsOf(change: Change): readonly string[] {
  const more = isUnmanagedLeaver(change) ? ' disabled' : '';
  const isOthers = change.subject === 'person' && change.isOthers === true;
  const guards = [change.guard, change.loses !== undefined ? 'lost' : null];
  const own = guards.flatMap((guard) => (guard === null ? [] : [`${guard} ${change.subject}${more}`]));
  if (isOthers) {
    const whole = own.find((bucket) => bucket.startsWith(ADOPTED)) ?? ADOPTED;
    own.push(...(own.includes(whole) ? [] : [whole]), whole + OTHERS);
  }
  own.push(...absentBucketsOf(change));
  if (change.subject === 'unit') return own;
  if (change.kind === 'enable' && change.guard === 'joiners') own.push(ENABLED_BUCKET);
  if (change.guard === 'leavers' && change.broughtBy !== undefined) own.push(OF_PART + change.broughtBy);
  return [...own, ...emptiedOf(change).map(({ what }) => emptiedBucket(what))];
}
