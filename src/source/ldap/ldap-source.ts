import { AndFilter, type Filter } from 'ldapts';

import { ConfigError } from '../../domain/errors.ts';
import type { LdapSettings } from '../../domain/source-settings.ts';
import type { FullReadNeeded, IncrementalRead, RecordKey } from '../../domain/reading/increment.ts';
import type { Person } from '../../domain/records/records.ts';
import type { SourceEvidence } from '../../domain/reading/source.ts';
import type { Exclusion, SourceMark, SourcePart } from '../../domain/reading/source-part.ts';
import { spellIdentity } from '../../domain/reading/source-identity.ts';
import { compileParts, type RowsSource, type SourceContext } from '../records/source-context.ts';
import { idRuleOf, PlannedRead, plansOf, sourceOf, type Plan, type Plans } from '../records/planned-read.ts';
import type { IncomingRecord } from '../records/mapped.ts';
import { SideConnections, type Course, type ReachAsk } from './read/course.ts';
import { evidenceOf, matchedExclusions, Tally, type GroupEvidence } from './read/evidence.ts';
import { groupsOf } from './group-searches.ts';
import { type Groups } from './groups/groups.ts';
import { LdapConnection } from './wire/ldap-connection.ts';
import { canonicalBases, ldapDialect, reachOf, type Reach } from './read/reach.ts';
import { marksOf } from './changes/marks.ts';
import { wayOf, whyNever } from './changes/choose-way.ts';
import { LdapChanges } from './changes/ldap-changes.ts';
import { Increments, type People } from '../increments/increments.ts';
import { incomingEntries, entriesBy } from './read/incoming-entries.ts';
import { isAccountActive } from './read/entry-reader.ts';
import type { Column } from '../mapping/values/raw-record.ts';
import { openDirectory } from './read/open-directory.ts';

/**
 * Returns an LDAP directory as a source. Checks the settings and compiles the rules: throws a `ConfigError`.
 */
export function ldapSource(settings: LdapSettings, context: SourceContext): RowsSource {
  const { clock, refusals, onSecret = () => undefined } = context;
  const bases = [
    ...canonicalBases('source.units', settings.units),
    ...canonicalBases('source.people', settings.people),
  ];
  const identity = identityOf(settings);
  const plans = plansOf(compileParts(settings, ldapDialect(settings), context), (part) =>
    askOf(settings, part),
  );
  const open = async (signal: AbortSignal): Promise<LdapRead> => {
    const at = new Date(clock.now());
    const directory = await openDirectory(settings, wantedOf(plans), { signal, clock, onSecret, refusals });
    const side = new SideConnections(directory.server, signal);
    const read = new LdapRead({ settings, at, directory, signal, side }, plans);
    try {
      await read.lookAtExclusions();
    } catch (error) {
      await read.close();
      throw error;
    }
    return read;
  };
  return sourceOf(settings, context, {
    decides: ['ldap', ...bases, ...groupsText(settings)],
    identity,
    plans,
    open,
  });
}

/** Returns what decides about groups as text; nothing if none matter. */
function groupsText({ units, people }: LdapSettings): readonly string[] {
  const asked = [units?.members, people?.memberOf];
  return asked.every((one) => one === undefined) ? [] : [JSON.stringify(asked)];
}

/** People of a directory carry their positions. */
function askOf(settings: LdapSettings, part: keyof Plans<ReachAsk>): ReachAsk | null {
  const reach = part === 'positions' ? null : reachOf(settings, part);
  return reach === null ? null : { reach };
}

const wantedOf = ({ units, people, rows }: Plans<ReachAsk>): readonly Plan<ReachAsk, unknown>[] =>
  [units, people, rows].filter((plan) => plan !== null);

/** Any server of the list is the source: which of them answers does not matter. */
function identityOf({ url, otherUrls = [], units, people }: LdapSettings): string {
  const places = [...new Set([url, ...otherUrls].map(placeOf))];
  const [place = ''] = places;
  // Case does not matter in names of attributes.
  const [unitId = '', personId = ''] = [units, people].map((part) => idRuleOf(part).toLowerCase());
  return spellIdentity({ kind: 'ldap', place: places.length === 1 ? place : places, unitId, personId });
}

/** Ports of LDAP and LDAPS: one server answers on both of them. */
const USUAL_PORTS: ReadonlySet<string> = new Set(['', '389', '636']);

/** Ports of the global catalog of an Active Directory, which has a part of each entry and of the members of groups. */
const CATALOG_PORTS: ReadonlySet<string> = new Set(['3268', '3269']);

function placeOf(url: string): string {
  const { hostname, port } = new URL(url);
  if (CATALOG_PORTS.has(port))
    throw new ConfigError(
      `source.url: ${port} is the port of a global catalog, which has only a part of each entry. Write 389 or 636, and each domain as one of sources.`,
    );
  return `${hostname.toLowerCase() || 'localhost'}${USUAL_PORTS.has(port) ? '' : `:${port}`}`;
}

