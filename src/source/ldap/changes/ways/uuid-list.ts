import type { RecordKey } from '../../../../domain/reading/increment.ts';
import { uuidText } from '../../read/entry-keys.ts';

const UUID_BYTES = 16;
const FIRST_ROOM = 64;
/** So many keys are yielded at a time. */
const AT_ONCE = 1_000;

/** UUIDs, 16 bytes each: a million of them as texts would take a hundred. */
export class UuidList {
  #bytes = Buffer.allocUnsafe(FIRST_ROOM * UUID_BYTES);
  #length = 0;

  get size(): number {
    return this.#length / UUID_BYTES;
  }

  add(uuid: Buffer): void {
    if (this.#length === this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * this.#length);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    uuid.copy(this.#bytes, this.#length);
    this.#length += UUID_BYTES;
  }

  *keys(): Generator<RecordKey> {
    for (let at = 0; at < this.#length; at += UUID_BYTES)
      yield uuidText(this.#bytes.subarray(at, at + UUID_BYTES));
  }

  /** Yields the keys some at a time. */
  *batches(): Generator<readonly RecordKey[]> {
    let batch: RecordKey[] = [];
    for (const key of this.keys()) {
      batch.push(key);
      if (batch.length < AT_ONCE) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  }
}
