import { AndFilter, EqualityFilter, FilterParser, NotFilter, type Filter } from 'ldapts';
import { fullRead } from '../../../domain/full-reads.ts';
import type { RecordKey } from '../../../domain/reading/increment.ts';
import { printable } from '../../../domain/text/printable.ts';
import { KEYS_AT_ONCE } from '../read/attributes.ts';
import { ProtocolError } from '../wire/ber.ts';
import type { SearchAsk } from '../wire/connection.ts';
import { DIRSYNC, dirsyncRequest, parseDirsync } from '../wire/controls.ts';
import type { RawEntry } from '../wire/entry.ts';
import type { LdapResult } from '../wire/message.ts';
import {
  askChanges,
  entriesAmong,
  MOST_TOUCHED,
  textIn,
  type ChangesCourse,
  type Way,
} from './ldap-changes.ts';
import { suffixOf, usnPosition, type UsnPosition } from './marks.ts';

interface Position extends UsnPosition {
  /** Top of the part of the directory that has all bases: no other place may be asked. */
  readonly suffix: string;
  /** Base64. */
  readonly cookie: string;
}

/** Holds for the container of deleted entries, which each part of a domain has. */
const DELETED_OBJECTS = FilterParser.parseString('(&(isDeleted=TRUE)(objectClass=container))');

/** Holds for what may have others below it: accounts, contacts and groups may not, by the schema of Active Directory. */
const NO_LEAVES: readonly Filter[] = ['person', 'group'].map(
  (value) => new NotFilter({ filter: new EqualityFilter({ attribute: 'objectClass', value }) }),
);

/** So many answers belong to one question. */
const MOST_ANSWERS = 10_000;

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
    if (usn === null) throw fullRead('full-hidden', { what: 'highestCommittedUSN and invocationId' });
    const { plan, directory } = this.#course;
    const suffixes = new Set(plan.reach.bases.map((base) => suffixOf(base, directory.root)));
    const [suffix = null, ...others] = suffixes;
    if (suffix === null || others.length > 0) throw fullRead('full-domains', {});
    let seesDeleted = false;
    const all = { base: suffix, cookie: Buffer.alloc(0), filter: DELETED_OBJECTS };
    const cookie = await this.#ask(all, () => void (seesDeleted = true));
    if (!seesDeleted) throw fullRead('full-deleted', { suffix: printable(suffix) });
    return { ...usn, suffix, cookie: cookie.toString('base64') };
  }

  async touchedSince(before: Position, now: Position): Promise<ReadonlySet<RecordKey>> {
    const why = whyNotSince(before, now);
    if (why !== null) throw fullRead('full-restored', { what: why });
    const since = Buffer.from(before.cookie, 'base64');
    await this.#ask({ base: before.suffix, cookie: since }, (entry) => this.#note(entry));
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

  /** Gives each entry that changed to `onEntry`, and returns the cookie that has seen all of it. */
  async #ask(
    { cookie: since, ...asked }: Pick<SearchAsk, 'base' | 'filter'> & { readonly cookie: Buffer },
    onEntry: (entry: RawEntry) => void,
  ): Promise<Buffer> {
    const { connection } = this.#course.directory;
    const doing = `asking what changed in ${asked.base}`;
    let cookie = since;
    for (let answers = 0; answers < MOST_ANSWERS; answers += 1) {
      const ask = {
        ...asked,
        scope: 'sub',
        attributes: [],
        controls: [dirsyncRequest(cookie)],
        doing,
      } as const;
      const done = await askChanges(
        connection,
        ask,
        ({ intermediates, entries }) => {
          if (intermediates.length > 0) throw new ProtocolError('it says what was not asked');
          for (const entry of entries) onEntry(entry);
        },
        doneOf,
      );
      if (!done.hasMore) return done.cookie;
      cookie = done.cookie;
    }
    throw fullRead('full-many', { most: MOST_ANSWERS, what: 'answers came' });
  }

  #note(entry: RawEntry): void {
    const key = this.#course.keys.of(entry);
    if (key === null || this.#changed.size > MOST_TOUCHED) return;
    this.#changed.add(key);
    const has = (attribute: string): boolean => textIn(entry, attribute) !== null;
    // A new entry comes with all attributes, and a deleted one with `isDeleted`: neither was renamed.
    if (has('name') && !has('objectClass') && !has('isDeleted')) this.#renamed.push(key);
  }
}

function whyNotSince(before: Position, now: Position): string | null {
  if (before.suffix !== now.suffix) return 'the domain of the bases is another';
  if (before.invocation !== now.invocation) return 'invocationId is another';
  return BigInt(now.usn) < BigInt(before.usn) ? 'highestCommittedUSN went back' : null;
}

/** A refusal is told in the server's own words. */
function doneOf({ code, text, controls }: LdapResult): ReturnType<typeof parseDirsync> {
  if (code !== 0) {
    const said = text.replaceAll(/\s+/gu, ' ').trim();
    throw fullRead('full-refused', {
      said: `${said} (result code ${code}); DirSync needs the right Replicating Directory Changes`,
    });
  }
  const value = controls.get(DIRSYNC);
  if (value === undefined) throw new ProtocolError('it does not end as an answer of DirSync does');
  return parseDirsync(value);
}
