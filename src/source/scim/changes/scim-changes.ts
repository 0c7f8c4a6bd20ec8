import { FullReadNeededError } from '../../../domain/errors.ts';
import type { RecordKey } from '../../../domain/reading/increment.ts';
import type { Changes, ChangesTold, People } from '../../increments/changes.ts';
import type { Mapper } from '../../mapping/mapper.ts';
import type { Resource } from '../wire/attributes.ts';
import type { ScimClient } from '../wire/scim-client.ts';
import { narrowed, type ScimList } from '../wire/scim-list.ts';
import { scimPages } from '../wire/scim-pages.ts';
import { changedSince, LAST_MODIFIED, modifiedSince, ofFilter, seenNow, type Seen } from './seen-now.ts';

/** By so much the clocks of a server's machines may differ, and so long a change may take until it is shown. */
const OVERLAP_MS = 300_000;

/** What changes ask of one read of a server. */
export interface ScimAsking {
  readonly client: ScimClient;
  /** Address of the server. */
  readonly server: string;
  /** The list of all people. */
  readonly list: ScimList;
  /** Reads people of a list; `look` gets each page before its people are yielded. */
  readonly people: (list: ScimList, look: (page: readonly Resource[]) => void) => People;
}

/** Tells what changed by `meta.lastModified`, and who is gone by a list of all ids. */
export class ScimChanges implements Changes<Seen> {
  readonly how = 'scim';
  readonly asked: Changes<Seen>['asked'];
  /** The ids stand in a filter, which is part of an address. */
  readonly idsAtOnce = 30;
  readonly #asking: ScimAsking;

  constructor(asking: ScimAsking) {
    const { server, list } = asking;
    this.#asking = asking;
    this.asked = [
      { text: server, ifOther: `another server answers: ${server}` },
      {
        text: JSON.stringify([list.resource, list.filter ?? null]),
        ifOther: 'resource or filter of source.people is another',
      },
    ];
  }

  latest(): Promise<Seen> {
    return seenNow(this.#asking.client, this.#asking.list);
  }

  async changedSince(before: Seen, now: Seen): Promise<ChangesTold> {
    if (now.date + OVERLAP_MS < before.date)
      throw new FullReadNeededError('the clock of the server went back');
    return { changed: () => this.#changed(before), ids: () => this.#ids() };
  }

  byIds(ids: readonly RecordKey[]): People {
    const { list } = this.#asking;
    const wanted = new Set(ids);
    const filter = ids.map((id) => `id eq ${JSON.stringify(id)}`).join(' or ');
    return this.#people(narrowed(list, filter), 'id', (resource) => {
      if (!wanted.has(String(resource['id'])))
        throw new FullReadNeededError('the server ignores id in a filter');
    });
  }

  /** Yields those who were changed. The one that was changed last is among them, or the server is not as it was. */
  async *#changed({ last, date }: Seen): People {
    const since = Math.min(last.time, date) - OVERLAP_MS;
    let isLastThere = false;
    yield* this.#people(changedSince(this.#asking.list, since), LAST_MODIFIED, (resource) => {
      const time = modifiedSince(resource, since);
      isLastThere ||= String(resource['id']) === last.id && time >= last.time;
    });
    if (!isLastThere)
      throw new FullReadNeededError(
        'the record that was changed last is older now, or gone: the server may be a restored one',
      );
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
    const { client, list } = this.#asking;
    const pages = scimPages(client, { ...list, attributes: 'id' }, { pages: 0, end: null });
    for await (const page of pages) yield page.map((resource) => String(resource['id']));
  }
}

/** Attributes that a server computes from other resources: `meta.lastModified` of a user stays (RFC 7643, section 4). */
const COMPUTED = /(?:^|[^\w.$-])(?:groups|(?:[\w:.-]*[.:])?manager\.displayname)(?![\w$-])/u;

const TEXTS = /"(?:[^"\\]|\\.)*"/gu;

/** Returns why no server could tell what changed, by the settings alone; `null`: it may. */
export function whyNever(
  filter: string | undefined,
  { names }: Pick<Mapper<unknown>, 'names'>,
): string | null {
  const filtered = (filter ?? '').replaceAll(TEXTS, '""').toLowerCase();
  const found = [...names, filtered].map((text) => COMPUTED.exec(text.toLowerCase())?.[0]);
  const computed = found.find((text) => text !== undefined);
  if (computed === undefined) return null;
  const told = 'changes with other resources, and meta.lastModified of people does not';
  return /groups/u.test(computed)
    ? `groups of people ${told}: read them from source.positions instead, with { person: member, unit: id }`
    : `displayName of a manager ${told}`;
}
