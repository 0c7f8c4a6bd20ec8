import { foldUsername } from '../domain/fold.ts';
import type {
  EmployeeView,
  People,
  PersonEntry,
  PersonRow,
  RecordState,
  StagedPerson,
} from '../domain/ledger.ts';
import type { PersonPayload } from '../domain/payload.ts';
import type { Shown } from '../domain/shown.ts';
import { flag, json, jsonOrNull, number, numberOrNull, text, textOrNull } from './columns.ts';
import type { Database, Row } from './database.ts';
import { clearFailure } from './settle.ts';
import { ADD_MOVING, DROP_REFUSED, FILL_TODO, IN_UNITS } from './staging-schema.ts';

export function personEntryOf(row: Row): PersonEntry {
  return {
    id: text(row, 'id'),
    username: text(row, 'username'),
    state: text(row, 'state') as RecordState,
    employeeId: textOrNull(row, 'employee_id'),
    sent: json<PersonPayload>(row, 'sent'),
    secretHash: textOrNull(row, 'secret_hash'),
    accepted: jsonOrNull<Shown>(row, 'accepted'),
    misses: number(row, 'misses'),
    missedAt: numberOrNull(row, 'missed_at'),
    disabledAt: numberOrNull(row, 'disabled_at'),
  };
}

export function employeeOf(row: Row): EmployeeView {
  return {
    id: text(row, 'id'),
    username: text(row, 'username'),
    locked: flag(row, 'locked'),
    shown: json<Shown>(row, 'shown'),
  };
}

function stagedOf(row: Row): StagedPerson {
  const active = numberOrNull(row, 'active');
  return {
    id: text(row, 'id'),
    username: text(row, 'username'),
    active: active === null ? null : active === 1,
    hash: text(row, 'hash'),
    secretHash: textOrNull(row, 'secret_hash'),
    payload: json<PersonPayload>(row, 'payload'),
    problem: textOrNull(row, 'problem'),
  };
}

function one<T>(row: Row | undefined, decode: (row: Row) => T): T | null {
  return row === undefined ? null : decode(row);
}

const IN_THIS_READ = `
  SELECT 1 WHERE EXISTS (SELECT 1 FROM staging.seen s JOIN person p ON p.rowid = s.person WHERE p.id = :id)
    OR EXISTS (SELECT 1 FROM staging.person d WHERE d.id = :id)
    OR EXISTS (SELECT 1 FROM staging.refused r WHERE r.id = :id AND r.subject <> 'unit')`;

/** One record of the todo list, joined: desired × ledger × service. */
function rowOf(db: Database, id: string): PersonRow {
  const entry = one(db.sql('SELECT * FROM person WHERE id = ?').get(id), personEntryOf);
  const staged = one(db.sql('SELECT * FROM staging.person WHERE id = ?').get(id), stagedOf);
  const seen = db.sql('SELECT 1 FROM staging.seen s JOIN person p ON p.rowid = s.person WHERE p.id = ?');
  const desired = staged ?? (seen.get(id) === undefined ? null : 'unchanged');
  const account = entry === null || entry.state === 'removed' ? (staged ?? entry) : entry;
  const username = account?.username ?? '';
  const employee = one(db.sql('SELECT * FROM employee WHERE username = ?').get(username), employeeOf);
  const wanted = staged?.username ?? username;
  const unlisted = employee === null ? unlistedOf(db, entry, username) : LISTED;
  return { id, desired, entry, employee, ...unlisted, ...claimsOf(db, id, foldUsername(wanted)) };
}

const LISTED = { renamed: null, isUserDisabled: false } as const;

/** What else is known of an account that no list of employees has. */
function unlistedOf(
  db: Database,
  entry: PersonEntry | null,
  username: string,
): Pick<PersonRow, 'renamed' | 'isUserDisabled'> {
  const renamed = db.sql('SELECT username, locked FROM staging.renamed WHERE id = ?').get(entry?.id ?? null);
  const disabled = db.sql('SELECT 1 FROM disabled_user WHERE username_key = ? LIMIT 1');
  return {
    renamed: one(renamed, (row) => ({ username: text(row, 'username'), locked: flag(row, 'locked') })),
    isUserDisabled: disabled.get(foldUsername(username)) !== undefined,
  };
}

/** Their usernames are compared in JavaScript, since only the folded ones have an index. */
function accounts(db: Database, usernames: readonly string[]): readonly PersonEntry[] {
  const asked = new Set(usernames);
  const rows = db
    .sql(
      `SELECT * FROM person WHERE username_key IN (SELECT value FROM json_each(?))
         AND state IN ('managed', 'disabled') AND employee_id IS NOT NULL`,
    )
    .all(JSON.stringify(usernames.map(foldUsername)));
  return rows.map(personEntryOf).filter(({ username }) => asked.has(username));
}

/** Who else has this username: in the ledger, and in this read of the source. */
function claimsOf(
  db: Database,
  id: string,
  key: string,
): Pick<PersonRow, 'usernameOwner' | 'ownerMissing' | 'claimedBy'> {
  const owners = `SELECT id FROM person WHERE username_key = :key AND id <> :id
    UNION ALL SELECT id FROM staging.renamed WHERE username_key = :key AND id <> :id`;
  const owner = one(db.sql(owners).get({ key, id }), (row) => text(row, 'id'));
  const claim = db.sql('SELECT id FROM staging.person WHERE username_key = ? AND id <> ?').get(key, id);
  const ownerMissing = owner !== null && db.sql(IN_THIS_READ).get({ id: owner }) === undefined;
  return { usernameOwner: owner, ownerMissing, claimedBy: one(claim, (row) => text(row, 'id')) };
}

