export interface Stored {
  readonly id: string;
  readonly refreshed: number;
}

/**
 * Records by id, iterated in the order of their last refresh. A Map iterates in the order of insertion, so a
 * refreshed record is taken out and put in again, and no page needs a sort.
 */
export class RecordTable<R extends Stored> {
  readonly #records = new Map<string, R>();
  readonly #changed = new Set<string>();
  /** Answers of refreshedAfter since the last change: the pages of one read, and the next read, ask for the same again. */
  readonly #recent = new Map<number, readonly R[]>();
  /** When the latest record was refreshed, also if it was removed since. */
  #latest = -1;

  /** Notes what a record is found by besides its id. */
  protected index(_record: R): void {}
  protected unindex(_record: R): void {}

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
    const recent = this.#recent.get(after);
    if (recent !== undefined) return recent;
    const records = Array.from(this.#records.values()).filter(({ refreshed }) => refreshed > after);
    this.#recent.set(after, records);
    return records;
  }

  put(record: R): R {
    this.#recent.clear();
    const previous = this.#records.get(record.id);
    if (previous !== undefined) this.unindex(previous);
    if (previous?.refreshed !== record.refreshed) this.#records.delete(record.id);
    this.#records.set(record.id, record);
    this.#latest = Math.max(this.#latest, record.refreshed);
    this.#changed.add(record.id);
    this.index(record);
    return record;
  }

  remove(id: string): void {
    const previous = this.#records.get(id);
    if (previous === undefined) return;
    this.#recent.clear();
    this.unindex(previous);
    this.#records.delete(id);
    this.#changed.add(id);
  }

  follow(other: RecordTable<R>, ids: readonly string[]): void {
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
