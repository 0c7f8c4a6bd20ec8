/** Statements of the source's records. `SourceRecords` says what they answer. */

/** Tables of one read; they are made only where increments are wanted. */
export const RECORDS_SCHEMA = `
  CREATE TABLE staging.record (key TEXT NOT NULL, print TEXT, replay TEXT);
  -- records of the last read, with the person whom the ledger knows by them
  CREATE TABLE staging.standing (key TEXT NOT NULL, person INTEGER, is_replayed INTEGER NOT NULL);
  CREATE TABLE staging.present (key TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE staging.gone (key TEXT PRIMARY KEY) WITHOUT ROWID;
`;

export const RECORDS_INDEX = 'CREATE INDEX IF NOT EXISTS staging.record_key ON record (key)';

/** Looks each record up once, as `SourceStage.recognize` does; an outer join would read the people's rows as well. */
export const FIND_STANDING = `
  INSERT INTO staging.standing SELECT key, (
      SELECT p.rowid FROM person p INDEXED BY person_print
        WHERE p.print = r.print AND p.open = 0 AND p.hash IS NOT NULL
    ), replay IS NOT NULL FROM source_record r`;

const STAYS = `NOT EXISTS (SELECT 1 FROM staging.record d WHERE d.key = r.key)
  AND NOT EXISTS (SELECT 1 FROM staging.gone g WHERE g.key = r.key)`;

export const SHARED = 'SELECT key FROM staging.record GROUP BY key HAVING count(*) > 1 LIMIT 1';

export const AGAIN = 'SELECT key FROM staging.standing WHERE person IS NULL AND is_replayed = 0 LIMIT ?';

export const UNREAD = `
  SELECT key FROM staging.present n WHERE NOT EXISTS (SELECT 1 FROM source_record r WHERE r.key = n.key)
    AND NOT EXISTS (SELECT 1 FROM staging.record d WHERE d.key = n.key) LIMIT ?`;

export const ABSENT_ARE_GONE = `
  INSERT OR IGNORE INTO staging.gone SELECT key FROM source_record r
    WHERE NOT EXISTS (SELECT 1 FROM staging.present n WHERE n.key = r.key)
      AND NOT EXISTS (SELECT 1 FROM staging.record d WHERE d.key = r.key)`;

export const CONTRADICTION = 'SELECT key FROM staging.gone JOIN staging.record USING (key) LIMIT 1';

export const MISSING = `
  SELECT count(*) AS n FROM json_each(?) a WHERE NOT EXISTS (SELECT 1 FROM staging.record d WHERE d.key = a.value)
    AND NOT EXISTS (SELECT 1 FROM staging.gone g WHERE g.key = a.value)`;

export const MARK_STANDING = `
  INSERT INTO staging.seen (person, times) SELECT person, 1 FROM staging.standing r WHERE person IS NOT NULL AND ${STAYS}
    ON CONFLICT DO UPDATE SET times = times + 1`;

export const REPLAYS = `
  SELECT r.rowid AS n, k.print, k.replay FROM staging.standing r CROSS JOIN source_record k ON k.key = r.key
    WHERE r.rowid > ? AND r.person IS NULL AND r.is_replayed = 1 AND ${STAYS} ORDER BY r.rowid LIMIT ?`;

export const KEEP_ALL = `
  DELETE FROM source_record WHERE NOT EXISTS (SELECT 1 FROM staging.record d WHERE d.key = source_record.key);
  INSERT OR REPLACE INTO source_record SELECT key, print, replay FROM staging.record d
    WHERE NOT EXISTS (SELECT 1 FROM source_record r WHERE r.key = d.key AND r.print IS d.print AND r.replay IS d.replay);
`;

export const KEEP_CHANGES = `
  DELETE FROM source_record WHERE key IN (SELECT key FROM staging.gone);
  INSERT OR REPLACE INTO source_record SELECT key, print, replay FROM staging.record;
`;
