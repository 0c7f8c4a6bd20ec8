import {
  SILENTLY,
  type LeftInside,
  type LeftInsideList,
  type LeftInsideQuery,
  type Unexplained,
} from '../../domain/ports/ledger/left-inside.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { nameOf } from '../database/names.ts';
import { countOf, textsOf, type Database } from '../database/database.ts';
import { HAS_PINNED_HASH } from '../database/pinned.ts';
import { GONE } from '../records/seen.ts';
import { shortReason } from '../../domain/text/printable.ts';
import { isMarked, markAll, marked, unmark } from '../database/marks.ts';

/** The account is active: the known one, whatever its username is now; else the one with the username. */
const IS_ACTIVE = `coalesce(
    (SELECT max(a.locked = 0) FROM person p CROSS JOIN employee a ON a.id = p.employee_id
      WHERE p.id = l.id AND p.state <> 'removed'),
    (SELECT a.locked = 0 FROM employee a WHERE a.username = l.username), 0)`;

/** The account belongs to another person of ours, who is still in the source. */
const IS_ANOTHERS = `EXISTS (SELECT 1 FROM person o
    WHERE o.username_key = d.username_key AND o.id <> d.id AND o.state <> 'removed'
      AND (EXISTS (SELECT 1 FROM staging.person s WHERE s.id = o.id)
        OR EXISTS (SELECT 1 FROM staging.refused s WHERE s.id = o.id)
        OR EXISTS (SELECT 1 FROM staging.seen s WHERE s.person = o.rowid)))`;

/**
 * People whose record says that they have left. The state that a revert wants does not count: it does not
 * come from the source.
 */
const INACTIVE = markAll(
  'leaver',
  `SELECT d.id AS key FROM staging.person d LEFT JOIN person p ON p.id = d.id AND p.state <> 'removed'
  WHERE d.active = 0 AND NOT ${HAS_PINNED_HASH} AND (p.id IS NOT NULL OR NOT ${IS_ANOTHERS})`,
  `'inactive in the source'`,
);

/** People whose records say that they have left, and cannot be used otherwise. */
const BAD = markAll(
  'leaver',
  `SELECT p.id AS key FROM ${marked('hasLeft')} l CROSS JOIN person p ON p.id = l.key AND p.state <> 'removed'`,
  `'inactive in the source'`,
);

/**
 * People who were missing often enough, or whom rollcall has disabled already. All missing people are in
 * `todo`.
 */
const MISSING = markAll(
  'leaver',
  `SELECT p.id AS key FROM ${marked('todo')} t CROSS JOIN person p ON p.id = t.key
  WHERE (p.misses >= :misses OR p.state = 'disabled') AND p.state <> 'removed'
    AND NOT EXISTS (SELECT 1 FROM staging.person d WHERE d.id = p.id)
    AND NOT EXISTS (SELECT 1 FROM staging.seen s WHERE s.person = p.rowid)`,
  `'missing in the source'`,
);

/** People who were named before and have no record now: their last one said that they have left, and none says otherwise. */
const NAMED = markAll(
  'leaver',
  `SELECT p.id AS key, b.has_left FROM left_inside b CROSS JOIN person p ON p.id = b.id AND p.state <> 'removed'
  WHERE ${isMarked('todo', 'p.id')} AND NOT EXISTS (SELECT 1 FROM staging.person d WHERE d.id = p.id)
    AND NOT EXISTS (SELECT 1 FROM staging.seen s WHERE s.person = p.rowid)`,
  `iif(has_left = 'missing in the source', has_left, 'inactive in the source')`,
);

const NO_UNLOCK = 'EXCEPT SELECT value FROM json_each(:unlocks)';

/** Names of what records had of people who were listed before. */
const NAMES = `SELECT DISTINCT n.key AS name FROM left_inside b CROSS JOIN memory k ON k.is_unit = 0 AND k.id = b.id, json_each(k.has) n`;

/**
 * People who were listed before and whose record no longer says that they have left, because the value that
 * said so is missing: it may be hidden. If there is only one such person, they may really be back, and are
 * not listed. A lock that others show, and they no more, says that they are back. People who are listed for this reason stay listed while their record is unchanged.
 */
const SILENT = markAll(
  'leaver',
  `WITH silent AS (
    SELECT p.id AS key, b.has_left = '${SILENTLY}' AS again FROM left_inside b
      CROSS JOIN memory k ON k.is_unit = 0 AND k.id = b.id CROSS JOIN person p ON p.id = b.id AND p.state <> 'removed'
      LEFT JOIN staging.person d ON d.id = b.id
    WHERE CASE WHEN d.id IS NULL
      THEN b.has_left = '${SILENTLY}' AND EXISTS (SELECT 1 FROM staging.seen s WHERE s.person = p.rowid)
        AND EXISTS (SELECT key FROM json_each(k.has) WHERE value LIKE '${GONE}%' ${NO_UNLOCK})
      ELSE d.active IS NOT 0
        AND EXISTS (SELECT key FROM json_each(k.has) EXCEPT SELECT key FROM json_each(d.has) ${NO_UNLOCK})
      END)
  SELECT key FROM silent WHERE again OR (SELECT count(*) FROM silent) > 1`,
  `'${SILENTLY}'`,
);

