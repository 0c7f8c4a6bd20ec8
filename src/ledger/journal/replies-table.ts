import type { Replies } from '../../domain/ports/ledger/approvals.ts';
import type { Reply, SettledReply } from '../../domain/records/approval.ts';
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
  VALUES (:signature, :hash, :by, :text, :at, :count)`;

function add(db: Database, replies: readonly Reply[]): boolean {
  const isKnown = db.sql('SELECT 1 FROM reply WHERE signature = ?');
  return db.impatiently(() =>
    db.transaction(() => {
      if (replies.some(({ signature }) => isKnown.get(signature) !== undefined)) return false;
      for (const reply of replies) db.sql(INSERT).run({ ...reply });
      return true;
    }),
  );
}

export function repliesTable(db: Database): Replies {
  return {
    add: (replies) => add(db, replies),
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
