import { isReplacement, type Change, type PersonChange } from '../domain/changes.ts';
import { GUARDS, type Guard, type GuardLimit } from '../domain/settings.ts';

/** The managed and active of each kind, before this run. */
export interface Population {
  readonly people: number;
  readonly units: number;
}

export interface GuardSituation {
  readonly population: Population;
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
  readonly percent: number;
  /** The first ten records. */
  readonly first: readonly string[];
  /** Of the held changes, in the order of the plan. */
  readonly digests: readonly string[];
}

const FIRST = 10;

function nameOf(change: Change): string {
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
  readonly digest: string;
  readonly approved: boolean;
}

/** Counts planned changes by bucket as they stream by: by guard, and `emptied` for each field on its own. */
export class GuardTally {
  readonly #limits: Readonly<Record<Guard, GuardLimit>>;
  readonly #tallies = new Map<string, Tally>();

  constructor(limits: Readonly<Record<Guard, GuardLimit>>) {
    this.#limits = limits;
  }

  /** @param digest of the change in this bucket, to be found again in an approval */
  add(change: Change, bucket: string, { digest, approved }: Counted): void {
    const tally = this.#tallies.get(bucket) ?? { approved: 0, first: [], digests: [] };
    this.#tallies.set(bucket, tally);
    if (approved) {
      tally.approved += 1;
      return;
    }
    tally.digests.push(digest);
    if (tally.first.length < FIRST) tally.first.push(nameOf(change));
  }

  /** What is strictly above the larger of percent and count. */
  tripped(situation: GuardSituation): readonly Tripped[] {
    return [...this.#tallies].flatMap(([bucket, tally]) => {
      const guard = GUARDS.find((known) => known === bucket.split(' ')[0]);
      const count = tally.digests.length;
      if (guard === undefined || count === 0) return [];
      const limit = this.#limitOf(guard, bucket, situation.population);
      const all = count + tally.approved + (situation.applied.get(bucket) ?? 0);
      if (all <= limit) return [];
      const { first, digests } = tally;
      return [{ guard, bucket, count, limit, percent: this.#limits[guard].percent, first, digests }];
    });
  }

  #limitOf(guard: Guard, bucket: string, { people, units }: Population): number {
    const base = bucket.split(' ')[1] === 'unit' ? units : people;
    const { percent, count } = this.#limits[guard];
    return Math.max(Math.floor((base * percent) / 100), count);
  }
}

/**
 * A change without what tripped guards hold of it: `null` where all of it is held. A field that turns empty keeps its
 * old value, and the record's other fields go on.
 */
export function withoutHeld(change: Change, buckets: readonly string[]): Change | null {
  if (buckets.length === 0) return change;
  if (change.subject === 'unit' || !buckets.every((bucket) => bucket.startsWith('emptied '))) return null;
  const kept = new Set(buckets.map((bucket) => bucket.slice('emptied person '.length)));
  const fields = change.fields.filter(({ field }) => !kept.has(field));
  if (fields.length === 0 && change.kind === 'update') return null;
  const old = Object.fromEntries(
    change.fields.filter(({ field }) => kept.has(field)).map(({ field, from }) => [field, from]),
  );
  const payload = { ...change.payload, fields: { ...change.payload.fields, ...old } };
  return { ...change, fields, payload, partial: true };
}
