import { orFullRead, type FullReadNeededError } from '../../domain/errors.ts';
import { fullRead } from '../../domain/full-reads.ts';
import type {
  FullReadNeeded,
  Increment,
  IncrementalRead,
  KeyedReadings,
  ReadMark,
  RecordKey,
} from '../../domain/reading/increment.ts';
import type { Person } from '../../domain/records/records.ts';
import { digest } from '../../lib/digest.ts';
import type { IncomingRecord } from '../records/mapped.ts';

/** Changes with the form of a mark's text. */
const VERSION = 2;

/** Makes readings of people who came; `salt` as in a `Recognition`. */
type ReadPeople = (people: People, salt: string) => KeyedReadings;

interface StartedRead<S extends object> {
  readonly changes: IncrementChanges<S>;
  readonly seen: S;
}

type Ask = Parameters<IncrementalRead['increment']>[0];

/** Reads what changed since an earlier read, by any protocol that reports it. */
export class Increments<S extends object> implements IncrementalRead {
  readonly #choose: () => Promise<IncrementChanges<S>>;
  readonly #read: ReadPeople;
  #started: StartedRead<S> | FullReadNeeded = fullRead('full-first', {});

  /** @param choose returns how this source tells what changed; throws a `FullReadNeededError` if it does not */
  constructor(choose: () => Promise<IncrementChanges<S>>, read: ReadPeople) {
    this.#choose = choose;
    this.#read = read;
  }

  async begin(): Promise<ReadMark | FullReadNeeded> {
    this.#started = await orFullRead(async () => {
      const changes = await this.#choose();
      return { changes, seen: await changes.latest() };
    });
    return 'why' in this.#started ? this.#started : markOf(this.#started);
  }

  async increment({ since, again, salt }: Ask): Promise<Increment | FullReadNeeded> {
    const started = this.#started;
    if ('why' in started) return started;
    const { changes, seen } = started;
    return orFullRead(async () => {
      const reported = await changes.changedSince(seenAt(since, changes), seen);
      const read = (people: People): KeyedReadings => this.#read(people, salt);
      return new ReportedIncrement({ changes, reported, again, read, mark: markOf(started) });
    });
  }
}

function markOf<S extends object>({ changes, seen }: StartedRead<S>): ReadMark {
  const asked = changes.asked.map(({ text }) => digest(text));
  return { how: changes.how, text: JSON.stringify([VERSION, { asked, seen }]) };
}

/** Returns up to where the source was seen at an earlier mark. Throws if the same was not asked then. */
function seenAt<S extends object>({ how, text }: ReadMark, changes: IncrementChanges<S>): S {
  if (how !== changes.how) throw fullRead('full-way', {});
  const { asked, seen } = parseMark<S>(text);
  const other = changes.asked.find((one, at) => asked[at] !== digest(one.text));
  if (other !== undefined) throw other.ifOther;
  return seen;
}

function parseMark<S>(text: string): { readonly asked: readonly string[]; readonly seen: S } {
  const parsed: unknown = JSON.parse(text);
  if (!Array.isArray(parsed) || parsed[0] !== VERSION) throw fullRead('full-mark', {});
  return parsed[1] as { readonly asked: readonly string[]; readonly seen: S };
}

interface IncrementParts {
  readonly changes: Pick<IncrementChanges<object>, 'byIds' | 'idsAtOnce'>;
  readonly reported: ReportedChanges;
  readonly again: readonly RecordKey[];
  readonly read: (people: People) => KeyedReadings;
  readonly mark: ReadMark;
}

class ReportedIncrement implements Increment {
  readonly #parts: IncrementParts;
  readonly #came = new Set<RecordKey>();
  #touched: readonly RecordKey[] = [];

  constructor(parts: IncrementParts) {
    this.#parts = parts;
  }

  records(): KeyedReadings {
    return this.#parts.read(this.#records());
  }

  present(): AsyncIterable<Iterable<RecordKey>> | null {
    return this.#parts.reported.ids?.() ?? null;
  }

  gone(): readonly RecordKey[] {
    return this.#touched.filter((key) => !this.#came.has(key));
  }

  more(keys: readonly RecordKey[]): KeyedReadings {
    return this.#parts.read(this.#byIds(keys));
  }

  mark(): ReadMark {
    return this.#parts.mark;
  }

  async *#records(): People {
    const { reported, again } = this.#parts;
    for await (const batch of reported.changed?.() ?? []) yield this.#remember([...batch]);
    this.#touched = [...((await reported.touched?.()) ?? [])];
    yield* this.#byIds([...this.#touched, ...again]);
  }

  /** Yields people who were not yielded yet. If one changes again meanwhile, the next increment reports that. */
  async *#byIds(keys: readonly RecordKey[]): People {
    const { changes } = this.#parts;
    const left = [...new Set(keys)].filter((key) => !this.#came.has(key));
    for (let at = 0; at < left.length; at += changes.idsAtOnce) {
      const asked = left.slice(at, at + changes.idsAtOnce);
      const wanted = new Set<RecordKey | null>(asked);
      // A key may stand for several values of a column.
      for await (const batch of changes.byIds(asked))
        yield this.#remember([...batch].filter((one) => wanted.has(keyOf(one))));
    }
  }

  #remember<T extends Batch>(batch: T): T {
    for (const one of batch) {
      const key = keyOf(one);
      if (key !== null) this.#came.add(key);
    }
    return batch;
  }
}

type Batch = readonly (People extends AsyncIterable<Iterable<infer One>> ? One : never)[];

const keyOf = ({ key }: Batch[number]): RecordKey | null => key?.() ?? null;

/** People as they come, each with a key. */
export type People = AsyncIterable<Iterable<IncomingRecord<Person>>>;

/**
 * How one protocol tells what changed, during one read. All of it throws a `FullReadNeededError` if only a full read can
 * tell, and a `SourceError` if a read does not come to its end.
 *
 * `S` is up to where the source has been seen, as JSON has it.
 */
export interface IncrementChanges<S extends object> {
  readonly how: ReadMark['how'];
  /** What is asked, each with the reason for a full read if that is another text than at the last read. */
  readonly asked: readonly { readonly text: string; readonly ifOther: FullReadNeededError }[];
  /** So many ids are asked for at once. */
  readonly idsAtOnce: number;
  /** Returns up to where the source is seen now. Called before the first person is read. */
  latest(): Promise<S>;
  /** Returns what changed between, or throws if the source cannot report it, e.g. after a restore. */
  changedSince(before: S, now: S): Promise<ReportedChanges>;
  /** Yields those of these people who are there. */
  byIds(keys: readonly RecordKey[]): People;
}

/** What changed. The parts are read in this order, each to its end. */
export interface ReportedChanges {
  /** Yields people who are new or changed. */
  changed?(): People;
  /** Returns the keys of records that changed or left: they are asked for by their ids, and gone if they do not come. */
  touched?(): Promise<Iterable<RecordKey>>;
  /** Yields the keys of all records there are; absent: who left is among the touched. */
  ids?(): AsyncIterable<readonly RecordKey[]>;
}
