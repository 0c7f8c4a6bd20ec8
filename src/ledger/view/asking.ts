import { foldUsername } from '../../domain/text/fold.ts';
import type { LikelyAccount } from '../../domain/ports/service.ts';
import type { Asking, View } from '../../domain/ports/ledger/view.ts';
import { countOf, textsOf, type Database } from '../database/database.ts';
import { markAll, marked, unmark } from '../database/marks.ts';

/** Users that the service listed. */
const CHANGED_USERS = 'SELECT username AS key FROM staging.candidate';
/**
 * Selects whom every run asks for besides, since something is open about them. A person who is inactive and was last
 * seen locked is as it should be, and is asked for only if something about the user changed.
 */
const ASK_ALWAYS = [
  'SELECT username AS key FROM person WHERE open = 1',
  `SELECT username AS key FROM person WHERE accepted IS NULL AND state = 'managed'`,
  `SELECT d.username AS key FROM staging.person d
    LEFT JOIN person p ON p.id = d.id
    WHERE (p.id IS NULL AND d.active IS NOT 0) OR (p.state <> 'managed' AND NOT (
      p.state = 'disabled' AND d.active = 0
      AND EXISTS (SELECT 1 FROM employee a WHERE a.username = p.username AND a.locked = 1)))`,
  `SELECT d.username AS key FROM staging.person d JOIN person p ON p.id = d.id WHERE p.username_key <> d.username_key`,
  `SELECT e.username AS key FROM staging.person d
    CROSS JOIN employee e ON e.username_key = d.username_key WHERE e.username <> d.username`,
];
const ASK_ON_FULL = [
  `SELECT r.label AS key FROM ${marked('hasLeft')} l JOIN staging.refused r ON r.id = l.key
    WHERE r.subject = 'person' AND r.label IS NOT NULL`,
  'SELECT username AS key FROM staging.person',
  'SELECT username AS key FROM person',
];

/** SQLite folds ASCII letters alone: a username with others stays in. */
const ONLY_USERS = `
  ${unmark('ask')} AND key NOT GLOB '*[^ -~]*'
    AND lower(key) NOT IN (SELECT lower(username) FROM staging.candidate)
    AND lower(key) NOT IN (SELECT username_key FROM person);
`;

/** Active accounts of ours that are to be decided. */
const DECIDED = `SELECT p.username AS key FROM ${marked('todo')} t CROSS JOIN person p ON p.id = t.key
  WHERE p.state = 'managed'`;

const NO_USERS = 'DELETE FROM disabled_user;';
const TAKE_USERS = `
  DELETE FROM disabled_user WHERE user_id IN (SELECT user_id FROM staging.candidate);
  INSERT INTO disabled_user
    SELECT user_id, disabled_key FROM staging.candidate WHERE disabled_key IS NOT NULL;
`;

/**
 * People who most likely exist. First come managed people whose record is unchanged, then people who were
 * seen active, then users whom the source has.
 */
const STAYING = `SELECT p.username, p.employee_id AS id FROM staging.seen s JOIN person p ON p.rowid = s.person
  WHERE p.state = 'managed' AND p.accepted IS NOT NULL LIMIT ?`;
const SEEN_ACTIVE = 'SELECT username, id FROM employee WHERE locked = 0 LIMIT ?';
const USERS_HERE = `SELECT c.username, NULL AS id FROM staging.candidate c WHERE c.disabled_key IS NULL
  AND EXISTS (SELECT 1 FROM staging.person d WHERE d.username_key = lower(c.username)) LIMIT ?`;

type AskingView = Pick<
  View,
  'candidates' | 'saveUsers' | 'prepareToAsk' | 'usernamesToAsk' | 'likelyEmployees'
>;

/** A round of questions; usernames are marked with the one that asks for them. */
type Round = 'all' | 'decided';

function preparing(whom: Asking): readonly string[] {
  if (whom === 'decided') return [markAll('ask', DECIDED, `'decided'`)];
  const { full, onlyUsers, anew = false } = whom;
  return [
    ...(anew ? [unmark('ask')] : []),
    ...[CHANGED_USERS, ...(full ? ASK_ON_FULL : []), ...ASK_ALWAYS].map((select) =>
      markAll('ask', select, `'all'`),
    ),
    ...(onlyUsers ? [ONLY_USERS] : []),
  ];
}

/** The people to ask the employees list for. */
export function askingTables(db: Database): AskingView {
  const count = (table: string): number => countOf(db, `SELECT count(*) AS n FROM ${table}`);
  let round: Round = 'all';
  return {
    candidates(users, anew) {
      if (anew) db.exec('DELETE FROM staging.candidate');
      const insert = db.sql('INSERT OR REPLACE INTO staging.candidate VALUES (?, ?, ?)');
      db.transaction(() => {
        for (const { userId, username, disabled } of users)
          insert.run(userId, username, disabled === true ? foldUsername(username) : null);
      });
      return count('staging.candidate');
    },
    saveUsers: (complete) => db.transaction(() => db.exec((complete ? NO_USERS : '') + TAKE_USERS)),
    *prepareToAsk(whom) {
      for (const step of preparing(whom)) {
        db.transaction(() => db.exec(step));
        yield;
      }
      round = whom === 'decided' ? 'decided' : 'all';
      return countOf(db, `SELECT count(*) AS n FROM ${marked('ask')} WHERE note = ?`, round);
    },
    usernamesToAsk({ after, limit }) {
      const page = db.sql(`SELECT key FROM ${marked('ask')} WHERE note = ? AND key > ? ORDER BY key LIMIT ?`);
      return textsOf(page.all(round, after, limit), 'key');
    },
    likelyEmployees(limit) {
      for (const likely of [STAYING, SEEN_ACTIVE, USERS_HERE]) {
        const accounts = db.sql<LikelyAccount>(likely).all(limit);
        if (accounts.length > 0) return accounts;
      }
      return [];
    },
  };
}
