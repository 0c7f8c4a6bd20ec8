import { RecordTable } from './record-table.ts';
import type { MediaRecord } from './records.ts';

export class MediaTable extends RecordTable<MediaRecord> {
  readonly #byDigest = new Map<string, string>();

  /** Finds the newest media with these bytes; the digest may be in any case. */
  byDigest(digest: string): MediaRecord | undefined {
    return this.get(this.#byDigest.get(digest.toLowerCase()) ?? '');
  }

  protected override index(record: MediaRecord): void {
    this.#byDigest.set(record.digest, record.id);
  }

  protected override unindex(record: MediaRecord): void {
    if (this.#byDigest.get(record.digest) === record.id) this.#byDigest.delete(record.digest);
  }
}
