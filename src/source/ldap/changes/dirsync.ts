import { AndFilter, EqualityFilter, NotFilter, PresenceFilter, SearchRequest, type Filter } from 'ldapts';

import { FullReadNeededError } from '../../../domain/errors.ts';
import type { RecordKey } from '../../../domain/reading/increment.ts';
import { printable } from '../../../domain/text/printable.ts';
import { ProtocolError } from '../wire/ber.ts';
import { DIRSYNC, dirsyncValue, parseDirsync, PlainControl, type DirsyncDone } from '../wire/controls.ts';
import { searchesOf } from '../read/course.ts';
import { KEYS_AT_ONCE } from '../read/attributes.ts';
import type { LdapConnection } from '../wire/ldap-connection.ts';
import { ldapError, type LdapTask } from '../wire/ldap-error.ts';
import type { LdapResult } from '../wire/parse-message.ts';
import type { RawEntry } from '../wire/raw-entry.ts';
import { entriesAmong, takeAll, textIn, type ChangesCourse, type Way } from './ldap-changes.ts';
import { suffixOf, usnPosition, type UsnPosition } from './marks.ts';

interface Position extends UsnPosition {
  readonly suffix: string;
  /** Base64. */
  readonly cookie: string;
}

/** If more changed, a full read in pages is as fast. */
const MOST_CHANGED = 50_000;

/** Holds for the container of deleted entries, which each part of a domain has. */
const DELETED_OBJECTS: Filter = new AndFilter({
  filters: [
    new EqualityFilter({ attribute: 'isDeleted', value: 'TRUE' }),
    new EqualityFilter({ attribute: 'objectClass', value: 'container' }),
  ],
});
const ANYTHING: Filter = new PresenceFilter({ attribute: 'objectClass' });

/** Holds for what may have others below it: accounts, contacts and groups may not, by the schema of Active Directory. */
const NO_LEAVES: readonly Filter[] = ['person', 'group'].map(
  (value) => new NotFilter({ filter: new EqualityFilter({ attribute: 'objectClass', value }) }),
);

/**
 * Reads changes from Active Directory by DirSync. The reading account needs the right to replicate changes.
 * Deleted entries are reported too ([MS-ADTS], 3.1.1.3.4.1.3). Samba hides them from an account that may not see their
 * container.
 */
export class Dirsync implements Way<Position> {
  readonly how = 'dirsync';
  readonly #course: ChangesCourse;
  /** Keys of all changed entries; `#renamed`: keys of existing entries that have another name or place. */
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
    let seesDeleted = false;
    const cookie = await this.#ask(suffix, DELETED_OBJECTS, Buffer.alloc(0), () => void (seesDeleted = true));
    if (!seesDeleted)
      throw new FullReadNeededError(
        `the account does not see deleted entries: let it read and list CN=Deleted Objects,${printable(suffix)}`,
      );
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
    // A new entry comes with all attributes, and a deleted one with `isDeleted`: neither was renamed.
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

/** One question for what changed. */
interface DirsyncAsk {
  /** Top of a part of the directory: no other place may be asked. */
  readonly suffix: string;
  readonly filter: Filter;
  readonly cookie: Buffer;
  readonly timeLimitSeconds: number;
}

/** So many answers belong to one question. */
const MOST_ANSWERS = 10_000;

/**
 * Asks what changed; gives each entry to `onEntry`, and returns the cookie that has seen all of it. Throws a
 * `FullReadNeededError` if the server does not tell, and a `SourceError` if an answer does not come to its end.
 */
async function dirsyncSearch(
  connection: LdapConnection,
  ask: DirsyncAsk,
  onEntry: (entry: RawEntry) => void,
): Promise<Buffer> {
  const doing = `asking what changed in ${ask.suffix}`;
  const task = { server: connection.server, path: 'source.people', doing, base: ask.suffix };
  let { cookie } = ask;
  for (let answers = 0; answers < MOST_ANSWERS; answers += 1) {
    const done = await oneAnswer(connection, { ...ask, cookie }, { task, onEntry });
    if (!done.hasMore) return done.cookie;
    cookie = done.cookie;
  }
  throw ldapError(new ProtocolError(`it has more than ${MOST_ANSWERS} answers to one question`), task);
}

async function oneAnswer(
  connection: LdapConnection,
  ask: DirsyncAsk,
  { task, onEntry }: { readonly task: LdapTask; readonly onEntry: (entry: RawEntry) => void },
): Promise<DirsyncDone> {
  const answer = connection.search(requestOf(ask), task);
  return takeAll(answer, task, ({ intermediates, entries, result }) => {
    if (intermediates.length > 0) throw new ProtocolError('it tells what was not asked for');
    for (const entry of entries) onEntry(entry);
    return result === null ? null : doneOf(result);
  });
}

function doneOf(result: LdapResult): DirsyncDone {
  if (result.code !== 0) throw refused(result);
  const control = result.controls.find(({ type }) => type === DIRSYNC);
  if (control?.value == null) throw new ProtocolError('it does not end as an answer of DirSync does');
  return parseDirsync(control.value);
}

/** Returns the server's own words. */
function refused({ code, text }: LdapResult): FullReadNeededError {
  const said = text.replaceAll(/\s+/gu, ' ').trim();
  return new FullReadNeededError(
    `the server does not tell what changed since then: ${said} (result code ${code}); DirSync needs the right ` +
      'Replicating Directory Changes',
  );
}

function requestOf({ suffix, filter, cookie, timeLimitSeconds }: DirsyncAsk): SearchRequest {
  return new SearchRequest({
    messageId: -1,
    baseDN: suffix,
    scope: 'sub',
    filter,
    attributes: [],
    timeLimit: timeLimitSeconds,
    controls: [new PlainControl(DIRSYNC, dirsyncValue(cookie))],
  });
}
