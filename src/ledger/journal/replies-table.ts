import type { Replies } from '../../domain/ports/ledger/approvals.ts';
import type { SettledReply } from '../../domain/records/approval.ts';
import { number, numberOrNull, text, textOrNull } from '../database/columns.ts';
import type { Database, Row } from '../database/database.ts';

function replyOf(row: Row): SettledReply {
  return {
    signature: text(row, 'signature'),
    hash: text(row, 'hash'),
    by: text(row, 'username'),
    text: text(row, 'text'),
    at: number(row, 'at'),
    count: number(row, 'count'),
    run: textOrNull(row, 'run'),
    left: numberOrNull(row, 'undone'),
  };
}

const INSERT = `
  INSERT INTO reply (signature, hash, username, text, at, count)
  SELECT :signature, :hash, :by, :text, :at, :count
    WHERE NOT EXISTS (SELECT 1 FROM reply WHERE signature = :signature)`;

export function repliesTable(db: Database): Replies {
  return {
    add: (reply) => db.impatiently(() => db.sql(INSERT).changes({ ...reply })) > 0,
    open: () =>
      db.sql('SELECT * FROM reply WHERE run IS NULL ORDER BY at, signature, hash').all().map(replyOf),
    settle: ({ signature, hash }, { run, left }) =>
      db
        .sql('UPDATE reply SET run = ?, undone = ? WHERE signature = ? AND hash = ?')
        .run(run, left, signature, hash),
    last: (limit) =>
      db.sql('SELECT * FROM reply ORDER BY at DESC, signature, hash LIMIT ?').all(limit).map(replyOf),
    prune: (before) => db.sql('DELETE FROM reply WHERE at < ?').run(before),
  };
}
