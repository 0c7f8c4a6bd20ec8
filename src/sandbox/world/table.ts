export interface Stored {
  readonly id: string;
  readonly refreshed: number;
}

/** A method's type, so that a table of one kind of records passes for a table of any. */
type KeysOf<R> = { of(record: R): readonly string[] }['of'];

/** Ids of records by a key, the last put last. Two records may have one key: an edit behind the interface makes such. */
export class Index<R extends Stored> {
  readonly #keysOf: KeysOf<R>;
  readonly #ids = new Map<string, Set<string>>();

  constructor(keysOf: KeysOf<R>) {
    this.#keysOf = keysOf;
  }

  get(key: string): ReadonlySet<string> {
    return this.#ids.get(key) ?? new Set();
  }

  add(record: R): void {
    for (const key of this.#keysOf(record)) {
      this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(record.id));
    }
  }

  remove(record: R): void {
    for (const key of this.#keysOf(record)) {
      const ids = this.#ids.get(key);
      ids?.delete(record.id);
      if (ids?.size === 0) this.#ids.delete(key);
    }
  }
}

/**
 * Records by id, iterated in the order of their last refresh. A Map iterates in the order of insertion, so a
 * refreshed record is taken out and put in again, and no page needs a sort.
 */
export class Table<R extends Stored> {
  readonly #records = new Map<string, R>();
  readonly #changed = new Set<string>();
  readonly #indexes: Index<R>[] = [];
  /** Answers of refreshedAfter since the last change: the pages of one read, and the next read, ask for the same again. */
  readonly #recent = new Map<number, readonly R[]>();
  /** When the latest record was refreshed, also if it was removed since. */
  #latest = -1;

  protected indexBy(keysOf: KeysOf<R>): Index<R> {
    const index = new Index(keysOf);
    this.#indexes.push(index);
    return index;
  }

  /** Returns the records with these ids. */
  allOf(ids: Iterable<string>): readonly R[] {
    return Array.from(ids, (id) => this.#records.get(id)).filter((record) => record !== undefined);
  }

  get size(): number {
    return this.#records.size;
  }

  get(id: string): R | undefined {
    return this.#records.get(id);
  }

  all(): Iterable<R> {
    return this.#records.values();
  }

  /** Returns records refreshed strictly later than the given time, in the order of their refresh. */
  refreshedAfter(after: number): readonly R[] {
    if (after >= this.#latest) return [];
    const records =
      this.#recent.get(after) ?? Array.from(this.all()).filter(({ refreshed }) => refreshed > after);
    this.#recent.set(after, records);
    return records;
  }

  put(record: R): R {
    const previous = this.#take(record.id);
    if (previous?.refreshed !== record.refreshed) this.#records.delete(record.id);
    this.#records.set(record.id, record);
    this.#latest = Math.max(this.#latest, record.refreshed);
    for (const index of this.#indexes) index.add(record);
    return record;
  }

  remove(id: string): void {
    if (this.#take(id) !== undefined) this.#records.delete(id);
  }

  /** Takes a record out of the indexes, before it is changed. */
  #take(id: string): R | undefined {
    const previous = this.#records.get(id);
    this.#recent.clear();
    this.#changed.add(id);
    if (previous !== undefined) for (const index of this.#indexes) index.remove(previous);
    return previous;
  }

  /** Makes the named records the same as in the other table. */
  follow(other: Table<R>, ids: readonly string[]): void {
    for (const id of ids) {
      const record = other.get(id);
      if (record === undefined) this.remove(id);
      else this.put(record);
    }
  }

  ids(): readonly string[] {
    return [...this.#records.keys()];
  }

  /** Returns the ids put or removed since the last call. */
  takeChanged(): readonly string[] {
    const ids = [...this.#changed];
    this.#changed.clear();
    return ids;
  }
}
