import { REPAIRS } from '../../domain/changes.ts';
import { ledgerProblem } from './problems.ts';
import type { Database } from './database.ts';

/** The tables of a ledger. Whatever changes here, a ledger of another version is refused. */
export const LEDGER_VERSION = 2;

/** Of an entry of the history: it has set back an edit of others. */
export const IS_REPAIR = `why ->> '$.code' IN ('${REPAIRS.join(`', '`)}')`;

const RUNS = `
  CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  -- quiet: nothing was planned, held, listed or sent
  CREATE TABLE run (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER, result TEXT,
    exit_code INTEGER, report TEXT, quiet INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX run_started ON run (started_at);
  CREATE INDEX run_quiet ON run (started_at) WHERE quiet = 1;`;

const RECORDS = `
  CREATE TABLE unit (
    id TEXT PRIMARY KEY, state TEXT NOT NULL, org_id TEXT, serial_no TEXT NOT NULL, sent TEXT NOT NULL, accepted TEXT
  );

  CREATE TABLE person (
    id TEXT PRIMARY KEY, username TEXT NOT NULL, username_key TEXT NOT NULL, state TEXT NOT NULL, employee_id TEXT,
    -- nodes: JSON, the nodes of the units in sent when it was sent
    sent TEXT NOT NULL, nodes TEXT, hash TEXT, secret_hash TEXT, accepted TEXT, open INTEGER NOT NULL DEFAULT 0,
    misses INTEGER NOT NULL DEFAULT 0, missed_at INTEGER,
    -- when we sent the lock that is shown, if the state is disabled, or that is not shown yet
    disabled_at INTEGER,
    -- the username that the source has for this person, if it is another one than the account's
    source_name TEXT, source_key TEXT,
    -- when the account was made, ms on the service's clock: an id that is given again is another account
    created INTEGER,
    -- what the record was recognized by when it was last compared; holds only while hash does
    print TEXT,
    -- DN of a group that showed no members any more when the person was missing for the first time
    missed_by TEXT,
    -- source, base or group that brings the person, if there are several; nobody is recognized before it is known
    brought_by TEXT
  );
  CREATE INDEX person_username ON person (username_key);
  CREATE INDEX person_source_name ON person (source_key) WHERE source_key IS NOT NULL;
  CREATE INDEX person_open ON person (id) WHERE open = 1;
  CREATE INDEX person_unread ON person (id) WHERE accepted IS NULL AND state = 'managed';
  CREATE INDEX person_missed ON person (misses, id) WHERE misses > 0;
  CREATE INDEX person_account ON person (employee_id) WHERE employee_id IS NOT NULL;
  CREATE INDEX person_nodes ON person (nodes) WHERE nodes IS NOT NULL;
  CREATE INDEX person_print ON person (print, open) WHERE hash IS NOT NULL;
  CREATE INDEX person_unmanaged ON person (state) WHERE state <> 'managed';
  CREATE TABLE left_inside (
    id TEXT PRIMARY KEY, username TEXT NOT NULL, has_left TEXT NOT NULL, reason TEXT, username_key TEXT NOT NULL
  ) WITHOUT ROWID;

  -- records of people in the source, if increments are read; print as in person, replay: JSON, what it comes to
  CREATE TABLE source_record (key TEXT PRIMARY KEY, print TEXT, replay TEXT) WITHOUT ROWID;
  -- what is remembered of records:
  -- has: JSON, a short hash of each value that decides, by its name, as it was when nothing of the record waited; rules:
  --   digest of the rules then
  -- explained: JSON of Explained, as [has, as], of a change in the last plan that the record explains itself
  -- kept: digest of sync.protect, if that kept it from a change in the last run
  -- protected: digest of sync.protect.where, if that held for the person at the last read
  -- said_left: 1: a complete read has missed the person, or called them inactive, since their last active record
  CREATE TABLE memory (
    is_unit INTEGER NOT NULL, id TEXT NOT NULL, has TEXT, rules TEXT, explained TEXT, kept TEXT, protected TEXT,
    said_left INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (is_unit, id)
  ) WITHOUT ROWID;
  CREATE INDEX memory_explained ON memory (id) WHERE explained NOTNULL;
  CREATE INDEX memory_kept ON memory (id) WHERE kept NOTNULL;
  CREATE INDEX memory_protected ON memory (id) WHERE protected NOTNULL;
  CREATE INDEX memory_said_left ON memory (id) WHERE said_left = 1;
  -- keyed hashes of folded usernames of people who were erased
  CREATE TABLE forgotten (name_hash TEXT PRIMARY KEY) WITHOUT ROWID;`;

const VIEW = `
  CREATE TABLE organization (
    id TEXT PRIMARY KEY, parent_id TEXT, name TEXT NOT NULL, serial_no TEXT, employee_count INTEGER,
    fields TEXT NOT NULL
  );
  -- shown: JSON of Shown; in_source: the last read of the source had the username, though for nobody who is managed
  CREATE TABLE employee (
    username TEXT PRIMARY KEY, username_key TEXT NOT NULL, id TEXT NOT NULL, locked INTEGER NOT NULL,
    shown TEXT NOT NULL, created INTEGER, in_source INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX employee_locked ON employee (username) WHERE locked = 1;
  CREATE INDEX employee_name ON employee (username_key);
  CREATE INDEX employee_id ON employee (id);
  CREATE INDEX employee_in_source ON employee (username) WHERE in_source = 1;
  CREATE TABLE disabled_user (user_id TEXT PRIMARY KEY, username_key TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX disabled_user_name ON disabled_user (username_key);`;

