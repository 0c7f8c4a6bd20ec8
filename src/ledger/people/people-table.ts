import type { WaitingLeavers } from '../../domain/changes.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { People, PersonFound } from '../../domain/ports/ledger/people.ts';
import type { KnownAccount } from '../../domain/ports/service.ts';
import type { RecordState } from '../../domain/records/next.ts';
import { FORGOTTEN, type KeptUsername } from '../../domain/records/account-named.ts';
import { countOf, textsOf, type Database } from '../database/database.ts';
import { countIn } from './in-units.ts';
import { SENT_NAME, withName, type Named } from '../database/names.ts';
import { entryOf, personEntryOf } from './person-entry.ts';
import { rowsOf } from './person-rows.ts';
import { followPlaces } from './places.ts';
import { dropHash } from '../journal/name-hashes.ts';
import { renameRecord } from '../journal/rename-record.ts';
import { clearFailure } from '../journal/settle.ts';
import { knownWhere, note, noteEvent, recordRead } from '../records/known-people.ts';
import { ADD_ELSEWHERE, DROP_REFUSED, FILL_TODO, HERE } from '../staging/staging-schema.ts';
import { isMarked, marked } from '../database/marks.ts';

const ACCOUNTS = `SELECT employee_id AS id, username FROM person WHERE username_key IN (SELECT value FROM json_each(?))
  AND state IN ('managed', 'disabled') AND employee_id IS NOT NULL`;

/** The spelling is compared in JavaScript: only folded usernames have an index. */
function accounts(db: Database, usernames: readonly string[]): readonly KnownAccount[] {
  const asked = new Set(usernames);
  const found = db.sql<KnownAccount>(ACCOUNTS).all(JSON.stringify(usernames.map(foldUsername)));
  return found.filter(({ username }) => asked.has(username));
}

const KEPT = `SELECT id, username AS label, source_name AS inSource, ${SENT_NAME} AS name FROM person
  WHERE source_key IS NOT NULL AND state IN ('managed', 'disabled')
  ORDER BY source_key LIMIT ?`;

function kept(db: Database, limit: number): readonly KeptUsername[] {
  const rows = db.sql<Named<Pick<KeptUsername, 'id' | 'label' | 'inSource'>>>(KEPT).all(limit);
  return rows.map((row) => ({ subject: 'person', ...withName(row) }));
}

const FIRST_WAITING = 10;

/** People whose account was locked in the service by others do not wait to leave. */
const MAY_LEAVE = `state IN ('creating', 'managed')
  AND NOT EXISTS (SELECT 1 FROM employee a WHERE a.username = person.username AND a.locked = 1)`;

const WAITING = `SELECT misses, coalesce(max(missed_at), 0) AS missedAt, count(*) AS count FROM person
  WHERE misses > 0 AND misses < ? AND ${MAY_LEAVE} GROUP BY misses ORDER BY misses DESC`;
const FIRST_OF = `SELECT id, username, ${SENT_NAME} AS name FROM person
  WHERE misses > 0 AND misses = ? AND ${MAY_LEAVE} ORDER BY id LIMIT ${FIRST_WAITING}`;

function waiting(db: Database, enough: number): readonly WaitingLeavers[] {
  const first = db.sql<Named<{ readonly id: string; readonly username: string }>>(FIRST_OF);
  const groups = db.sql<Omit<WaitingLeavers, 'first'>>(WAITING).all(enough);
  return groups.map((group) => ({ ...group, first: first.all(group.misses).map(withName) }));
}

const ALL_PEOPLE = 'SELECT count(*) AS n FROM person';

function stateCounts(db: Database, part: string | null): Readonly<Record<RecordState, number>> {
  const counts: Record<RecordState, number> = { creating: 0, managed: 0, disabled: 0, removed: 0 };
  const others = `SELECT state, count(*) AS n FROM person WHERE state <> 'managed'`;
  const rows = db.sql<{ readonly state: RecordState; readonly n: number }>(
    `${others} AND (:part IS NULL OR brought_by = :part) GROUP BY state`,
  );
  for (const { state, n } of rows.all({ part })) counts[state] = n;
  // Nearly all are managed: counting them all is the quickest.
  const all =
    part === null ? countOf(db, ALL_PEOPLE) : countOf(db, `${ALL_PEOPLE} WHERE brought_by = ?`, part);
  const managed = all - counts.creating - counts.disabled - counts.removed;
  return { ...counts, managed };
}

