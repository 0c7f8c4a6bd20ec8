import { FullReadNeededError } from '../../../domain/errors.ts';
import { printable } from '../../../domain/text/printable.ts';
import type { Increment, KeyedReadings, ReadMark, RecordKey } from '../../../domain/reading/increment.ts';
import type { Person } from '../../../domain/records/records.ts';
import type { Arrived } from '../../records/arrived.ts';
import type { Batch, PeopleSearch } from './people-search.ts';
import type { Told } from './way.ts';

/** Reads people who arrived, with print and key. */
export type ReadPeople = (batches: AsyncIterable<Iterable<Arrived<Person>>>, salt: string) => KeyedReadings;

interface Parts {
  readonly people: PeopleSearch;
  readonly told: Told;
  readonly again: readonly RecordKey[];
  readonly mark: ReadMark;
  readonly read: (batches: AsyncIterable<Iterable<Arrived<Person>>>) => KeyedReadings;
}

/** What a server told, with those who were asked for again. */
export class PeopleIncrement implements Increment {
  readonly #parts: Parts;
  /** Those who came. */
  readonly #came = new Set<RecordKey>();
  #present: AsyncIterable<Iterable<RecordKey>> | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  records(): KeyedReadings {
    return this.#parts.read(this.#all());
  }

  present(): AsyncIterable<Iterable<RecordKey>> | null {
    this.#present ??= this.#parts.told.present();
    return this.#present;
  }

  /** Returns those who were told to be gone, and those who were asked for again and are not there. */
  gone(): readonly RecordKey[] {
    if (this.present() !== null) return [];
    const all = new Set([...this.#parts.told.gone(), ...this.#parts.again]);
    return [...all].filter((key) => !this.#came.has(key));
  }

  more(keys: readonly RecordKey[]): KeyedReadings {
    const { people, read } = this.#parts;
    return read(this.#arrived(people.byKeys(keys)));
  }

  mark(): ReadMark {
    return this.#parts.mark;
  }

  async *#all(): AsyncGenerator<Iterable<Arrived<Person>>> {
    const { people, told, again } = this.#parts;
    yield* this.#arrived(told.changed());
    yield* this.#arrived(people.byKeys(again.filter((key) => !this.#came.has(key))));
    await this.#requireBases();
  }

  /** Throws where somebody is gone and nobody is left below one of several bases: it may be hidden. */
  async #requireBases(): Promise<void> {
    const { people, told } = this.#parts;
    if (told.listsBases === true || (this.present() === null && this.gone().length === 0)) return;
    const base = await people.emptyBase();
    if (base !== null) throw new FullReadNeededError(`nobody is shown below ${printable(base)} any more`);
  }

  /** Yields those who did not come yet: who changes again meanwhile is told again in the next increment. */
  async *#arrived(batches: AsyncIterable<Batch>): AsyncGenerator<Iterable<Arrived<Person>>> {
    for await (const { entries, search } of batches) {
      const fresh = entries.filter(({ key }) => key === null || !this.#came.has(key));
      for (const { key } of fresh) if (key !== null) this.#came.add(key);
      yield this.#parts.people.arrived({ entries: fresh, search });
    }
  }
}
