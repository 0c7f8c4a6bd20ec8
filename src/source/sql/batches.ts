import { BATCH } from './sql-connection.ts';

/** Rows that came together. */
export interface Batch<R> {
  readonly rows: readonly R[];
  readonly last: boolean;
}

/** Collects the next rows of a stream, at most `BATCH` of them. */
export async function nextBatch<R>(rows: AsyncIterator<R>): Promise<Batch<R>> {
  const batch: R[] = [];
  while (batch.length < BATCH) {
    const next = await rows.next();
    if (next.done === true) return { rows: batch, last: true };
    batch.push(next.value);
  }
  return { rows: batch, last: false };
}
