import { AndFilter, GreaterThanEqualsFilter, NotFilter, PresenceFilter, type Filter } from 'ldapts';

import type { RootValues } from '../../../../domain/directories/vendors.ts';
import type { FullReadNeeded, RecordKey } from '../../../../domain/reading/increment.ts';
import { lookAt } from '../../read/look-at.ts';
import type { ChangesCourse, PeopleSearch } from '../people-search.ts';
import { serverTime, shiftedTime } from './server-time.ts';
import { HAS_SUBORDINATES, RESTORED, type Told, type Touched, type Way } from '../way.ts';

interface Position {
  /** Time of the server: `20261124134502Z`. */
  readonly time: string;
  /** The entry that was changed last, and when: where it is older later on, the directory was restored. */
  readonly last: { readonly key: RecordKey; readonly time: string };
}

/** Seconds by which clocks of servers that copy from each other may differ, and that a copy may take. */
const OVERLAP = 300;

/** How far back the entry that changed last is looked for, in seconds: an hour, then days. */
const WINDOWS = [3_600, 86_400, 864_000, 8_640_000, 86_400_000] as const;
const EVER = '19700101000000Z';
/** So many times an entry is looked for that changed later than those seen: if one is left, more is told twice. */
const MOST_LOOKS = 30;

const MODIFIED = 'modifyTimestamp';

/** Times at which entries were changed, as the servers write them, and a list of all ids for who left. */
export class Timestamps implements Way<Position> {
  readonly how = 'timestamps';
  readonly madeAttribute = 'createTimestamp';
  readonly parents = HAS_SUBORDINATES;
  readonly #people: PeopleSearch;
  readonly #course: ChangesCourse;

  constructor(people: PeopleSearch, course: ChangesCourse) {
    this.#people = people;
    this.#course = course;
  }

  async begin(): Promise<Position | FullReadNeeded> {
    const clock = await this.#clock();
    const last = await this.#latest();
    if (last === null) return { why: `${MODIFIED} of entries is not to be seen` };
    const bare = await this.#firstWithout();
    if (bare !== null) return { why: `${MODIFIED} of ${bare} is not to be seen` };
    return { time: clock !== null && clock > last.time ? clock : last.time, last };
  }

  async check({ time, last }: Position, now: Position): Promise<FullReadNeeded | null> {
    const filter = this.#course.keys.filterOf([last.key]);
    const [entry] = await this.#look(filter);
    const modified = timeIn(entry);
    if (modified === null || modified < last.time) return RESTORED;
    const isBack = shiftedTime(now.time, OVERLAP) < time;
    return isBack ? { why: 'the clock of the server went back' } : null;
  }

  isOld(made: string | null, { time }: Position): boolean {
    const at = serverTime(made ?? '');
    // Whoever is below a later one came there later, and is told.
    return at === null || at < shiftedTime(time, -OVERLAP);
  }

  touched(since: Position): readonly Touched[] {
    return [{ filter: new AndFilter({ filters: [this.parents, changedSince(since)] }) }];
  }

  since(since: Position): Promise<Told> {
    return Promise.resolve({
      changed: () => this.#people.narrowed(changedSince(since)),
      present: () => this.#people.allKeys(),
      listsBases: true,
      gone: () => [],
    });
  }

  /** Returns the time of the server's clock, where it shows that (389 Directory Server); `null`: it does not. */
  async #clock(): Promise<string | null> {
    const { vendor } = this.#course.directory;
    if (vendor !== '389' && vendor !== 'freeipa') return null;
    const [monitor] = await lookAt(this.#course, {
      base: 'cn=monitor',
      scope: 'base',
      attributes: ['currentTime'],
    });
    return serverTime(monitor?.('currentTime')[0] ?? '');
  }

  /** Returns the entry that was changed last. Our own clock only says where to begin to look. */
  async #latest(): Promise<Position['last'] | null> {
    const now = this.#course.at.getTime();
    const from = WINDOWS.map((seconds) => timeText(now - seconds * 1_000));
    for (const time of [...from, EVER]) {
      const last = await this.#latestFrom(time);
      if (last !== null) return last;
    }
    return null;
  }

  async #latestFrom(from: string): Promise<Position['last'] | null> {
    let last: Position['last'] | null = null;
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const time = last === null ? from : shiftedTime(last.time, 1);
      const entries = await this.#look(atLeast(time));
      const times = entries.map((entry) => ({ key: this.#keyIn(entry), time: timeIn(entry) ?? '' }));
      const [latest] = times.filter((one) => one.time !== '').toSorted((a, b) => (a.time < b.time ? 1 : -1));
      if (latest === undefined) return last;
      last = latest;
    }
    return last;
  }

  async #firstWithout(): Promise<string | null> {
    const without = new NotFilter({ filter: new PresenceFilter({ attribute: MODIFIED }) });
    const { reach } = this.#course.plan;
    const [bare] = await this.#look(new AndFilter({ filters: [reach.filter, without] }));
    return bare === undefined ? null : `the entry ${this.#keyIn(bare)}`;
  }

  /** Returns some entries below the bases, of whatever kind. */
  async #look(filter: Filter): Promise<readonly RootValues[]> {
    const attributes = [this.#course.keys.attribute, MODIFIED];
    const found: RootValues[] = [];
    for (const { base } of this.#people.searches)
      found.push(...(await lookAt(this.#course, { base, scope: 'sub', filter, attributes })));
    return found;
  }

  #keyIn(entry: RootValues): RecordKey {
    return (entry(this.#course.keys.attribute)[0] ?? '').toLowerCase();
  }
}

const timeIn = (entry: RootValues | undefined): string | null => serverTime(entry?.(MODIFIED)[0] ?? '');

const atLeast = (value: string): Filter => new GreaterThanEqualsFilter({ attribute: MODIFIED, value });

const changedSince = ({ time }: Position): Filter => atLeast(shiftedTime(time, -OVERLAP));

const timeText = (ms: number): string => shiftedTime(EVER, Math.floor(ms / 1_000));
