import type { RunRecord, Runs } from '../../domain/ports/ledger/runs.ts';
import { jsonOrNull, number, numberOrNull, text, textOrNull } from '../database/columns.ts';
import type { Database, Row } from '../database/database.ts';

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

/** Whoever asks for the last runs finds so many of them, quiet ones too. */
const KEPT_LAST = 1_000;

const FORGET_QUIET = `DELETE FROM run WHERE quiet = 1 AND started_at < ?
  AND rowid < (SELECT min(rowid) FROM (SELECT rowid FROM run ORDER BY rowid DESC LIMIT ${KEPT_LAST}))`;

const END = `UPDATE run SET kind = ?, ended_at = ?, result = ?, exit_code = ?, report = ?, quiet = ? WHERE id = ?`;

export function runsTable(db: Database): Runs {
  return {
    begin({ id, kind, at }) {
      db.sql('INSERT INTO run (id, kind, started_at) VALUES (?, ?, ?)').run(id, kind, at);
    },
    end({ id, kind, endedAt, result, exitCode, report, isQuiet }) {
      db.sql(END).run(kind, endedAt, result, exitCode, JSON.stringify(report), Number(isQuiet), id);
    },
    discard: (id) => db.sql('DELETE FROM run WHERE id = ?').run(id),
    prune: (before) => db.sql('DELETE FROM run WHERE started_at < ?').run(before),
    pruneQuiet: (before) => db.sql(FORGET_QUIET).run(before),
    find: (id) => {
      const row = db.sql('SELECT * FROM run WHERE id = ?').get(id);
      return row === undefined ? null : runOf(row);
    },
    last: (limit) => db.sql('SELECT * FROM run ORDER BY rowid DESC LIMIT ?').all(limit).map(runOf),
  };
}
