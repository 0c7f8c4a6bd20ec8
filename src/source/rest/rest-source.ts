import type { SourceEvidence } from '../../domain/reading/source.ts';
import {
  AT_LEAST_PERCENT,
  type SourcePart,
  type UnknownAttribute,
} from '../../domain/reading/source-part.ts';
import { spellIdentity } from '../../domain/reading/source-identity.ts';
import { printable } from '../../domain/text/printable.ts';
import { stopped } from '../connect/network-problem.ts';
import type { JsonClient, ServerWords } from '../http/json-client.ts';
import { fieldReader } from '../http/json-path.ts';
import { JsonList, nameOf, type ListAsk } from '../http/lists/json-list.ts';
import { readList } from '../http/lists/read-list.ts';
import { incomplete } from '../http/problems.ts';
import { PLAIN_DIALECT, type Dialect } from '../mapping/rules/scope.ts';
import type { Cell, Column } from '../mapping/values/raw-record.ts';
import { incomingRecords, type IncomingRecord } from '../records/mapped.ts';
import { idRuleOf, PlannedRead, plansOf, sourceOf, type Plan, type Plans } from '../records/planned-read.ts';
import { compileParts, type RowsSource, type SourceContext } from '../records/source-context.ts';
import type { RestSettings } from './kind.ts';

const REST_DIALECT: Dialect = {
  ...PLAIN_DIALECT,
  leaveOut: (name) => `by the query, or by where${name === null ? '' : `, with ${name} != ''`}`,
};

export const WORDS: ServerWords = {
  server: 'The server',
  accept: 'application/json',
  placeOf: (kind) => `source.auth.${kind}`,
  remedyFor(status) {
    if (status === 401) return 'check source.auth';
    if (status === 403) return 'the account may not read this: give it the right';
    if (status === 404) return 'check source.url and the path';
    if (status === 400 || status === 405) return 'check path, query and body against the pages of the vendor';
    if (status >= 300 && status < 400) return 'put the right address into source.url';
    return 'it is asked again at the next run';
  },
  saidIn: (value, body) => (value === undefined ? undefined : body),
  notJson: 'which is no JSON; check source.url and the path',
};

interface PartAsk {
  readonly part: SourcePart['part'];
  readonly list: ListAsk;
  /** Field that alone says who is active; absent: a rule does, or nothing. */
  readonly active?: string;
}

/** Returns an interface of JSON over HTTP as a source. Compiles the rules: throws a `ConfigError`. */
export function restSource(settings: RestSettings, context: SourceContext): RowsSource {
  const { clock } = context;
  const { units, people, url } = settings;
  const { host, pathname } = new URL(url);
  const idRule = (part: typeof units | typeof people): string =>
    part === undefined ? '' : `${nameOf(part)} ${idRuleOf(part)}`;
  const identity = spellIdentity({
    kind: 'rest',
    place: `${host}${pathname}`,
    unitId: idRule(units),
    personId: idRule(people),
  });
  const plans = plansOf<PartAsk>(compileParts(settings, REST_DIALECT, context), (part) => {
    const list = settings[part];
    const active = part === 'people' ? people?.rules.active : undefined;
    const asked = { part: part === 'rows' ? 'partners' : part, list } as const;
    return list === undefined ? null : { ...asked, list, ...(typeof active === 'string' && { active }) };
  });
  const open = async (signal: AbortSignal): Promise<RestRead> => {
    if (signal.aborted) throw stopped();
    // Loaded only when it is asked for, as drivers are: undici also takes over the fetch of Node.
    const { JsonClient: Client } = await import('../http/json-client.ts');
    const client = new Client(settings, WORDS, context, signal);
    return new RestRead({ url, plans, at: new Date(clock.now()), signal }, client);
  };
  return sourceOf(settings, context, { decides: ['rest'], identity, plans, open });
}

interface RestContext {
  readonly url: string;
  readonly plans: Plans<PartAsk>;
  /** When the read began. */
  readonly at: Date;
  readonly signal: AbortSignal;
}

/** What was seen of the columns of one part. */
interface SeenColumns {
  readonly columns: readonly Column[];
  /** Names of those that no record had so far, not even empty. */
  readonly untold: Set<string>;
  /** Names of those in whose place an object stood. */
  readonly deep: Set<string>;
}

