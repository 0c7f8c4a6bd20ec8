import { FakeClock } from '../../doubles/fake-clock.ts';
import { restSource } from '../open-one.ts';
import { IDS, PEOPLE, place, same, type Fault, type Wire } from '../wire.ts';
import { pageReply, startRest, type Page, type Reply, type Row, type Twist } from './rest-server.ts';
import { counting, crowd, crowdLists, crowdSettings, type Style } from './rest-world.ts';

const ALL = crowd(PEOPLE);

/** Returns an answer with other records, from where one goes on as before. */
function withData({ body, ...reply }: Reply, change: (rows: readonly Row[]) => readonly Row[]): Reply {
  if (Array.isArray(body)) return { ...reply, body: change(body as readonly Row[]) };
  const page = body as Page;
  return { ...reply, body: { ...page, data: change(page.data) } };
}

const repeated = (rows: readonly Row[], start: number, n: number): readonly Row[] =>
  start === 0 ? rows.toSpliced(n, 0, ALL[n] as Row) : ALL.slice(start - rows.length, start);

/** Returns what a fault makes of the answers to questions for people and for their number. */
function twisted(style: Style, { is, at }: Fault): Twist {
  const n = place(at, PEOPLE);
  const gone = ALL.toSpliced(n, 1);
  const without = (rows: readonly Row[]): readonly Row[] => rows.filter(({ id }) => id !== ALL[n]?.['id']);
  let count = 0;
  return (asked, usual) => {
    count += 1;
    const { start, size, list } = asked;
    const hasChanged = is === 'changed' && count > 1 + place(at, 6);
    if (list === 'people/count') return { body: { n: hasChanged ? gone.length : PEOPLE } };
    if (hasChanged) {
      // Offsets and numbers count what is there; cursors go on behind the same record.
      return style === 'offset' || style === 'page' ? pageReply(gone, asked) : withData(usual, without);
    }
    if (start > n || n >= start + size) return null;
    if (is === 'cut')
      return {
        ...usual,
        body: JSON.stringify(usual.body).slice(0, -1 - place(at, 50)),
      };
    if (is === 'hidden') return withData(usual, without);
    return is === 'repeated' ? withData(usual, (rows) => repeated(rows, start, n)) : null;
  };
}

/** A server with pages of 7 in one style, and a question for the number of people. */
export async function restWire(style: Style): Promise<Wire> {
  const server = await startRest(crowdLists(PEOPLE));
  const settings = crowdSettings(server.url, style, { size: 7, people: { complete: counting('people') } });
  let changed: readonly string[] = IDS;
  return {
    disturbed: (fault) => {
      changed = fault.is === 'changed' ? IDS.toSpliced(place(fault.at, PEOPLE), 1) : IDS;
      const twist = twisted(style, fault);
      server.reset();
      server.twist = (asked, usual) => (asked.list.startsWith('people') ? twist(asked, usual) : null);
      return { source: restSource(settings, new FakeClock({ auto: true })) };
    },
    isWhole: (people) => {
      const ids = people.map(({ id }) => id);
      return same(ids, IDS) || same(ids, changed);
    },
    stop: () => server.close(),
  };
}
