import { onTestFinished } from 'vitest';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { FakeClock } from '../doubles/fake-clock.ts';
import { restSource } from '../source/open-one.ts';
import { crowd, counting, crowdSettings, type Style } from '../source/rest/rest-world.ts';
import { startRest, type Page, type RestServer, type Row } from '../source/rest/rest-server.ts';
import { Chance } from './chance.ts';

type People = MemoryWorld['people'];

const STYLES: readonly Style[] = ['offset', 'page', 'cursor', 'next', 'link'];
const SIZE = 60;
/** Of the reads. */
const DISTURBED = 0.4;
/** Rows besides those of people, which come and go: one at each end of the list. */
const BALLAST = 20;

/** A read that is disturbed: what its server does from one page on. */
interface Disturbed {
  readonly server: RestServer;
  readonly chance: Chance;
  /** Number of a request: not the first page. */
  readonly from: number;
}

const isPage = (body: unknown): body is Page => typeof body === 'object' && body !== null && 'data' in body;

/** Changes the page of one request; in the header Link goes on the list alone. */
const changing =
  (change: (page: Page) => Partial<Page>, headers?: Readonly<Record<string, string>>) =>
  ({ server, from }: Disturbed): void => {
    server.twist = ({ number }, { body, ...usual }) => {
      if (number !== from) return null;
      if (isPage(body)) return { ...usual, ...headers, body: { ...body, ...change(body) } };
      const { data = body } = change({
        data: body as Page['data'],
        total: 0,
        more: true,
        cursor: '',
        next: '',
      });
      return { ...usual, ...headers, body: data };
    };
  };

/** What a list goes through while it is read. */
const DISTURBANCES: Readonly<Record<string, (read: Disturbed) => void>> = {
  'a page is cut': changing(({ data }) => ({ data: data.slice(0, -1) })),
  'a page is empty': changing(() => ({ data: [] })),
  'a page names none that follows': ({ server, from }) => {
    server.twist = ({ number }, { body }) =>
      number === from
        ? { body: isPage(body) ? { ...body, more: false, cursor: null, next: null } : body }
        : null;
  },
  'the answer is cut': ({ server, from }) => {
    server.twist = ({ number }, { body }) =>
      number === from ? { body: JSON.stringify(body).slice(0, -7) } : null;
  },
  'the list is cut, and its total too': ({ server, chance }) => {
    const most = SIZE + chance.below(SIZE);
    const { people = [] } = server.lists;
    server.lists = { people: people.slice(0, most) };
    server.twist = ({ list }) => (list === 'people/count' ? { body: { n: people.length } } : null);
  },
  'a page is repeated': ({ server, from }) => {
    let before: unknown = null;
    server.twist = ({ number }, { body }) => {
      if (number === from) return { body: before };
      before = body;
      return null;
    };
  },
  'a record is repeated': changing(({ data }) => ({ data: [...data.slice(0, -1), ...data.slice(0, 1)] })),
  'the list is reordered': ({ server, from, chance }) => {
    server.before = ({ number }) => {
      const { people = [] } = server.lists;
      if (number === from) server.lists = { people: chance.some(people, people.length) };
    };
  },
  'a record is put to the end': moved((people) => [...people.slice(1), ...people.slice(0, 1)]),
  'a record is put to the beginning': moved((people) => [...people.slice(-1), ...people.slice(0, -1)]),
  'one goes': moved((people) => people.slice(1)),
  'one comes': moved((people) => [{ id: 'new' }, ...people]),
  'one goes and one comes': moved((people) => [...people.slice(1), { id: 'new' }]),
};

/** What nothing shows: pages by number have no overlap, and who gives cursors promises that they stay where they are. */
const UNSEEN: Readonly<Partial<Record<Style, readonly string[]>>> = {
  page: ['one goes and one comes'],
  cursor: ['one goes', 'one goes and one comes'],
  next: ['one goes', 'one goes and one comes'],
  link: ['one goes', 'one goes and one comes'],
};

function moved(move: (people: readonly Row[]) => readonly Row[]) {
  return ({ server, from }: Disturbed): void => {
    server.before = ({ number }) => {
      if (number === from) server.lists = { people: move(server.lists['people'] ?? []) };
    };
  };
}

/**
 * Carries the people of a source in memory through a list of JSON over HTTP that is cut, repeated, reordered and moved
 * between pages while it is read. Who does not come is lost; a read that fails is one of the source.
 */
export class Carried {
  /** Lists from which somebody was lost without a word. */
  readonly findings: string[] = [];
  /** Whether the last read missed somebody in a way that nothing shows: the next one makes up for it. */
  isShort = false;
  readonly #server: RestServer;
  readonly #style: Style;
  readonly #chance: Chance;

  private constructor(server: RestServer, seed: number) {
    this.#server = server;
    this.#chance = new Chance(seed);
    this.#style = this.#chance.of(STYLES);
  }

  static async open(seed: number): Promise<Carried> {
    const server = await startRest();
    onTestFinished(async () => server.close());
    return new Carried(server, seed);
  }

  async carry(people: People, signal: AbortSignal): Promise<People> {
    const what = this.#disturb(people.length);
    const settings = crowdSettings(this.#server.url, this.#style, {
      size: SIZE,
      people: { key: 'id', complete: counting('people') },
    });
    const read = await restSource(settings, new FakeClock({ auto: true })).open(signal);
    const came = new Set<string>();
    try {
      for await (const batch of read.people()) for (const one of batch) if (one.ok) came.add(one.record.id);
    } finally {
      await read.close();
    }
    const rest = people.filter((_, at) => came.has(String(at + 1)));
    this.isShort = rest.length < people.length;
    if (this.isShort && UNSEEN[this.#style]?.includes(what) !== true)
      this.findings.push(`${what}, read by ${this.#style}: ${people.length - rest.length} are lost`);
    return rest;
  }

  #disturb(people: number): string {
    const [server, chance] = [this.#server, this.#chance];
    server.reset();
    const ballast = Array.from({ length: BALLAST }, (_, at) => ({
      id: `b${at}`,
      login: `b${at}`,
      name: 'B',
    }));
    server.lists = { people: [...ballast.slice(1), ...crowd(people), ...ballast.slice(0, 1)], units: [] };
    if (chance.share() > DISTURBED) return 'nothing';
    const what = chance.of(Object.keys(DISTURBANCES));
    const from = 2 + chance.below(Math.floor(people / SIZE) - 1);
    DISTURBANCES[what]?.({ server, chance, from });
    return what;
  }
}
