import { EqualityFilter, OrFilter, type Filter } from 'ldapts';
import { FullReadNeededError } from '../../../domain/errors.ts';
import type { ReadMark, RecordKey } from '../../../domain/reading/increment.ts';
import type { Person } from '../../../domain/records/records.ts';
import type { LdapSettings } from '../../../domain/source-settings.ts';
import { printable } from '../../../domain/text/printable.ts';
import { digest } from '../../../lib/digest.ts';
import type { IncrementChanges, ReportedChanges, People } from '../../increments/increments.ts';
import { KEYS_AT_ONCE, type EntryKeys } from '../read/attributes.ts';
import { lookAt, searchesOf, type Course, type ReachAsk } from '../read/course.ts';
import { searchAll } from '../read/search-all.ts';
import type { AnswerPart } from '../wire/answers.ts';
import type { Search } from '../wire/ldap-connection.ts';
import { ldapError, type LdapTask } from '../wire/ldap-error.ts';
import { newProgress } from '../wire/paged-search.ts';
import { valueOf, type RawEntry } from '../wire/raw-entry.ts';
import type { Plan } from '../../records/planned-read.ts';

/** One way in which a server tells what changed, during one read; `P`: up to where it was seen, as JSON has it. */
export interface Way<P extends object> {
  readonly how: ReadMark['how'];
  /** As `Changes.latest`. */
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
    this.how = way.how;
    this.asked = [
      { text: url, ifOther: `another server answers: ${url}` },
      { text: askedIn(course.settings), ifOther: 'base, scope, filter or exclusions are others' },
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
    if (before.containers !== now.containers)
      throw new FullReadNeededError('a container above people came, went, or changed its name or place');
    const moved = await this.#way.movedSince(before.at, this.#containers);
    if (moved !== null)
      throw new FullReadNeededError(
        `a container above people may have changed its name or its place: ${printable(moved)}`,
      );
    if (touched.size > 0) await this.#requireBases();
    return { touched: () => Promise.resolve(touched) };
  }

  /**
   * Throws if one of several bases shows no person: they may be hidden, and only a full read can find that
   * out.
   */
  async #requireBases(): Promise<void> {
    const searches = searchesOf(this.#course.plan, this.#course);
    for (const { base, scope, filter } of searches.length > 1 ? searches : []) {
      const shown = await lookAt(this.#course, { base, scope, filter, attributes: ['1.1'] });
      if (shown.length === 0)
        throw new FullReadNeededError(`no person is shown below ${printable(base)} any more`);
    }
  }
}

/** Returns who is asked for. */
function askedIn({ people }: LdapSettings): string {
  if (people === undefined) return '';
  const { base, scope, moreBases = [], filter, exclude = [] } = people;
  return JSON.stringify([base, scope, moreBases, filter, exclude]);
}

/** What tells the changes of a directory works with. */
export interface ChangesCourse extends Course {
  readonly plan: Plan<ReachAsk, Person>;
  readonly keys: EntryKeys;
}

/** Classes of entries that people usually are below. */
const CLASSES = [
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
] as const;

const USUAL: Filter = new OrFilter({
  filters: CLASSES.map((value) => new EqualityFilter({ attribute: 'objectClass', value })),
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
  const { plan, keys, side } = course;
  const searches = searchesOf(plan, course).map((search) => ({
    ...search,
    filter,
    attributes: [keys.attribute, ...attributes],
    // People of a base without its subtree are below the base alone.
    scope: search.scope === 'one' ? ('base' as const) : search.scope,
  }));
  for await (const { entries } of searchAll(await side.get('list'), searches, newProgress())) yield* entries;
}

export function textIn(entry: RawEntry, attribute: string): string | null {
  return valueOf(entry.place, attribute.toLowerCase())?.toString('utf8') ?? null;
}

/**
 * Takes the parts of an answer until one of them ends it, and returns what `take` makes of that one. Throws a
 * `SourceError` if the answer does not come to its end, and the `FullReadNeededError` of `take`.
 */
export async function takeAll<T>(
  answer: Search,
  task: LdapTask,
  take: (part: AnswerPart) => T | null,
): Promise<T> {
  try {
    for (;;) {
      const end = take(await answer.take());
      if (end !== null) return end;
    }
  } catch (error) {
    throw error instanceof FullReadNeededError ? error : ldapError(error, task);
  } finally {
    answer.drop();
  }
}
