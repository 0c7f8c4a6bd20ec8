import { LedgerError } from '../../domain/errors.ts';
import type { Database } from './database.ts';
import { MARK_TABLE } from './marks.ts';
import { PACK_SHOWN } from './pack-shown.ts';

/** Each entry brings the ledger one version further. A released entry is never edited. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE run (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, started_at INTEGER NOT NULL,
    ended_at INTEGER, result TEXT, exit_code INTEGER, report TEXT
  );
  CREATE INDEX run_started ON run (started_at);

  CREATE TABLE lease (
    one INTEGER PRIMARY KEY CHECK (one = 1), holder TEXT NOT NULL, expires_at INTEGER NOT NULL
  );

  CREATE TABLE unit (
    id TEXT PRIMARY KEY, state TEXT NOT NULL, org_id TEXT, serial_no TEXT NOT NULL,
    sent TEXT NOT NULL, accepted TEXT
  );
  CREATE TABLE old_node (org_id TEXT PRIMARY KEY, unit_id TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE person (
    id TEXT PRIMARY KEY, username TEXT NOT NULL, username_key TEXT NOT NULL, state TEXT NOT NULL,
    employee_id TEXT, sent TEXT NOT NULL, hash TEXT, secret_hash TEXT, accepted TEXT,
    open INTEGER NOT NULL DEFAULT 0, misses INTEGER NOT NULL DEFAULT 0, missed_at INTEGER, disabled_at INTEGER,
    -- the username that the source has for this person, where it is another one than the account's
    source_name TEXT, source_key TEXT
  );
  -- covers what staging asks of each person as it streams by
  CREATE INDEX person_known ON person (id, hash, open);
  CREATE INDEX person_username ON person (username_key);
  CREATE INDEX person_source_name ON person (source_key) WHERE source_key IS NOT NULL;
  CREATE INDEX person_open ON person (id) WHERE open = 1;
  CREATE INDEX person_unread ON person (id) WHERE accepted IS NULL AND state = 'managed';

  CREATE TABLE organization (
    id TEXT PRIMARY KEY, parent_id TEXT, name TEXT NOT NULL, serial_no TEXT, employee_count INTEGER,
    fields TEXT NOT NULL
  );
  CREATE TABLE employee (
    username TEXT PRIMARY KEY, username_key TEXT NOT NULL, id TEXT NOT NULL, locked INTEGER NOT NULL,
    shown TEXT NOT NULL
  );
  CREATE INDEX employee_locked ON employee (username) WHERE locked = 1;
  CREATE TABLE disabled_user (user_id TEXT PRIMARY KEY, username_key TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX disabled_user_name ON disabled_user (username_key);

  CREATE TABLE call (
    call INTEGER PRIMARY KEY, run TEXT NOT NULL, operation TEXT NOT NULL, at INTEGER NOT NULL,
    settled_at INTEGER
  );
  CREATE INDEX call_settled ON call (settled_at);
  CREATE INDEX call_unsettled ON call (call) WHERE settled_at IS NULL;
  CREATE TABLE call_item (
    call INTEGER NOT NULL, subject TEXT NOT NULL, id TEXT NOT NULL, outcome TEXT,
    buckets TEXT, approved INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (subject, id, call)
  ) WITHOUT ROWID;
  CREATE INDEX call_item_call ON call_item (call);

  CREATE TABLE failure (
    subject TEXT NOT NULL, id TEXT NOT NULL, label TEXT NOT NULL, reason TEXT NOT NULL,
    attempts INTEGER NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL,
    kind TEXT NOT NULL, digest TEXT,
    PRIMARY KEY (subject, id)
  ) WITHOUT ROWID;
  CREATE TABLE repair (subject TEXT NOT NULL, id TEXT NOT NULL, field TEXT NOT NULL, at INTEGER NOT NULL);
  CREATE INDEX repair_at ON repair (at);
  CREATE TABLE approval (digest TEXT PRIMARY KEY, hash TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE held (guard TEXT NOT NULL, hash TEXT NOT NULL, count INTEGER NOT NULL, most INTEGER NOT NULL, first TEXT NOT NULL);
  CREATE TABLE held_item (hash TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (hash, digest)) WITHOUT ROWID;
  CREATE TABLE blocked (
    subject TEXT NOT NULL, id TEXT NOT NULL, label TEXT NOT NULL, reason TEXT NOT NULL
  );
  `,
  `
  -- whether a lease is still renewed is told by its renewals, or by the watch of one start of the machine; never by a clock
  ALTER TABLE lease ADD COLUMN renewals INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE lease ADD COLUMN boot TEXT;
  ALTER TABLE lease ADD COLUMN ends INTEGER;
  `,
  `CREATE INDEX person_missed ON person (misses, id) WHERE misses > 0;`,
  `
  CREATE TABLE left_inside (
    id TEXT PRIMARY KEY, username TEXT NOT NULL, has_left TEXT NOT NULL, reason TEXT
  ) WITHOUT ROWID;
  `,
  `
  -- the state before the account vanished from the service, and when that was noticed
  ALTER TABLE person ADD COLUMN was TEXT;
  ALTER TABLE person ADD COLUMN gone_at INTEGER;
  CREATE INDEX person_vanished ON person (gone_at, username) WHERE was IS NOT NULL;
  `,
  `ALTER TABLE held ADD COLUMN about TEXT NOT NULL DEFAULT ''`,
  'CREATE INDEX employee_name ON employee (username_key);',
  `ALTER TABLE blocked ADD COLUMN goes_on INTEGER NOT NULL DEFAULT 0`,
  `
  -- what the unit's node showed when we had just made it; of nodes more is read than before: all of them are, once
  ALTER TABLE unit ADD COLUMN made TEXT;
  DELETE FROM fact WHERE name = 'watermark';
  `,
  `
  -- usernames that the source had at the last read and that are nobody's of ours: blocked, held, inactive from the first
  CREATE TABLE not_ours (username_key TEXT PRIMARY KEY) WITHOUT ROWID;
  -- accounts that we asked for and that are not there
  CREATE TABLE tried (
    id TEXT PRIMARY KEY, username TEXT NOT NULL, username_key TEXT NOT NULL, sent TEXT NOT NULL, at INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
  `CREATE INDEX person_disabled ON person (disabled_at) WHERE state = 'disabled'`,
  `
  CREATE TABLE vanished (employee_id TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
  -- ids that the service neither showed nor called unknown
  CREATE TABLE refused_look (
    employee_id TEXT PRIMARY KEY, status INTEGER NOT NULL, since INTEGER NOT NULL
  ) WITHOUT ROWID;
  -- JSON: serial numbers that the node of a unit had before the unit had another id in the source
  ALTER TABLE unit ADD COLUMN former TEXT;
  -- when the account was made, ms on the service's clock: an id that is given again is another account
  ALTER TABLE employee ADD COLUMN created INTEGER;
  ALTER TABLE person ADD COLUMN created INTEGER;
  `,
  `
  -- pictures that were uploaded, by the MD5 of their bytes
  CREATE TABLE logo (digest TEXT PRIMARY KEY, media_id TEXT NOT NULL) WITHOUT ROWID;
  `,
  `ALTER TABLE held ADD COLUMN cause TEXT`,
  `
  -- who approved; NULL: somebody at the command line
  ALTER TABLE approval ADD COLUMN username TEXT;
  -- answers of approvers: run is the one that took it, undone how many changes it has not done
  CREATE TABLE reply (
    signature TEXT, hash TEXT, username TEXT NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL, count INTEGER NOT NULL,
    run TEXT, undone INTEGER,
    PRIMARY KEY (signature, hash)
  ) WITHOUT ROWID;
  `,
  `
  -- changes that were applied; JSON: fields with values before and after
  CREATE TABLE history (
    n INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, run TEXT NOT NULL, subject TEXT NOT NULL,
    id TEXT NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL, kind TEXT NOT NULL, fields TEXT NOT NULL,
    why TEXT NOT NULL, origin TEXT, guard TEXT, approval TEXT, approver TEXT,
    -- 1: the service said yes, and does not show it
    unseen INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX history_at ON history (at);
  CREATE INDEX history_id ON history (subject, id, at);
  CREATE INDEX history_name ON history (subject, name_key, id);
  CREATE INDEX history_unseen ON history (subject, id) WHERE unseen = 1;
  -- JSON: what the history gets when the call is known to be done; a table of its own, whose pages are used again
  CREATE TABLE open_record (
    subject TEXT NOT NULL, id TEXT NOT NULL, call INTEGER NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (subject, id, call)
  ) WITHOUT ROWID;
  `,
  `
  -- keyed hashes of folded usernames of people who were erased
  CREATE TABLE forgotten (name_hash TEXT PRIMARY KEY) WITHOUT ROWID;
  `,
  `
  -- people for whom sync.protect.where held when they were last read; rule: digest of the expression
  CREATE TABLE protected (id TEXT PRIMARY KEY, rule TEXT NOT NULL) WITHOUT ROWID;
  `,
  `
  -- JSON: positions before and after, by the source ids of their units; NULL: they did not change, or are older
  ALTER TABLE history ADD COLUMN places TEXT;
  CREATE INDEX history_run ON history (run, n);
  -- records that are held from the source; JSON: what they should be; at, ms: since when, and for how long
  CREATE TABLE pin (
    subject TEXT NOT NULL, id TEXT NOT NULL, label TEXT NOT NULL, run TEXT NOT NULL, wanted TEXT NOT NULL,
    at INTEGER NOT NULL, ms INTEGER NOT NULL, PRIMARY KEY (subject, id)
  ) WITHOUT ROWID;
  `,
  `
  -- what the record was recognized by when it was last compared; holds only where hash does
  ALTER TABLE person ADD COLUMN print TEXT;
  CREATE INDEX person_print ON person (print, open) WHERE hash IS NOT NULL;
  `,
  `
  -- of an account that was shown as we wrote it: when the reading back of that run began, ms on the service's clock
  ALTER TABLE person ADD COLUMN read_back INTEGER;
  CREATE INDEX person_read_back ON person (read_back) WHERE read_back IS NOT NULL;
  `,
  `
  -- 1: nothing was planned, held, listed or sent
  ALTER TABLE run ADD COLUMN quiet INTEGER NOT NULL DEFAULT 0;
  UPDATE run SET quiet = 1 WHERE result = 'ok' AND json_extract(report, '$.applied') = 0
    AND NOT EXISTS (SELECT 1 FROM json_tree(report, '$.counts') t WHERE t.type = 'integer' AND t.value <> 0);
  CREATE INDEX run_quiet ON run (started_at) WHERE quiet = 1;
  `,
  `
  -- hash of where a directory had the record in the last complete read
  ALTER TABLE person ADD COLUMN spot BLOB;
  `,
  `
  -- records of people in the source, where increments are read; print as in person, replay: JSON, what it comes to
  CREATE TABLE source_record (key TEXT PRIMARY KEY, print TEXT, replay TEXT) WITHOUT ROWID;
  `,
  `
  -- people whose record says, or said last, that they have left; JSON: names that decide and had a value in it
  CREATE TABLE had_left (id TEXT PRIMARY KEY, had TEXT NOT NULL) WITHOUT ROWID;
  -- DN of a group that showed no members any more when the person was missing for the first time
  ALTER TABLE person ADD COLUMN missed_by TEXT;
  `,
  `
  -- hash of where a directory had the record of a unit in the last complete read, by source id
  CREATE TABLE unit_spot (id TEXT PRIMARY KEY, spot BLOB NOT NULL) WITHOUT ROWID;
  `,
  `
  -- JSON: names that source.units.where reads and that had a value when it last said what the ledger holds to
  CREATE TABLE unit_had (id TEXT PRIMARY KEY, had TEXT NOT NULL) WITHOUT ROWID;
  `,
  `
  -- JSON: names that decide and had a value while the record said that the person is protected
  ALTER TABLE protected ADD COLUMN has TEXT;
  `,
  `
  -- of an expression, so that nothing but the counts uses it: nearly all have the same state
  CREATE INDEX person_states ON person (state || '');
  CREATE INDEX call_item_units ON call_item (call) WHERE subject = 'unit';
  `,
  // From here on fields of the history are packed, which an older rollcall cannot read; older entries stay as they are.
  'SELECT 1',
  `
  -- source, base or group that brings the person, where there are several; nobody is recognized before it is known
  ALTER TABLE person ADD COLUMN brought_by TEXT;
  UPDATE person SET print = NULL WHERE print IS NOT NULL;
  `,
  `
  -- employee ids of whom a held change is about: they cannot approve it
  CREATE TABLE held_account (hash TEXT NOT NULL, account TEXT NOT NULL, PRIMARY KEY (hash, account)) WITHOUT ROWID;
  `,
  `
  -- a guard that is no more: what it held is planned as anything else
  DELETE FROM held_item WHERE hash IN (SELECT hash FROM held WHERE guard = 'unitsRenamed');
  DELETE FROM held WHERE guard = 'unitsRenamed';
  `,
  // Whether the service keeps what an import leaves out is no longer asked; the accounts asked about are personal data.
  `DELETE FROM fact WHERE name IN ('keepsUnmapped', 'keepsProperties', 'trials', 'newAccounts')`,
  `
  -- what decides about records, as it was when nothing of them waited: JSON, a short hash of each value by its name; a
  -- digest of the rules then. The next read decodes everybody, and fills it.
  CREATE TABLE seen (
    is_unit INTEGER NOT NULL, id TEXT NOT NULL, has TEXT NOT NULL, rules TEXT NOT NULL, PRIMARY KEY (is_unit, id)
  ) WITHOUT ROWID;
  DROP TABLE had_left;
  DROP TABLE unit_had;
  DROP TABLE unit_spot;
  ALTER TABLE person DROP COLUMN spot;
  ALTER TABLE protected DROP COLUMN has;
  UPDATE person SET print = NULL WHERE print IS NOT NULL;
  DELETE FROM source_record;
  UPDATE fact SET value = json_set(value, '$.known', NULL, '$.why', NULL) WHERE name = 'increments';
  DELETE FROM fact WHERE name = 'decided';
  `,
  `
  -- what else a run says of a record: kind is blocked, held or edited, hash what releases it
  ALTER TABLE blocked ADD COLUMN kind TEXT NOT NULL DEFAULT 'blocked';
  ALTER TABLE blocked ADD COLUMN hash TEXT;
  ALTER TABLE blocked ADD COLUMN name_key TEXT;
  CREATE INDEX blocked_id ON blocked (id);
  CREATE INDEX blocked_name ON blocked (name_key);
  `,
  `
  -- ids, usernames and keys of which one thing is noted
  CREATE TABLE ${MARK_TABLE};
  INSERT INTO mark SELECT 'notOurs', username_key, NULL FROM not_ours;
  INSERT INTO mark SELECT 'forgotten', name_hash, NULL FROM forgotten;
  INSERT INTO mark SELECT 'protected', id, rule FROM protected;
  INSERT INTO mark SELECT 'logo', digest, media_id FROM logo;
  INSERT INTO mark SELECT 'vanished', employee_id, at FROM vanished;
  INSERT INTO mark SELECT 'refusedLook', employee_id, json_object('status', status, 'since', since) FROM refused_look;
  INSERT INTO mark
    SELECT 'tried', id, json_object('username', username, 'key', username_key, 'sent', json(sent), 'at', at) FROM tried;
  INSERT INTO held_item SELECT hash || '@', account FROM held_account;
  DROP TABLE not_ours;
  DROP TABLE forgotten;
  DROP TABLE protected;
  DROP TABLE logo;
  DROP TABLE vanished;
  DROP TABLE refused_look;
  DROP TABLE tried;
  DROP TABLE held_account;
  `,
  'DROP TABLE IF EXISTS pin',
  `
  -- what one call did to many people alike; n: number of its last entry; keys: two bytes of each id and folded name;
  -- entries: JSON, compressed
  CREATE TABLE history_page (
    n INTEGER PRIMARY KEY, at INTEGER NOT NULL, run TEXT NOT NULL, kind TEXT NOT NULL,
    why TEXT NOT NULL, origin TEXT, guard TEXT, approval TEXT, approver TEXT, keys BLOB NOT NULL, entries BLOB NOT NULL
  );
  CREATE INDEX history_page_at ON history_page (at);
  CREATE INDEX history_page_run ON history_page (run, n);
  -- it gives pages their numbers too
  INSERT INTO sqlite_sequence (name, seq) SELECT 'history', 0
    WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'history');
  -- of calls that are not settled; JSON: what the history gets of each item when it is known to be done
  CREATE TABLE call_record (call INTEGER PRIMARY KEY, records TEXT NOT NULL);
  INSERT INTO call_record
    SELECT call, json_group_array(json_array(subject, id, json(record))) FROM open_record
      WHERE call IN (SELECT call FROM call WHERE settled_at IS NULL) GROUP BY call;
  DELETE FROM open_record WHERE call IN (SELECT call FROM call WHERE settled_at IS NULL);
  `,
  `
  -- indexes of all people that cost each load more than the few statements gain that used them
  DROP INDEX IF EXISTS person_known;
  DROP INDEX IF EXISTS person_states;
  DROP INDEX IF EXISTS person_read_back;
  CREATE INDEX IF NOT EXISTS person_unmanaged ON person (state) WHERE state <> 'managed';
  `,
  // An account that was last shown unlocked, and exactly as its person was accepted, is in the row of the person alone:
  // `is_shown` is 1 there. `account` has all others, and `employee` every account, each username once. The triggers move
  // an account to its person as soon as the two are equal, and back when the person goes or becomes another.
  `
  ALTER TABLE employee RENAME TO account;
  ALTER TABLE person ADD COLUMN is_shown INTEGER NOT NULL DEFAULT 0;
  CREATE VIEW employee AS
    SELECT username, username_key, id, locked, shown, created FROM account
    UNION ALL SELECT username, username_key, employee_id, 0, accepted, created FROM person WHERE is_shown = 1;
  CREATE TRIGGER person_shown AFTER UPDATE OF is_shown ON person WHEN NEW.is_shown = 1 AND OLD.is_shown = 0 BEGIN
    DELETE FROM account WHERE username = NEW.username;
    UPDATE person SET is_shown = 0 WHERE rowid <> NEW.rowid AND username_key = NEW.username_key AND username = NEW.username;
  END;
  CREATE TRIGGER person_accepted AFTER UPDATE OF accepted ON person WHEN NEW.is_shown = 0 AND NEW.accepted NOTNULL BEGIN
    UPDATE person SET is_shown = 1 WHERE rowid = NEW.rowid AND EXISTS (SELECT 1 FROM account a
      WHERE a.username = NEW.username AND a.username_key = NEW.username_key AND a.id = NEW.employee_id AND a.locked = 0
        AND a.shown = NEW.accepted AND a.created IS NEW.created);
  END;
  CREATE TRIGGER account_saved AFTER INSERT ON account BEGIN
    UPDATE person SET is_shown = 0 WHERE username_key = NEW.username_key AND username = NEW.username AND is_shown = 1;
    UPDATE person SET is_shown = 1 WHERE rowid = (SELECT p.rowid FROM person p
      WHERE p.username_key = NEW.username_key AND p.username = NEW.username AND p.employee_id = NEW.id AND NEW.locked = 0
        AND p.accepted = NEW.shown AND p.created IS NEW.created LIMIT 1);
  END;
  CREATE TRIGGER person_changed AFTER UPDATE OF username, username_key, employee_id, accepted, created ON person
    WHEN OLD.is_shown = 1 AND (NEW.username, NEW.username_key, NEW.employee_id, NEW.accepted, NEW.created)
      IS NOT (OLD.username, OLD.username_key, OLD.employee_id, OLD.accepted, OLD.created) BEGIN
    UPDATE person SET is_shown = 0 WHERE rowid = NEW.rowid;
    INSERT OR REPLACE INTO account VALUES (OLD.username, OLD.username_key, OLD.employee_id, 0, OLD.accepted, OLD.created);
  END;
  CREATE TRIGGER person_deleted AFTER DELETE ON person WHEN OLD.is_shown = 1 BEGIN
    INSERT OR REPLACE INTO account VALUES (OLD.username, OLD.username_key, OLD.employee_id, 0, OLD.accepted, OLD.created);
  END;
  CREATE TRIGGER employee_deleted INSTEAD OF DELETE ON employee BEGIN
    DELETE FROM account WHERE username = OLD.username;
    UPDATE person SET is_shown = 0 WHERE username_key = OLD.username_key AND username = OLD.username AND is_shown = 1;
  END;
  UPDATE person SET accepted = accepted;
  ALTER TABLE left_inside ADD COLUMN username_key TEXT NOT NULL DEFAULT '';
  UPDATE left_inside SET username_key = coalesce((SELECT username_key FROM person p
    WHERE p.id = left_inside.id AND p.username = left_inside.username), lower(username));
  `,
  PACK_SHOWN,
  // A serial number that changed in the source stayed as it was when the unit was made.
  `
  UPDATE unit SET serial_no = sent ->> '$.fields.serial_no'
    WHERE state = 'managed' AND sent ->> '$.fields.serial_no' NOTNULL;
  `,
  // where each ref of the source leads: '' is the root, NULL no place; who was recognized is decoded once more
  `
  CREATE TABLE place (ref TEXT PRIMARY KEY, unit TEXT) WITHOUT ROWID;
  `,
];

export const LEDGER_VERSION = MIGRATIONS.length;

/** Returns the file's version, 0 if it is empty. Throws a LedgerError if a newer rollcall has written it. */
export function versionOf(db: Database): number {
  const version = Number(db.pragma('user_version'));
  if (version <= LEDGER_VERSION) return version;
  throw new LedgerError(
    `ledger ${db.path}: written by a newer rollcall (ledger version ${version}, this one knows ` +
      `${LEDGER_VERSION}); run that version, or restore the backup made before the upgrade`,
  );
}

/**
 * Throws a LedgerError if the database is another program's: it has tables and, nearly always, no version. One
 * statement asks for both, so that they are of the same moment.
 */
export function requireOurs(db: Database): void {
  const foreign = 'SELECT name FROM sqlite_master, pragma_user_version WHERE user_version = 0 LIMIT 1';
  if (db.sql(foreign).get() === undefined) return;
  throw new LedgerError(`ledger ${db.path}: is the database of another program: point state.path elsewhere`);
}

/** Brings the file to this version. */
export function migrate(db: Database): void {
  if (versionOf(db) === LEDGER_VERSION) return;
  db.transaction(() => {
    // Asked again: another process may have been first.
    for (const step of MIGRATIONS.slice(versionOf(db))) db.exec(step);
    db.exec(`PRAGMA user_version = ${LEDGER_VERSION}`);
  });
}
