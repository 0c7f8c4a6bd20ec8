import type {
  FullReadNeeded,
  KeyedReading,
  ReadMark,
  RecordKey,
} from '../../../../src/domain/reading/increment.ts';
import type { Source } from '../../../../src/domain/reading/source.ts';
import { each, never } from '../../source-contract.ts';

/** What was told since the last read. */
export interface ToldNow {
  /** Ids of those who came, sorted. */
  readonly came: readonly string[];
  /** Number of those who left, by whatever way that was told. */
  readonly left: number;
  readonly how: ReadMark['how'];
  /** Whether all ids were listed. */
  readonly isListed: boolean;
}

const SALT = 'salt';

/** Follows a source by increments, as the program does, and compares with what a full read finds. */
export class Follower {
  /** Everybody, as text, by key. */
  readonly #people = new Map<RecordKey, string>();
  #mark: ReadMark | null = null;

  /** One that has read all. */
  static async of(source: Source): Promise<Follower> {
    const follower = new Follower();
    await follower.full(source);
    return follower;
  }

  get mark(): ReadMark | null {
    return this.#mark;
  }

  set mark(mark: ReadMark | null) {
    this.#mark = mark;
  }

  get keys(): readonly RecordKey[] {
    return [...this.#people.keys()];
  }

  /** Returns how increments are told here, or why they are not. */
  async full(source: Source): Promise<string> {
    const read = await source.open(never);
    try {
      const { incremental } = read;
      const mark =
        incremental === undefined
          ? { why: 'off' }
          : 'why' in incremental
            ? incremental
            : await incremental.begin();
      this.#people.clear();
      for await (const reading of each(
        read.people({ salt: SALT, areKnown: (prints) => prints.map(() => false) }),
      ))
        this.#take(reading);
      this.#mark = 'why' in mark ? null : mark;
      return 'why' in mark ? mark.why : mark.how;
    } finally {
      await read.close();
    }
  }

  /** Returns what was told, or why a full read is needed. */
  async increment(source: Source, again: readonly RecordKey[] = []): Promise<ToldNow | FullReadNeeded> {
    const read = await source.open(never);
    try {
      const { incremental } = read;
      if (incremental === undefined || 'why' in incremental || this.#mark === null)
        throw new Error('not followed');
      const begun = await incremental.begin();
      if ('why' in begun) return begun;
      const increment = await incremental.increment({ since: this.#mark, again, salt: SALT });
      if ('why' in increment) return increment;
      const came: string[] = [];
      for await (const reading of each(increment.records())) came.push(this.#take(reading));
      const present = increment.present();
      const before = this.#people.size;
      if (present !== null)
        await this.#keep(present, async (keys) => {
          for await (const reading of each(increment.more(keys))) this.#take(reading);
        });
      for (const key of increment.gone()) this.#people.delete(key);
      this.#mark = increment.mark();
      return {
        came: came.toSorted(),
        left: before - this.#people.size,
        how: this.#mark.how,
        isListed: present !== null,
      };
    } finally {
      await read.close();
    }
  }

  /** As `increment`, where no full read may be needed. */
  async told(source: Source, again: readonly RecordKey[] = []): Promise<ToldNow> {
    const told = await this.increment(source, again);
    if ('why' in told) throw told instanceof Error ? told : new Error(told.why);
    return told;
  }

  /** Returns what came of an increment: why a full read is needed, or whether it has led to what that finds. */
  async outcome(source: Source): Promise<string> {
    const told = await this.increment(source);
    if ('why' in told) return told.why;
    const isSame = JSON.stringify(this.everybody()) === JSON.stringify(await Follower.found(source));
    return isSame ? 'as found' : 'not as found';
  }

  /** Returns what a full read finds. */
  static async found(source: Source): Promise<ReturnType<Follower['everybody']>> {
    return (await Follower.of(source)).everybody();
  }

  /** Returns everybody as text, sorted by key. */
  everybody(): readonly (readonly [RecordKey, string])[] {
    return [...this.#people].toSorted(([one], [other]) => (one < other ? -1 : 1));
  }

  async #keep(
    present: AsyncIterable<Iterable<RecordKey>>,
    more: (keys: readonly RecordKey[]) => Promise<void>,
  ): Promise<void> {
    const listed = new Set<RecordKey>();
    for await (const keys of present)
      for (const key of keys) {
        // The core takes a key that is listed twice for one that several records have.
        if (listed.has(key)) throw new Error(`${key} is listed twice`);
        listed.add(key);
      }
    for (const key of this.#people.keys()) if (!listed.has(key)) this.#people.delete(key);
    await more([...listed].filter((key) => !this.#people.has(key)));
  }

  /** Keeps a person; returns the id. */
  #take(reading: KeyedReading): string {
    if (reading.key === undefined) throw new Error(`no key: ${JSON.stringify(reading)}`);
    const { key, ...rest } = reading;
    this.#people.set(key, JSON.stringify(rest));
    return reading.ok ? reading.record.id : (reading.refusal.id ?? '?');
  }
}
