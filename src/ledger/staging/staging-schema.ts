import { isMarked, markAll, marked, MARK_TABLE, unmark } from '../database/marks.ts';
/**
 * Tables of one run's staging. They are created empty in a file of their own, which is removed when the run ends.
 * Columns of `change`: `held` is 1 if a guard holds the change, 2 if it waits for one that is held; `hashes` are
 * those of `SequencedChange`. Of `counted`, `is_open` marks what is gathered.
 */
export const STAGING_SCHEMA = `
  CREATE TABLE ${MARK_TABLE};
  CREATE TABLE staging.seen (person INTEGER PRIMARY KEY, print TEXT, brought_by TEXT, has TEXT);
  CREATE TABLE staging.person (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL, username TEXT NOT NULL, username_key TEXT NOT NULL,
    active INTEGER, hash TEXT NOT NULL, secret_hash TEXT, payload TEXT NOT NULL, problem TEXT, secrets BLOB,
    print TEXT, has TEXT, brought_by TEXT, secret_mark TEXT
  );
  CREATE TABLE staging.position (person TEXT NOT NULL, row TEXT NOT NULL);
  CREATE TABLE staging.refused (
    subject TEXT NOT NULL, id TEXT, place TEXT NOT NULL, field TEXT NOT NULL, reason TEXT NOT NULL,
    label TEXT, username_key TEXT, active INTEGER, unit_refs TEXT NOT NULL DEFAULT '[]', has TEXT
  );
  CREATE TABLE staging.loss (
    subject TEXT NOT NULL, id TEXT NOT NULL, label TEXT NOT NULL, field TEXT NOT NULL, reason TEXT NOT NULL,
    UNIQUE (id, field, reason, subject, label)
  );
  -- records by their keys: how says whether they were brought, or their key is present or gone
  CREATE TABLE staging.record (how TEXT NOT NULL, key TEXT NOT NULL, print TEXT, replay TEXT);
  -- records of the last read, with the person whom the ledger knows by them: whoever is opened later stands, too
  CREATE TABLE staging.standing (key TEXT NOT NULL, person INTEGER, is_replayed INTEGER NOT NULL);
  CREATE TABLE staging.candidate (
    user_id TEXT PRIMARY KEY, username TEXT NOT NULL, disabled_key TEXT
  ) WITHOUT ROWID;
  CREATE TABLE staging.change (
    seq INTEGER PRIMARY KEY, subject TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, label TEXT NOT NULL,
    digest TEXT NOT NULL, adopts INTEGER NOT NULL, cause TEXT, change TEXT NOT NULL,
    held INTEGER NOT NULL DEFAULT 0, hashes TEXT NOT NULL DEFAULT '[]'
  );
  CREATE TABLE staging.counted (
    seq INTEGER NOT NULL, bucket TEXT NOT NULL, digest TEXT NOT NULL, is_open INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (seq, bucket)
  ) WITHOUT ROWID;
  CREATE INDEX staging.counted_open ON counted (bucket, digest) WHERE is_open = 1;
  CREATE TABLE staging.blocked (
    subject TEXT NOT NULL, id TEXT NOT NULL, label TEXT NOT NULL, reason TEXT NOT NULL, goes_on INTEGER NOT NULL,
    kind TEXT NOT NULL, hash TEXT, name_key TEXT NOT NULL
  );
`;

/** Made after the last record: what the joins look up. Nearly all of it is answered without the rows, which are wide. */
export const STAGING_INDEXES = `
  CREATE INDEX staging.person_id ON person (id);
  CREATE INDEX staging.person_username ON person (username_key, id, active);
  -- most have none: then nothing is looked up
  CREATE INDEX staging.person_secrets ON person (id) WHERE secrets IS NOT NULL;
  CREATE INDEX staging.refused_id ON refused (id);
  CREATE INDEX staging.refused_username ON refused (username_key);
`;

/**
 * Gives a record without id the id of a person of ours who has its username and no other record. The username that the
 * source had for a person comes before the account's.
 */
export const MATCH_NAMELESS = `
  UPDATE staging.refused SET id = (
    SELECT p.id FROM person p
    WHERE (p.source_key = refused.username_key OR p.username_key = refused.username_key) AND p.state <> 'removed'
      AND NOT EXISTS (SELECT 1 FROM staging.seen s WHERE s.person = p.rowid)
      AND NOT EXISTS (SELECT 1 FROM staging.person d WHERE d.id = p.id)
    ORDER BY p.source_key IS NULL, p.state = 'creating' LIMIT 1)
  WHERE subject = 'person' AND id IS NULL AND username_key IS NOT NULL;
`;

const DOUBTED = `SELECT label FROM staging.refused WHERE subject = 'position' AND id IS NULL AND label IS NOT NULL`;

