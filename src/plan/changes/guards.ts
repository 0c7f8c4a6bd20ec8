import {
  emptiedIn,
  ENABLED_BUCKET,
  isReplacement,
  type Change,
  type PersonChange,
} from '../../domain/changes.ts';
import { GUARDS, type Guard, type GuardLimit } from '../../domain/settings.ts';
import { keepOld } from '../values/keep-old.ts';

/** The managed and active of each kind, before this run. */
export interface Population {
  readonly people: number;
  readonly units: number;
}

export interface GuardSituation {
  readonly population: Population;
  /** Disabled by us and not removed. */
  readonly disabled: number;
  /** Adopted before in a first load that has not ended: the whole load is what adoptions are measured by. */
  readonly adopted: Population;
  /** What was applied in the last 24 hours without approval, by bucket: it counts along, so that nothing drips. */
  readonly applied: ReadonlyMap<string, number>;
}

/** A guard that holds what is not approved of one bucket. */
export interface Tripped {
  readonly guard: Guard;
  readonly bucket: string;
  /** Held now; what was applied before counts against the limit too. */
  readonly count: number;
  readonly limit: number;
  /** What the limit was made from. */
  readonly of: Measure;
  /** The first ten records. */
  readonly first: readonly string[];
  /** Of the held changes, in the order of the plan. */
  readonly digests: readonly string[];
}

export interface Measure {
  /** The managed and active; of adoptions all that are adopted. */
  readonly base: number;
  readonly percent: number;
  /** Counted along: released by a person, and applied in the last 24 hours without. */
  readonly approved: number;
  readonly applied: number;
}

const FIRST = 10;

export function nameOf(change: Change): string {
  const label = change.subject === 'person' ? usernameOf(change) : change.name;
  return `${label} (${change.id})`;
}

/** Both of a replacement, side by side. */
function usernameOf(change: PersonChange): string {
  const from = isReplacement(change) ? change.fields[0]?.from : undefined;
  return typeof from === 'string' ? `${from} → ${change.username}` : change.username;
}

interface Tally {
  approved: number;
  readonly first: string[];
  readonly digests: string[];
}

export interface Counted {
  /** Of the change in this bucket, to be found again in an approval. */
  readonly digest: string;
  readonly approved: boolean;
  /** Buckets that answer for the change: where all of them trip, this one does not count it. */
  readonly unless?: readonly string[] | undefined;
}

interface Deferred {
  readonly change: Change;
  readonly bucket: string;
  readonly counted: Counted;
  readonly unless: readonly string[];
}

/** Returns half of all. Those who came back a day ago are disabled no longer, and were among all. */
function halfOf({ base, percent, applied }: Measure): number {
  const all = base + applied;
  return percent >= 100 || base === 0 ? Infinity : Math.max(Math.floor(all / 2), HALF_FROM - 1);
}

const newTally = (): Tally => ({ approved: 0, first: [], digests: [] });

/** More than half of all trips from here on: two of three are no sign of anything. */
const HALF_FROM = 3;

/** Counts planned changes by bucket as they stream by: by guard, and `emptied` for each thing on its own. */
export class GuardTally {
  readonly #limits: Readonly<Record<Guard, GuardLimit>>;
  readonly #tallies = new Map<string, Tally>();
  readonly #deferred: Deferred[] = [];
  readonly #adopted = { person: 0, unit: 0 };

  constructor(limits: Readonly<Record<Guard, GuardLimit>>) {
    this.#limits = limits;
  }

  /** Every account and node that is to become ours, whether anything of it changes or not. */
  adopts({ subject }: Change): void {
    this.#adopted[subject] += 1;
  }

  add(change: Change, bucket: string, counted: Counted): void {
    const { unless, digest, approved } = counted;
    if (unless !== undefined) {
      this.#deferred.push({ change, bucket, counted: { digest, approved }, unless });
      return;
    }
    const tally = this.#tallies.get(bucket) ?? newTally();
    this.#tallies.set(bucket, tally);
    if (approved) {
      tally.approved += 1;
      return;
    }
    tally.digests.push(digest);
    if (tally.first.length < FIRST) tally.first.push(nameOf(change));
  }

  /** Returns what is strictly above its limit. */
  tripped(situation: GuardSituation): readonly Tripped[] {
    const emptied = new Set(this.#trippedNow(situation).map(({ bucket }) => bucket));
    for (const { change, bucket, counted, unless } of this.#deferred.splice(0))
      if (!unless.every((one) => emptied.has(one))) this.add(change, bucket, counted);
    const tripped = this.#trippedNow(situation);
    const joiners = tripped.some(({ bucket }) => bucket === 'joiners person');
    return joiners ? tripped.filter(({ bucket }) => bucket !== ENABLED_BUCKET) : tripped;
  }

  #trippedNow(situation: GuardSituation): readonly Tripped[] {
    return [...this.#tallies].flatMap(([bucket, { approved, digests, first }]) => {
      const guard = GUARDS.find((known) => known === bucket.split(' ')[0]);
      const count = digests.length;
      if (guard === undefined || count === 0) return [];
      const { percent } = this.#limits[guard];
      const applied = situation.applied.get(bucket) ?? 0;
      const of: Measure = { base: this.#baseOf(guard, bucket, situation), percent, approved, applied };
      const limit = bucket === ENABLED_BUCKET ? halfOf(of) : this.#limitOf(guard, of, count);
      if (count + approved + applied <= limit) return [];
      return [{ guard, bucket, count, limit, of, first, digests }];
    });
  }

  #baseOf(guard: Guard, bucket: string, { population, adopted, disabled }: GuardSituation): number {
    if (bucket === ENABLED_BUCKET) return disabled;
    const isUnit = bucket.split(' ')[1] === 'unit';
    if (guard === 'adopted')
      return isUnit ? adopted.units + this.#adopted.unit : adopted.people + this.#adopted.person;
    return isUnit ? population.units : population.people;
  }

  /**
   * The larger of percent and count, and half of all where that is less: a floor that suits a large company is most of
   * a small one. `percent: 100` says that all may change, and means it. Joiners are measured by those who are there then.
   */
  #limitOf(guard: Guard, { base, percent, approved }: Measure, joining: number): number {
    const configured = Math.max(Math.floor((base * percent) / 100), this.#limits[guard].count);
    if (percent >= 100 || base === 0) return configured;
    const all = guard === 'joiners' ? base + approved + joining : base;
    return Math.min(configured, Math.max(Math.floor(all / 2), HALF_FROM - 1));
  }
}

/**
 * A change without what tripped guards hold of it: `null` where all of it is held. What turns empty keeps its old value,
 * and the record's other fields go on.
 */
export function withoutHeld(change: Change, buckets: readonly string[]): Change | null {
  if (buckets.length === 0) return change;
  const kept = buckets.map(emptiedIn).filter((what) => what !== null);
  if (change.subject === 'unit' || kept.length < buckets.length) return null;
  const rest = keepOld(change, new Set(kept));
  return rest.fields.length === 0 && change.kind === 'update' ? null : { ...rest, partial: true };
}

/** Nothing is left of it where all that it empties is kept. */
export function onlyEmpties(change: PersonChange, emptied: readonly string[]): boolean {
  if (emptied.length === 0 || (change.kind !== 'update' && change.kind !== 'adopt')) return false;
  return keepOld(change, new Set(emptied)).fields.length === 0;
}