const KEYS = '(SELECT value FROM json_each(:keys))';
const IDS_OF = `SELECT id FROM person WHERE username_key IN ${KEYS} AND state <> 'removed'
  UNION SELECT id FROM person WHERE source_key IN ${KEYS} AND state <> 'removed'
  UNION SELECT id FROM staging.person WHERE username_key IN ${KEYS}`;

/** Letters of the display name are compared in ASCII alone. */
const WHO_IS = {
  username: 'username_key = :name OR source_key = :name ORDER BY id',
  displayName: `${SENT_NAME} = :name COLLATE NOCASE ORDER BY id`,
} as const;

/** The name is looked for in all that was sent first: most people need no more. */
const LIKE = `username_key LIKE :key ESCAPE '\\' OR (sent LIKE :json ESCAPE '\\' AND ${SENT_NAME} LIKE :name ESCAPE '\\')
  ORDER BY username_key LIMIT :limit`;

const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;

/** There are as many as units, and a few more: each is found in the index, and not read from every person. */
const NODE_LISTS = `
  WITH RECURSIVE list (nodes) AS (
    SELECT min(nodes) FROM person WHERE nodes IS NOT NULL
    UNION ALL SELECT (SELECT min(nodes) FROM person WHERE nodes > list.nodes) FROM list WHERE list.nodes IS NOT NULL)
  SELECT nodes FROM list WHERE nodes IS NOT NULL`;

/** Returns the lists of nodes, as they were sent, of which a node is not among these. */
function elsewhere(db: Database, standing: ReadonlySet<string>): readonly string[] {
  const lists = textsOf(db.sql(NODE_LISTS).all(), 'nodes');
  return lists.filter((list) => (JSON.parse(list) as readonly string[]).some((node) => !standing.has(node)));
}

function reads(db: Database) {
  return {
    *prepare(standing) {
      for (const statement of FILL_TODO) {
        yield;
        db.exec(statement);
      }
      yield;
      db.sql(ADD_ELSEWHERE).run(JSON.stringify(elsewhere(db, standing)));
      db.exec(DROP_REFUSED);
    },
    rows: (query) => rowsOf(db, query),
    entry: (id) => entryOf(db, id),
    idsOf: (usernames) =>
      new Set(textsOf(db.sql(IDS_OF).all({ keys: JSON.stringify(usernames.map(foldUsername)) }), 'id')),
    accounts: (usernames) => accounts(db, usernames),
    named: (name, by) =>
      knownWhere(db, WHO_IS[by], { name: by === 'username' ? foldUsername(name) : name }).map(personEntryOf),
    like: (text, limit) => {
      const name = containing(text);
      const json = containing(JSON.stringify(text).slice(1, -1));
      return knownWhere(db, LIKE, { key: containing(foldUsername(text)), name, json, limit }).map(
        personEntryOf,
      );
    },
    unverified: ({ after, limit }) => knownWhere(db, UNVERIFIED, { after, limit }).map(personEntryOf),
    kept: (limit) => kept(db, limit),
    waiting: (enough) => waiting(db, enough),
    countIn: (...asked) => countIn(db, ...asked),
    counts: (part) => stateCounts(db, part ?? null),
    isProtected: (id) =>
      db.sql('SELECT 1 FROM memory WHERE is_unit = 0 AND id = ? AND protected NOTNULL').get(id) !== undefined,
  } satisfies Partial<People>;
}

/** Of a person: the account that we know was locked when it was last seen, so that nothing is sent to it. */
const IS_LOCKED = `(employee_id IS NOT NULL AND EXISTS (
  SELECT 1 FROM employee a WHERE a.username = person.username AND a.id = person.employee_id AND a.locked = 1))`;
const UNVERIFIED = `accepted IS NULL AND state = 'managed' AND id > :after AND NOT ${IS_LOCKED} ORDER BY id LIMIT :limit`;

