import {
  emptiedIn,
  isOthersBucket,
  partIn,
  STRANGERS,
  UNPROTECTED,
  wholeOf,
  type Part,
} from '../../domain/buckets.ts';
import type { Change } from '../../domain/changes.ts';
import type { BucketCount } from '../../domain/ports/ledger/plan-book.ts';
import { GUARD_NAMES, type Guard, type GuardLimit, type GuardLimits } from '../../domain/guards.ts';
import { personName, personOf } from '../../domain/records/named-person.ts';

/** How many people and units are managed and active before this run. */
export interface Population {
  readonly people: number;
  readonly units: number;
}

export interface GuardSituation {
  readonly population: Population;
  /** Returns how many of the people are in one part. */
  readonly inPart: (part: Part) => number;
  /**
   * Accounts and nodes that become ours with this plan, changed or not, and those of the earlier runs of a first load
   * that has not ended: adoptions are measured against the whole load.
   */
  readonly adopted: Population;
  /**
   * What was applied in the last 24 hours without approval, by bucket. It counts along, so that a large change cannot
   * pass in small parts.
   */
  readonly applied: ReadonlyMap<string, number>;
  /**
   * An exclusion that matched something before matches nothing now: joiners may be the people that it
   * excluded.
   */
  readonly isOpened?: boolean;
}

/** A guard that tripped, and holds what is not approved of one bucket. */
export interface Tripped {
  readonly guard: Guard;
  readonly bucket: string;
  /** How many changes are held now. What was applied before counts against the limit too. */
  readonly count: number;
  readonly limit: number;
  /** The numbers behind the limit. */
  readonly of: Measure;
  /** As in the situation: all joiners are held. */
  readonly isOpened?: boolean;
}

export interface Measure {
  /** How many are managed and active; for adoptions, how many are adopted in all. */
  readonly base: number;
  readonly percent: number;
  /** What was applied in the last 24 hours without approval counts along; what a person has approved does not. */
  readonly applied: number;
}

export function changeLabel(change: Change): string {
  if (change.subject === 'unit') return `${change.name} (${change.id})`;
  // Of two people with one username, the ids tell which is which.
  return personName(personOf(change), change.guard === 'usernameReuse' ? 'id' : undefined);
}

/** From this many changes on, more than half of all trips a guard: two of three prove nothing. */
export const HALF_FROM = 3;

/** A unit brings all who are in it, and one that is removed is made anew: each is asked for. */
const UNEXPLAINED_UNITS = 'unexplained unit';

/** Buckets of which nothing passes by its number. */
const ALWAYS: ReadonlySet<string> = new Set([STRANGERS, UNPROTECTED, UNEXPLAINED_UNITS]);

const isOff = ({ percent }: Pick<GuardLimit, 'percent'>): boolean => percent >= 100;

/** Returns what is strictly above its limit, in the order of the guards. */
export function trippedBy(
  counts: readonly BucketCount[],
  limits: GuardLimits,
  situation: GuardSituation,
): readonly Tripped[] {
  const tripped = GUARD_NAMES.flatMap((guard) =>
    counts
      .filter(({ bucket }) => bucket.split(' ')[0] === guard)
      .flatMap((counted) => trippedOf(guard, counted, { limit: limits[guard], situation })),
  );
  const names = new Set(tripped.map(({ bucket }) => bucket));
  return tripped.filter(({ bucket }) => !names.has(wholeOf(bucket) ?? ''));
}

interface Against {
  readonly limit: GuardLimit;
  readonly situation: GuardSituation;
}

function trippedOf(
  guard: Guard,
  { bucket, open: count, approved }: BucketCount,
  { limit: configured, situation }: Against,
): readonly Tripped[] {
  if (count === 0 || isOff(configured)) return [];
  const applied = situation.applied.get(bucket) ?? 0;
  const base = baseOf(guard, bucket, situation);
  const of: Measure = { base, percent: configured.percent, applied };
  if (situation.isOpened === true && guard === 'joiners' && configured.percent < 100)
    return [{ guard, bucket, count, limit: 0, of, isOpened: true }];
  const limit = limitIn(bucket, of, { configured, joining: guard === 'joiners' ? approved + count : 0 });
  return count + applied <= limit ? [] : [{ guard, bucket, count, limit, of }];
}

interface Configured {
  readonly configured: GuardLimit;
  readonly joining: number;
}

function limitIn(bucket: string, of: Measure, { configured, joining }: Configured): number {
  // Who loses a value stays one of the part; who leaves was one.
  if (partIn(bucket) !== null)
    return halfOf(of.base === 0 || emptiedIn(bucket) !== null ? of.base : of.base + of.applied);
  if (isOthersBucket(bucket) || ALWAYS.has(bucket)) return 0;
  return limitOf(of, configured.count, joining);
}

function baseOf(guard: Guard, bucket: string, situation: GuardSituation): number {
  const { population, adopted, inPart } = situation;
  const part = partIn(bucket);
  if (part !== null) return inPart(part);
  const { people, units } = guard === 'adopted' ? adopted : population;
  return bucket.split(' ')[1] === 'unit' ? units : people;
}

/**
 * Returns the larger of percent and count, but at most half of all: a minimum that suits a large company is most of a
 * small one. 100 % switches the guard off. Joiners are measured against those who are there after they joined.
 */
export function limitOf(
  { base, percent }: Pick<Measure, 'base' | 'percent'>,
  floor: number,
  joining = 0,
): number {
  if (isOff({ percent })) return Infinity;
  const configured = Math.max(Math.floor((base * percent) / 100), floor);
  if (base === 0) return configured;
  return Math.min(configured, Math.max(Math.floor((base + joining) / 2), HALF_FROM - 1));
}

/** Returns the limit by which more than half of one part is always held. */
function halfOf(count: number): number {
  return count === 0 ? Infinity : Math.max(Math.floor(count / 2), HALF_FROM - 1);
}
