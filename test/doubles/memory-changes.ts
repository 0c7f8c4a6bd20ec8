import type {
  FullReadNeeded,
  Increment,
  IncrementalRead,
  KeyedReading,
  KeyedReadings,
  ReadMark,
  RecordKey,
} from '../../src/domain/reading/increment.ts';
import type { Person, Reading } from '../../src/domain/records/records.ts';
import { digest } from '../../src/lib/digest.ts';

/** What each record said at a mark, by its key. */
export type Said = ReadonlyMap<RecordKey, string>;

/** How a source in memory tells who is gone: by a list of all keys, or itself. */
export type MemoryIncrements = 'list' | 'told';

export interface MemoryPeople {
  readonly how: MemoryIncrements;
  /** What was said at each mark so far. */
  readonly marks: Map<string, Said>;
  /** As a full read yields them, one after the other; it may break off. */
  readonly read: (wanted: (key: RecordKey) => boolean) => KeyedReadings;
  readonly now: () => Said;
}

/** Returns the key of each record: records that share an id are told apart by their order. */
export function memoryKeys(people: readonly Reading<Person>[]): readonly RecordKey[] {
  const counts = new Map<string, number>();
  return people.map((one) => {
    const id = one.ok ? `id ${one.record.id}` : `place ${one.refusal.place}`;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return `${id} ${count}`;
  });
}

/** Takes for the bytes of a record what it says. */
export function keyed(reading: Reading<Person>, key: RecordKey, salt: string): KeyedReading {
  return reading.ok
    ? { ...reading, key, print: digest(salt + JSON.stringify(reading.record)) }
    : { ...reading, key };
}

/** Tells what changed by comparing what is said with what was said. */
export class MemoryChanges implements IncrementalRead {
  readonly #people: MemoryPeople;
  #mark = '';

  constructor(people: MemoryPeople) {
    this.#people = people;
  }

  begin(): Promise<ReadMark> {
    const { marks, now } = this.#people;
    this.#mark = String(marks.size);
    marks.set(this.#mark, now());
    return Promise.resolve({ how: 'query', text: this.#mark });
  }

  increment({
    since,
    again,
    salt,
  }: Parameters<IncrementalRead['increment']>[0]): Promise<Increment | FullReadNeeded> {
    const { how, marks, read, now } = this.#people;
    const before = marks.get(since.text);
    if (before === undefined) return Promise.resolve({ why: 'the mark is not known' });
    const [said, asked, mark] = [now(), new Set(again), this.#mark];
    const changed = (key: RecordKey): boolean => asked.has(key) || before.get(key) !== said.get(key);
    async function* salted(wanted: (key: RecordKey) => boolean): KeyedReadings {
      for await (const batch of read(wanted)) yield [...batch].map((one) => keyed(one, one.key ?? '', salt));
    }
    async function* list(): AsyncGenerator<readonly RecordKey[]> {
      yield [...said.keys()];
    }
    return Promise.resolve({
      records: () => salted(changed),
      present: () => (how === 'list' ? list() : null),
      gone: () => (how === 'list' ? [] : [...before.keys()].filter((key) => !said.has(key))),
      more: (keys) => salted((key) => keys.includes(key)),
      mark: () => ({ how: 'query', text: mark }),
    });
  }
}
