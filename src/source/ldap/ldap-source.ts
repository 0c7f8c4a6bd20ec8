import { AndFilter, type Filter } from 'ldapts';

import type { LdapSettings } from './settings/ldap-settings.ts';
import type { FullReadNeeded, IncrementalRead, RecordKey } from '../../domain/reading/increment.ts';
import type { Person } from '../../domain/records/records.ts';
import type { SourceEvidence } from '../../domain/reading/source.ts';
import type { Exclusion, SourceMark, SourcePart } from '../../domain/reading/source-part.ts';
import { spellIdentity } from '../../domain/reading/source-identity.ts';
import { compileParts, type RowsSource, type SourceContext } from '../records/source-context.ts';
import { idRuleOf, PlannedRead, plansOf, sourceOf, type Plan, type Plans } from '../records/planned-read.ts';
import type { IncomingRecord } from '../records/mapped.ts';
import type { Course, ReachAsk } from './read/course.ts';
import { evidenceOf, matchedExclusions, Tally, type GroupEvidence } from './read/evidence.ts';
import { groupsOf } from './group-searches.ts';
import { type Groups } from './groups/groups.ts';
import { LdapConnection } from './wire/connection.ts';
import { ldapMistake } from './wire/ldap-problems.ts';
import { canonicalBases, ldapDialect, reachOf, type Reach } from './read/reach.ts';
import { marksOf } from './changes/marks.ts';
import { wayOf, whyNever } from './changes/choose-way.ts';
import { LdapChanges } from './changes/ldap-changes.ts';
import { Increments, type People } from '../increments/increments.ts';
import { entriesBy } from './read/incoming-entries.ts';
import { isAccountActive } from './read/entry-reader.ts';
import { isUsual } from '../../domain/directories/vendors.ts';
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
    const read = new LdapRead({ settings, at, directory }, plans, signal);
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
  if (CATALOG_PORTS.has(port)) throw ldapMistake('ldap-catalog', { port });
  return `${hostname.toLowerCase() || 'localhost'}${USUAL_PORTS.has(port) ? '' : `:${port}`}`;
}

/** One read of one server. */
class LdapRead extends PlannedRead<ReachAsk> {
  readonly #course: Course;
  readonly #plans: Plans<ReachAsk>;
  #aside: Promise<LdapConnection> | null = null;
  #groups: Promise<Groups | null> | null = null;
  #incremental: IncrementalRead | FullReadNeeded | undefined;
  readonly #tallies = new Map<SourcePart['part'], Tally>();
  #groupEvidence: GroupEvidence | null = null;
  #exclusions: readonly Exclusion[] = [];

  constructor(course: Omit<Course, 'look'>, plans: Plans<ReachAsk>, signal: AbortSignal) {
    super(plans);
    const look = (): Promise<LdapConnection> =>
      (this.#aside ??= LdapConnection.open(course.directory.server, signal));
    this.#course = { ...course, look };
    this.#plans = plans;
  }

  /** What the server tells of changes since an earlier read, if that is wanted. */
  get incremental(): IncrementalRead | FullReadNeeded | undefined {
    this.#incremental ??= this.#incrementalOf();
    return this.#incremental;
  }

  async marks(): Promise<readonly SourceMark[]> {
    return marksOf(this.#course);
  }

  ownEvidence(): SourceEvidence {
    const evidence = evidenceOf(this.#course.directory, this.#tallies, this.#groupEvidence);
    const leftOut = new Map([...this.#tallies.values()].flatMap((tally) => [...tally.leftOut]));
    const exclusions = this.#exclusions.map((one): Exclusion => {
      const records = leftOut.get(one.place);
      return records === undefined ? one : { ...one, leftOut: records };
    });
    return { ...evidence, exclusions };
  }

  /** Looks whether what the settings exclude is there. */
  async lookAtExclusions(): Promise<void> {
    for (const { reach } of wantedOf(this.#plans))
      this.#exclusions = [...this.#exclusions, ...(await matchedExclusions(reach, this.#course))];
  }

  async close(): Promise<void> {
    await this.#course.directory.connection.close();
    await (await this.#aside?.catch(() => null))?.close();
    (await this.#groups?.catch(() => null))?.close();
    this.#groups = null;
  }

  async *incoming<T>(plan: Plan<ReachAsk, T>): AsyncGenerator<Iterable<IncomingRecord<T>>> {
    this.#groups ??= groupsOf(this.#plans, this.#course);
    const groups = await this.#groups;
    this.#groupEvidence = groups;
    yield* entriesBy(plan, { ...this.#course, tally: this.#tallyOf(plan.reach), groups });
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
    if ('why' in way) return way;
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
    yield* entriesBy({ ...plan, reach }, course);
  }

  protected override isMissed({ name }: Column): boolean {
    const { unknown } = this.ownEvidence();
    return !isUsual(name) && !unknown.some((one) => one.name === name);
  }

  /** Returns the attributes that `account_active` is computed from. */
  protected override more({ mapper: { columns } }: Plan<ReachAsk, unknown>): readonly Column[] {
    const active = columns.find(({ name }) => isAccountActive(name));
    const reads = this.#course.directory.attributes.accounts?.reads ?? [];
    return active === undefined ? [] : reads.map((name) => ({ name, places: active.places }));
  }
}
