import { fullRead } from '../../domain/full-reads.ts';
import type { FullReadNeeded, RecordKey } from '../../domain/reading/increment.ts';
import { printable } from '../../domain/text/printable.ts';
import type { IncrementChanges, ReportedChanges, People } from '../increments/increments.ts';
import { wentBack } from '../increments/clock.ts';
import type { Mapper } from '../mapping/mapper.ts';
import { firstValue } from '../mapping/values/raw-record.ts';
import { readList } from '../http/lists/read-list.ts';
import { RefusedAnswer } from '../http/problems.ts';
import { attributeReader, isBoolean, type Resource } from './attributes.ts';
import {
  askPage,
  askScim,
  isRefusal,
  narrowed,
  scimPages,
  type ScimPage,
  type ScimList,
  type ScimServer,
} from './scim-pages.ts';
import { isObject } from '../../lib/parse-lossless.ts';

/** By so much the clocks of a server's machines may differ, and so long a change may take until it is shown. */
const OVERLAP_MS = 300_000;

/** What changes ask of one read of a server. */
interface ScimAsking {
  /** When the read began, by our own clock. */
  readonly at: Date;
  readonly server: ScimServer;
  /** The list of all people. */
  readonly list: ScimList;
  /** Reads people of a list; `look` gets each page before its people are yielded. */
  readonly people: (list: ScimList, look: (page: readonly Resource[]) => void) => People;
}

/** Tells what changed by `meta.lastModified`, and who is gone by a list of all ids. */
export class ScimChanges implements IncrementChanges<SeenPeople> {
  readonly how = 'scim';
  readonly asked: IncrementChanges<SeenPeople>['asked'];
  /** The ids stand in a filter, which is part of an address. */
  readonly idsAtOnce = 30;
  readonly #asking: ScimAsking;

  constructor(asking: ScimAsking) {
    const { server, list } = asking;
    this.#asking = asking;
    this.asked = [
      { text: server.url, ifOther: fullRead('full-server', { server: server.url }) },
      {
        text: JSON.stringify([list.resource, list.filter ?? null]),
        ifOther: fullRead('full-people', { what: 'resource or filter' }),
      },
    ];
  }

  latest(): Promise<SeenPeople> {
    return seenNow(this.#asking);
  }

  async changedSince(before: SeenPeople, now: SeenPeople): Promise<ReportedChanges> {
    if (now.date + OVERLAP_MS < before.date || wentBack(before, now, OVERLAP_MS))
      throw fullRead('full-clock', {});
    return { changed: () => this.#changed(before), ids: () => this.#ids() };
  }

  byIds(ids: readonly RecordKey[]): People {
    const { list } = this.#asking;
    const wanted = new Set(ids);
    const filter = ids.map((id) => `id eq ${JSON.stringify(id)}`).join(' or ');
    return this.#people(narrowed(list, filter), 'id', (resource) => {
      if (!wanted.has(String(resource['id']))) throw fullRead('full-ignored', { attribute: 'id', which: '' });
    });
  }

  /** Yields those who were changed. The one that was changed last is among them, or the server is not as it was. */
  async *#changed({ last, date }: SeenPeople): People {
    const since = Math.min(last.time, date) - OVERLAP_MS;
    let isLastThere = false;
    yield* this.#people(changedSince(this.#asking.list, since), LAST_MODIFIED, (resource) => {
      const time = modifiedSince(resource, since);
      isLastThere ||= String(resource['id']) === last.id && time >= last.time;
    });
    if (!isLastThere)
      throw fullRead('full-restored', { what: 'the record that was changed last is older now, or gone' });
  }

  /** Yields the people of a list that is narrowed by a filter. */
  async *#people(list: ScimList, attribute: string, look: (resource: Resource) => void): People {
    try {
      yield* this.#asking.people(list, (page) => page.forEach((resource) => look(resource)));
    } catch (error) {
      throw ofFilter(error, attribute);
    }
  }

  async *#ids(): AsyncGenerator<readonly RecordKey[]> {
    const { server, list } = this.#asking;
    const pages = readList(scimPages(server, { ...list, attributes: 'id' }), { pages: 0, end: null });
    for await (const page of pages) yield page.map((resource) => String(resource['id']));
  }
}

/** Attributes that a server computes from other resources: `meta.lastModified` of a user stays (RFC 7643, section 4). */
const COMPUTED = /(?:^|[^\w.$-])(?:groups|(?:[\w:.-]*[.:])?manager\.displayname)(?![\w$-])/u;

const TEXTS = /"(?:[^"\\]|\\.)*"/gu;

/** Returns why no server could tell what changed, by the settings alone; `null`: it may. */
export function whyNever(
  filter: string | undefined,
  { columns }: Pick<Mapper<unknown>, 'columns'>,
): FullReadNeeded | null {
  const filtered = (filter ?? '').replaceAll(TEXTS, '""').toLowerCase();
  const found = [...columns.map(({ name }) => name), filtered].map(
    (text) => COMPUTED.exec(text.toLowerCase())?.[0],
  );
  const computed = found.find((text) => text !== undefined);
  if (computed === undefined) return null;
  return /groups/u.test(computed)
    ? fullRead('full-scim-groups', {})
    : fullRead('full-computed', { what: 'displayName of a manager' });
}

