import { SearchRequest } from 'ldapts';

import { FullReadNeededError } from '../../../domain/errors.ts';
import type { RecordKey } from '../../../domain/reading/increment.ts';
import { ProtocolError } from '../ber/ber.ts';
import { PlainControl } from '../ber/controls.ts';
import {
  parseSyncDone,
  parseSyncInfo,
  parseSyncState,
  SYNC,
  syncRequestValue,
} from '../ber/sync-controls.ts';
import type { LdapConnection } from '../wire/ldap-connection.ts';
import { ldapError, refusedBy, type LdapTask } from '../wire/ldap-error.ts';
import type { PagedSearch } from '../wire/paged-search.ts';
import type { Intermediate, LdapResult } from '../wire/parse-message.ts';
import type { AnswerPart } from '../wire/search-answer.ts';
import { uuidText } from '../read/entry-keys.ts';

/** Where more changed, a full read is as fast. */
const MOST_TOUCHED = 50_000;

/** The answer is one, however long its list of ids is: it may take as many times as long as a page. */
const PATIENCE = 10;

/**
 * Asks one base what changed since a cookie (RFC 4533, refreshOnly), to the end of the answer, and returns the keys of what
 * changed or is gone. Throws a `SourceError` where it does not come to its end, and a `FullReadNeededError` where only a
 * full read helps.
 */
export async function syncSearch(
  connection: LdapConnection,
  search: PagedSearch,
  cookie: string,
): Promise<ReadonlySet<RecordKey>> {
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
    throw error instanceof FullReadNeededError ? error : ldapError(error, task);
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
    attributes: ['1.1'],
    timeLimit: search.timeLimitSeconds * PATIENCE,
    derefAliases: 'never',
    controls: [new PlainControl(SYNC.request, syncRequestValue(cookie))],
  });
}

class Collected {
  readonly #touched = new Set<RecordKey>();

  take({ entries, references, told }: AnswerPart, { referrals }: PagedSearch, task: LdapTask): void {
    if (references.length > 0 && referrals === 'fail')
      throw refusedBy({ code: REFERRAL, text: '', referrals: references.flat() }, task);
    for (const one of told) this.#hear(one);
    for (const entry of entries) this.#touch(entry.control(SYNC.state));
    if (this.#touched.size > MOST_TOUCHED)
      throw new FullReadNeededError(`more than ${MOST_TOUCHED} entries changed`);
  }

  /** Returns what was told. The server has to say itself that this is all. */
  end(result: LdapResult, task: LdapTask): ReadonlySet<RecordKey> {
    const { code, text, controls } = result;
    if (REFUSALS.has(code)) throw new FullReadNeededError(refusalOf(code, text));
    if (code !== 0) throw refusedBy(result, task);
    const control = controls.find(({ type }) => type === SYNC.done);
    if (control?.value == null) throw new ProtocolError('it does not end as a synchronization does');
    if (!parseSyncDone(control.value).refreshDeletes) throw new FullReadNeededError(NO_LOG);
    return this.#touched;
  }

  #hear({ name, value }: Intermediate): void {
    if (name !== SYNC.info || value === null) throw new ProtocolError('it tells what was not asked for');
    const info = parseSyncInfo(value);
    if (info.kind === 'presents' || (info.kind === 'ids' && !info.areGone))
      throw new FullReadNeededError(NO_LOG);
    if (info.kind === 'ids') for (const uuid of info.uuids) this.#touched.add(uuidText(uuid));
  }

  #touch(control: Buffer | null): void {
    if (control === null) throw new ProtocolError('it has an entry that is in no state');
    const { state, uuid } = parseSyncState(control);
    if (state === 'present') throw new FullReadNeededError(NO_LOG);
    this.#touched.add(uuidText(uuid));
  }
}

/** Without its log, or behind the beginning of it, the overlay lists all who are there: that takes as long as a full read. */
const NO_LOG =
  'the server does not tell who is gone: its overlay syncprov has no syncprov-sessionlog that reaches back to the last read';

const REFERRAL = 10;
/** Result code of a cookie that is too old (RFC 4533, section 2.6). */
const REFRESH_REQUIRED = 4096;
/** Results after which a full read may succeed: limits of an answer that is not paged, and cookies that are not taken. */
const REFUSALS: ReadonlySet<number> = new Set([3, 4, 11, 12, 50, 53, REFRESH_REQUIRED]);

function refusalOf(code: number, text: string): string {
  const said = text.trim() === '' ? `result code ${code}` : `${text.trim()} (result code ${code})`;
  return `the server does not tell what changed since then: ${said}`;
}
