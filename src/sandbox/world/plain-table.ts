import { RecordTable } from './record-table.ts';

/** Records that are found by their id alone. */
export class PlainTable<
  R extends { readonly id: string; readonly refreshed: number },
> extends RecordTable<R> {
  protected override index(): void {
    // Nothing to find them by.
  }

  protected override unindex(): void {
    // Nothing to find them by.
  }
}