function rekey(db: Database, from: string, { id: to, username }: Parameters<People['rekey']>[1]): void {
  if (from === FORGOTTEN) return dropHash(db, username);
  db.sql('DELETE FROM person WHERE id = ?').run(to);
  db.sql('UPDATE person SET id = ? WHERE id = ?').run(to, from);
  noteEvent(db, to, { is: 'rekeyed' });
  db.sql('DELETE FROM memory WHERE is_unit = 0 AND id = ?').run(from);
  renameRecord(db, 'person', from, to);
}

const HAS_LEFT = `SELECT 1 FROM ${marked('hasLeft')} WHERE key = ?`;

/** How long an account that was asked for and never seen counts as ours, ms: it may show up later. */
const CLAIMED_MS = 7 * 86_400_000;
const IS_CLAIMED = `SELECT 1 FROM person p JOIN call_item i ON i.subject = 'person' AND i.id = p.id JOIN call c USING (call)
  WHERE p.id = ? AND p.employee_id IS NULL AND c.at > ? LIMIT 1`;

function noteFound(db: Database, id: string, found: PersonFound): void {
  if (found.is === 'unchanged') {
    const accepted = found.accepted === null ? null : JSON.stringify(found.accepted);
    const hasLeft = db.sql(HAS_LEFT).get(id) !== undefined;
    noteEvent(db, id, { is: 'unchanged', accepted, record: recordRead(db, id), hasLeft });
    return;
  }
  if (found.is === 'nowhere') {
    if (db.sql(IS_CLAIMED).get(id, found.at - CLAIMED_MS) !== undefined) return;
    clearFailure(db, 'person', id);
  }
  noteEvent(db, id, found);
}

function writes(db: Database) {
  return {
    note: (id, found) => noteFound(db, id, found),
    followPlaces: (places) => followPlaces(db, places),
    rekey: (from, to) => db.transaction(() => rekey(db, from, to)),
    cancelMisses() {
      db.exec(FORGET_LEFT);
      db.exec(REMEMBER_LEFT);
      for (const known of knownWhere(db, `misses > 0 AND ${HERE}`)) note(db, known.id, known, { is: 'here' });
    },
  } satisfies Partial<People>;
}

/** People whose id or username may have passed to another person: whether they are back is not known yet. */
const REUSED = `SELECT c.id FROM staging.change c JOIN staging.counted USING (seq)
  WHERE c.subject = 'person' AND bucket = 'usernameReuse person'`;

/** Whether this read has an active record of the person. */
const IS_ACTIVE = `(EXISTS (SELECT 1 FROM staging.seen s WHERE s.person = person.rowid)
  OR EXISTS (SELECT 1 FROM staging.person d WHERE d.id = person.id AND d.active = 1))`;
const SAYS_LEFT = `(NOT ${HERE} OR ${isMarked('hasLeft', 'person.id')}
  OR EXISTS (SELECT 1 FROM staging.person d WHERE d.id = person.id AND d.active = 0))`;
const IS_BLOCKED = `SELECT id FROM staging.blocked WHERE subject = 'person' AND goes_on = 0`;

/** An active record counts unless it may be another person's: it is held for that, or nothing was decided about it. */
const FORGET_LEFT = `UPDATE memory SET said_left = 0 WHERE said_left = 1 AND NOT EXISTS (SELECT 1 FROM person
  WHERE person.id = memory.id AND (NOT ${IS_ACTIVE} OR person.id IN (${REUSED}) OR person.id IN (${IS_BLOCKED})))`;
/** Nearly all are active: their rows, which are wide, are not read. */
const REMEMBER_LEFT = `INSERT INTO memory (is_unit, id, said_left)
  SELECT 0, id, 1 FROM person WHERE state <> 'removed' AND ${SAYS_LEFT} AND id IN (
    SELECT id FROM staging.person WHERE active = 0 UNION ALL SELECT key FROM ${marked('hasLeft')}
    UNION ALL SELECT key FROM ${marked('todo')} t WHERE NOT EXISTS (SELECT 1 FROM staging.person d WHERE d.id = t.key))
  ON CONFLICT DO UPDATE SET said_left = 1 WHERE said_left = 0`;

export function peopleTable(db: Database): People {
  return { ...reads(db), ...writes(db) };
}
