import { ledgerProblem } from '../database/problems.ts';
import { spendApprovals } from '../journal/approvals-table.ts';
import type { Lease, RunRecord, Runs } from '../../domain/ports/ledger/runs.ts';
import type { Watch } from '../../domain/ports/watch.ts';
import type { Database } from '../database/database.ts';
import { factOf, setFact, type HeldLease } from '../database/facts.ts';

/** A holder that does not renew for this long has crashed, ms. */
const LEASE_MS = 60_000;

interface LeaseTimes {
  /** Only used to notice a long pause: the clock may be wrong here, or where the lease was taken. */
  readonly now: () => number;
  readonly watch: Watch;
}

/** The lease as this process has seen it, unchanged since a moment. */
interface SeenLease extends Pick<HeldLease, 'holder' | 'renewals'> {
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
    const held = factOf(this.#db, 'lease');
    return held === null || this.#isGone(held) ? null : held.holder;
  }

  renew(): boolean {
    return this.#db.transaction(() => {
      const held = factOf(this.#db, 'lease');
      if (held === null || held.holder !== this.#holder) return false;
      setFact(this.#db, 'lease', { ...held, ...this.#next(), renewals: held.renewals + 1 });
      return true;
    });
  }

  /**
   * Throws a LedgerError if the lease is no longer ours. Renews it at once if more than half of it has passed: a
   * process that was stopped or slept for longer than the lease may be followed by another one at any moment.
   */
  require(): void {
    const held = factOf(this.#db, 'lease');
    if (held === null || held.holder !== this.#holder || (this.#isOverdue(held) && !this.renew()))
      throw ledgerProblem('ledger-taken-over', { path: this.#db.path });
  }

  release(): void {
    const end = `DELETE FROM fact WHERE name = 'lease' AND value ->> '$.holder' = ?`;
    this.#db.sql(end).run(this.#holder);
    this.#holder = null;
  }

  #acquire(holder: string): string | null {
    const other = this.holder();
    if (other !== null) return other;
    setFact(this.#db, 'lease', { holder, renewals: 0, ...this.#next() });
    this.#holder = holder;
    return null;
  }

  #next(): Pick<HeldLease, 'expiresAt' | 'boot' | 'ends'> {
    const { now, watch } = this.#times;
    return { expiresAt: now() + LEASE_MS, boot: watch.boot, ends: watch.now() + LEASE_MS };
  }

  #isGone(held: HeldLease): boolean {
    const { watch } = this.#times;
    const isSameWatch = watch.boot !== null && held.boot === watch.boot;
    return isSameWatch ? held.ends <= watch.now() : this.#isStill(held);
  }

  /**
   * Returns whether more than half of the lease has passed, by our watch or by the clock: the watch may stand still
   * while the machine sleeps.
   */
  #isOverdue({ ends, expiresAt }: HeldLease): boolean {
    const { now, watch } = this.#times;
    return Math.min(ends - watch.now(), expiresAt - now()) < LEASE_MS / 2;
  }

  /** Returns whether it was not renewed for the length of a lease while this process was looking. */
  #isStill({ holder, renewals }: HeldLease): boolean {
    const now = this.#times.watch.now();
    if (this.#seen?.holder !== holder || this.#seen.renewals !== renewals) {
      this.#seen = { holder, renewals, since: now };
    }
    return now - this.#seen.since >= LEASE_MS;
  }
}

interface RunRow extends Omit<RunRecord, 'report'> {
  readonly report: string | null;
}

const SELECT = `SELECT id, kind, started_at AS startedAt, ended_at AS endedAt, result, exit_code AS exitCode, report
  FROM run`;

function runOf({ report, ...run }: RunRow): RunRecord {
  return { ...run, report: report === null ? null : (JSON.parse(report) as RunRecord['report']) };
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
    last: (limit) => db.sql<RunRow>(`${SELECT} ORDER BY rowid DESC LIMIT ?`).all(limit).map(runOf),
    find: (id) => db.sql<RunRow>(`${SELECT} WHERE id = ?`).all(id).map(runOf)[0] ?? null,
  };
}
