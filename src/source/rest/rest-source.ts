import { ConfigError } from '../../domain/errors.ts';
import type { SourceEvidence } from '../../domain/reading/source.ts';
import type { SourcePart, UnknownAttribute } from '../../domain/reading/source-part.ts';
import { spellIdentity } from '../../domain/reading/source-identity.ts';
import { listSome, printable } from '../../domain/text/printable.ts';
import { stopped } from '../connect/network-problem.ts';
import type { JsonClient, ServerWords } from '../http/json-client.ts';
import { fieldReader, isFieldPath } from '../http/json-path.ts';
import { listEvidence } from '../http/list-evidence.ts';
import { JsonList, nameOf, type ListAsk } from '../http/lists/json-list.ts';
import { readList } from '../http/lists/read-list.ts';
import { changed } from '../http/problems.ts';
import { PLAIN_DIALECT, type Dialect } from '../mapping/rules/scope.ts';
import { Unknown, type Column, type Value } from '../mapping/values/raw-record.ts';
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
  const plans = plansOf(compileParts(settings, REST_DIALECT, context), (part) => askOf(settings, part));
  for (const plan of Object.values(plans)) if (plan !== null) requireNames(plan);
  const untold: Untold = new Map();
  const open = async (signal: AbortSignal): Promise<RestRead> => {
    if (signal.aborted) throw stopped();
    // Loaded only when it is asked for, as drivers are: undici also takes over the fetch of Node.
    const { JsonClient: Client } = await import('../http/json-client.ts');
    const client = new Client(settings, WORDS, context, signal);
    return new RestRead({ url, plans, untold, at: new Date(clock.now()), signal }, client);
  };
  return sourceOf(settings, context, { decides: ['rest'], identity, plans, open });
}

/** Returns a list with what the source says of all of them; the field of the id tells records apart. */
function askOf(settings: RestSettings, part: keyof Plans<PartAsk>): PartAsk | null {
  const asked = settings[part];
  if (asked === undefined) return null;
  const id = 'rules' in asked && 'id' in asked.rules ? asked.rules.id : undefined;
  const {
    key = typeof id === 'string' ? id : undefined,
    pages = settings.pages,
    complete = settings.complete,
  } = asked;
  return { part: part === 'rows' ? 'partners' : part, list: { ...asked, key, pages, complete } };
}

/** Throws a `ConfigError` about a name that is no path of a field, or one of `sparse` that no rule reads. */
function requireNames({ part, list, mapper: { columns } }: Plan<PartAsk, unknown>): void {
  const bad = columns.find(({ name }) => !isFieldPath(name));
  const remedy = 'write it as a.b, as a[type=work].b, or as a JSON Pointer that begins with a slash';
  if (bad !== undefined)
    throw new ConfigError(
      `${bad.places.join(', ')}: ${printable(bad.name)} is no path of a field; ${remedy}.`,
    );
  const unread = list.sparse.find((name) => !columns.some((column) => column.name === name));
  if (unread !== undefined)
    throw new ConfigError(
      `source.${part}.sparse: no rule reads ${printable(unread)}; write a name as the rules have it.`,
    );
}

/** Names that the records of a part did not tell in the last read to its end, as JSON. */
type Untold = Map<SourcePart['part'], string>;

interface RestContext {
  readonly url: string;
  readonly plans: Plans<PartAsk>;
  /** Is of all reads: only the end of one shows what none of its records tells. */
  readonly untold: Untold;
  /** When the read began. */
  readonly at: Date;
  readonly signal: AbortSignal;
}

/** One read of the lists. */
class RestRead extends PlannedRead<PartAsk> {
  readonly #context: RestContext;
  readonly #client: JsonClient;
  /** Sentences about objects in place of values, by part. */
  readonly #deep = new Map<SourcePart['part'], readonly string[]>();
  /** Parts whose records told other names than this read began with. */
  readonly #differing = new Set<SourcePart['part']>();

  constructor(context: RestContext, client: JsonClient) {
    super(context.plans);
    this.#context = context;
    this.#client = client;
  }

