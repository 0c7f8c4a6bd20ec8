import { fullRead } from '../../domain/full-reads.ts';
import type { FieldRule } from '../../domain/source-settings.ts';
import type { ScimSettings } from './kind.ts';
import type { FullReadNeeded, IncrementalRead } from '../../domain/reading/increment.ts';
import type { Person } from '../../domain/records/records.ts';
import type { SourceEvidence } from '../../domain/reading/source.ts';
import type { SourcePart } from '../../domain/reading/source-part.ts';
import { spellIdentity } from '../../domain/reading/source-identity.ts';
import { stopped } from '../connect/network-problem.ts';
import { listEvidence } from '../http/list-evidence.ts';
import { PLAIN_DIALECT, type Dialect } from '../mapping/rules/scope.ts';
import { Increments } from '../increments/increments.ts';
import { compileParts, type RowsSource, type SourceContext } from '../records/source-context.ts';
import { idRuleOf, PlannedRead, plansOf, sourceOf, type Plan, type Plans } from '../records/planned-read.ts';
import { incomingRecords, type IncomingRecord } from '../records/mapped.ts';
import type { Resource } from './attributes.ts';
import { ScimChanges, whyNever } from './scim-changes.ts';
import {
  membersById,
  memberships,
  readResources,
  showsNoMember,
  type ScimReading,
} from './read-resources.ts';
import type { ScimList, ScimServer } from './scim-pages.ts';
import { openScim } from './scim-server.ts';

const SCIM_DIALECT: Dialect = {
  ...PLAIN_DIALECT,
  foldName: (name) => name.toLowerCase(),
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
  const { units, people } = settings;
  const { host, pathname } = new URL(settings.url);
  const identity = spellIdentity({
    kind: 'scim',
    place: `${host}${pathname}`,
    unitId: idRule(units),
    personId: idRule(people),
  });
  const plans = plansOf(compileParts(settings, SCIM_DIALECT, context), (part) => askOf(settings, part));
  const open = async (signal: AbortSignal): Promise<ScimRead> => {
    if (signal.aborted) throw stopped();
    const server = await openScim(settings, context, signal);
    return new ScimRead({ settings, plans, at: new Date(clock.now()), signal }, server);
  };
  return sourceOf(settings, context, { decides: ['scim'], identity, plans, open });
}

interface ScimRequest {
  readonly resource: string;
  readonly rules: { readonly id: FieldRule };
}

/** Returns list and rule; names of attributes match in any case. */
const idRule = (part: ScimRequest | undefined): string =>
  part === undefined ? '' : `${part.resource} ${idRuleOf(part).toLowerCase()}`;

function askOf(settings: ScimSettings, part: keyof Plans<ListAsk>): ListAsk | null {
  const asked = settings[part];
  if (asked === undefined) return null;
  const { pageSize = 200 } = settings;
  const { trust } = settings.complete ?? {};
  const { resource, filter } = asked;
  return { part: part === 'rows' ? 'partners' : part, list: { resource, filter, pageSize, trust } };
}

interface ScimContext {
  readonly settings: ScimSettings;
  readonly plans: Plans<ListAsk>;
  /** When the read began. */
  readonly at: Date;
  readonly signal: AbortSignal;
}

/** One read over one connection. */
class ScimRead extends PlannedRead<ListAsk> {
  readonly incremental: IncrementalRead | FullReadNeeded | undefined;
  readonly #context: ScimContext;
  readonly #server: ScimServer;

  constructor(context: ScimContext, server: ScimServer) {
    super(context.plans);
    this.#context = context;
    this.#server = server;
    this.incremental = this.#incremental(context);
  }

  incoming<T>(plan: Plan<ListAsk, T>): AsyncIterable<Iterable<IncomingRecord<T>>> {
    this.beginPart(plan.part);
    return this.#listed(plan);
  }

  ownEvidence(): SourceEvidence {
    const isTrusted = this.#context.settings.complete !== undefined;
    return { type: 'scim', unknown: [], ...listEvidence(this.parts, () => isTrusted) };
  }

  protected override isMissed(): boolean {
    return true;
  }

  /** Returns none: no provider tells how far its list is. */
  async marks(): Promise<readonly []> {
    return [];
  }

  async close(): Promise<void> {
    await this.#server.client.close();
  }

  #incremental({ settings, plans: { people }, at }: ScimContext): ScimRead['incremental'] {
    if (settings.changes !== 'auto') return undefined;
    if (people === null) return fullRead('full-elsewhere', {});
    const why = whyNever(people.list.filter, people.mapper);
    if (why !== null) return why;
    const changes = new ScimChanges({
      at,
      server: this.#server,
      list: people.list,
      people: (list, look) => this.#listed<Person>({ ...people, list }, look),
    });
    return new Increments(
      () => Promise.resolve(changes),
      (records, salt) => this.changedPeople(people, records, salt),
    );
  }

  /** Yields the records of a list; those of one part count together, however many lists they take. */
  async *#listed<T>(
    { part, list, mapper }: Plan<ListAsk, T>,
    look?: (resources: readonly Resource[]) => void,
  ): AsyncGenerator<Iterable<IncomingRecord<T>>> {
    const progress = this.progressOf(part);
    const { at, signal } = this.#context;
    const isKeyed = part === 'people' && this.incremental !== undefined && !('why' in this.incremental);
    // The id is added as the last name, even if the rules name it.
    const names = [...mapper.columns.map(({ name }) => name), ...(isKeyed ? ['id'] : [])];
    const reading = { list, names, ...this.#ofMembers(part, list), look, at, signal };
    for await (const records of readResources(this.#server, reading, progress)) {
      yield incomingRecords(records, mapper, isKeyed);
    }
  }
  /** Returns how members of groups are read, if a list is read for them. */
  #ofMembers(
    part: SourcePart['part'],
    { resource }: ScimList,
  ): Pick<ScimReading, 'complete' | 'expand' | 'isSilent'> {
    const { units, positions } = this.#context.settings;
    if (part === 'positions') return { complete: membersById(this.#server, resource), expand: memberships };
    if (part !== 'units' || positions?.resource !== units?.resource) return { expand: null };
    return { complete: membersById(this.#server, resource), expand: null, isSilent: showsNoMember };
  }
}
