import type {
  FullReadNeeded,
  Increment,
  IncrementalRead,
  ReadMark,
} from '../../../domain/reading/increment.ts';
import { ContainerSearch, moved, type ContainerList } from './containers.ts';
import { lookAt } from '../read/look-at.ts';
import { PeopleIncrement, type ReadPeople } from './people-increment.ts';
import { PeopleSearch, type ChangesCourse } from './people-search.ts';
import { askedIn, parseMark, writeMark, type Mark } from './read-mark.ts';
import { isNeeded, type Way } from './way.ts';

/** Returns the best of the ways that a server has. */
export type ChooseWay<P extends object> = (
  people: PeopleSearch,
  course: ChangesCourse,
) => Promise<Way<P> | FullReadNeeded>;

/** What was seen before anybody was read. */
interface Begun<P extends object> {
  readonly way: Way<P>;
  readonly search: ContainerSearch;
  readonly containers: ContainerList;
  readonly mark: Mark<P>;
}

/** What a directory tells of changes, during one read. */
export class LdapIncrements<P extends object> implements IncrementalRead {
  readonly #course: ChangesCourse;
  readonly #people: PeopleSearch;
  readonly #choose: ChooseWay<P>;
  readonly #read: ReadPeople;
  #begun: Begun<P> | FullReadNeeded = { why: 'nothing was begun' };

  constructor(course: ChangesCourse, choose: ChooseWay<P>, read: ReadPeople) {
    this.#course = course;
    this.#people = new PeopleSearch(course);
    this.#choose = choose;
    this.#read = read;
  }

  async begin(): Promise<ReadMark | FullReadNeeded> {
    this.#begun = await this.#begin();
    return isNeeded(this.#begun) ? this.#begun : writeMark(this.#begun.way.how, this.#begun.mark);
  }

  async increment({
    since,
    again,
    salt,
  }: Parameters<IncrementalRead['increment']>[0]): Promise<Increment | FullReadNeeded> {
    const begun = this.#begun;
    if (isNeeded(begun)) return begun;
    const { way, mark } = begun;
    const before = markOf<P>(since, way.how, mark);
    if (isNeeded(before)) return before;
    const why = (await this.#check(before, begun)) ?? (await way.since(before.seen, mark.seen));
    if (isNeeded(why)) return why;
    return new PeopleIncrement({
      people: this.#people,
      told: why,
      again,
      mark: writeMark(way.how, mark),
      read: (batches) => this.#read(batches, salt),
    });
  }

  async #begin(): Promise<Begun<P> | FullReadNeeded> {
    const way = await this.#choose(this.#people, this.#course);
    if (isNeeded(way)) return way;
    const blind = await this.#blindFor(way);
    if (blind !== null) return blind;
    // Where it was seen, then what is above people, then people: what changes between is told, or seen, the next time.
    const seen = await way.begin();
    if (isNeeded(seen)) return seen;
    const { keys, directory, settings } = this.#course;
    const search = new ContainerSearch(this.#people, keys, way.madeAttribute);
    const containers = await search.usual();
    const about = { server: directory.server.url, asked: askedIn(settings) };
    return { way, search, containers, mark: { ...about, containers: containers.text, seen } };
  }

  /** Returns that the server does not show which entries have others below them, where that has to be known. */
  async #blindFor({ parents }: Way<P>): Promise<FullReadNeeded | null> {
    if (parents === null) return null;
    for (const { base } of this.#people.searches) {
      const look = { base, scope: 'base', filter: parents, attributes: ['1.1'] } as const;
      if ((await lookAt(this.#course, look)).length === 0)
        return { why: `the server does not show that ${base} has entries below it (hasSubordinates)` };
    }
    return null;
  }

  async #check(before: Mark<P>, { way, search, containers, mark }: Begun<P>): Promise<FullReadNeeded | null> {
    const why = await way.check(before.seen, mark.seen);
    if (why !== null) return why;
    const isOld = (made: string | null): boolean => way.isOld(made, before.seen);
    const changed = containers.changedSince(before.containers, isOld);
    if (changed !== null) return changed;
    for (const touched of way.touched(before.seen)) {
      const unknown = containers.unknownIn(await search.touched(touched), isOld);
      if (unknown.length > MOST_UNKNOWN)
        return { why: `${unknown.length} entries may have people below them` };
      for (const dn of unknown) if (await this.#hasPeople(dn)) return moved(dn);
    }
    return null;
  }

  /** Returns whether people are below an entry. */
  async #hasPeople(dn: string): Promise<boolean> {
    const { filter } = this.#course.plan.reach;
    const found = await lookAt(this.#course, { base: dn, scope: 'sub', filter, attributes: ['1.1'] });
    return found.length > 1 || found.some((entry) => entry('dn')[0] !== dn);
  }
}

/** So many entries are looked at for people below them. */
const MOST_UNKNOWN = 50;

/** Returns an earlier mark, where it is one of the same server and for the same people. */
function markOf<P extends object>(
  since: ReadMark,
  how: ReadMark['how'],
  mark: Mark<P>,
): Mark<P> | FullReadNeeded {
  if (since.how !== how) return { why: `it was told by ${since.how} before, and is by ${how} now` };
  const before = parseMark<P>(since.text);
  if (before === null) return { why: 'the mark of the last read is not of this version' };
  if (before.server !== mark.server) return { why: `another server answers: ${mark.server}` };
  return before.asked === mark.asked ? before : { why: 'base, scope, filter or exclusions are others' };
}
