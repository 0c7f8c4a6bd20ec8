import { SearchRequest } from 'ldapts';

import { ProtocolError } from '../../ber/ber.ts';
import {
  parseSyncDone,
  parseSyncInfo,
  parseSyncState,
  SYNC,
  syncRequestValue,
} from '../../ber/sync-controls.ts';
import type { LdapConnection } from '../../wire/ldap-connection.ts';
import { ldapError, refusedBy, type LdapTask } from '../../wire/ldap-error.ts';
import type { PagedSearch } from '../../wire/paged-search.ts';
import type { Intermediate, LdapResult } from '../../wire/parse-message.ts';
import type { RawEntry } from '../../wire/raw-entry.ts';
import { PlainControl } from './plain-control.ts';
import type { AnswerPart } from '../../wire/search-answer.ts';
import { uuidText } from '../../read/entry-keys.ts';
import { UuidList } from './uuid-list.ts';

/** What a server told of one base since a cookie. */
export interface Synced {
  /** Entries that are new or changed, by key. */
  readonly entries: ReadonlyMap<string, RawEntry>;
  readonly gone: UuidList;
  /** All that are there and did not change, beside `entries`; `null`: `gone` has all that left. */
  readonly present: UuidList | null;
}

/** So many bytes of entries are taken; where more changed, a full read in pages costs less memory, and no more time. */
const MOST_BYTES = 16 * 1_024 * 1_024;

/** The answer is one, however long its list of ids is: it may take as many times as long as a page. */
const PATIENCE = 10;

/** The server does not take the cookie, or its limits are too small for one answer: a sentence says why. */
export class SyncRefused extends Error {}

/**
 * Asks one base what changed since a cookie (RFC 4533, refreshOnly), to the end of the answer. Throws a
 * `SourceError` where it does not come to its end, and a `SyncRefused` where only a full read helps.
 */
export async function syncSearch(
  connection: LdapConnection,
  search: PagedSearch,
  cookie: string,
): Promise<Synced> {
  const doing = `asking what changed among ${search.path} below ${search.base}`;
  const task = { server: connection.server, path: search.path, doing, base: search.base };
  const asked = connection.search(requestOf(search, cookie), task, PATIENCE);
  const collected = new Collected();
  try {
    for (;;) {
      const part = await asked.take();
      collected.take(part, search, task);
      if (part.result !== null) return collected.end(part.result, task);
    }
  } catch (error) {
    throw error instanceof SyncRefused ? error : ldapError(error, task);
  } finally {
    asked.drop();
  }
}

function requestOf(search: PagedSearch, cookie: string): SearchRequest {
  return new SearchRequest({
    messageId: -1,
    baseDN: search.base,
    scope: search.scope,
    filter: search.filter,
    attributes: [...search.attributes],
    timeLimit: search.timeLimitSeconds * PATIENCE,
    derefAliases: 'never',
    controls: [new PlainControl(SYNC.request, syncRequestValue(cookie))],
  });
}

class Collected {
  readonly #entries = new Map<string, RawEntry>();
  readonly #gone = new UuidList();
  readonly #present = new UuidList();
  #bytes = 0;

  take({ entries, references, told }: AnswerPart, { referrals }: PagedSearch, task: LdapTask): void {
    if (references.length > 0 && referrals === 'fail')
      throw refusedBy({ code: REFERRAL, text: '', referrals: references.flat() }, task);
    for (const one of told) this.#hear(one);
    for (const entry of entries) this.#add(entry);
  }

  /** Returns what was told. The server has to say itself that this is all. */
  end(result: LdapResult, task: LdapTask): Synced {
    const { code, text, controls } = result;
    if (REFUSALS.has(code)) throw new SyncRefused(refusalOf(code, text));
    if (code !== 0) throw refusedBy(result, task);
    const control = controls.find(({ type }) => type === SYNC.done);
    if (control?.value == null) throw new ProtocolError('it does not end as a synchronization does');
    const { refreshDeletes } = parseSyncDone(control.value);
    return {
      entries: this.#entries,
      gone: this.#gone,
      present: refreshDeletes ? null : this.#present,
    };
  }

  #hear({ name, value }: Intermediate): void {
    if (name !== SYNC.info || value === null) throw new ProtocolError('it tells what was not asked for');
    const info = parseSyncInfo(value);
    if (info.kind === 'presents') throw new SyncRefused('the server tells what changed in two phases');
    if (info.kind !== 'ids') return;
    for (const uuid of info.uuids) (info.areGone ? this.#gone : this.#present).add(uuid);
  }

  #add(entry: RawEntry): void {
    const value = entry.control(SYNC.state);
    if (value === null) throw new ProtocolError('it has an entry that is in no state');
    const { state, uuid } = parseSyncState(value);
    const key = uuidText(uuid);
    this.#entries.delete(key);
    if (state === 'delete') this.#gone.add(uuid);
    else if (state === 'present') this.#present.add(uuid);
    else this.#keep(key, entry);
  }

  #keep(key: string, entry: RawEntry): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.place.listEnd - entry.place.dnStart;
    if (this.#bytes > MOST_BYTES)
      throw new SyncRefused(`more than ${MOST_BYTES >> 20} MB of entries changed`);
  }
}

const REFERRAL = 10;
/** Result code of a cookie that is too old (RFC 4533, section 2.6). */
const REFRESH_REQUIRED = 4096;
/** Results after which a full read may succeed: limits of an answer that is not paged, and cookies that are not taken. */
const REFUSALS: ReadonlySet<number> = new Set([3, 4, 11, 12, 50, 53, REFRESH_REQUIRED]);

function refusalOf(code: number, text: string): string {
  const said = text.trim() === '' ? `result code ${code}` : `${text.trim()} (result code ${code})`;
  return `the server does not tell what changed since then: ${said}`;
}