type Reads = Pick<
  People,
  'prepare' | 'rows' | 'entry' | 'byUsername' | 'accounts' | 'named' | 'unverified' | 'counts'
>;
type Writes = Omit<People, keyof Reads>;

function stateCounts(db: Database): Readonly<Record<RecordState, number>> {
  const counts: Record<RecordState, number> = { creating: 0, managed: 0, disabled: 0, removed: 0 };
  for (const row of db.sql('SELECT state, count(*) AS n FROM person GROUP BY state').all()) {
    counts[text(row, 'state') as RecordState] = number(row, 'n');
  }
  return counts;
}

function reads(db: Database): Reads {
  return {
    prepare: (moving) =>
      db.transaction(() => {
        db.exec(FILL_TODO);
        if (moving.length > 0) db.sql(ADD_MOVING).run(JSON.stringify(moving));
        db.exec(DROP_REFUSED);
      }),
    rows({ after, limit }) {
      const ids = db.sql('SELECT id FROM staging.todo WHERE id > ? ORDER BY id LIMIT ?').all(after, limit);
      return ids.map((row) => rowOf(db, text(row, 'id')));
    },
    entry: (id) => one(db.sql('SELECT * FROM person WHERE id = ?').get(id), personEntryOf),
    byUsername(username) {
      const row = db.sql('SELECT * FROM person WHERE username_key = ?').get(foldUsername(username));
      return one(row, personEntryOf);
    },
    accounts: (usernames) => accounts(db, usernames),
    named(username) {
      const rows = db
        .sql('SELECT * FROM person WHERE username_key = ? ORDER BY id')
        .all(foldUsername(username));
      return rows.map(personEntryOf);
    },
    unverified({ after, limit }) {
      const unread = db.sql(
        `SELECT * FROM person WHERE accepted IS NULL AND state = 'managed' AND id > ? ORDER BY id LIMIT ?`,
      );
      return unread.all(after, limit).map(personEntryOf);
    },
    counts: () => stateCounts(db),
  };
}

/** Goes through everybody, so only where there are moves. */
function follow(db: Database, moving: readonly string[]): void {
  if (moving.length > 0) db.sql(`UPDATE person SET open = 1 WHERE ${IN_UNITS}`).run(JSON.stringify(moving));
}

function writes(db: Database): Writes {
  return {
    verified(id, { employeeId, accepted }) {
      db.sql('UPDATE person SET employee_id = ?, accepted = ?, open = 0 WHERE id = ?').run(
        employeeId,
        JSON.stringify(accepted),
        id,
      );
      clearFailure(db, 'person', id);
    },
    // "Unchanged" stands for "active and as it was": who is inactive is staged, and decided, in every run.
    close(id, accepted) {
      db.sql(
        `UPDATE person SET open = 0, accepted = coalesce(?, accepted),
           hash = CASE (SELECT active FROM staging.person s WHERE s.id = person.id)
             WHEN 1 THEN (SELECT hash FROM staging.person s WHERE s.id = person.id)
             WHEN 0 THEN NULL
             ELSE hash END
         WHERE id = ?`,
      ).run(accepted === null ? null : JSON.stringify(accepted), id);
    },
    follow: (moving) => follow(db, moving),
    missed(id, at, misses) {
      db.sql('UPDATE person SET missed_at = ?, misses = ? WHERE id = ?').run(at, misses, id);
    },
    rekey(from, to) {
      db.transaction(() => {
        db.sql('DELETE FROM person WHERE id = ?').run(to);
        db.sql(
          'UPDATE person SET id = ?, hash = NULL, open = 1, misses = 0, missed_at = NULL WHERE id = ?',
        ).run(to, from);
        db.sql(`UPDATE call_item SET id = ? WHERE subject = 'person' AND id = ?`).run(to, from);
        db.sql(`DELETE FROM failure WHERE subject = 'person' AND id IN (?, ?)`).run(from, to);
      });
    },
    forget(id) {
      clearFailure(db, 'person', id);
      db.sql(`DELETE FROM person WHERE id = ? AND state = 'creating' AND employee_id IS NULL`).run(id);
      db.sql(
        `UPDATE person SET state = 'removed', open = 0, hash = NULL, accepted = NULL, misses = 0 WHERE id = ?`,
      ).run(id);
    },
    cancelMisses() {
      db.sql(
        `UPDATE person SET misses = 0, missed_at = NULL WHERE misses > 0 AND (
           EXISTS (SELECT 1 FROM staging.seen s WHERE s.person = person.rowid)
           OR EXISTS (SELECT 1 FROM staging.person d WHERE d.id = person.id)
           OR EXISTS (SELECT 1 FROM staging.refused r WHERE r.id = person.id AND r.subject <> 'unit'))`,
      ).run();
    },
  };
}

export function peopleTable(db: Database): People {
  return { ...reads(db), ...writes(db) };
}