/** What keeps their accounts active, the nearest first: this run's own word, a guard, the service's words. */
const REASON = `coalesce(
    (SELECT b.reason FROM staging.blocked b WHERE b.id = l.id AND b.subject = 'person' AND b.kind = 'blocked'),
    (SELECT 'held: rollcall sync' || (SELECT group_concat(' --approve ' || value, '') FROM json_each(c.hashes))
       FROM staging.change c
       WHERE c.id = l.id AND c.subject = 'person' AND c.held <> 0),
    (SELECT f.reason FROM failure f WHERE f.subject = 'person' AND f.id = l.id))`;

/** Few are left inside, while many may be blocked or planned. */
const INDEXES = `
  CREATE INDEX IF NOT EXISTS staging.change_id ON change (id);
  CREATE INDEX IF NOT EXISTS staging.blocked_id ON blocked (id);`;

const NO_LONGER = `DELETE FROM left_inside AS l WHERE NOT ${IS_ACTIVE}`;

const FIND = `INSERT OR IGNORE INTO left_inside
  SELECT l.id, l.username, l.has_left, ${REASON}, l.username_key FROM (
    SELECT m.key AS id, coalesce(p.username, d.username) AS username,
      coalesce(p.username_key, d.username_key) AS username_key, m.note AS has_left FROM ${marked('leaver')} m
      LEFT JOIN person p ON p.id = m.key AND p.state <> 'removed' LEFT JOIN staging.person d ON d.id = m.key) l
  WHERE ${IS_ACTIVE} AND NOT (:foreseen AND EXISTS (SELECT 1 FROM staging.change c
    WHERE c.subject = 'person' AND c.id = l.id AND c.held = 0 AND c.kind IN ('disable', 'remove')))`;

/** Their next records are decoded: only so is it known what they lack. */
const FORGET_PRINTS = `UPDATE person SET print = NULL
  WHERE print IS NOT NULL AND id IN (SELECT id FROM left_inside WHERE has_left <> 'missing in the source')`;

const ONE = 'l.id, l.username AS label, l.has_left AS "left", l.reason';

const UNEXPLAINED = `
  SELECT ${ONE}, NULL AS name, (SELECT d.id FROM staging.person d JOIN person p ON d.username_key IN (p.username_key, p.source_key)
    WHERE p.id = l.id AND d.id <> l.id) AS claimedBy
  FROM left_inside l WHERE l.reason IS NULL ORDER BY l.username`;

interface InsideRow extends Pick<LeftInside, 'id' | 'label' | 'left'> {
  readonly reason: string | null;
  readonly name: string | null;
}

const leftOf = ({ id, label, left, name }: InsideRow): Omit<LeftInside, 'reason'> => ({
  subject: 'person',
  id,
  label,
  ...(name !== null && { name }),
  left,
});

function find(
  db: Database,
  { misses, isDecided, isForeseen, isRight, isUnlock }: LeftInsideQuery,
  reasonOf: (one: Unexplained) => string,
): readonly LeftInside[] {
  // Those named before are found again, or are named no longer.
  const forget = isDecided ? 'DELETE FROM left_inside' : NO_LONGER;
  db.exec(`${INDEXES} ${unmark('leaver')}; ${NAMED};`);
  if (!isRight) {
    const unlocks = textsOf(db.sql(NAMES).all(), 'name').filter((name) => isUnlock(name));
    db.sql(SILENT).run({ unlocks: JSON.stringify(unlocks) });
  }
  db.exec(forget);
  db.exec(INACTIVE);
  db.exec(BAD);
  db.sql(MISSING).run({ misses });
  db.sql(FIND).run({ foreseen: Number(isForeseen) });
  db.exec(FORGET_PRINTS);
  const explain = db.sql('UPDATE left_inside SET reason = ? WHERE id = ?');
  const unexplained = db.sql<InsideRow & { readonly claimedBy: string | null }>(UNEXPLAINED).all();
  return unexplained.map(({ claimedBy, ...row }) => {
    const one = { ...leftOf(row), claimedBy };
    const reason = shortReason(reasonOf(one));
    explain.run(reason, one.id);
    return { ...one, reason };
  });
}

const ADD = `INSERT OR REPLACE INTO left_inside
  SELECT id, username, :left, :reason, :key FROM (SELECT :id AS id, :label AS username) l WHERE ${IS_ACTIVE}`;

export function leftInsideTable(db: Database): LeftInsideList {
  return {
    find(query, reasonOf) {
      return db.transaction(() => find(db, query, reasonOf));
    },
    add: ({ id, label, left, reason }) =>
      db.sql(ADD).changes({ id, label, key: foldUsername(label), left, reason: shortReason(reason) }) > 0,
    list(limit) {
      const rows = db.sql<InsideRow & { readonly reason: string }>(
        `SELECT ${ONE}, ${nameOf('l', 'true')} FROM
          (SELECT * FROM left_inside WHERE reason IS NOT NULL ORDER BY username LIMIT ?) AS l`,
      );
      const first = rows.all(limit).map((row) => ({ ...leftOf(row), reason: row.reason }));
      return { count: countOf(db, 'SELECT count(*) AS n FROM left_inside'), first };
    },
  };
}
