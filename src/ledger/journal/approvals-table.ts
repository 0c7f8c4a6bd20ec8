import { REPAIRS, type Held } from '../../domain/changes.ts';
import type { Approvals, Given, HeldGroup, Meant, Replies } from '../../domain/ports/ledger/approvals.ts';
import type { Approval, SettledReply } from '../../domain/records/approval.ts';
import type { Guard } from '../../domain/settings.ts';
import {
  countOf,
  json,
  number,
  numberOrNull,
  textOrNull,
  text,
  textsOf,
  type Database,
  type Row,
} from '../database/database.ts';
import { CHANGE_ORDER } from '../staging/plan-book-sql.ts';

function heldOf(row: Row): Held {
  return {
    guard: text(row, 'guard') as Guard,
    hash: text(row, 'hash'),
    count: number(row, 'count'),
    limit: number(row, 'most'),
    first: json<readonly string[]>(row, 'first'),
    about: text(row, 'about'),
    cause: textOrNull(row, 'cause'),
  };
}

/**
 * Suffix of a hash. Under it are the employee ids of the people that its changes are about: they cannot
 * approve it.
 */
const ABOUT = '@';

/** Accounts of the changes that a hash releases, those included that only follow. */
const HELD_ACCOUNTS = `
  INSERT OR IGNORE INTO held_item
    SELECT :hash || '${ABOUT}', account FROM (
      SELECT change ->> '$.employeeId' AS account FROM staging.change
      WHERE EXISTS (SELECT 1 FROM json_each(hashes) WHERE value = :hash))
    WHERE account IS NOT NULL`;

function setHeld(db: Database, groups: readonly HeldGroup[]): void {
  db.exec('DELETE FROM held; DELETE FROM held_item;');
  const insert = db.sql(
    'INSERT INTO held (guard, hash, count, most, first, about, cause) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  for (const { held, of } of groups) {
    const { guard, hash, count, limit, first, about, cause } = held;
    insert.run(guard, hash, count, limit, JSON.stringify(first), about, cause);
    if ('digest' in of) db.sql('INSERT OR IGNORE INTO held_item VALUES (?, ?)').run(hash, of.digest);
    else {
      const items =
        'INSERT OR IGNORE INTO held_item SELECT ?, digest FROM staging.counted WHERE bucket = ? AND is_open = 1';
      db.sql(items).run(hash, of.bucket);
    }
    db.sql(HELD_ACCOUNTS).run({ hash });
  }
}

/** Selects the digests of the changes that are meant. */
const MEANT = {
  following: `
    SELECT c.digest FROM staging.change p JOIN staging.counted c USING (seq)
    WHERE p.subject = 'person' AND p.id = :of AND p.kind IN ('update', 'enable', 'disable')
      AND json_extract(p.change, '$.loses') IS NULL
      AND ifnull(json_extract(p.change, '$.origin'), '') NOT IN ('${REPAIRS.join(`', '`)}')`,
  open: 'SELECT digest FROM staging.counted WHERE bucket = :of AND is_open = 1',
  listed:
    'SELECT digest FROM held_item WHERE hash = :hash AND digest IN (SELECT digest FROM staging.counted)',
} as const satisfies Record<Meant['is'], string>;

/** A hash that no run has listed is that of a plan, which showed all that is open now. */
const SHOWN = `INSERT OR IGNORE INTO held_item SELECT :hash || '?', digest FROM staging.counted
  WHERE is_open = 1 AND NOT EXISTS (SELECT 1 FROM held_item WHERE hash = :hash)`;

const AMONG = `WHERE :among IS NULL
  OR digest IN (SELECT digest FROM staging.counted WHERE seq IN (SELECT value FROM json_each(:among)))`;

/** What was listed under a hash is released by it, whichever guard trips by others meanwhile (promise 13). */
function approve(db: Database, given: Given, meant: Meant): void {
  if (meant.is === 'following') db.exec(CHANGE_ORDER);
  const insert = `INTO approval (digest, hash, at, username) SELECT digest, :hash, :at, :by FROM`;
  const among = 'among' in meant && meant.among !== null ? JSON.stringify(meant.among) : null;
  const of = 'of' in meant ? meant.of : null;
  db.sql(`INSERT OR REPLACE ${insert} (${MEANT[meant.is]}) ${AMONG}`).run({ ...given, of, among });
  if (meant.is === 'open') db.sql(SHOWN).run({ hash: given.hash });
}

const IS_PLANNED = 'digest IN (SELECT digest FROM staging.counted)';

function approvals(db: Database, condition: string): ReadonlyMap<string, Approval> {
  const rows = db.sql(`SELECT digest, hash, username FROM approval WHERE ${condition}`).all();
  return new Map(
    rows.map((row) => [text(row, 'digest'), { hash: text(row, 'hash'), by: textOrNull(row, 'username') }]),
  );
}