/** Keeps rows of positions with doubtful ids for people of just these ids, and takes the others out. */
export const SETTLE_DOUBTED_ROWS = `
  DELETE FROM staging.refused WHERE subject = 'position' AND id IS NULL AND label IN (
    SELECT id FROM staging.person UNION SELECT id FROM staging.refused WHERE subject = 'person'
    UNION SELECT key FROM ${marked('leftOut')});
  DELETE FROM staging.position WHERE EXISTS (${DOUBTED}) AND person IN (${DOUBTED});
`;

/** Finds people by the prints of a list, who need no decision. CROSS JOIN looks each print up. */
export const RECOGNIZED = `FROM json_each(?) j CROSS JOIN person p INDEXED BY person_print
    ON p.print = j.value AND p.open = 0 AND p.hash IS NOT NULL`;

/** Marks them as seen. */
export const MARK_RECOGNIZED = `INSERT OR IGNORE INTO staging.seen (person) SELECT p.rowid ${RECOGNIZED}`;

/** Stores what these people, who were seen unchanged, are recognized by from now on, and what brings each of them. */
export const KEEP_PRINTS = `
  UPDATE person SET print = coalesce(s.print, person.print), brought_by = coalesce(s.brought_by, person.brought_by)
    FROM staging.seen s
    WHERE s.person BETWEEN :from AND :to AND (s.print IS NOT NULL OR s.brought_by IS NOT NULL)
      AND s.person = person.rowid
      AND (person.print IS NOT coalesce(s.print, person.print)
        OR person.brought_by IS NOT coalesce(s.brought_by, person.brought_by))`;

/** Stores what brings each of the others. */
export const KEEP_BROUGHT_BY = `
  UPDATE person SET brought_by = d.brought_by FROM staging.person d
    WHERE d.id = person.id AND d.brought_by IS NOT NULL AND person.brought_by IS NOT d.brought_by`;

const SHARED = 'SELECT id FROM staging.person GROUP BY id HAVING count(*) > 1';
/** What tells records of one id from each other, apart from their positions. */
const APART = `json_array(username, active, secret_mark, json_extract(payload, '$.fields'))`;
/** Whether a record says more of a person who is seen unchanged too than another position. */
const DIFFERS = `(d.username_key IS NOT coalesce(p.source_key, p.username_key) OR d.active IS NOT 1 OR d.secret_mark IS NOT NULL
  OR json_extract(d.payload, '$.fields') IS NOT json_extract(p.sent, '$.fields'))`;
/** Two of those who share it are named: there may be many. */
const sharedId = (among: string, onlyPlaces: string): string =>
  `'id', 'several records share this id (' || ${among} || ')' || iif(${onlyPlaces}, ' and differ only in their positions: read '
    || 'rows of places with source.positions, or keep one record', ': keep one of them in the source')`;
const ALL_STAGED = `count(*) || ', among them ' || min(d.username) || ' and ' || max(d.username)`;
const SEEN_AND_STAGED = `(1 + count(*)) || ', among them ' || p.username || ' and ' || max(d.username)`;
const REFUSE = 'INSERT INTO staging.refused (subject, id, place, label, active, field, reason)';
const sharedName = (name: string): string =>
  `'username', 'several records share the username ' || ${name} || ': give each its own in the source'`;

/**
 * Takes records that are equal in everything that is mapped for one, and refuses others that share an id or a username,
 * found over the whole read (promise 5). People who are seen unchanged are active. Records of people who have left share a username with no other record: they are kept
 * if a person comes back under a new id. Nor does the one whose account it is: only the others are bad. CROSS JOIN
 * fixes the order: few are shared.
 */
export const FIND_DUPLICATES = `
  DELETE FROM staging.person AS d WHERE id IN (${SHARED}) AND EXISTS (
    SELECT 1 FROM staging.person o WHERE o.id = d.id AND o.n < d.n AND o.hash = d.hash AND o.problem IS d.problem
      AND o.secret_mark IS d.secret_mark);
  ${REFUSE}
    SELECT 'person', id, min(username), min(username), max(ifnull(active, 1)), ${sharedId(ALL_STAGED, `count(DISTINCT ${APART}) = 1`)}
      FROM staging.person d WHERE id IN (${SHARED}) GROUP BY id;
  ${REFUSE}
    SELECT 'person', p.id, p.username, p.username, 1, ${sharedId(SEEN_AND_STAGED, `max(${DIFFERS}) = 0`)}
      FROM staging.person d CROSS JOIN person p ON p.id = d.id
        CROSS JOIN staging.seen s ON s.person = p.rowid GROUP BY p.id;
  CREATE TEMP TABLE shared AS
    SELECT DISTINCT username_key AS key FROM staging.person d WHERE d.active IS NOT 0 AND (
      EXISTS (SELECT 1 FROM staging.person o
              WHERE o.username_key = d.username_key AND o.id <> d.id AND o.active IS NOT 0)
      OR EXISTS (SELECT 1 FROM person p JOIN staging.seen s ON s.person = p.rowid
                 WHERE p.source_key = d.username_key AND p.id <> d.id))
      AND NOT EXISTS (SELECT 1 FROM person p WHERE p.username_key = d.username_key AND p.state <> 'removed' AND (
        p.source_key IS NULL AND EXISTS (SELECT 1 FROM staging.seen s WHERE s.person = p.rowid)
        OR EXISTS (SELECT 1 FROM staging.person o
                   WHERE o.id = p.id AND o.username_key = d.username_key AND o.active IS NOT 0)));
  ${REFUSE}
    SELECT 'person', d.id, d.username, d.username, d.active, ${sharedName('d.username')}
      FROM staging.person d JOIN temp.shared k ON k.key = d.username_key WHERE d.active IS NOT 0;
  ${REFUSE}
    SELECT 'person', p.id, p.username, p.username, 1, ${sharedName('p.source_name')}
      FROM temp.shared k CROSS JOIN person p ON p.source_key = k.key CROSS JOIN staging.seen s ON s.person = p.rowid;
  DROP TABLE temp.shared;
`;

