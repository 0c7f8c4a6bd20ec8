import { AndFilter, EqualityFilter, GreaterThanEqualsFilter, type Filter } from 'ldapts';
import type { RootValues } from '../../../domain/directories/vendors.ts';
import { fullRead } from '../../../domain/full-reads.ts';
import type { RecordKey } from '../../../domain/reading/increment.ts';
import { readProblem } from '../../../domain/run-problems.ts';
import { uuidText } from '../../mapping/values/uuid.ts';
import { lookAt, searchesOf } from '../read/course.ts';
import type { AnswerPart } from '../wire/answer.ts';
import { ProtocolError } from '../wire/ber.ts';
import type { LdapConnection } from '../wire/connection.ts';
import { parseSyncDone, parseSyncInfo, parseSyncState, SYNC, syncRequest } from '../wire/controls.ts';
import type { RawEntry } from '../wire/entry.ts';
import { ldapProblem, placeOf, refusedBy, serversIn, type LdapTask } from '../wire/ldap-problems.ts';
import type { Intermediate, LdapResult } from '../wire/message.ts';
import type { PagedSearch } from '../wire/paged-search.ts';
import {
  askChanges,
  entriesAmong,
  MOST_TOUCHED,
  tooMany,
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
    const root = await this.#look('');
    if (root?.('supportedControl').includes(SYNC.request) !== true) throw fullRead('full-syncprov', {});
    const position: Record<string, SeenServer> = {};
    for (const base of this.#course.plan.reach.bases) {
      if ((await this.#look(base, HAS_SUBORDINATES, 'base')) === undefined)
        throw fullRead('full-hidden', { what: `hasSubordinates of ${base}` });
      const suffix = this.#suffixOf(base);
      position[suffix] ??= await this.#seenNow(suffix);
    }
    return position;
  }

  async touchedSince(before: Position, now: Position): Promise<ReadonlySet<RecordKey>> {
    const { connection } = this.#course.directory;
    const touched = new Set<RecordKey>();
    for (const search of searchesOf(this.#course.plan, this.#course)) {
      const suffix = this.#suffixOf(search.base);
      const [then, latest] = [before[suffix]?.context, now[suffix]?.context];
      const why = then && latest ? whyNotSince(then, latest) : 'the namingContexts are others';
      if (then === undefined || why !== null) throw fullRead('full-restored', { what: why ?? '' });
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

  #suffixOf(base: string): string {
    return suffixOf(base, this.#course.directory.root) ?? base;
  }

  async #seenNow(suffix: string): Promise<SeenServer> {
    const top = await this.#look(suffix);
    const context = contextOf(top?.('contextCSN') ?? []);
    if (context === null) throw fullRead('full-hidden', { what: `contextCSN of ${suffix}` });
    const last: Record<RecordKey, string> = {};
    for (const value of Object.values(context)) {
      const entry = await this.#look(suffix, new EqualityFilter({ attribute: 'entryCSN', value }), 'sub');
      const [key] = entry?.('entryUUID') ?? [];
      if (key !== undefined) last[key] = value;
    }
    return { context, last };
  }

  /** Throws a SourceError if entries are older now than they were, and a FullReadNeededError if one is gone without a word. */
  async #requireNotRestored(before: Position, touched: ReadonlySet<RecordKey>): Promise<void> {
    const { url } = this.#course.directory.server;
    for (const [suffix, { last }] of Object.entries(before)) {
      for (const [value, csn] of Object.entries(last)) {
        const entry = await this.#look(suffix, new EqualityFilter({ attribute: 'entryUUID', value }), 'sub');
        const [now] = entry?.('entryCSN') ?? [];
        if (now !== undefined && now < csn)
          throw readProblem('read-behind', {
            behind: `${url} is behind the last read (entryCSN of the entry below ${suffix} that was changed last)`,
          });
        if (entry === undefined && !touched.has(value))
          throw fullRead('full-restored', { what: 'the entry that was changed last is gone' });
      }
    }
  }

  /** Returns the first entry for which a filter holds; without one, the base itself. */
  async #look(
    base: string,
    filter?: Filter,
    scope: 'base' | 'sub' = 'base',
  ): Promise<RootValues | undefined> {
    const attributes = ['contextCSN', 'entryCSN', 'entryUUID', 'supportedControl'];
    const asked = { base, scope, filter, attributes };
    return (await lookAt(this.#course, asked))[0];
  }
}

/** The answer is one, however long its list of ids is: it may take as many times as long as a page. */
const PATIENCE = 10;

/**
 * Asks one base what changed since a cookie (RFC 4533, refreshOnly), to the end of the answer, and returns the keys of what
 * changed or is gone. Throws a `SourceError` if it does not come to its end, and a `FullReadNeededError` if only a
 * full read helps.
 */
export async function syncSearch(
  connection: LdapConnection,
  { base, scope, filter }: Pick<PagedSearch, 'base' | 'scope' | 'filter'>,
  cookie: string,
): Promise<ReadonlySet<RecordKey>> {
  const touched = new Set<RecordKey>();
  const take = ({ entries, references, intermediates }: AnswerPart, task: LdapTask): void => {
    if (references.length > 0)
      throw ldapProblem('ldap-elsewhere', { at: placeOf(task), servers: serversIn(references.flat()) });
    for (const uuid of [...intermediates.flatMap(goneIn), ...entries.map(touchedIn)])
      touched.add(uuidText(uuid));
    if (touched.size > MOST_TOUCHED) throw tooMany();
  };
  const asked = {
    base,
    scope,
    filter,
    attributes: ['1.1'],
    patience: PATIENCE,
    doing: `asking what changed below ${base}`,
  };
  await askChanges(connection, { ...asked, controls: [syncRequest(cookie)] }, take, requireAll);
  return touched;
}

/** Without its log, or behind the beginning of it, the overlay lists all who are there: that takes as long as a full read. */
const noLog = (): Error => fullRead('full-log', {});

function goneIn({ name, value }: Intermediate): readonly Buffer[] {
  if (name !== SYNC.info || value === null) throw new ProtocolError('it says what was not asked');
  const gone = parseSyncInfo(value);
  if (gone === null) throw noLog();
  return gone;
}

function touchedIn({ controls }: RawEntry): Buffer {
  const control = controls.get(SYNC.state);
  if (control === undefined) throw new ProtocolError('it has an entry that is in no state');
  const { state, uuid } = parseSyncState(control);
  if (state === 'present') throw noLog();
  return uuid;
}

/**
 * Results after which a full read may succeed: limits of an answer that is not paged, and cookies that are not taken
 * (the last one: too old, RFC 4533, section 2.6).
 */
const REFUSALS: ReadonlySet<number> = new Set([3, 4, 11, 12, 50, 53, 4096]);

/** Throws unless the server itself says that it named all. */
function requireAll(result: LdapResult, task: LdapTask): void {
  const { code, text, controls } = result;
  if (REFUSALS.has(code)) {
    const said = [text.trim(), `(result code ${code})`].join(' ').trim();
    throw fullRead('full-refused', { said });
  }
  if (code !== 0) throw refusedBy(result, task);
  const done = controls.get(SYNC.done);
  if (done === undefined) throw new ProtocolError('it does not end as a synchronization does');
  if (!parseSyncDone(done)) throw noLog();
}
