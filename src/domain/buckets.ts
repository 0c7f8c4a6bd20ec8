import type { Change } from './changes.ts';
import { emptiedOf } from './records/emptied.ts';

const EMPTIED = 'emptied person ';

/** Follows the bucket of the whole in that of a part; no name has it. */
const OF = '\n';

/** Returns what turns empty in a bucket that counts this, of all or of a part; `null` for any other bucket. */
export const emptiedIn = (bucket: string): string | null =>
  bucket.startsWith(EMPTIED) ? (bucket.slice(EMPTIED.length).split(OF)[0] ?? null) : null;

/** A source, base or scope group, see `Placed.broughtBy`; or a unit, by source id, with everything below it. */
export interface Part {
  readonly is: 'source' | 'unit';
  readonly name: string;
}

/** Returns the bucket of a part, from that of the whole. */
export const inPart = (whole: string, { is, name }: Part): string => `${whole}${OF}${is} ${name}`;

/**
 * Returns whether a change disables an account that others made, as soon as it is found. It counts apart from
 * adoptions that change an account.
 */
const isUnmanagedLeaver = ({ guard, kind }: Change): boolean => guard === 'adopted' && kind === 'disable';

const ADOPTED = 'adopted person';

/** Counts accounts that rollcall does not manage and would disable. */
export const STRANGERS = `${ADOPTED} disabled`;

/** Counts what an edit of `sync.protect` lets happen to people. */
export const UNPROTECTED = 'unexplained person unprotected';

const OTHERS = ' others';

/**
 * Returns whether a bucket counts accounts that others made under another person's name, found after the
 * first load, or units whose nodes show that they are another's.
 */
export const isOthersBucket = (bucket: string): boolean =>
  bucket.startsWith('adopted ') && bucket.endsWith(OTHERS);

/** Returns the part of which a bucket counts the people; `null`: it counts all. */
export function partIn(bucket: string): Part | null {
  const at = bucket.indexOf(OF);
  if (at === -1) return null;
  const [is = '', ...name] = bucket.slice(at + OF.length).split(' ');
  return { is: is === 'unit' ? 'unit' : 'source', name: name.join(' ') };
}

/** Returns the bucket of the whole of which this bucket counts a part; `null`: this bucket is no part. */
export function wholeOf(bucket: string): string | null {
  if (isOthersBucket(bucket)) return bucket.slice(0, -OTHERS.length);
  const at = bucket.indexOf(OF);
  return at === -1 ? null : bucket.slice(0, at);
}

/**
 * Returns the buckets that a change counts in: its guard by subject, and one for each thing that it empties.
 */
export function bucketsOf(change: Change): readonly string[] {
  const { guard, loses, doubt, isOthers } = change;
  const guards = [guard, loses === undefined ? null : 'lost', doubt === undefined ? null : 'unexplained'];
  const own = guards.flatMap((one) => {
    if (one === null) return [];
    if (one === 'unexplained' && change.subject === 'person' && doubt?.is === 'unprotected')
      return [UNPROTECTED];
    return one === guard && isUnmanagedLeaver(change) ? [STRANGERS] : [`${one} ${change.subject}`];
  });
  if (isOthers === true) {
    const adopted = `adopted ${change.subject}`;
    const whole = own.find((bucket) => bucket.startsWith(adopted)) ?? adopted;
    own.push(...(own.includes(whole) ? [] : [whole]), whole + OTHERS);
  }
  if (change.subject === 'unit') return own;
  const { broughtBy, unitsAbove = [] } = change;
  const source: readonly Part[] = broughtBy === undefined ? [] : [{ is: 'source', name: broughtBy }];
  const units = unitsAbove.map((name): Part => ({ is: 'unit', name }));
  if (guard === 'leavers') own.push(...source.map((part) => inPart('leavers person', part)));
  const emptied = emptiedOf(change).map((what) => EMPTIED + what);
  return [
    ...own,
    ...emptied.flatMap((whole) => [whole, ...[...source, ...units].map((part) => inPart(whole, part))]),
  ];
}