  async *incoming<T>({ part, list, mapper }: Plan<PartAsk, T>): AsyncGenerator<Iterable<IncomingRecord<T>>> {
    const progress = this.beginPart(part);
    const { url, at, signal } = this.#context;
    const unknown = new Set(this.#untold(part));
    const columns = mapper.columns.map(({ name }) => ({ name, read: fieldReader(name) }));
    const [told, missing, deep] = [new Set(list.sparse), new Set<string>(), new Set<string>()];
    const jsonList = new JsonList(list, this.#client, url);
    for await (const records of readList(jsonList, progress)) {
      progress.records += records.length;
      const decoded = records.map((record) => ({
        cells: columns.map(({ name, read }): Value => {
          const { texts, isDeep, isTold } = read(record);
          if (isTold === true) told.add(name);
          if (isTold === false) missing.add(name);
          if (isDeep) deep.add(name);
          if (unknown.has(name)) return NOT_KNOWN;
          if (isDeep) return NO_VALUE;
          return texts.length > 1 ? texts : texts[0];
        }),
        at,
        place: `/${jsonList.name} ${jsonList.labelOf(record)}`,
      }));
      yield incomingRecords(decoded, mapper);
      if (signal.aborted) throw stopped();
    }
    this.#deep.set(part, deepColumns(mapper.columns, deep));
    if (progress.records > 0)
      this.#note(
        part,
        columns.map(({ name }) => name).filter((name) => missing.has(name) && !told.has(name)),
      );
  }

  #untold(part: SourcePart['part']): readonly string[] {
    return JSON.parse(this.#context.untold.get(part) ?? '[]') as readonly string[];
  }

  /** Notes for the next read what no record of a part told. */
  #note(part: SourcePart['part'], names: readonly string[]): void {
    const { untold } = this.#context;
    if (JSON.stringify(names) !== (untold.get(part) ?? '[]')) this.#differing.add(part);
    untold.set(part, JSON.stringify(names));
  }

  /** Of a partner its unknown columns are asked for only once it was read. */
  requireSettled(): void {
    const [first, ...others] = [...this.#differing].filter((part) => part !== 'partners');
    if (first === undefined) return;
    const names = [first, ...others].flatMap((part) => this.#untold(part).map((name) => printable(name)));
    const shown = names.length === 0 ? 'each of them is in a record' : `no record has ${listSome(names)}`;
    throw changed(first, `other fields are missing than before: ${shown}`);
  }

  ownEvidence(): SourceEvidence {
    const plans = Object.values(this.#context.plans) as readonly (Plan<PartAsk, unknown> | null)[];
    const isTrusted = (part: SourcePart['part']): boolean =>
      plans.some((plan) => plan?.part === part && plan.list.complete.trust !== undefined);
    const warnings = [...this.#deep.values()].flat();
    return {
      type: 'rest',
      ...listEvidence(this.parts, isTrusted),
      unknown: plans.flatMap((plan) => (plan === null ? [] : this.#unknown(plan))),
      ...(warnings.length > 0 && { warnings }),
    };
  }

  /** Returns the fields that no record has: what was sent of them stays. */
  #unknown({ part, mapper }: Plan<PartAsk, unknown>): readonly UnknownAttribute[] {
    const names = this.#untold(part);
    const columns = mapper.columns.filter(({ name }) => names.includes(name));
    return columns.map(({ name, places }) => ({ part, name, places, suggestion: null }));
  }

  /** Returns none: no server tells how far its list is. */
  async marks(): Promise<readonly []> {
    return [];
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

const NOT_KNOWN = new Unknown();
/** Only this record waits for it, or keeps what was sent. */
const NO_VALUE = new Unknown('which is an object there, and no value');

const deepColumns = (columns: readonly Column[], deep: ReadonlySet<string>): readonly string[] =>
  columns
    .filter(({ name }) => deep.has(name))
    .map(
      ({ name, places }) =>
        `${places.join(', ')}: an object stands at ${printable(name)}, and no value; name a field within it`,
    );
