import { AndFilter, EqualityFilter, NotFilter, PresenceFilter, type Filter } from 'ldapts';

import { FullReadNeededError } from '../../../domain/errors.ts';
import type { RecordKey } from '../../../domain/reading/increment.ts';
import { searchesOf } from '../read/course.ts';
import { KEYS_AT_ONCE } from '../read/entry-keys.ts';
import type { RawEntry } from '../wire/raw-entry.ts';
import { entriesAmong, textIn, type ChangesCourse } from './containers.ts';
import { dirsyncSearch } from './dirsync-search.ts';
import type { Way } from './ldap-changes.ts';
import { suffixOf, usnPosition, type UsnPosition } from './marks.ts';

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

/** Holds for what may have others below it: accounts, contacts and groups may not, by the schema of Active Directory. */
const NO_LEAVES: readonly Filter[] = ['person', 'group'].map(
  (value) => new NotFilter({ filter: new EqualityFilter({ attribute: 'objectClass', value }) }),
);

/** What Active Directory tells of changes to whoever may replicate them: deleted entries too ([MS-ADTS], 3.1.1.3.4.1.3). */
export class Dirsync implements Way<Position> {
  readonly how = 'dirsync';
  readonly #course: ChangesCourse;
  /** Keys of all entries that changed, of whatever kind; of those that are older and have another name or place. */
  readonly #changed = new Set<RecordKey>();
  readonly #renamed: RecordKey[] = [];

  constructor(course: ChangesCourse) {
    this.#course = course;
  }

  async latest(): Promise<Position> {
    const usn = await usnPosition(this.#course);
    if (usn === null)
      throw new FullReadNeededError(
        'the domain controller does not tell its highestCommittedUSN and invocationId',
      );
    const suffix = this.#suffix();
    const cookie = await this.#ask(suffix, NOTHING, Buffer.alloc(0), () => undefined);
    return { ...usn, suffix, cookie: cookie.toString('base64') };
  }

  async touchedSince(before: Position, now: Position): Promise<ReadonlySet<RecordKey>> {
    const why = whyNotSince(before, now);
    if (why !== null) throw new FullReadNeededError(why);
    await this.#ask(before.suffix, ANYTHING, Buffer.from(before.cookie, 'base64'), this.#note);
    if (this.#changed.size > MOST_CHANGED)
      throw new FullReadNeededError(`more than ${MOST_CHANGED} entries changed`);
    return this.#changed;
  }

  async movedSince(): Promise<string | null> {
    for (let at = 0; at < this.#renamed.length; at += KEYS_AT_ONCE) {
      const keys = this.#course.keys.filterOf(this.#renamed.slice(at, at + KEYS_AT_ONCE));
      for await (const { dn } of entriesAmong(this.#course, new AndFilter({ filters: [keys, ...NO_LEAVES] })))
        return dn;
    }
    return null;
  }

  /** Returns the one part of the directory that has all bases. */
  #suffix(): string {
    const { plan, directory } = this.#course;
    const bases = searchesOf(plan, this.#course).map(({ base }) => base);
    const [first = null, ...others] = new Set(bases.map((base) => suffixOf(base, directory.root)));
    if (first === null || others.length > 0)
      throw new FullReadNeededError('the bases are not all in one domain');
    return first;
  }

  async #ask(
    suffix: string,
    filter: Filter,
    cookie: Buffer,
    onEntry: (entry: RawEntry) => void,
  ): Promise<Buffer> {
    const connection = await this.#course.side.get('list');
    const timeLimitSeconds = Math.ceil(this.#course.settings.timeoutSeconds);
    return dirsyncSearch(connection, { suffix, filter, cookie, timeLimitSeconds }, onEntry);
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

function whyNotSince(before: Position, now: Position): string | null {
  if (before.suffix !== now.suffix) return 'the bases are in another domain';
  if (before.invocation !== now.invocation)
    return 'another domain controller answers, or it was restored (invocationId)';
  const isBack = BigInt(now.usn) < BigInt(before.usn);
  return isBack ? 'the domain controller went back behind what was read (highestCommittedUSN)' : null;
}
