import { FullReadNeededError } from '../../../domain/errors.ts';
import type { Increment, KeyedReadings, ReadMark, RecordKey } from '../../../domain/reading/increment.ts';
import type { Resource } from '../wire/attributes.ts';
import type { ScimList } from '../wire/scim-list.ts';
import { scimPages } from '../wire/scim-pages.ts';
import { changedSince, ofFilter, withIds } from './filters.ts';
import { LAST_MODIFIED, modifiedSince } from './last-modified.ts';
import { writeMark, type Mark } from './read-mark.ts';
import type { People, ScimAsking } from './scim-asking.ts';

/** By so much the clocks of a server's machines may differ, and so long a change may take until it is shown. */
export const OVERLAP_MS = 300_000;

/** So many ids stand in one filter: it is part of an address. */
const IDS_AT_ONCE = 30;

interface Asked {
  readonly again: readonly RecordKey[];
  readonly salt: string;
}

/** What changed on a server since a mark. */
export class ScimIncrement implements Increment {
  readonly #asking: ScimAsking;
  readonly #asked: Asked;
  readonly #before: Mark;
  readonly #now: Mark;
  /** Those who came. */
  readonly #came = new Set<RecordKey>();

  constructor(
    asking: ScimAsking,
    asked: Asked,
    { before, now }: { readonly before: Mark; readonly now: Mark },
  ) {
    this.#asking = asking;
    this.#asked = asked;
    this.#before = before;
    this.#now = now;
  }

  records(): KeyedReadings {
    return this.#readings(this.#changedAndAgain());
  }

  present(): AsyncIterable<Iterable<RecordKey>> {
    return this.#ids();
  }

  /** Returns nobody: `present` lists all who are there. */
  gone(): readonly RecordKey[] {
    return [];
  }

  more(keys: readonly RecordKey[]): KeyedReadings {
    return this.#readings(this.#byIds(keys));
  }

  mark(): ReadMark {
    return writeMark(this.#now);
  }

  #readings(people: People): KeyedReadings {
    return this.#asking.readings(people, this.#asked.salt);
  }

  async *#changedAndAgain(): People {
    yield* this.#changed();
    yield* this.#byIds(this.#asked.again);
  }

  /** Yields those who were changed. The one that was changed last is among them, or the server is not as it was. */
  async *#changed(): People {
    const { list } = this.#asking;
    const { last, date } = this.#before;
    const since = Math.min(last.time, date) - OVERLAP_MS;
    let isLastThere = false;
    yield* this.#people(changedSince(list, since), LAST_MODIFIED, (id, resource) => {
      const time = modifiedSince(resource, since);
      isLastThere ||= id === last.id && time >= last.time;
    });
    if (!isLastThere)
      throw new FullReadNeededError(
        'the record that was changed last is older now, or gone: the server may be a restored one',
      );
  }

  /** Yields those of these who are there and did not come yet. */
  async *#byIds(ids: readonly RecordKey[]): People {
    const left = [...new Set(ids)].filter((id) => !this.#came.has(id));
    for (let at = 0; at < left.length; at += IDS_AT_ONCE) {
      const some = left.slice(at, at + IDS_AT_ONCE);
      const wanted = new Set(some);
      yield* this.#people(withIds(this.#asking.list, some), 'id', (id) => {
        if (!wanted.has(id)) throw new FullReadNeededError('the server ignores id in a filter');
      });
    }
  }

  /** Yields the people of a list that is narrowed by a filter, and notes them. */
  async *#people(
    list: ScimList,
    attribute: string,
    look: (id: RecordKey, resource: Resource) => void,
  ): People {
    const lookAt = (page: readonly Resource[]): void => {
      for (const resource of page) {
        const id = String(resource['id']);
        look(id, resource);
        this.#came.add(id);
      }
    };
    try {
      yield* this.#asking.people(list, lookAt);
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