const JOURNAL = `
  -- records, until it is settled: JSON, what the history gets of each item when it is known to be done
  CREATE TABLE call (
    call INTEGER PRIMARY KEY, run TEXT NOT NULL, operation TEXT NOT NULL, at INTEGER NOT NULL, settled_at INTEGER,
    records TEXT
  );
  CREATE INDEX call_settled ON call (settled_at);
  CREATE INDEX call_unsettled ON call (call) WHERE settled_at IS NULL;
  -- record, while it is in doubt whether the change was done: JSON, what the history gets then
  CREATE TABLE call_item (
    call INTEGER NOT NULL, subject TEXT NOT NULL, id TEXT NOT NULL, outcome TEXT, buckets TEXT,
    approved INTEGER NOT NULL DEFAULT 0, record TEXT, PRIMARY KEY (subject, id, call)
  ) WITHOUT ROWID;
  CREATE INDEX call_item_doubt ON call_item (subject, id) WHERE record NOTNULL;
  CREATE INDEX call_item_call ON call_item (call);
  -- changes that were applied; JSON: why, fields with values before and after, positions before and after by the source ids
  -- of their units (NULL: they did not change); unseen: the service said yes, and does not show it
  CREATE TABLE history (
    n INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, run TEXT NOT NULL, subject TEXT NOT NULL,
    id TEXT NOT NULL, name TEXT NOT NULL, name_key TEXT NOT NULL, kind TEXT NOT NULL, fields TEXT NOT NULL,
    why TEXT NOT NULL, guard TEXT, approval TEXT, approver TEXT, unseen INTEGER NOT NULL DEFAULT 0,
    places TEXT
  );
  CREATE INDEX history_at ON history (at);
  CREATE INDEX history_repair ON history (at) WHERE ${IS_REPAIR};
  CREATE INDEX history_id ON history (subject, id, at);
  CREATE INDEX history_name ON history (subject, name_key, id);
  CREATE INDEX history_unseen ON history (subject, id) WHERE unseen = 1;
  CREATE INDEX history_run ON history (run, n);`;

const LISTS = `
  CREATE TABLE failure (
    subject TEXT NOT NULL, id TEXT NOT NULL, label TEXT NOT NULL, reason TEXT NOT NULL, attempts INTEGER NOT NULL,
    first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, kind TEXT NOT NULL, digest TEXT, PRIMARY KEY (subject, id)
  ) WITHOUT ROWID;
  -- what a run says of a record: kind is blocked, held or edited, hash what releases it
  CREATE TABLE blocked (
    subject TEXT NOT NULL, id TEXT NOT NULL, label TEXT NOT NULL, reason TEXT NOT NULL, goes_on INTEGER NOT NULL,
    kind TEXT NOT NULL, hash TEXT, name_key TEXT
  );
  CREATE INDEX blocked_id ON blocked (id);
  CREATE INDEX blocked_name ON blocked (name_key);

  -- changes by digest, and the hash that releases them: listed in the last run, shown in a plan since, or approved;
  -- account: digest is the employee id of somebody whom the listed changes are about
  CREATE TABLE approval (
    kind TEXT NOT NULL, digest TEXT NOT NULL, hash TEXT NOT NULL, at INTEGER, username TEXT,
    PRIMARY KEY (kind, digest, hash)
  ) WITHOUT ROWID;
  CREATE INDEX approval_hash ON approval (hash, kind);
  -- what the last run held, in a row for each hash that a change needs; n counts from 1, in the order of the plan
  CREATE TABLE held (
    hash TEXT NOT NULL, n INTEGER NOT NULL, is_held INTEGER NOT NULL, hashes TEXT NOT NULL, change TEXT NOT NULL,
    PRIMARY KEY (hash, n)
  ) WITHOUT ROWID;
  -- answers of approvers: run is the one that took it, undone how many changes it has not done
  CREATE TABLE reply (
    signature TEXT, hash TEXT, username TEXT NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL, count INTEGER NOT NULL,
    run TEXT, undone INTEGER, PRIMARY KEY (signature, hash)
  ) WITHOUT ROWID;`;

const SCHEMA = [RUNS, RECORDS, VIEW, JOURNAL, LISTS].join('\n');

/** Returns whether the file is empty. Throws a LedgerError if another program or another rollcall has made it. */
export function isEmpty(db: Database): boolean {
  // One statement asks for both, so that they are of the same moment.
  const found =
    'SELECT user_version AS version, (SELECT count(*) FROM sqlite_master) AS tables FROM pragma_user_version';
  const { version, tables } = db.sql(found).get() ?? {};
  if (version === 0 && tables === 0) return true;
  if (version === LEDGER_VERSION) return false;
  if (version === 0) throw ledgerProblem('ledger-other-program', { path: db.path });
  throw ledgerProblem('ledger-other-build', { path: db.path, version: String(version), own: LEDGER_VERSION });
}

/** Creates the tables in an empty file. */
export function createTables(db: Database): void {
  db.transaction(() => {
    // Asked again: another process may have been first.
    if (!isEmpty(db)) return;
    db.exec(SCHEMA);
    db.exec(`PRAGMA user_version = ${LEDGER_VERSION}`);
  });
}
