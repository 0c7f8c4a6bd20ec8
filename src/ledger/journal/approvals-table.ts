import { REPAIRS, type Change } from '../../domain/changes.ts';
import type { Approvals, Given, HeldGroup, Listed, Meant } from '../../domain/ports/ledger/approvals.ts';
import type { Approval, SettledReply } from '../../domain/records/approval.ts';
import { countOf, textsOf, type Database } from '../database/database.ts';
import { factOf, setFact } from '../database/facts.ts';
import { CHANGE_ORDER } from '../staging/plan-book-sql.ts';

const INSERT = 'INSERT OR IGNORE INTO approval (kind, hash, digest)';

/** Accounts of the changes that a hash releases, those included that only follow: they cannot approve it. */
const HELD_ACCOUNTS = `
  ${INSERT} SELECT 'account', :hash, account FROM (
    SELECT change ->> '$.employeeId' AS account FROM staging.change
      WHERE EXISTS (SELECT 1 FROM json_each(hashes) WHERE value = :hash))
  WHERE account IS NOT NULL`;

/** What each hash releases, with what waits for it. */
const KEEP_HELD = `
  INSERT INTO held SELECT h.value, row_number() OVER (PARTITION BY h.value ORDER BY c.subject, c.id, c.seq),
    c.held = 1, c.hashes, c.change FROM staging.change c, json_each(c.hashes) h`;

const LIST = `${INSERT} SELECT 'listed', ?, digest FROM staging.counted WHERE bucket = ? AND is_open = 1`;

function setHeld(db: Database, groups: readonly HeldGroup[]): void {
  const held = groups.map((group) => group.held);
  setFact(db, 'held', held);
  db.exec(`DELETE FROM approval WHERE kind <> 'given'; DELETE FROM held`);
  if (held.length > 0) db.exec(KEEP_HELD);
  for (const {
    held: { hash },
    of,
  } of groups) {
    if ('digest' in of) db.sql(`${INSERT} VALUES ('listed', ?, ?)`).run(hash, of.digest);
    else db.sql(LIST).run(hash, of.bucket);
    db.sql(HELD_ACCOUNTS).run({ hash });
  }
}

/** Selects the digests of the changes that are meant. */
const MEANT = {
  following: `
    SELECT c.digest FROM staging.change p JOIN staging.counted c USING (seq)
    WHERE p.subject = 'person' AND p.id = :of AND p.kind IN ('update', 'enable', 'disable')
      AND json_extract(p.change, '$.loses') IS NULL
      AND json_extract(p.change, '$.why.code') NOT IN ('${REPAIRS.join(`', '`)}')`,
  open: 'SELECT digest FROM staging.counted WHERE bucket = :of AND is_open = 1',
  listed: `SELECT digest FROM approval WHERE hash = :hash AND kind = 'listed'
    AND digest IN (SELECT digest FROM staging.counted)`,
} as const satisfies Record<Meant['is'], string>;

/** A hash that no run has listed is that of a plan, which showed all that is open now. */
const SHOWN = `${INSERT} SELECT 'shown', :hash, digest FROM staging.counted
  WHERE is_open = 1 AND NOT EXISTS (SELECT 1 FROM approval WHERE hash = :hash AND kind = 'listed')`;

const AMONG = `WHERE :among IS NULL
  OR digest IN (SELECT digest FROM staging.counted WHERE seq IN (SELECT value FROM json_each(:among)))`;

/** What was listed under a hash is released by it, whichever guard trips by others meanwhile (promise 13). */
function approve(db: Database, given: Given, meant: Meant): void {
  if (meant.is === 'following') db.exec(CHANGE_ORDER);
  const among = 'among' in meant && meant.among !== null ? JSON.stringify(meant.among) : null;
  const of = 'of' in meant ? meant.of : null;
  const give = `INSERT OR REPLACE INTO approval SELECT 'given', digest, :hash, :at, :by FROM`;
  db.sql(`${give} (${MEANT[meant.is]}) ${AMONG}`).run({ ...given, of, among });
  if (meant.is === 'open') db.sql(SHOWN).run({ hash: given.hash });
}

const IS_PLANNED = 'digest IN (SELECT digest FROM staging.counted)';

/** In the order in which they were given: the last one for a change counts. */
function approvals(db: Database, condition: string): ReadonlyMap<string, Approval> {
  const given = `SELECT digest, hash, username AS "by" FROM approval WHERE kind = 'given' AND ${condition} ORDER BY at`;
  const rows = db.sql<Approval & { readonly digest: string }>(given).all();
  return new Map(rows.map(({ digest, ...approval }) => [digest, approval]));
}

const KEEP_PLANNED = `
  DELETE FROM approval WHERE kind = 'given' AND NOT ${IS_PLANNED} AND digest NOT IN (SELECT value FROM json_each(?))`;

const UNDER = 'SELECT digest FROM approval WHERE hash = ? AND kind =';

const KNOWS = `SELECT 1 FROM approval WHERE hash = ? AND kind IN ('listed', 'given') LIMIT 1`;