/**
 * Finds people whose records all say that they have left, and one of the records cannot be used: nothing else
 * of it is needed.
 */
export const FIND_LEAVERS = markAll(
  'hasLeft',
  `SELECT r.id AS key FROM staging.refused r
    WHERE r.subject <> 'unit' AND r.id IS NOT NULL
      AND (EXISTS (SELECT 1 FROM staging.person d WHERE d.id = r.id) OR r.subject = 'person')
      AND NOT EXISTS (SELECT 1 FROM staging.refused o
                      WHERE o.id = r.id AND o.subject = 'person' AND o.active IS NOT 0)
      AND NOT EXISTS (SELECT 1 FROM staging.person d WHERE d.id = r.id AND d.active IS NOT 0)
      AND NOT EXISTS (SELECT 1 FROM person p JOIN staging.seen s ON s.person = p.rowid WHERE p.id = r.id)`,
);

/**
 * Fills the list of records that need a decision: staged, open, or missing. `DROP_REFUSED` then drops refused records.
 */
export const FILL_TODO = [
  unmark('todo'),
  markAll('todo', 'SELECT id AS key FROM staging.person'),
  markAll('todo', `SELECT id AS key FROM person WHERE open = 1 AND state <> 'removed'`),
  markAll(
    'todo',
    `SELECT l.key FROM ${marked('hasLeft')} l JOIN staging.refused r ON r.id = l.key
      WHERE EXISTS (SELECT 1 FROM employee e WHERE e.username_key = r.username_key)`,
  ),
  // Nearly all people are seen: their rows, which are wide, are not read.
  markAll(
    'todo',
    `SELECT id AS key FROM person p INDEXED BY sqlite_autoindex_person_1
      WHERE CASE WHEN EXISTS (SELECT 1 FROM staging.seen s WHERE s.person = p.rowid) THEN 0 ELSE state <> 'removed' END
        AND NOT EXISTS (SELECT 1 FROM staging.person d WHERE d.id = p.id)`,
  ),
];

/** The service's root, as a unit. */
export const ROOT = '';

/** Whether a managed person, in a range of rowids, has a position in one of these units, a list of source ids and `ROOT`. */
export const IN_UNITS = `rowid BETWEEN :from AND :to AND state = 'managed' AND EXISTS (
    SELECT 1 FROM json_each(sent, '$.positions') place
    WHERE coalesce(json_extract(place.value, '$.unit'), '${ROOT}') IN (SELECT value FROM json_each(:units)))`;

/** People who were sent to these nodes. */
export const ADD_ELSEWHERE = markAll(
  'todo',
  `SELECT id AS key FROM person WHERE nodes IN (SELECT value FROM json_each(?)) AND state = 'managed'`,
);

/**
 * Drops people whose records were refused: they are left as they are. A refused row of positions does so only if the
 * person has a record.
 */
export const DROP_REFUSED = `
  ${unmark('todo')} AND NOT ${isMarked('hasLeft', 'mark.key')} AND key IN (
    SELECT id FROM staging.refused r WHERE id IS NOT NULL AND (subject = 'person' OR subject = 'position' AND (
      EXISTS (SELECT 1 FROM staging.person d WHERE d.id = r.id)
      OR EXISTS (SELECT 1 FROM person p JOIN staging.seen s ON s.person = p.rowid WHERE p.id = r.id))));
`;

/** What this read has of a person. A record that cannot be used may still say "left". */
export const isHere = (person: string): string => `CASE
  WHEN EXISTS (SELECT 1 FROM staging.seen s WHERE s.person = ${person}.rowid)
    OR EXISTS (SELECT 1 FROM staging.person d WHERE d.id = ${person}.id AND d.active IS NOT 0)
    OR EXISTS (SELECT 1 FROM staging.refused r WHERE r.id = ${person}.id AND r.subject = 'person'
               AND NOT ${isMarked('hasLeft', 'r.id')}) THEN 'yes'
  WHEN EXISTS (SELECT 1 FROM staging.person d WHERE d.id = ${person}.id) OR ${isMarked('hasLeft', `${person}.id`)} THEN 'left'
  ELSE 'no' END`;

/** This read has a record with the person's id. */
export const HERE = `(${isHere('person')} <> 'no')`;