/** Up to where a server was seen. All times are its own, ms. */
interface SeenPeople {
  /** Its clock. */
  readonly date: number;
  /** How far it is ahead of our own clock, ms. */
  readonly aheadOfUs: number;
  /** The one that was changed last, and when: if it is older later on, the server was restored. */
  readonly last: { readonly id: RecordKey; readonly time: number };
}

/** How far back the one that was changed last is looked for, in seconds: an hour, then days. */
const WINDOWS = [3_600, 86_400, 864_000, 8_640_000, 86_400_000] as const;
/** The beginning of time. */
const EVER = 0;
/**
 * How many times a person is looked for who was changed later than those seen. If one is missed, the next
 * read reports more people again.
 */
const MOST_LOOKS = 10;
/** So many are looked at together. */
const FEW = 50;

/** Returns up to where the server is seen now. Throws a `FullReadNeededError` if it cannot tell what changes. */
async function seenNow({ server, list, at }: ScimAsking): Promise<SeenPeople> {
  await requireFilters(server);
  const { total, date } = await askPage(server, { ...list, pageSize: 1 }, 1);
  if (date === null) throw fullRead('full-hidden', { what: 'the time (Date)' });
  const ever = await pageSince(server, { ...list, pageSize: 1 }, EVER);
  if (ever.total !== total)
    throw fullRead('full-found', { attribute: LAST_MODIFIED, found: ever.total, total });
  return { date, aheadOfUs: date - at.getTime(), last: await latest(server, list, date) };
}

/** Asks the server whether it takes filters at all (RFC 7644, section 4); some do not say. */
async function requireFilters(server: ScimServer): Promise<void> {
  const value = await askScim(server, 'ServiceProviderConfig').then(
    (answer) => (isObject(answer.value) ? answer.value['filter'] : undefined),
    (error: unknown) => {
      if (!(error instanceof RefusedAnswer)) throw error;
    },
  );
  if (isObject(value) && isBoolean(value['supported'], false)) throw fullRead('full-no-filters', {});
}

/** Returns the one that was changed last. The server's clock only says where to begin to look. */
async function latest(server: ScimServer, list: ScimList, date: number): Promise<SeenPeople['last']> {
  let last: SeenPeople['last'] | null = null;
  for (const start of [...WINDOWS.map((seconds) => date - seconds * 1_000), EVER]) {
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const since: number = last === null ? start : last.time + 1_000;
      const { records } = await pageSince(server, { ...list, pageSize: FEW }, since);
      const times = records.map(({ key: id, record }) => ({ id, time: modifiedSince(record, since) }));
      const [newest] = times.toSorted((a, b) => b.time - a.time);
      if (newest === undefined) break;
      last = newest;
    }
    if (last !== null) return last;
  }
  throw fullRead('full-empty', {});
}

/** Returns a page of those who were changed since. */
async function pageSince(server: ScimServer, list: ScimList, since: number): Promise<ScimPage> {
  try {
    return await askPage(server, changedSince({ ...list, attributes: 'id,meta' }, since), 1);
  } catch (error) {
    throw ofFilter(error, LAST_MODIFIED);
  }
}

/** When a resource was changed last, by the server's clock (RFC 7643, section 3.1). */
const LAST_MODIFIED = 'meta.lastModified';

const read = attributeReader(LAST_MODIFIED);

/** A time without a zone is of an unknown clock. */
const TIME = /^(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?<fraction>\.\d+)?(?<zone>Z|[+-]\d\d:?\d\d)$/iu;

/** A server may compare whole seconds. */
const WITHIN_MS = 1_000;

/** Returns the list of those of its records that were changed at a time, ms, or later (RFC 7644, section 3.4.2.2). */
function changedSince(list: ScimList, since: number): ScimList {
  const time = `${new Date(since).toISOString().slice(0, 19)}Z`;
  return narrowed(list, `${LAST_MODIFIED} ge "${time}"`);
}

/**
 * Returns when the resource was changed last, ms. Throws a `FullReadNeededError` if it does not tell, or if that is
 * before the time that was asked for.
 */
function modifiedSince(resource: Resource, since: number): number {
  const at = lastModifiedOf(resource);
  if (at >= since - WITHIN_MS) return at;
  const which = `: it answers with ${idOf(resource)}, which was not changed since`;
  throw fullRead('full-ignored', { attribute: LAST_MODIFIED, which });
}

function lastModifiedOf(resource: Resource): number {
  const { time = '', fraction = '', zone = '' } = TIME.exec(firstValue(read(resource)) ?? '')?.groups ?? {};
  const at = Date.parse(`${time}${fraction}${zone.replace(/(\d\d):?(\d\d)$/u, '$1:$2')}`);
  if (Number.isNaN(at)) throw fullRead('full-zone', { attribute: LAST_MODIFIED, id: idOf(resource) });
  return at;
}

/** Returns the error of a question with a filter; if the server refuses that, only a full read tells. */
function ofFilter(error: unknown, attribute: string): unknown {
  if (!isRefusal(error)) return error;
  return fullRead('full-filter', { attribute, said: error.words }, { cause: error });
}

const idOf = (resource: Resource): string => printable(String(resource['id']));
