import type { Change } from '../domain/changes.ts';
import { GUARDS, type Guard, type GuardLimit } from '../domain/settings.ts';

/** The managed and active of each kind, before this run. */
export interface Population {
  readonly people: number;
  readonly units: number;
}

export interface Tripped {
  readonly guard: Guard;
  readonly count: number;
  readonly limit: number;
  readonly percent: number;
  /** The first ten records. */
  readonly first: readonly string[];
}

const FIRST = 10;

function nameOf(change: Change): string {
  const label = change.subject === 'person' ? change.username : change.name;
  return `${label} (${change.id})`;
}

interface Tally {
  count: number;
  readonly first: string[];
}

/** Counts planned changes by guard as they stream by; `emptied` counts for each field on its own. */
export class GuardTally {
  readonly #limits: Readonly<Record<Guard, GuardLimit>>;
  readonly #tallies = new Map<string, Tally>();

  constructor(limits: Readonly<Record<Guard, GuardLimit>>) {
    this.#limits = limits;
  }

  add(change: Change): void {
    if (change.guard !== null) this.#count(`${change.guard} ${change.subject}`, change);
    if (change.subject !== 'person' || change.kind === 'create') return;
    for (const { field, to } of change.fields)
      if (to === null) this.#count(`emptied person ${field}`, change);
  }

  #count(key: string, change: Change): void {
    const tally = this.#tallies.get(key) ?? { count: 0, first: [] };
    tally.count += 1;
    if (tally.first.length < FIRST) tally.first.push(nameOf(change));
    this.#tallies.set(key, tally);
  }

  /** What is strictly above the larger of percent and count. Joiners are not guarded on the first load. */
  tripped(population: Population): readonly Tripped[] {
    return [...this.#tallies].flatMap(([key, { count, first }]) => {
      const [name, subject] = key.split(' ');
      const guard = GUARDS.find((known) => known === name);
      if (guard === undefined) return [];
      const base = subject === 'unit' ? population.units : population.people;
      if (guard === 'joiners' && base === 0) return [];
      const { percent, count: least } = this.#limits[guard];
      const limit = Math.max(Math.floor((base * percent) / 100), least);
      return count > limit ? [{ guard, count, limit, percent, first }] : [];
    });
  }
}
