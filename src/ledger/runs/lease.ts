import { LedgerError } from '../../domain/errors.ts';
import type { RunEnd } from '../../domain/events.ts';
import { spendApprovals } from '../journal/approvals-table.ts';
import type { Lease, RunRecord, Runs } from '../../domain/ports/ledger/runs.ts';
import type { Watch } from '../../domain/ports/watch.ts';
import {
  jsonOrNull,
  number,
  numberOrNull,
  textOrNull,
  text,
  type Database,
  type Row,
} from '../database/database.ts';

/** A holder that does not renew for this long has crashed, ms. */
const LEASE_MS = 60_000;

interface LeaseTimes {
  /** Only used to notice a long pause: the clock may be wrong here, or where the lease was taken. */
  readonly now: () => number;
  readonly watch: Watch;
}

/** The lease as this process has seen it, unchanged since a moment. */
interface SeenLease {
  readonly holder: string;
  readonly renewals: number;
  /** When it was first seen so, by our watch, ms. */
  readonly since: number;
}

/**
 * The lease: one run at a time on one ledger. It is renewed while the run goes on, and taken over when its holder is
 * gone (promise 10). No clock decides whether the holder is gone. A holder that began after the same start of the
 * machine is judged by the machine's watch. Any other holder is judged by its renewals: one that has not renewed for
 * the length of the lease, while this process was looking, is gone.
 */
export class SqliteLease implements Lease {
  readonly #db: Database;
  readonly #times: LeaseTimes;
  #holder: string | null = null;
  #seen: SeenLease | null = null;

  constructor(db: Database, times: LeaseTimes) {
    this.#db = db;
    this.#times = times;
  }

  acquire(holder: string): string | null {
    return this.#db.impatiently(() => this.#db.transaction(() => this.#acquire(holder)));
  }

  holder(): string | null {
    const row = this.#db.sql('SELECT * FROM lease').get();
    return row === undefined || this.#isGone(row) ? null : text(row, 'holder');
  }

  renew(): boolean {
    const { expires, ends } = this.#next();
    const renew = 'UPDATE lease SET expires_at = ?, ends = ?, renewals = renewals + 1 WHERE holder = ?';
    return this.#db.sql(renew).changes(expires, ends, this.#holder) === 1;
  }

  /**
   * Throws a LedgerError if the lease is no longer ours. Renews it at once if more than half of it has passed: a
   * process that was stopped or slept for longer than the lease may be followed by another one at any moment.
   */
  require(): void {
    const row = this.#db.sql('SELECT * FROM lease').get();
    const isOurs = row !== undefined && text(row, 'holder') === this.#holder;
    if (!isOurs || (this.#isOverdue(row) && !this.renew()))
      throw new LedgerError(
        `ledger ${this.#db.path}: another run took over; this one stops before its next call`,
      );
  }

  release(): void {
    this.#db.sql('DELETE FROM lease WHERE holder = ?').run(this.#holder);
    this.#holder = null;
  }

  #acquire(holder: string): string | null {
    const other = this.holder();
    if (other !== null) return other;
    const { expires, boot, ends } = this.#next();
    this.#db.sql('INSERT OR REPLACE INTO lease VALUES (1, ?, ?, 0, ?, ?)').run(holder, expires, boot, ends);
    this.#holder = holder;
    return null;
  }

  #next() {
    const { now, watch } = this.#times;
    return { expires: now() + LEASE_MS, boot: watch.boot, ends: watch.now() + LEASE_MS };
  }

  #isGone(row: Row): boolean {
    const { watch } = this.#times;
    const ends = numberOrNull(row, 'ends');
    const isSameWatch = watch.boot !== null && textOrNull(row, 'boot') === watch.boot;
    return isSameWatch && ends !== null ? ends <= watch.now() : this.#isStill(row);
  }

  /**
   * Returns whether more than half of the lease has passed, by our watch or by the clock: the watch may stand still
   * while the machine sleeps.
   */
  #isOverdue(row: Row): boolean {
    const { now, watch } = this.#times;
    const ends = numberOrNull(row, 'ends') ?? 0;
    const left = Math.min(ends - watch.now(), number(row, 'expires_at') - now());
    return left < LEASE_MS / 2;
  }

  /** Returns whether it was not renewed for the length of a lease while this process was looking. */
  #isStill(row: Row): boolean {
    const [holder, renewals] = [text(row, 'holder'), number(row, 'renewals')];
    const now = this.#times.watch.now();
    if (this.#seen?.holder !== holder || this.#seen.renewals !== renewals) {
      this.#seen = { holder, renewals, since: now };
    }
    return now - this.#seen.since >= LEASE_MS;
  }
}

function runOf(row: Row): RunRecord {
  return {
    id: text(row, 'id'),
    kind: text(row, 'kind') === 'full' ? 'full' : 'incremental',
    startedAt: number(row, 'started_at'),
    endedAt: numberOrNull(row, 'ended_at'),
    result: textOrNull(row, 'result'),
    exitCode: numberOrNull(row, 'exit_code'),
    report: jsonOrNull<Partial<RunEnd>>(row, 'report'),
  };
}

const END = `UPDATE run SET kind = ?, ended_at = ?, result = ?, exit_code = ?, report = ?, quiet = ? WHERE id = ?`;

export function runsTable(db: Database): Runs {
  return {
    begin({ id, kind, at }) {
      db.sql('INSERT INTO run (id, kind, started_at) VALUES (?, ?, ?)').run(id, kind, at);
    },
    end(run) {
      if (!('result' in run)) return db.sql('DELETE FROM run WHERE id = ?').run(run.id);
      const { id, kind, endedAt, result, exitCode, report, isQuiet } = run;
      spendApprovals(db, id);
      db.sql(END).run(kind, endedAt, result, exitCode, JSON.stringify(report), Number(isQuiet), id);
    },
    last: (limit) => db.sql('SELECT * FROM run ORDER BY rowid DESC LIMIT ?').all(limit).map(runOf),
  };
}
