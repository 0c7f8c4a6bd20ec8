import type { LdapSettings } from '../../domain/source-settings.ts';
import type { SourceEvidence, SourcePart } from '../../domain/records/source.ts';
import { spellIdentity } from '../../domain/ports/source-identity.ts';
import { compileParts } from '../records/compile-parts.ts';
import { finders, idRuleOf, PlannedRead, plansOf, type Plan, type Plans } from '../records/planned-read.ts';
import type { RowsSource } from '../records/rows-read.ts';
import type { SourceContext } from '../records/source-context.ts';
import { asksOf, fingerprintOf, rulesOf } from '../records/rule-texts.ts';
import { drained, lazily, type Mapped } from '../records/mapped.ts';
import { keepersOf } from '../records/keepers-of.ts';
import { recordedOpener } from '../records/recorded-read.ts';
import type { Derive } from '../kept/row-reader.ts';
import { parentDn } from './terms/dn.ts';
import { EntryReader } from './entry-reader.ts';
import { evidenceOf, SingleValues, Tally } from './evidence.ts';
import { LdapConnection } from './wire/ldap-connection.ts';
import { canonicalBases, ldapDialect } from './ldap-dialect.ts';
import { openDirectory, type Directory } from './open-directory.ts';
import type { PagedSearch } from './wire/paged-search.ts';
import { reachOf, type Reach } from './reach.ts';
import { searchAll } from './search-all.ts';

/** What one part reads. */
interface ReachAsk {
  readonly reach: Reach;
}

/**
 * Returns an LDAP directory as a source. Checks the settings and compiles the rules: throws a `ConfigError`.
 */
export function ldapSource(settings: LdapSettings, context: SourceContext): RowsSource {
  const { clock, onSecret = () => undefined } = context;
  const bases = (['units', 'people'] as const).flatMap((part) => {
    const search = settings[part];
    return search === undefined ? [] : canonicalBases(`source.${part}`, search);
  });
  const identity = identityOf(settings);
  const plans = plansOf(
    compileParts(settings, ldapDialect(settings), context),
    (part) => askOf(settings, part),
    keepersOf({ settings, identity }, context),
  );
  const openIt = async (signal: AbortSignal): Promise<LdapRead> => {
    const at = new Date(clock.now());
    const directory = await openDirectory(settings, wantedOf(plans), { signal, clock, onSecret });
    return new LdapRead({ settings, at, directory, signal }, plans);
  };
  const { recording } = context;
  const recorded = { settings, identity, plans, derive: ofDn };
  const open = recording === undefined ? openIt : recordedOpener(recorded, recording);
  return {
    fingerprint: fingerprintOf(settings, ['ldap', ...bases]),
    asks: asksOf(settings),
    identity,
    hasPositions: false,
    rules: rulesOf(settings),
    open,
    ...finders(plans, open),
  };
}

const DERIVED: Readonly<Record<string, ReturnType<Derive>>> = {
  dn: (place) => place,
  parentdn: (place) => parentDn(place),
};

/** Names that follow from the DN of an entry. */
const ofDn: Derive = (name) => DERIVED[name.toLowerCase()];

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

/** Ports of LDAP, LDAPS and an Active Directory's global catalog: one server answers on all of them. */
const USUAL_PORTS: ReadonlySet<string> = new Set(['', '389', '636', '3268', '3269']);

function placeOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname.toLowerCase() || 'localhost'}${USUAL_PORTS.has(port) ? '' : `:${port}`}`;
}

interface Context {
  readonly settings: LdapSettings;
  /** When the read began. */
  readonly at: Date;
  readonly directory: Directory;
  readonly signal: AbortSignal;
}

interface Course extends Context {
  readonly connection: LdapConnection;
  readonly tally: Tally;
}

/** Returns the searches of one part, one for each base. */
function searchesOf<T>(
  { reach, mapper }: Plan<ReachAsk, T>,
  { settings, directory }: Context,
): readonly PagedSearch[] {
  return reach.bases.map(({ base, scope }) => ({
    path: reach.path,
    base,
    scope,
    filter: reach.filter,
    attributes: EntryReader.attributesFor(mapper.names, directory.attributes.accounts),
    pageSize: settings.pageSize,
    timeLimitSeconds: Math.ceil(settings.timeoutSeconds),
    referrals: settings.referrals,
    derefAliases: settings.derefAliases ?? 'never',
    partitions: directory.partitions,
  }));
}

/** Yields every entry of the part, mapped; the connection is closed at the end, however it ends. */
async function* mappedEntries<T>(
  plan: Plan<ReachAsk, T>,
  course: Course,
): AsyncGenerator<Iterable<Mapped<T>>> {
  const { connection, directory, at, signal, tally } = course;
  const { reach, mapper } = plan;
  const reader = new EntryReader(mapper.names, directory.attributes, at);
  const single = new SingleValues(mapper, tally);
  try {
    const from = { server: directory.server, connection };
    const found = searchAll(from, searchesOf(plan, course), { progress: tally.progress, signal });
    for await (const { entries, search } of found) {
      const wanted = entries.filter(({ name }) => reach.keeps(name, search));
      yield lazily(drained(wanted), (entry) => {
        const raw = reader.read(entry);
        single.look(raw);
        return { raw, reading: mapper.map(raw) };
      });
    }
  } finally {
    await connection.close();
  }
}

/**
 * One read with a connection for each part, the first one made by `open`, and all to the same server: an
 * unfinished paged search blocks its connection.
 */
class LdapRead extends PlannedRead<ReachAsk> {
  readonly #context: Context;
  #ready: LdapConnection | null;
  readonly #tallies = new Map<SourcePart['part'], Tally>();

  constructor(context: Context, plans: Plans<ReachAsk>) {
    super(plans);
    this.#context = context;
    this.#ready = context.directory.connection;
  }

  /** Returns `null`: a directory does not tell what an account may change. */
  async mayChange(): Promise<null> {
    return null;
  }

  evidence(): SourceEvidence {
    return evidenceOf(this.#context.directory, this.#tallies);
  }

  async close(): Promise<void> {
    await this.#ready?.close();
    this.#ready = null;
  }

  async *mapped<T>(plan: Plan<ReachAsk, T>): AsyncGenerator<Iterable<Mapped<T>>> {
    const { directory, signal } = this.#context;
    const connection = this.#ready ?? (await LdapConnection.open(directory.server, signal));
    this.#ready = null;
    const tally = new Tally();
    this.#tallies.set(plan.reach.part, tally);
    yield* mappedEntries(plan, { ...this.#context, connection, tally });
  }
}
