import {
  AndFilter,
  EqualityFilter,
  GreaterThanEqualsFilter,
  PresenceFilter,
  SearchRequest,
  type Filter,
} from 'ldapts';
import type { RootValues } from '../../../domain/directories/vendors.ts';
import { FullReadNeededError, SourceError } from '../../../domain/errors.ts';
import type { RecordKey } from '../../../domain/reading/increment.ts';
import {
  entriesAmong,
  takeAll,
  textIn,
  type ChangesCourse,
  type Containers,
  type Way,
} from './ldap-changes.ts';
import {
  contextOf,
  cookieFor,
  earliestIn,
  isAfter,
  suffixOf,
  whyNotSince,
  type ContextCsns,
} from './marks.ts';
import { uuidText } from '../../mapping/values/uuid.ts';
import { lookAt, searchesOf } from '../read/course.ts';
import type { AnswerPart } from '../wire/answers.ts';
import { ProtocolError } from '../wire/ber.ts';
import {
  parseSyncDone,
  parseSyncInfo,
  parseSyncState,
  PlainControl,
  SYNC,
  syncRequestValue,
} from '../wire/controls.ts';
import type { LdapConnection } from '../wire/ldap-connection.ts';
import { refusedBy, type LdapTask } from '../wire/ldap-error.ts';
import type { PagedSearch } from '../wire/paged-search.ts';
import type { Intermediate, LdapResult } from '../wire/parse-message.ts';
import { readProblem } from '../../../domain/run-problems.ts';

/** Up to where a part of the directory was seen. */
interface SeenServer {
  readonly context: ContextCsns;
  /**
   * Keys of entries that changed last, with their numbers: if one of them is older later on, the directory was restored
   * from a backup, and has gone on since. If something was deleted last there is none.
   */
  readonly last: Readonly<Record<RecordKey, string>>;
}

/** By suffix: one for the bases of people that it has. */
type Position = Readonly<Record<string, SeenServer>>;

/** Holds for entries that have others below them, as servers compute it (X.501). */
const HAS_SUBORDINATES: Filter = new EqualityFilter({ attribute: 'hasSubordinates', value: 'TRUE' });

/** Content synchronization (RFC 4533), as OpenLDAP's overlay syncprov has it. */
export class Syncrepl implements Way<Position> {
  readonly how = 'syncrepl';
  readonly #course: ChangesCourse;

  constructor(course: ChangesCourse) {
    this.#course = course;
  }

  async latest(): Promise<Position> {
    await this.#requireOverlay();
    const position: Record<string, SeenServer> = {};
    for (const { base } of this.#searches()) {
      const shown = await this.#look(base, HAS_SUBORDINATES, 'base');
      if (shown === undefined)
        throw new FullReadNeededError(
          `the server does not show that ${base} has entries below it (hasSubordinates)`,
        );
      const suffix = this.#suffixOf(base);
      position[suffix] ??= await this.#seenNow(suffix);
    }
    return position;
  }

  async touchedSince(before: Position, now: Position): Promise<ReadonlySet<RecordKey>> {
    const connection = await this.#course.side.get('list');
    const touched = new Set<RecordKey>();
    for (const search of this.#searches()) {
      const suffix = this.#suffixOf(search.base);
      const [then, latest] = [before[suffix]?.context, now[suffix]?.context];
      if (then === undefined || latest === undefined)
        throw new FullReadNeededError('the namingContexts are others');
      const why = whyNotSince(then, latest);
      if (why !== null) throw new FullReadNeededError(why);
      for (const key of await syncSearch(connection, search, cookieFor(then))) touched.add(key);
    }
    await this.#requireNotRestored(before, touched);
    return touched;
  }

