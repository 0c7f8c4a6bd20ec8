import type { Lease, RunRecord, Runs } from '../domain/ledger.ts';
import { jsonOrNull, number, numberOrNull, text, textOrNull } from './columns.ts';
import type { Database, Row } from './database.ts';

/** A holder that does not renew for so long has crashed, ms. */
const LEASE_MS = 60_000;

function runOf(row: Row): RunRecord {
  return {
    id: text(row, 'id'),
    kind: text(row, 'kind') === 'full' ? 'full' : 'incremental',
    startedAt: number(row, 'started_at'),
    endedAt: numberOrNull(row, 'ended_at'),
    result: textOrNull(row, 'result'),
    exitCode: numberOrNull(row, 'exit_code'),
    report: jsonOrNull<Readonly<Record<string, unknown>>>(row, 'report'),
  };
}

export function runsTable(db: Database): Runs {
  return {
    begin({ id, kind, at }) {
      db.sql('INSERT INTO run (id, kind, started_at) VALUES (?, ?, ?)').run(id, kind, at);
    },
    end({ id, endedAt, result, exitCode, report }) {
      db.sql('UPDATE run SET ended_at = ?, result = ?, exit_code = ?, report = ? WHERE id = ?').run(
        endedAt,
        result,
        exitCode,
        JSON.stringify(report),
        id,
      );
    },
    last: (limit) => db.sql('SELECT * FROM run ORDER BY started_at DESC LIMIT ?').all(limit).map(runOf),
  };
}

/** One run at a time on one ledger; renewed while it runs, taken over when its holder is gone (promise 10). */
export class SqliteLease implements Lease {
  readonly #db: Database;
  readonly #now: () => number;
  #holder: string | null = null;

  constructor(db: Database, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  acquire(holder: string) {
    return this.#db.transaction(() => {
      const row = this.#db.sql('SELECT holder, expires_at FROM lease').get();
      if (row !== undefined && number(row, 'expires_at') > this.#now()) {
        return { holder: text(row, 'holder'), expiresAt: number(row, 'expires_at') };
      }
      const expires = this.#now() + LEASE_MS;
      this.#db.sql('INSERT OR REPLACE INTO lease VALUES (1, ?, ?)').run(holder, expires);
      this.#holder = holder;
      return null;
    });
  }

  renew(): boolean {
    const expires = this.#now() + LEASE_MS;
    return (
      this.#db.sql('UPDATE lease SET expires_at = ? WHERE holder = ?').changes(expires, this.#holder) === 1
    );
  }

  holds(): boolean {
    const row = this.#db.sql('SELECT holder FROM lease').get();
    return row !== undefined && text(row, 'holder') === this.#holder;
  }

  release(): void {
    this.#db.sql('DELETE FROM lease WHERE holder = ?').run(this.#holder);
    this.#holder = null;
  }
}
