import { AndFilter, type Filter } from 'ldapts';

import type { RecordKey } from '../../../domain/reading/increment.ts';
import type { Person } from '../../../domain/records/records.ts';
import type { Arrived } from '../../records/arrived.ts';
import type { Plan } from '../../records/planned-read.ts';
import { wholeEntries, type Entry, type EntryTaker } from '../read/arrived-entries.ts';
import { lookAt } from '../read/look-at.ts';
import { restOf, searchesOf, type Course, type ReachAsk } from '../read/course.ts';
import type { Tally } from '../read/evidence.ts';
import { searchAll, type Found } from '../read/search-all.ts';
import { newProgress, type PagedSearch, type SearchProgress } from '../wire/paged-search.ts';
import type { EntryKeys } from '../read/entry-keys.ts';

/** What all ways of telling changes work with. */
export interface ChangesCourse extends Course {
  readonly plan: Plan<ReachAsk, Person>;
  readonly keys: EntryKeys;
  /** Returns what counts those who are read. */
  tally(): Tally;
  /** Returns what decodes and maps those who are read. */
  taker(): EntryTaker<Person>;
}

/** Who came together, of one base. */
export interface Batch {
  readonly entries: readonly Entry[];
  /** Number of the base. */
  readonly search: number;
}

/** Searches among the people of the settings, with their bases, filter, exclusions and attributes. */
export class PeopleSearch {
  readonly #course: ChangesCourse;
  #taker: EntryTaker<Person> | null = null;

  constructor(course: ChangesCourse) {
    this.#course = course;
  }

  /** The searches of a full read. */
  get searches(): readonly PagedSearch[] {
    const { plan, keys } = this.#course;
    return searchesOf(plan, this.#course, [keys.attribute]);
  }

  /** Whether all entries that the searches find are in scope. */
  get keepsAll(): boolean {
    return this.#course.plan.reach.keepsAll;
  }

  /** Yields the people for whom a filter holds too; to their end, or it throws a `SourceError`. */
  async *narrowed(filter: Filter): AsyncGenerator<Batch> {
    const { progress } = this.#course.tally();
    const searches = this.searches.map((search) => ({
      ...search,
      filter: new AndFilter({ filters: [search.filter, filter] }),
    }));
    for await (const { entries, search } of this.found(searches, progress))
      yield await this.batch(entries, search);
  }

  /** Yields the people of these keys that are there. */
  async *byKeys(keys: readonly RecordKey[]): AsyncGenerator<Batch> {
    for (const filter of this.#course.keys.filtersOf(keys)) yield* this.narrowed(filter);
  }

  /** Yields the keys of all people, to the proven end of the list. */
  async *allKeys(): AsyncGenerator<readonly RecordKey[]> {
    const { plan, keys } = this.#course;
    const searches = this.searches.map((search) => ({ ...search, attributes: [keys.attribute] }));
    const counts = searches.map(() => 0);
    for await (const { entries, search } of this.found(searches)) {
      const kept = entries.filter(({ dn }) => plan.reach.keeps(dn, search));
      counts[search] = (counts[search] ?? 0) + kept.length;
      yield kept.flatMap((entry) => keys.of(entry) ?? []);
    }
    this.#course.tally().list(counts);
  }

  /** Returns a base of several below which nobody is shown; `null`: there is none. A full read tells whether that can be. */
  async emptyBase(): Promise<string | null> {
    const { searches } = this;
    for (const { base, scope, filter } of searches.length > 1 ? searches : []) {
      const shown = await lookAt(this.#course, { base, scope, filter, attributes: ['1.1'] });
      if (shown.length === 0) return base;
    }
    return null;
  }

  /** Yields what searches find, on the connection that increments have. */
  async *found(
    searches: readonly PagedSearch[],
    progress: SearchProgress = newProgress(),
  ): AsyncGenerator<Found> {
    const { directory, side, signal } = this.#course;
    const from = { server: directory.server, connection: await side.get('list') };
    yield* searchAll(from, searches, { progress, signal });
  }

  /** Returns those entries that are people, whole. */
  async batch(entries: readonly Found['entries'][number][], search: number): Promise<Batch> {
    const { plan, keys } = this.#course;
    const rest = restOf(plan.reach.path, this.#course);
    const whole = await wholeEntries(entries, { all: false, keys, rest });
    const wanted = whole.filter(({ dn }) => plan.reach.keeps(dn, search));
    this.#course.tally().count(search, wanted.length);
    return { entries: wanted, search };
  }

  arrived({ entries, search }: Batch): Iterable<Arrived<Person>> {
    this.#taker ??= this.#course.taker();
    return this.#taker.arrived(entries, search);
  }
}