/** One read of the lists. */
class RestRead extends PlannedRead<PartAsk> {
  readonly #context: RestContext;
  readonly #client: JsonClient;
  readonly #seen = new Map<SourcePart['part'], SeenColumns>();

  constructor(context: RestContext, client: JsonClient) {
    super(context.plans);
    this.#context = context;
    this.#client = client;
  }

  async *incoming<T>({
    part,
    list,
    active,
    mapper,
  }: Plan<PartAsk, T>): AsyncGenerator<Iterable<IncomingRecord<T>>> {
    const progress = this.beginPart(part);
    const { url, at, signal } = this.#context;
    const { columns } = mapper;
    const readers = columns.map(({ name }) => ({ name, read: fieldReader(name) }));
    const seen: SeenColumns = { columns, untold: new Set(columns.map(({ name }) => name)), deep: new Set() };
    this.#seen.set(part, seen);
    const pages = { pages: 0, end: null };
    const jsonList = new JsonList(list, this.#client, url);
    for await (const records of readList(jsonList, pages)) {
      progress.records += records.length;
      progress.pages = pages.pages;
      const decoded = records.map((record) => ({
        cells: readers.map(({ name, read }): Cell => {
          const { texts, isDeep, isTold } = read(record);
          if (isTold) seen.untold.delete(name);
          if (isDeep) seen.deep.add(name);
          return texts.length > 1 ? texts : texts[0];
        }),
        at,
        place: `/${jsonList.name} ${jsonList.labelOf(record)}`,
      }));
      yield incomingRecords(decoded, mapper);
      if (signal.aborted) throw stopped();
    }
    if (progress.records > 0 && active !== undefined && (seen.untold.has(active) || seen.deep.has(active)))
      throw incomplete(
        jsonList.name,
        `${active} says who is active, and ${seen.deep.has(active) ? 'an object stands there' : 'no record has it'}; ` +
          'ask for it, correct its name, give the account the right, or use an expression if active people have none',
      );
    progress.pages = pages.pages;
    progress.end = pages.end;
  }

  ownEvidence(): SourceEvidence {
    const plans = Object.values(this.#context.plans) as readonly (Plan<PartAsk, unknown> | null)[];
    const isTrusted = (part: SourcePart['part']): boolean =>
      plans.some((plan) => plan?.part === part && plan.list.complete.trust !== undefined);
    const parts = this.parts.map((part) =>
      isTrusted(part.part) ? { ...part, atLeastPercent: AT_LEAST_PERCENT } : part,
    );
    const warnings = [...this.#seen.values()].flatMap(deepColumns);
    return {
      type: 'rest',
      snapshot: 'none',
      parts,
      unknown: parts.flatMap(({ part, records }) => (records === 0 ? [] : this.#unknown(part))),
      notes: parts.map(({ part, end }) => `${part}: ${end}`),
      ...(warnings.length > 0 && { warnings }),
    };
  }

  /** A condition may read what only few records have, such as a date of leaving. */
  protected override isMissed({ places }: Column): boolean {
    return !places.every((place) => KEEPS.test(place));
  }

  /** Returns the fields that no record has: what was sent of them stays. */
  #unknown(part: SourcePart['part']): readonly UnknownAttribute[] {
    const { columns, untold, deep } = this.#seen.get(part) ?? {
      columns: [],
      untold: new Set(),
      deep: new Set(),
    };
    return columns.flatMap(({ name, places }) => {
      const kept = places.filter((place) => KEEPS.test(place));
      const isLost = untold.has(name) || deep.has(name);
      return isLost && kept.length > 0 ? [{ part, name, places: kept, suggestion: null }] : [];
    });
  }

  /** Returns none: no server tells how far its list is. */
  async marks(): Promise<readonly []> {
    return [];
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

/** Places of rules whose values stay as they were sent if no record tells them; others decide about records. */
const KEEPS = /\.fields\.(?!(?:id|username|active|refs|parent|person|unit)\b|positions\[\d+\]\.unit$)/u;

function deepColumns({ columns, deep }: SeenColumns): readonly string[] {
  return columns
    .filter(({ name }) => deep.has(name))
    .map(
      ({ name, places }) =>
        `${places.join(', ')}: an object stands at ${printable(name)}, and no value; name a field within it, as ${printable(name)}.id`,
    );
}
