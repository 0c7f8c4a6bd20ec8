import { EqualityFilter, OrFilter, type Filter } from 'ldapts';
import { fullRead } from '../../../domain/full-reads.ts';
import type { ReadMark, RecordKey } from '../../../domain/reading/increment.ts';
import type { Person } from '../../../domain/records/records.ts';
import { printable } from '../../../domain/text/printable.ts';
import { digest } from '../../../lib/digest.ts';
import type { IncrementChanges, People, ReportedChanges } from '../../increments/increments.ts';
import type { Plan } from '../../records/planned-read.ts';
import { KEYS_AT_ONCE, type EntryKeys } from '../read/attributes.ts';
import { lookAt, searchesOf, type Course, type ReachAsk } from '../read/course.ts';
import type { AnswerPart } from '../wire/answer.ts';
import type { LdapConnection, SearchAsk } from '../wire/connection.ts';
import type { RawEntry } from '../wire/entry.ts';
import { ldapError, type LdapTask } from '../wire/ldap-problems.ts';
import type { LdapResult } from '../wire/message.ts';
import { newProgress, searchAll } from '../wire/paged-search.ts';

/** One way in which a server tells what changed, during one read; `P`: up to where it was seen, as JSON has it. */
export interface Way<P extends object> {
  readonly how: ReadMark['how'];
  /** As `IncrementChanges.latest`. */
  latest(): Promise<P>;
  /** Returns the keys of entries that changed or left between. */
  touchedSince(before: P, now: P): Promise<ReadonlySet<RecordKey>>;
  /**
   * Returns the name of an entry other than these containers that may have people below it, and may have had
   * another name or place; `null`: there is none. Called after `touchedSince`.
   */
  movedSince(before: P, containers: Containers): Promise<string | null>;
}

/** Up to where a directory was seen. */
interface SeenChanges<P> {
  readonly at: P;
  /** The containers above people, as a digest. */
  readonly containers: string;
}

/** If more changed, a full read is as fast. */
export const MOST_TOUCHED = 50_000;
export const tooMany = (): Error => fullRead('full-many', { most: MOST_TOUCHED, what: 'entries changed' });

/** What a directory tells of changes. */
export class LdapChanges<P extends object> implements IncrementChanges<SeenChanges<P>> {
  readonly how: ReadMark['how'];
  readonly asked: IncrementChanges<SeenChanges<P>>['asked'];
  readonly idsAtOnce = KEYS_AT_ONCE;
  readonly byIds: (keys: readonly RecordKey[]) => People;
  readonly #course: ChangesCourse;
  readonly #way: Way<P>;
  #containers: Containers = new Map();

  constructor(course: ChangesCourse, way: Way<P>, byIds: (keys: readonly RecordKey[]) => People) {
    const { url } = course.directory.server;
    const { bases, scope, filter, exclude = [] } = course.settings.people ?? {};
    this.how = way.how;
    this.asked = [
      { text: url, ifOther: fullRead('full-server', { server: url }) },
      {
        text: JSON.stringify([bases, scope, filter, exclude]),
        ifOther: fullRead('full-people', { what: 'base, scope, filter or exclude' }),
      },
    ];
    this.byIds = byIds;
    this.#course = course;
    this.#way = way;
  }

  /**
   * Reads the mark first, then the containers above people. People are read after that. Changes in between
   * are reported, or seen, at the next read.
   */
  async latest(): Promise<SeenChanges<P>> {
    const at = await this.#way.latest();
    this.#containers = await containersNow(this.#course);
    const places = [...this.#containers].map((place) => place.join(' ')).toSorted();
    return { at, containers: digest(places.join('\n')) };
  }

  async changedSince(before: SeenChanges<P>, now: SeenChanges<P>): Promise<ReportedChanges> {
    const touched = await this.#way.touchedSince(before.at, now.at);
    if (touched.size > MOST_TOUCHED) throw tooMany();
    if (before.containers !== now.containers) throw fullRead('full-container', { which: '' });
    const moved = await this.#way.movedSince(before.at, this.#containers);
    if (moved !== null) throw fullRead('full-container', { which: `: ${printable(moved)}` });
    if (touched.size > 0) await this.#requireBases();
    return { touched: () => Promise.resolve(touched) };
  }

  /** Throws if one of several bases shows no person: they may be hidden, and only a full read can find that out. */
  async #requireBases(): Promise<void> {
    const searches = searchesOf(this.#course.plan, this.#course);
    for (const search of searches.length > 1 ? searches : []) {
      const shown = await lookAt(this.#course, { ...search, attributes: ['1.1'] });
      if (shown.length === 0) throw fullRead('full-base', { base: printable(search.base) });
    }
  }
}

/** What tells the changes of a directory works with. */
export interface ChangesCourse extends Course {
  readonly plan: Plan<ReachAsk, Person>;
  readonly keys: EntryKeys;
}

/** Holds for entries of the classes that people usually are below. */
const USUAL: Filter = new OrFilter({
  filters: [
    'organizationalUnit',
    'organization',
    'domain',
    'dcObject',
    'container',
    'nsContainer',
    'country',
    'locality',
    'builtinDomain',
    'domainDNS',
    'lostAndFound',
  ].map((value) => new EqualityFilter({ attribute: 'objectClass', value })),
});

/**
 * The entries of the usual classes that people are below, with the bases: names by key. If one of them is renamed or
 * moved, all people below have other names, and no server tells that of them.
 */
export type Containers = ReadonlyMap<RecordKey, string>;

async function containersNow(course: ChangesCourse): Promise<Containers> {
  const found = new Map<RecordKey, string>();
  for await (const entry of entriesAmong(course, USUAL))
    found.set(course.keys.of(entry) ?? entry.dn, entry.dn);
  return found;
}

/** Yields the entries among people that match a filter, of every kind, with these attributes and their keys. */
export async function* entriesAmong(
  course: ChangesCourse,
  filter: Filter,
  attributes: readonly string[] = [],
): AsyncGenerator<RawEntry> {
  const { plan, keys, directory } = course;
  const searches = searchesOf(plan, course).map((search) => ({
    ...search,
    filter,
    attributes: [keys.attribute, ...attributes],
    // People of a base without its subtree are below the base alone.
    scope: search.scope === 'one' ? ('base' as const) : search.scope,
  }));
  for await (const { entries } of searchAll(directory.connection, searches, newProgress())) yield* entries;
}

export const textIn = (entry: RawEntry, attribute: string): string | null =>
  entry.first(attribute.toLowerCase())?.toString('utf8') ?? null;

/**
 * Asks what changed. Gives the parts of the answer to `take`, and returns what `end` makes of its result. Throws a
 * `SourceError` if it does not come to its end, and the `FullReadNeededError` of these two.
 */
export async function askChanges<T>(
  connection: LdapConnection,
  asked: SearchAsk,
  take: (part: AnswerPart, task: LdapTask) => void,
  end: (result: LdapResult, task: LdapTask) => T,
): Promise<T> {
  const search = connection.search({ ...asked, path: 'source.people' });
  try {
    for (;;) {
      const part = await search.take();
      take(part, search.task);
      if (part.result !== null) return end(part.result, search.task);
    }
  } catch (error) {
    throw ldapError(error, search.task);
  } finally {
    search.drop();
  }
}
