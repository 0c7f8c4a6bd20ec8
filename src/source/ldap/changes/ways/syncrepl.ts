import { AndFilter, EqualityFilter, GreaterThanEqualsFilter } from 'ldapts';

import type { RootValues } from '../../../../domain/directories/vendors.ts';
import type { FullReadNeeded, RecordKey } from '../../../../domain/reading/increment.ts';
import { contextOf, cookieFor, earliestIn, isAfter, timeOf, whyNotSince, type Context } from './csn.ts';
import { lookAt } from '../../read/look-at.ts';
import type { Batch, ChangesCourse, PeopleSearch } from '../people-search.ts';
import { suffixOf } from './suffix-of.ts';
import { SyncRefused, syncSearch, type Synced } from './sync-search.ts';
import { HAS_SUBORDINATES, isNeeded, RESTORED, type Told, type Touched, type Way } from '../way.ts';

/** Up to where a part of the directory was seen. */
interface Seen {
  readonly context: Context;
  /**
   * Keys of entries that changed last, with their numbers: where one of them is older later on, the directory was restored
   * from a backup, and has gone on since. Where something was deleted last there is none.
   */
  readonly last: Readonly<Record<RecordKey, string>>;
}

/** By suffix: one for the bases of people that it has. */
type Position = Readonly<Record<string, Seen>>;

/** Content synchronization (RFC 4533), as OpenLDAP's overlay syncprov has it. */
export class Syncrepl implements Way<Position> {
  readonly how = 'syncrepl';
  readonly madeAttribute = 'createTimestamp';
  readonly parents = HAS_SUBORDINATES;
  readonly #people: PeopleSearch;
  readonly #course: ChangesCourse;
  #begun: Promise<Position | FullReadNeeded> | null = null;

  constructor(people: PeopleSearch, course: ChangesCourse) {
    this.#people = people;
    this.#course = course;
  }

  begin(): Promise<Position | FullReadNeeded> {
    this.#begun ??= this.#begin();
    return this.#begun;
  }

  async check(since: Position, now: Position): Promise<FullReadNeeded | null> {
    for (const [suffix, { context }] of Object.entries(now)) {
      const before = since[suffix];
      const why =
        before === undefined ? 'the namingContexts are others' : whyNotSince(before.context, context);
      if (why !== null) return { why };
    }
    return null;
  }

  isOld(made: string | null, since: Position): boolean {
    return made === null || made.slice(0, SECONDS) <= this.#latest(since);
  }

  touched(since: Position): readonly Touched[] {
    const contexts = Object.values(since).map(({ context }) => context);
    const earliest = contexts.map(earliestIn).toSorted()[0] ?? '';
    const changed = new GreaterThanEqualsFilter({ attribute: 'entryCSN', value: earliest });
    const filter = new AndFilter({ filters: [this.parents, changed] });
    const isTouched = (csn: string | null): boolean =>
      csn === null || contexts.some((context) => isAfter(csn, context));
    return [{ filter, attribute: 'entryCSN', isTouched }];
  }

