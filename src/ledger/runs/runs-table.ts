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

export function runsTable(db: Database): Runs {
  return {
    begin({ id, kind, at }) {
      db.sql('INSERT INTO run (id, kind, started_at) VALUES (?, ?, ?)').run(id, kind, at);
    },
    end({ id, kind, endedAt, result, exitCode, report }) {
      db.sql('UPDATE run SET kind = ?, ended_at = ?, result = ?, exit_code = ?, report = ? WHERE id = ?').run(
        kind,
        endedAt,
        result,
        exitCode,
        JSON.stringify(report),
        id,
      );
    },
    discard: (id) => db.sql('DELETE FROM run WHERE id = ?').run(id),
    prune: (before) => db.sql('DELETE FROM run WHERE started_at < ?').run(before),
    find: (id) => {
      const row = db.sql('SELECT * FROM run WHERE id = ?').get(id);
      return row === undefined ? null : runOf(row);
    },
    last: (limit) => db.sql('SELECT * FROM run ORDER BY rowid DESC LIMIT ?').all(limit).map(runOf),
  };
}