/** Outcomes that do what the approval was for; steps on the way there do not count. */
const DONE = `('unit', 'unitGone', 'imported', 'disabled', 'enabled', 'personGone', 'vanished')`;

const SPEND = `
  DELETE FROM approval WHERE kind = 'given' AND digest IN (
    SELECT c.digest FROM staging.counted c JOIN staging.change p USING (seq)
    WHERE p.held = 0
      -- a new id is the ledger's alone: no call tells that it was taken
      AND ((p.kind = 'adopt' AND json_extract(p.change, '$.guard') = 'usernameReuse') OR (p.subject, p.id) IN (
      SELECT i.subject, i.id FROM call o JOIN call_item i USING (call)
      WHERE o.run = ? AND i.outcome IN ${DONE}
        AND NOT EXISTS (SELECT 1 FROM failure f WHERE f.subject = i.subject AND f.id = i.id))))`;

const UNITS_UNDER = `SELECT change ->> '$.id' AS id, change ->> '$.name' AS name FROM held
  WHERE hash = ? AND change ->> '$.subject' = 'unit'`;

interface HeldRow {
  readonly isHeld: number;
  readonly hashes: string;
  readonly change: string;
}

function listed(db: Database, hash: string, { after, limit }: Parameters<Approvals['listed']>[1]): Listed {
  const rows = db.sql<HeldRow>(
    'SELECT is_held AS "isHeld", hashes, change FROM held WHERE hash = ? AND n > ? ORDER BY n LIMIT ?',
  );
  const units = db.sql<{ readonly id: string; readonly name: string }>(UNITS_UNDER).all(hash);
  return {
    total: countOf(db, 'SELECT count(*) AS n FROM held WHERE hash = ?', hash),
    changes: rows.all(hash, after, limit).map(({ isHeld, hashes, change }) => ({
      isHeld: isHeld === 1,
      hashes: JSON.parse(hashes) as readonly string[],
      change: JSON.parse(change) as Change,
    })),
    unitNames: new Map(units.map(({ id, name }) => [id, name])),
  };
}

/** Whether there is an approval, and a plan: a run may end before it has made one. */
const MAY_SPEND = `SELECT 1 FROM approval, pragma_database_list WHERE kind = 'given' AND name = 'staging' LIMIT 1`;

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
  const rows = db.sql<{ readonly bucket: string; readonly n: number }>(APPLIED).all(since);
  return new Map(rows.map(({ bucket, n }) => [bucket, n]));
}

const APPLIED = `
  SELECT b.value AS bucket, count(DISTINCT i.subject || ' ' || i.id) AS n
  FROM call c JOIN call_item i USING (call), json_each(i.buckets) b
  WHERE c.settled_at >= ? AND i.approved = 0 AND i.buckets IS NOT NULL AND i.outcome <> 'failed'
    AND NOT EXISTS (SELECT 1 FROM staging.change p JOIN staging.counted n USING (seq)
      WHERE p.subject = i.subject AND p.id = i.id AND n.bucket = b.value)
  GROUP BY b.value`;

/** In place of the run that took it. */
const REFUSED = '';

const ADD_REPLY = `
  INSERT INTO reply (signature, hash, username, text, at, count, run)
  SELECT :signature, :hash, :by, :text, :at, :count, :run
    WHERE NOT EXISTS (SELECT 1 FROM reply WHERE signature = :signature)`;
const REPLIES = 'SELECT signature, hash, username AS "by", text, at, count, run, undone AS "left" FROM reply';
const OPEN = `${REPLIES} WHERE run IS NULL ORDER BY at, signature, hash`;
const LAST = `${REPLIES} WHERE run IS NOT '${REFUSED}' ORDER BY at DESC, signature, hash LIMIT ?`;
const SETTLE = 'UPDATE reply SET run = ?, undone = ? WHERE signature = ? AND hash = ?';

export function approvalsTable(db: Database): Approvals {
  return {
    all: (which) => approvals(db, which === 'planned' ? IS_PLANNED : 'true'),
    approve: (given, meant) => approve(db, given, meant),
    under: (hash) => ({
      left: countOf(db, `SELECT count(*) AS n FROM (${UNDER} 'given')`, hash),
      isKnown: db.sql(KNOWS).get(hash) !== undefined,
      accounts: new Set(textsOf(db.sql(`${UNDER} 'account'`).all(hash), 'digest')),
    }),
    held: () => factOf(db, 'held') ?? [],
    listed: (hash, part) => listed(db, hash, part),
    setHeld: (groups, kept) =>
      db.transaction(() => {
        setHeld(db, groups);
        if (kept !== undefined) db.sql(KEEP_PLANNED).run(JSON.stringify([...kept]));
      }),
    appliedSince: (since) => appliedSince(db, since),
    addReply: (reply, is = 'open') =>
      db.impatiently(() => db.sql(ADD_REPLY).changes({ ...reply, run: is === 'open' ? null : REFUSED })) > 0,
    replies: (which) =>
      which === 'open' ? db.sql<SettledReply>(OPEN).all() : db.sql<SettledReply>(LAST).all(which),
    settleReply: ({ signature, hash }, { run, left }) => db.sql(SETTLE).run(run, left, signature, hash),
  };
}