  async since(since: Position): Promise<Told | FullReadNeeded> {
    const connection = await this.#course.side.get('list');
    const all: Synced[] = [];
    for (const search of this.#people.searches) {
      const seen = since[this.#suffixOf(search.base)];
      if (seen === undefined) return { why: 'the namingContexts are others' };
      const synced = await asked(syncSearch(connection, search, cookieFor(seen.context)));
      if (isNeeded(synced)) return synced;
      all.push(synced);
    }
    const restored = await this.#restoredSince(since, all);
    if (restored !== null) return restored;
    const { progress } = this.#course.tally();
    progress.records += all.reduce((sum, { entries }) => sum + entries.size, 0);
    progress.pages += all.length;
    progress.end = 'synchronized';
    return new SyncTold(this.#people, all);
  }

  async #begin(): Promise<Position | FullReadNeeded> {
    const position: Record<string, Seen> = {};
    for (const { base } of this.#people.searches) {
      const suffix = this.#suffixOf(base);
      const seen = position[suffix] ?? (await this.#seenNow(suffix));
      if (isNeeded(seen)) return seen;
      position[suffix] = seen;
    }
    return position;
  }

  #suffixOf(base: string): string {
    return suffixOf(base, this.#course.directory.root) ?? base;
  }

  #latest(position: Position): string {
    return (
      Object.values(position)
        .map(({ context }) => timeOf(context))
        .toSorted()
        .at(-1) ?? ''
    );
  }

  async #seenNow(suffix: string): Promise<Seen | FullReadNeeded> {
    const [top] = await lookAt(this.#course, { base: suffix, scope: 'base', attributes: ['contextCSN'] });
    const context = contextOf(top?.('contextCSN') ?? []);
    if (context === null) return { why: `contextCSN of ${suffix} is not to be seen` };
    const last: Record<RecordKey, string> = {};
    for (const value of Object.values(context)) {
      const entry = await this.#entryWith(suffix, 'entryCSN', value);
      const [key] = entry?.('entryUUID') ?? [];
      if (key !== undefined) last[key] = value;
    }
    return { context, last };
  }

  /** Returns the one entry with this value. */
  async #entryWith(
    suffix: string,
    attribute: 'entryCSN' | 'entryUUID',
    value: string,
  ): Promise<RootValues | undefined> {
    const filter = new EqualityFilter({ attribute, value });
    const look = { base: suffix, scope: 'sub', filter, attributes: ['entryCSN', 'entryUUID'] } as const;
    return (await lookAt(this.#course, look))[0];
  }

  /** Returns that entries are older now than they were, or gone without a word. */
  async #restoredSince(since: Position, all: readonly Synced[]): Promise<FullReadNeeded | null> {
    const gone = new Set(all.flatMap((synced) => [...synced.gone.keys()]));
    for (const [suffix, { last }] of Object.entries(since)) {
      for (const [key, csn] of Object.entries(last)) {
        const entry = await this.#entryWith(suffix, 'entryUUID', key);
        const [now] = entry?.('entryCSN') ?? [];
        if (entry === undefined ? !gone.has(key) : now !== undefined && now < csn) return RESTORED;
      }
    }
    return null;
  }
}

/** Digits of a time up to its seconds. */
const SECONDS = 14;

async function asked(synced: Promise<Synced>): Promise<Synced | FullReadNeeded> {
  try {
    return await synced;
  } catch (error) {
    if (error instanceof SyncRefused) return { why: error.message };
    throw error;
  }
}

/** What the searches of all bases told. */
class SyncTold implements Told {
  readonly #people: PeopleSearch;
  readonly #all: readonly Synced[];
  /** Those who came, by any of the bases. */
  readonly #came = new Set<RecordKey>();

  constructor(people: PeopleSearch, all: readonly Synced[]) {
    this.#people = people;
    this.#all = all;
  }

  async *changed(): AsyncGenerator<Batch> {
    for (const [search, { entries }] of this.#all.entries()) {
      const batch = await this.#people.batch([...entries.values()], search);
      for (const { key } of batch.entries) if (key !== null) this.#came.add(key);
      yield batch;
    }
  }

  present(): AsyncIterable<Iterable<RecordKey>> | null {
    return this.#all.every(({ present }) => present === null) ? null : this.#listed();
  }

  /** Where one base tells who is gone and another one who is there, or ids alone do not tell who is in scope, all are listed. */
  async *#listed(): AsyncGenerator<Iterable<RecordKey>> {
    const isToldByAll = this.#all.every(({ present }) => present !== null);
    if (!isToldByAll || !this.#people.keepsAll) yield* this.#people.allKeys();
    else {
      yield this.#came;
      // A server may list as present whom it has told as changed before.
      for (const { present } of this.#all)
        for (const keys of present?.batches() ?? []) yield keys.filter((key) => !this.#came.has(key));
    }
  }

  *gone(): Generator<RecordKey> {
    for (const { entries, gone } of this.#all) {
      // Whoever changed and does not come is in an excluded part now.
      yield* entries.keys();
      yield* gone.keys();
    }
  }
}
