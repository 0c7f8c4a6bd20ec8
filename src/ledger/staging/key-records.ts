import type { Misfits, SourceStage, StagedNote, Standing } from '../../domain/ports/ledger/source-stage.ts';
import type { Replay, SourceRecord } from '../../domain/ports/source-records.ts';
import { countOf, inPages, textsOf, type Database } from '../database/database.ts';

/** The source's records by their keys, of the last read and of this one. The port says what each of these answers. */

const PAGE = 1_000;

const INDEX = 'CREATE INDEX IF NOT EXISTS staging.record_key ON record (how, key)';

/** Returns the key that a statement finds. */
const keyIn = (db: Database, sql: string): string | null =>
  db.sql<{ readonly key: string }>(sql).get()?.key ?? null;

const isNoted = (how: string, key: string): string =>
  `EXISTS (SELECT 1 FROM staging.record n WHERE n.how IN (${how}) AND n.key = ${key})`;

export const noteRecord = (db: Database, { key, print, replay }: SourceRecord): void =>
  db
    .sql(`INSERT INTO staging.record VALUES ('brought', ?, ?, ?)`)
    .run(key, print, replay === null ? null : JSON.stringify(replay));

export const noteKey = (
  db: Database,
  { is, key }: Extract<StagedNote, { readonly is: 'present' | 'gone' }>,
): void => db.sql('INSERT INTO staging.record (how, key) VALUES (?, ?)').run(is, key);

/** Looks each record up once, as `SourceStage.recognize` does; an outer join would read the people's rows as well. */
const FIND_STANDING = `
  INSERT INTO staging.standing SELECT key, (
      SELECT p.rowid FROM person p INDEXED BY person_print
        WHERE p.print = r.print AND p.open = 0 AND p.hash IS NOT NULL
    ), replay IS NOT NULL FROM source_record r`;

/** What is kept of a leaver is not enough while the account is active: the record may say otherwise by now. */
const AGAIN = `
  SELECT key FROM staging.standing WHERE person IS NULL AND (is_replayed = 0 OR key IN (
    SELECT r.key FROM source_record r JOIN left_inside l ON l.id = r.replay ->> '$.inactive.id')) LIMIT ?`;

export function again(db: Database, atMost: number): ReturnType<SourceStage['again']> {
  db.exec(FIND_STANDING);
  return textsOf(db.sql(AGAIN).all(atMost), 'key');
}

const ABSENT_ARE_GONE = `
  INSERT INTO staging.record (how, key) SELECT 'gone', key FROM source_record r
    WHERE NOT ${isNoted(`'present', 'brought'`, 'r.key')}`;

const UNREAD = `
  SELECT key FROM staging.record r WHERE how = 'present' AND NOT ${isNoted(`'brought'`, 'r.key')}
    AND NOT EXISTS (SELECT 1 FROM source_record s WHERE s.key = r.key) LIMIT ?`;

export function unread(db: Database, atMost: number): ReturnType<SourceStage['unread']> {
  db.exec(INDEX);
  db.exec(ABSENT_ARE_GONE);
  return textsOf(db.sql(UNREAD).all(atMost), 'key');
}

const twice = (how: string): string =>
  `SELECT key FROM staging.record WHERE how = '${how}' GROUP BY key HAVING count(*) > 1 LIMIT 1`;

const CONTRADICTION = `SELECT key FROM staging.record r WHERE how = 'gone' AND ${isNoted(`'brought'`, 'r.key')} LIMIT 1`;

const MISSING = `
  SELECT count(*) AS n FROM json_each(?) a WHERE NOT ${isNoted(`'brought', 'gone'`, 'a.value')}`;

export function misfits(db: Database, asked: Parameters<SourceStage['misfits']>[0]): Misfits {
  db.exec(INDEX);
  return {
    shared: keyIn(db, twice('brought')),
    listedTwice: keyIn(db, twice('present')),
    contradiction: keyIn(db, CONTRADICTION),
    missing: countOf(db, MISSING, JSON.stringify(asked)),
  };
}

const STAYS = `NOT ${isNoted(`'brought', 'gone'`, 'r.key')}`;

const MARK_STANDING = `
  INSERT OR IGNORE INTO staging.seen (person) SELECT person FROM staging.standing r WHERE person IS NOT NULL AND ${STAYS}`;

const REPLAYS = `
  SELECT r.rowid AS n, k.print, k.replay FROM staging.standing r CROSS JOIN source_record k ON k.key = r.key
    WHERE r.rowid > ? AND r.person IS NULL AND r.is_replayed = 1 AND ${STAYS} ORDER BY r.rowid LIMIT ${PAGE}`;

function* replays(db: Database): Standing['replays'] {
  const page = db.sql<{ readonly n: number; readonly print: string; readonly replay: string }>(REPLAYS);
  for (const { print, replay } of inPages(
    0,
    (last) => page.all(last),
    ({ n }) => n,
  ))
    yield { print, replay: JSON.parse(replay) as Replay };
}

export const standing = (db: Database): Standing => ({
  seen: db.sql(MARK_STANDING).changes(),
  replays: replays(db),
});

const BROUGHT = `INSERT OR REPLACE INTO source_record SELECT key, print, replay FROM staging.record d WHERE how = 'brought'`;

/** Statements by what is kept. */
export const KEEP_RECORDS = {
  all: `${INDEX};
    DELETE FROM source_record WHERE NOT ${isNoted(`'brought'`, 'source_record.key')};
    ${BROUGHT} AND NOT EXISTS (
      SELECT 1 FROM source_record r WHERE r.key = d.key AND r.print IS d.print AND r.replay IS d.replay)`,
  changes: `DELETE FROM source_record WHERE key IN (SELECT key FROM staging.record WHERE how = 'gone'); ${BROUGHT}`,
  none: 'DELETE FROM source_record',
} as const;