/**
 * One read with a connection for each part, the first one made by `open`, and all to the same server: an
 * unfinished paged search blocks its connection.
 */
class LdapRead extends PlannedRead<ReachAsk> {
  readonly #course: Course;
  readonly #plans: Plans<ReachAsk>;
  #ready: LdapConnection | null;
  #groups: Promise<Groups | null> | null = null;
  #incremental: IncrementalRead | FullReadNeeded | undefined;
  readonly #tallies = new Map<SourcePart['part'], Tally>();
  #groupEvidence: GroupEvidence | null = null;
  #exclusions: readonly Exclusion[] = [];

  constructor(course: Course, plans: Plans<ReachAsk>) {
    super(plans);
    this.#course = course;
    this.#plans = plans;
    this.#ready = course.directory.connection;
  }

  /** What the server tells of changes since an earlier read, if that is wanted. */
  get incremental(): IncrementalRead | FullReadNeeded | undefined {
    this.#incremental ??= this.#incrementalOf();
    return this.#incremental;
  }

  /** Asks on the connection of the first part: no part has begun yet. */
  async marks(): Promise<readonly SourceMark[]> {
    const ready = this.#ready;
    const side = ready === null ? this.#course.side : { get: async () => ready };
    return marksOf({ ...this.#course, side });
  }

  ownEvidence(): SourceEvidence {
    const evidence = evidenceOf(this.#course.directory, this.#tallies, this.#groupEvidence);
    return { ...evidence, exclusions: this.#exclusions };
  }

  /** Looks whether what the settings exclude is there. */
  async lookAtExclusions(): Promise<void> {
    for (const { reach } of wantedOf(this.#plans))
      this.#exclusions = [...this.#exclusions, ...(await matchedExclusions(reach, this.#course))];
  }

  async close(): Promise<void> {
    await this.#ready?.close();
    this.#ready = null;
    await this.#course.side.close();
    const groups = await this.#groups?.catch(() => null);
    groups?.close();
    this.#groups = null;
  }

  async *incoming<T>(plan: Plan<ReachAsk, T>): AsyncGenerator<Iterable<IncomingRecord<T>>> {
    const { signal } = this.#course;
    this.#groups ??= groupsOf(this.#plans, this.#course, plan.reach.part);
    const groups = await this.#groups;
    this.#groupEvidence = groups;
    const connection = this.#ready ?? (await LdapConnection.open(this.#course.directory.server, signal));
    this.#ready = null;
    const tally = this.#tallyOf(plan.reach);
    yield* incomingEntries(plan, { ...this.#course, connection, tally, groups });
  }

  #tallyOf({ part, bases }: Reach): Tally {
    const tally = new Tally(bases);
    // A full read that follows an increment has numbers of its own.
    this.#tallies.delete(part);
    this.#tallies.set(part, tally);
    return tally;
  }

  #incrementalOf(): IncrementalRead | FullReadNeeded | undefined {
    const { settings, directory } = this.#course;
    const { people: plan } = this.#plans;
    if (settings.changes !== 'auto' || plan === null) return undefined;
    const way = whyNever(settings, plan) ?? wayOf(directory.vendor);
    if (typeof way === 'string') return { why: way };
    const { keys } = directory;
    if (keys === null) return undefined;
    // After a full read its numbers stay.
    const tally = this.#tallies.has('people') ? new Tally(plan.reach.bases) : this.#tallyOf(plan.reach);
    tally.progress.end = 'synchronized';
    const course = { ...this.#course, plan, keys };
    const byIds = (ids: readonly RecordKey[]): People => this.#narrowed(plan, keys.filterOf(ids), tally);
    const choose = async (): Promise<LdapChanges<object>> => new LdapChanges(course, way(course), byIds);
    return new Increments(choose, (people, salt) => this.changedPeople(plan, people, salt));
  }

  /** Yields the people who match a filter too. They count as one part, even if several searches bring them. */
  async *#narrowed(plan: Plan<ReachAsk, Person>, filter: Filter, tally: Tally): People {
    const course = { ...this.#course, tally, groups: null };
    const reach = { ...plan.reach, filter: new AndFilter({ filters: [plan.reach.filter, filter] }) };
    const connection = await this.#course.side.get('list');
    yield* entriesBy(connection, { ...plan, reach }, course);
  }

  /** Returns the attributes that `account_active` is computed from. */
  protected override more({ mapper: { columns } }: Plan<ReachAsk, unknown>): readonly Column[] {
    const active = columns.find(({ name }) => isAccountActive(name));
    const reads = this.#course.directory.attributes.accounts?.reads ?? [];
    return active === undefined ? [] : reads.map((name) => ({ name, places: active.places }));
  }
}