const KEEP_PLANNED = `
  DELETE FROM approval WHERE NOT ${IS_PLANNED} AND digest NOT IN (SELECT value FROM json_each(?))`;

const ACCOUNTS = 'SELECT digest FROM held_item WHERE hash = ?';

const KNOWS =
  'SELECT 1 FROM held_item WHERE hash = :hash UNION ALL SELECT 1 FROM approval WHERE hash = :hash';

/** Outcomes that do what the approval was for; steps on the way there do not count. */
const DONE = `('unit', 'unitGone', 'imported', 'disabled', 'enabled', 'personGone', 'vanished')`;

const SPEND = `
  DELETE FROM approval WHERE digest IN (
    SELECT c.digest FROM staging.counted c JOIN staging.change p USING (seq)
    WHERE p.held = 0
      -- a new id is the ledger's alone: no call tells that it was taken
      AND ((p.kind = 'adopt' AND json_extract(p.change, '$.guard') = 'usernameReuse') OR (p.subject, p.id) IN (
      SELECT i.subject, i.id FROM call o JOIN call_item i USING (call)
      WHERE o.run = ? AND i.outcome IN ${DONE}
        AND NOT EXISTS (SELECT 1 FROM failure f WHERE f.subject = i.subject AND f.id = i.id))))`;

/** Whether there is an approval, and a plan: a run may end before it has made one. */
const MAY_SPEND = `SELECT 1 FROM approval, pragma_database_list WHERE name = 'staging' LIMIT 1`;

/** Drops approvals of changes that this run has sent and that have not failed since. */
export function spendApprovals(db: Database, run: string): void {
  if (db.sql(MAY_SPEND).get() !== undefined) db.sql(SPEND).run(run);
}

/**
 * Returns how many records were changed in settled calls since then without approval, by the bucket they
 * counted under. Later changes of these records do not matter. A record that the plan counts in the same
 * bucket is counted there.
 */
function appliedSince(db: Database, since: number): ReadonlyMap<string, number> {
  const rows = db
    .sql(
      `SELECT b.value AS bucket, count(DISTINCT i.subject || ' ' || i.id) AS n
       FROM call c JOIN call_item i USING (call), json_each(i.buckets) b
       WHERE c.settled_at >= ? AND i.approved = 0 AND i.buckets IS NOT NULL
         AND i.outcome <> 'failed'
         AND NOT EXISTS (SELECT 1 FROM staging.change p JOIN staging.counted n USING (seq)
           WHERE p.subject = i.subject AND p.id = i.id AND n.bucket = b.value)
       GROUP BY b.value`,
    )
    .all(since);
  return new Map(rows.map((row) => [text(row, 'bucket'), number(row, 'n')]));
}

export function approvalsTable(db: Database): Approvals {
  return {
    all: (which) => approvals(db, which === 'planned' ? IS_PLANNED : 'true'),
    approve: (given, meant) => approve(db, given, meant),
    under: (hash) => ({
      left: countOf(db, 'SELECT count(*) AS n FROM approval WHERE hash = ?', hash),
      isKnown: db.sql(KNOWS).get({ hash }) !== undefined,
      accounts: new Set(textsOf(db.sql(ACCOUNTS).all(hash + ABOUT), 'digest')),
    }),
    held: () => db.sql('SELECT * FROM held ORDER BY rowid').all().map(heldOf),
    setHeld: (groups, kept) =>
      db.transaction(() => {
        setHeld(db, groups);
        if (kept !== undefined) db.sql(KEEP_PLANNED).run(JSON.stringify([...kept]));
      }),
    appliedSince: (since) => appliedSince(db, since),
  };
}

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

/** In place of the run that took it. */
const REFUSED = '';

const INSERT = `
  INSERT INTO reply (signature, hash, username, text, at, count, run)
  SELECT :signature, :hash, :by, :text, :at, :count, :run
    WHERE NOT EXISTS (SELECT 1 FROM reply WHERE signature = :signature)`;

export function repliesTable(db: Database): Replies {
  return {
    add: (reply, is = 'open') =>
      db.impatiently(() => db.sql(INSERT).changes({ ...reply, run: is === 'open' ? null : REFUSED })) > 0,
    list(which) {
      const open = 'SELECT * FROM reply WHERE run IS NULL ORDER BY at, signature, hash';
      const last = `SELECT * FROM reply WHERE run IS NOT '${REFUSED}' ORDER BY at DESC, signature, hash LIMIT ?`;
      return (which === 'open' ? db.sql(open).all() : db.sql(last).all(which)).map(replyOf);
    },
    settle: ({ signature, hash }, { run, left }) =>
      db
        .sql('UPDATE reply SET run = ?, undone = ? WHERE signature = ? AND hash = ?')
        .run(run, left, signature, hash),
  };
}
