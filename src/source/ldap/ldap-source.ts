import type { Person, PositionRow, Reading, Unit } from '../../domain/records/records.ts';
import type { FieldRule, LdapSearch, LdapSettings } from '../../domain/settings.ts';
import type { Source, SourceEvidence, Readings, SourceRead } from '../../domain/records/source.ts';
import { spellIdentity } from '../../domain/ports/source-identity.ts';
import { compilePeople } from '../mapping/map-person.ts';
import { compileUnits } from '../mapping/map-unit.ts';
import type { Mapper } from '../mapping/mapper.ts';
import { showRule } from '../mapping/rules/rule.ts';
import { asksOf, fingerprintOf, rulesOf } from '../records/rule-texts.ts';
import { findSamples } from '../records/find-samples.ts';
import { drained, lazily, type Mapped } from '../records/mapped.ts';
import { canonicalDn } from './dn.ts';
import { EntryReader } from './entry-reader.ts';
import { knownAttributes, type Attributes, type Wanted } from './known-attributes.ts';
import { LdapConnection } from './ldap-connection.ts';
import { canonicalBase, ldapDialect } from './ldap-dialect.ts';
import { parseFilter, searchPages, type PagedSearch, type SearchProgress } from './paged-search.ts';

/** One search with its mapping. */
interface Plan<T> {
  readonly search: PagedSearch;
  readonly mapper: Mapper<T>;
  /** Canonical DN of an entry that is no record: the base of the units. */
  readonly skip: string | null;
}

/**
 * Returns an LDAP directory as a source. Checks the settings and compiles the rules: throws a `ConfigError`.
 */
export function ldapSource(settings: LdapSettings): Source {
  const dialect = ldapDialect(settings);
  const bases = [settings.units.base, settings.people.base].map((base) => canonicalBase('source', base));
  const units: Plan<Unit> = planOf(settings, 'units', compileUnits(settings.units.rules, dialect));
  const people: Plan<Person> = planOf(settings, 'people', compilePeople(settings.people.rules, dialect));
  const [unitId, personId] = [idRule(settings.units.rules), idRule(settings.people.rules)];
  return {
    fingerprint: fingerprintOf(settings, ['ldap', ...bases]),
    asks: asksOf(settings),
    identity: spellIdentity({ kind: 'ldap', place: placeOf(settings.url), unitId, personId }),
    hasPositions: false,
    rules: rulesOf(settings),
    async open(signal) {
      const { connection, attributes } = await connect(settings, [units, people], signal);
      return new LdapRead({ settings, units, people, attributes, signal }, connection);
    },
    async find(subject, texts, signal) {
      const { connection, attributes } = await connect(settings, [units, people], signal);
      const how = { progress: newProgress(), attributes };
      return subject === 'unit'
        ? findSamples(subject, mappedEntries(connection, units, how), { texts, mapper: units.mapper })
        : findSamples(subject, mappedEntries(connection, people, how), { texts, mapper: people.mapper });
    },
    findPositions: () => Promise.resolve([]),
  };
}

interface Connected {
  readonly connection: LdapConnection;
  readonly attributes: Attributes;
}

/** Returns a connection, and what is known about the server's attributes. */
async function connect(
  settings: LdapSettings,
  plans: readonly Wanted[],
  signal: AbortSignal,
): Promise<Connected> {
  const connection = await LdapConnection.open(settings, signal);
  try {
    return { connection, attributes: await knownAttributes(connection, plans) };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Returns the rule of the id as text, in lower case, since case does not matter in names of attributes. */
const idRule = ({ id }: { readonly id: FieldRule }): string => showRule(id).toLowerCase();

/** Ports of LDAP, LDAPS and an Active Directory's global catalog: one server answers on all of them. */
const USUAL_PORTS: ReadonlySet<string> = new Set(['', '389', '636', '3268', '3269']);

function placeOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname.toLowerCase() || 'localhost'}${USUAL_PORTS.has(port) ? '' : `:${port}`}`;
}

function planOf<T>(settings: LdapSettings, part: 'units' | 'people', mapper: Mapper<T>): Plan<T> {
  const { base, filter, scope }: LdapSearch = settings[part];
  const path = `source.${part}`;
  const search: PagedSearch = {
    part,
    path,
    base,
    scope,
    filter: parseFilter(path, filter),
    attributes: EntryReader.attributesFor(mapper.names),
    pageSize: settings.pageSize,
    timeLimitSeconds: Math.ceil(settings.timeoutSeconds),
    referrals: settings.referrals,
  };
  return { search, mapper, skip: part === 'units' ? canonicalDn(base) : null };
}

interface Context {
  readonly settings: LdapSettings;
  readonly units: Plan<Unit>;
  readonly people: Plan<Person>;
  readonly attributes: Attributes;
  readonly signal: AbortSignal;
}

function newProgress(): SearchProgress {
  return { records: 0, pages: 0, end: null, referrals: [] };
}

/** Yields every entry but the base, mapped; the connection is closed at the end, however it ends. */
async function* mappedEntries<T>(
  connection: LdapConnection,
  { search, mapper, skip }: Plan<T>,
  { progress, attributes }: { readonly progress: SearchProgress; readonly attributes: Attributes },
): AsyncGenerator<Iterable<Mapped<T>>> {
  const reader = new EntryReader(mapper.names, attributes);
  try {
    for await (const entries of searchPages(connection, search, progress)) {
      const wanted = skip === null ? entries : entries.filter(({ name }) => canonicalDn(name) !== skip);
      yield lazily(drained(wanted), (entry) => {
        const raw = reader.read(entry);
        return { raw, reading: mapper.map(raw) };
      });
    }
  } finally {
    await connection.close();
  }
}

/**
 * One read with a connection for each part, the first one made by `open`: an unfinished paged search blocks
 * its connection.
 */
class LdapRead implements SourceRead {
  readonly #context: Context;
  #ready: LdapConnection | null;
  readonly #progress = new Map<PagedSearch['part'], SearchProgress>();

  constructor(context: Context, connection: LdapConnection) {
    this.#context = context;
    this.#ready = connection;
  }

  units(): Readings<Unit> {
    return this.#read(this.#context.units);
  }

  people(): Readings<Person> {
    return this.#read(this.#context.people);
  }

  async *positions(): AsyncGenerator<Iterable<Reading<PositionRow>>> {
    // LDAP people carry their positions.
  }

  /** Returns `null`: a directory does not tell what an account may change. */
  async mayChange(): Promise<null> {
    return null;
  }

  evidence(): SourceEvidence {
    const all = [...this.#progress];
    const parts = all.map(([part, { records, pages, end }]) => ({
      part,
      records,
      pages,
      end: end ?? 'not ended',
    }));
    const referrals = all.flatMap(([, progress]) => progress.referrals);
    const { unknown } = this.#context.attributes;
    return { type: 'ldap', snapshot: 'none', parts, referrals, unknown };
  }

  async close(): Promise<void> {
    await this.#ready?.close();
    this.#ready = null;
  }

  async *#read<T>(plan: Plan<T>): AsyncGenerator<Iterable<Reading<T>>> {
    const connection =
      this.#ready ?? (await LdapConnection.open(this.#context.settings, this.#context.signal));
    this.#ready = null;
    const progress = newProgress();
    this.#progress.set(plan.search.part, progress);
    const { attributes } = this.#context;
    for await (const batch of mappedEntries(connection, plan, { progress, attributes })) {
      yield lazily(batch, ({ reading }) => reading);
    }
  }
}