  async movedSince(before: Position, containers: Containers): Promise<string | null> {
    const contexts = Object.values(before).map(({ context }) => context);
    const value = contexts.map(earliestIn).toSorted()[0] ?? '';
    const changed = new GreaterThanEqualsFilter({ attribute: 'entryCSN', value });
    const filter = new AndFilter({ filters: [HAS_SUBORDINATES, changed] });
    for await (const entry of entriesAmong(this.#course, filter, ['entryCSN'])) {
      const csn = textIn(entry, 'entryCSN');
      if (containers.has(this.#course.keys.of(entry) ?? entry.dn)) continue;
      if (csn === null || contexts.some((context) => isAfter(csn, context))) return entry.dn;
    }
    return null;
  }

  #searches(): ReturnType<typeof searchesOf> {
    return searchesOf(this.#course.plan, this.#course);
  }

  #suffixOf(base: string): string {
    return suffixOf(base, this.#course.directory.root) ?? base;
  }

  async #requireOverlay(): Promise<void> {
    const root = await this.#look('', new PresenceFilter({ attribute: 'objectClass' }), 'base');
    if (root?.('supportedControl').includes(SYNC.request) !== true)
      throw new FullReadNeededError(
        'OpenLDAP tells what changed with the overlay syncprov alone, and this server has none',
      );
  }

  async #seenNow(suffix: string): Promise<SeenServer> {
    const top = await this.#look(suffix, new PresenceFilter({ attribute: 'objectClass' }), 'base');
    const context = contextOf(top?.('contextCSN') ?? []);
    if (context === null) throw new FullReadNeededError(`contextCSN of ${suffix} is not to be seen`);
    const last: Record<RecordKey, string> = {};
    for (const value of Object.values(context)) {
      const entry = await this.#look(suffix, new EqualityFilter({ attribute: 'entryCSN', value }));
      const [key] = entry?.('entryUUID') ?? [];
      if (key !== undefined) last[key] = value;
    }
    return { context, last };
  }

  /** Throws a SourceError if entries are older now than they were, and a FullReadNeededError if one is gone without a word. */
  async #requireNotRestored(before: Position, touched: ReadonlySet<RecordKey>): Promise<void> {
    for (const [suffix, { last }] of Object.entries(before)) {
      for (const [key, csn] of Object.entries(last)) {
        const entry = await this.#look(suffix, new EqualityFilter({ attribute: 'entryUUID', value: key }));
        const [now] = entry?.('entryCSN') ?? [];
        if (now !== undefined && now < csn) throw this.#isBehind(suffix);
        if (entry === undefined && !touched.has(key))
          throw new FullReadNeededError(
            'the entry that was changed last is gone: the directory may be a restored one',
          );
      }
    }
  }

  #isBehind(suffix: string): SourceError {
    const { url } = this.#course.directory.server;
    const behind = `${url} is behind the last read (entryCSN of the entry below ${suffix} that was changed last)`;
    return readProblem('read-behind', { behind });
  }

  /** Returns the first entry for which a filter holds. */
  async #look(base: string, filter: Filter, scope: 'base' | 'sub' = 'sub'): Promise<RootValues | undefined> {
    const attributes = ['contextCSN', 'entryCSN', 'entryUUID', 'supportedControl'];
    return (await lookAt(this.#course, { base, scope, filter, attributes }))[0];
  }
}

/** If more changed, a full read is as fast. */
const MOST_TOUCHED = 50_000;

/** The answer is one, however long its list of ids is: it may take as many times as long as a page. */
const PATIENCE = 10;

/**
 * Asks one base what changed since a cookie (RFC 4533, refreshOnly), to the end of the answer, and returns the keys of what
 * changed or is gone. Throws a `SourceError` if it does not come to its end, and a `FullReadNeededError` if only a
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
  return takeAll(asked, task, (part) => {
    collected.take(part, search, task);
    return part.result === null ? null : collected.end(part.result, task);
  });
}

function requestOf(search: PagedSearch, cookie: string): SearchRequest {
  return new SearchRequest({
    messageId: -1,
    baseDN: search.base,
    scope: search.scope,
    filter: search.filter,
    attributes: ['1.1'],
    timeLimit: search.timeLimitSeconds * PATIENCE,
    controls: [new PlainControl(SYNC.request, syncRequestValue(cookie))],
  });
}

class Collected {
  readonly #touched = new Set<RecordKey>();

  take({ entries, references, intermediates }: AnswerPart, { referrals }: PagedSearch, task: LdapTask): void {
    if (references.length > 0 && referrals === 'fail')
      throw refusedBy({ code: REFERRAL, text: '', referrals: references.flat() }, task);
    for (const one of intermediates) this.#hear(one);
    for (const entry of entries) this.#touch(entry.control(SYNC.state));
    if (this.#touched.size > MOST_TOUCHED)
      throw new FullReadNeededError(`more than ${MOST_TOUCHED} entries changed`);
  }

  /** Returns the keys that the server named. The server itself has to say that these are all. */
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
