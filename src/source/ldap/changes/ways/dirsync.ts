import { AndFilter, EqualityFilter, PresenceFilter, type Filter } from 'ldapts';

import type { FullReadNeeded, RecordKey } from '../../../../domain/reading/increment.ts';
import type { RawEntry } from '../../wire/raw-entry.ts';
import { textIn } from '../containers.ts';
import { DirsyncRefused, dirsyncSearch } from './dirsync-search.ts';
import type { ChangesCourse, PeopleSearch } from '../people-search.ts';
import { suffixOf } from './suffix-of.ts';
import { NO_LEAVES, usnPosition, wasMadeBefore, whyNotSince, type UsnPosition } from './usn-changed.ts';
import { isNeeded, type Told, type Touched, type Way } from '../way.ts';

interface Position extends UsnPosition {
  readonly suffix: string;
  /** Base64. */
  readonly cookie: string;
}

/** Where more changed, a full read in pages is as fast. */
const MOST_CHANGED = 50_000;

/** Holds for no entry: such a search tells a cookie alone. */
const NOTHING: Filter = new EqualityFilter({ attribute: 'objectClass', value: 'noSuchClass' });
const ANYTHING: Filter = new PresenceFilter({ attribute: 'objectClass' });

/** What Active Directory tells of changes to whoever may replicate them: deleted entries too ([MS-ADTS], 3.1.1.3.4.1.3). */
export class Dirsync implements Way<Position> {
  readonly how = 'dirsync';
  readonly madeAttribute = 'uSNCreated';
  readonly parents = null;
  readonly #people: PeopleSearch;
  readonly #course: ChangesCourse;
  #begun: Promise<Position | FullReadNeeded> | null = null;
  /** Keys of all entries that changed, of whatever kind; of those that are older and have another name or place. */
  readonly #changed = new Set<RecordKey>();
  readonly #renamed: RecordKey[] = [];

  constructor(people: PeopleSearch, course: ChangesCourse) {
    this.#people = people;
    this.#course = course;
  }

  begin(): Promise<Position | FullReadNeeded> {
    this.#begun ??= this.#begin();
    return this.#begun;
  }

  async check(since: Position, now: Position): Promise<FullReadNeeded | null> {
    if (since.suffix !== now.suffix) return { why: 'the bases are in another domain' };
    const why = whyNotSince(since, now);
    if (why !== null) return why;
    const cookie = await this.#ask(since.suffix, ANYTHING, Buffer.from(since.cookie, 'base64'), this.#note);
    if (isNeeded(cookie)) return cookie;
    return this.#changed.size > MOST_CHANGED ? { why: `more than ${MOST_CHANGED} entries changed` } : null;
  }

  isOld(made: string | null, since: Position): boolean {
    return wasMadeBefore(made, since);
  }

  touched(): readonly Touched[] {
    const filters = this.#course.keys.filtersOf(this.#renamed);
    return filters.map((keys) => ({ filter: new AndFilter({ filters: [keys, ...NO_LEAVES] }) }));
  }

  since(): Promise<Told> {
    return Promise.resolve({
      changed: () => this.#people.byKeys([...this.#changed]),
      present: () => null,
      gone: () => this.#changed,
    });
  }

  async #begin(): Promise<Position | FullReadNeeded> {
    const usn = await usnPosition(this.#course);
    if (isNeeded(usn)) return usn;
    const suffix = this.#suffix();
    if (suffix === null) return { why: 'the bases are not all in one domain' };
    const cookie = await this.#ask(suffix, NOTHING, Buffer.alloc(0), () => undefined);
    return isNeeded(cookie) ? cookie : { ...usn, suffix, cookie: cookie.toString('base64') };
  }

  /** Returns the one part of the directory that has all bases; `null`: there are several. */
  #suffix(): string | null {
    const { root } = this.#course.directory;
    const [first, ...others] = new Set(this.#people.searches.map(({ base }) => suffixOf(base, root)));
    return others.length === 0 ? (first ?? null) : null;
  }

  async #ask(
    suffix: string,
    filter: Filter,
    cookie: Buffer,
    onEntry: (entry: RawEntry) => void,
  ): Promise<Buffer | FullReadNeeded> {
    const connection = await this.#course.side.get('list');
    const timeLimitSeconds = Math.ceil(this.#course.settings.timeoutSeconds);
    try {
      return await dirsyncSearch(connection, { suffix, filter, cookie, timeLimitSeconds }, onEntry);
    } catch (error) {
      if (error instanceof DirsyncRefused) return { why: error.message };
      throw error;
    }
  }

  readonly #note = (entry: RawEntry): void => {
    const key = this.#course.keys.of(entry);
    if (key === null || this.#changed.size > MOST_CHANGED) return;
    this.#changed.add(key);
    const has = (attribute: string): boolean => textIn(entry, attribute) !== null;
    // Of an entry that is new all attributes are told, and of one that was deleted that it was.
    if (has('name') && !has('objectClass') && !has('isDeleted')) this.#renamed.push(key);
  };
}
