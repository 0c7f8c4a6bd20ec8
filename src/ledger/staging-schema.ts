/**
 * Tables of one run's staging; created empty in a file of their own, which goes when the run ends.
 * Of a change `held` is 1 where a guard holds it, 2 where it waits for one that is held; `cut`: a guard holds a part.
 */
export const STAGING_SCHEMA = `
  CREATE TABLE staging.seen (person INTEGER PRIMARY KEY, times INTEGER NOT NULL);
  CREATE TABLE staging.person (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL, username TEXT NOT NULL, username_key TEXT NOT NULL,
    active INTEGER, hash TEXT NOT NULL, secret_hash TEXT, payload TEXT NOT NULL, problem TEXT, secrets BLOB
  );
  CREATE TABLE staging.position (person TEXT NOT NULL, row TEXT NOT NULL);
  CREATE TABLE staging.refused (
    subject TEXT NOT NULL, id TEXT, place TEXT NOT NULL, field TEXT NOT NULL, reason TEXT NOT NULL
  );
  CREATE TABLE staging.candidate (
    user_id TEXT PRIMARY KEY, username TEXT NOT NULL, disabled_key TEXT
  ) WITHOUT ROWID;
  CREATE TABLE staging.renamed (
    id TEXT PRIMARY KEY, username TEXT NOT NULL, username_key TEXT NOT NULL, locked INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE staging.unclear (username TEXT PRIMARY KEY, reason TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE staging.ask (username TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE staging.leaver (
    id TEXT PRIMARY KEY, username TEXT NOT NULL, has_left TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE staging.todo (id TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE staging.change (
    seq INTEGER PRIMARY KEY, subject TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, change TEXT NOT NULL,
    cause TEXT,
    held INTEGER NOT NULL DEFAULT 0, cut INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE staging.blocked (subject TEXT NOT NULL, id TEXT NOT NULL, label TEXT NOT NULL, reason TEXT NOT NULL);
`;

/** After the last record: what the differences look up. */
export const STAGING_INDEXES = `
  CREATE INDEX staging.person_id ON person (id);
  CREATE INDEX staging.person_username ON person (username_key);
  CREATE INDEX staging.refused_id ON refused (id);
`;

/** Rows of the source that may not be used, found over the whole read (promise 5). CROSS JOIN: few are shared. */
export const FIND_DUPLICATES = `
  INSERT INTO staging.refused (subject, id, place, field, reason)
    SELECT 'person', id, username, 'id', 'several records share this id: keep one of them in the source'
      FROM staging.person GROUP BY id HAVING count(*) > 1;
  INSERT INTO staging.refused (subject, id, place, field, reason)
    SELECT 'person', p.id, p.username, 'id', 'several records share this id: keep one of them in the source'
      FROM staging.seen s JOIN person p ON p.rowid = s.person
      WHERE s.times > 1 OR EXISTS (SELECT 1 FROM staging.person d WHERE d.id = p.id);
  CREATE TEMP TABLE shared AS
    SELECT DISTINCT username_key AS key FROM staging.person d WHERE
      EXISTS (SELECT 1 FROM staging.person o WHERE o.username_key = d.username_key AND o.id <> d.id)
      OR EXISTS (SELECT 1 FROM person p JOIN staging.seen s ON s.person = p.rowid
                 WHERE p.username_key = d.username_key AND p.source_key IS NULL AND p.id <> d.id)
      OR EXISTS (SELECT 1 FROM person p JOIN staging.seen s ON s.person = p.rowid
                 WHERE p.source_key = d.username_key AND p.id <> d.id);
  INSERT INTO staging.refused (subject, id, place, field, reason)
    SELECT 'person', d.id, d.username, 'username',
      'several records share the username ' || d.username || ': give each its own in the source'
      FROM staging.person d JOIN temp.shared k ON k.key = d.username_key;
  INSERT INTO staging.refused (subject, id, place, field, reason)
    SELECT 'person', p.id, p.username, 'username',
      'several records share the username ' || p.username || ': give each its own in the source'
      FROM temp.shared k CROSS JOIN person p ON p.username_key = k.key AND p.source_key IS NULL
        CROSS JOIN staging.seen s ON s.person = p.rowid;
  INSERT INTO staging.refused (subject, id, place, field, reason)
    SELECT 'person', p.id, p.username, 'username',
      'several records share the username ' || p.source_name || ': give each its own in the source'
      FROM temp.shared k CROSS JOIN person p ON p.source_key = k.key CROSS JOIN staging.seen s ON s.person = p.rowid;
  DROP TABLE temp.shared;
`;

/** Records that need a decision: staged, open, or missing; who was refused is dropped at the end. */
export const FILL_TODO = `
  DELETE FROM staging.todo;
  INSERT OR IGNORE INTO staging.todo SELECT id FROM staging.person;
  INSERT OR IGNORE INTO staging.todo SELECT id FROM person WHERE open = 1 AND state <> 'removed';
  INSERT OR IGNORE INTO staging.todo
    SELECT id FROM person p WHERE state <> 'removed'
      AND NOT EXISTS (SELECT 1 FROM staging.seen s WHERE s.person = p.rowid)
      AND NOT EXISTS (SELECT 1 FROM staging.person d WHERE d.id = p.id);
`;

/** Whether a person of ours has a position in one of these units, a list of source ids. */
export const IN_UNITS = `state = 'managed' AND EXISTS (
    SELECT 1 FROM json_each(sent, '$.positions') place
    WHERE json_extract(place.value, '$.unit') IN (SELECT value FROM json_each(?)))`;

/** Who follows a unit that moves, although nothing in the record has changed. */
export const ADD_MOVING = `INSERT OR IGNORE INTO staging.todo SELECT id FROM person WHERE ${IN_UNITS}`;

export const DROP_REFUSED = `
  DELETE FROM staging.todo WHERE id IN (SELECT id FROM staging.refused WHERE subject <> 'unit' AND id IS NOT NULL);
`;
