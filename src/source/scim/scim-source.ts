import type { FieldRule, ScimSettings } from '../../domain/source-settings.ts';
import type { SourceEvidence } from '../../domain/reading/source.ts';
import type { SourcePart } from '../../domain/reading/source-part.ts';
import { spellIdentity } from '../../domain/ports/source-identity.ts';
import { stopped } from '../connect/stopped.ts';
import type { Dialect } from '../mapping/rules/scope.ts';
import { compileParts } from '../records/compile-parts.ts';
import { finders, idRuleOf, PlannedRead, plansOf, type Plan, type Plans } from '../records/planned-read.ts';
import type { RowsSource } from '../records/rows-read.ts';
import type { SourceContext } from '../records/source-context.ts';
import { arrivedRecords, type Arrived } from '../records/arrived.ts';
import { asksOf, fingerprintOf, rulesOf } from '../records/rule-texts.ts';
import { keepersOf } from '../records/keepers-of.ts';
import { openerOf } from '../records/recorded-read.ts';
import { memberships } from './memberships.ts';
import { readResources, type Progress } from './read-resources.ts';
import type { ScimClient } from './scim-client.ts';
import type { ScimList } from './scim-pages.ts';

const SCIM_DIALECT: Dialect = {
  foldName: (name) => name.toLowerCase(),
  canonicalRef: (text) => text,
  isTop: () => false,
  isRoot: () => false,
  defaultRefs: (id) => [id],
  defaultParent: null,
  leaveOut: (name) => `by the filter${name === null ? '' : `, with ${name} pr`}`,
};

/** The list of one part. */
interface ListAsk {
  readonly part: SourcePart['part'];
  readonly list: ScimList;
}

/** Returns a SCIM 2.0 server as a source. Compiles the rules: throws a `ConfigError`. */
export function scimSource(settings: ScimSettings, context: SourceContext): RowsSource {
  const { clock } = context;
  const { units, people, positions } = settings;
  const { host, pathname } = new URL(settings.url);
  const identity = spellIdentity({
    kind: 'scim',
    place: `${host}${pathname}`,
    unitId: idRule(units),
    personId: idRule(people),
  });
  const plans = plansOf(
    compileParts(settings, SCIM_DIALECT, context),
    (part) => askOf(settings, part),
    keepersOf({ settings, identity }, context),
  );
  const openIt = async (signal: AbortSignal): Promise<ScimRead> => {
    if (signal.aborted) throw stopped();
    // Loaded only when it is asked for, as drivers are: undici also takes over the fetch of Node.
    const { ScimClient: Client } = await import('./scim-client.ts');
    return new ScimRead({ plans, at: new Date(clock.now()), signal }, new Client(settings, clock, signal));
  };
  const open = openerOf({ settings, identity, plans }, context, openIt);
  return {
    fingerprint: fingerprintOf(settings, ['scim']),
    besides: context.expressions.besides,
    asks: asksOf(settings),
    identity,
    hasPositions: positions !== undefined,
    rules: rulesOf(settings),
    open,
    ...finders(plans, open),
  };
}

interface Asked {
  readonly resource: string;
  readonly rules: { readonly id: FieldRule };
}

/** Returns list and rule; names of attributes match in any case. */
const idRule = (part: Asked | undefined): string =>
  part === undefined ? '' : `${part.resource} ${idRuleOf(part).toLowerCase()}`;

function askOf(settings: ScimSettings, part: keyof Plans<ListAsk>): ListAsk | null {
  const asked = settings[part];
  if (asked === undefined) return null;
  const { pageSize } = settings;
  const { resource, filter } = asked;
  return { part: part === 'rows' ? 'partners' : part, list: { resource, filter, pageSize } };
}

interface Context {
  readonly plans: Plans<ListAsk>;
  /** When the read began. */
  readonly at: Date;
  readonly signal: AbortSignal;
}

/** One read over one connection. */
class ScimRead extends PlannedRead<ListAsk> {
  readonly #context: Context;
  readonly #client: ScimClient;
  readonly #progress = new Map<SourcePart['part'], Progress>();

  constructor(context: Context, client: ScimClient) {
    super(context.plans);
    this.#context = context;
    this.#client = client;
  }

  async *arrived<T>({ part, list, mapper }: Plan<ListAsk, T>): AsyncGenerator<Iterable<Arrived<T>>> {
    const progress: Progress = { records: 0, pages: 0, end: null };
    this.#progress.set(part, progress);
    const { at, signal } = this.#context;
    const expand = part === 'positions' ? memberships : null;
    const reading = { list, names: mapper.names, expand, at, signal };
    for await (const records of readResources(this.#client, reading, progress)) {
      yield arrivedRecords(records, mapper);
    }
  }

  told(): SourceEvidence {
    const parts = [...this.#progress].map(([part, { records, pages, end }]) => {
      return { part, records, pages, end: end ?? 'not ended' };
    });
    return { type: 'scim', snapshot: 'none', parts, referrals: [], unknown: [] };
  }

  /** Returns `null`: a server does not tell what a token may change. */
  async mayChange(): Promise<null> {
    return null;
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}
