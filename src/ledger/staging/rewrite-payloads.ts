import type { PersonPayload } from '../../domain/records/payload.ts';
import { json, number } from '../database/columns.ts';
import type { Database, Statement } from '../database/database.ts';

/** Which staged people are rewritten, and how. */
interface Rewriting {
  /** Selects `n` and `payload` of some people, by ascending `n`; takes the `n` to begin after, then `args`. */
  readonly page: Statement;
  readonly args: readonly string[];
  /** Takes the payload, then `n`. */
  readonly update: Statement;
}

/** Changes what is to be sent for staged people, a page of them in memory. */
export function rewritePayloads(
  db: Database,
  { page, args, update }: Rewriting,
  change: (payload: PersonPayload) => PersonPayload,
): void {
  for (let last = 0; ;) {
    const rows = page.all(last, ...args);
    if (rows.length === 0) return;
    db.transaction(() => {
      for (const row of rows) {
        last = number(row, 'n');
        update.run(JSON.stringify(change(json<PersonPayload>(row, 'payload'))), last);
      }
    });
  }
}
