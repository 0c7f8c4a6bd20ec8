import type { Change } from '../../domain/changes.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import type { Settlement } from '../../domain/ports/ledger/journal.ts';
import type { Failure } from '../../domain/ports/ledger/troubles.ts';
import { text, type Database } from '../database/database.ts';
import { shortReason } from '../../domain/text/printable.ts';

type SettlementKind = Settlement['is'];
type SettlementOf<K extends SettlementKind> = Extract<Settlement, { readonly is: K }>;
type Settler<K extends SettlementKind> = (db: Database, settlement: SettlementOf<K>, run: string) => void;
type Settlers = { readonly [K in SettlementKind]: Settler<K> };

/**
 * Claims a record, before a creating call is sent: from here on, what is found under its identity is ours, or in doubt.
 */
export function claim(db: Database, change: Change): void {
  if (change.subject === 'unit' && (change.kind === 'update' || change.kind === 'remove')) return;
  const payload = JSON.stringify(change.payload);
  if (change.subject === 'unit') {
    db.sql(
      `INSERT INTO unit (id, state, org_id, serial_no, sent) VALUES (?, 'creating', ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET state = 'creating', serial_no = excluded.serial_no, org_id = excluded.org_id
         WHERE ?`,
    ).run(change.id, change.orgId, change.serialNo, payload, Number(change.kind !== 'move'));
    return;
  }
  const joins = change.kind === 'create' || change.kind === 'adopt';
  db.sql(
    `INSERT INTO person (id, username, username_key, state, sent, open) VALUES (?, ?, ?, 'creating', ?, 1)
     ON CONFLICT (id) DO UPDATE SET state = iif(? OR state = 'removed', 'creating', state), open = 1,
       username = iif(state = 'removed', excluded.username, username),
       username_key = iif(state = 'removed', excluded.username_key, username_key)`,
  ).run(change.id, change.username, foldUsername(change.username), payload, Number(joins));
}

/** Takes a claim back after a definite refusal: what was only claimed is not ours. */
function unclaim(db: Database, { subject, id }: Failure): void {
  if (subject === 'unit') {
    db.sql(`DELETE FROM unit WHERE id = ? AND state = 'creating'`).run(id);
    return;
  }
  db.sql(
    `UPDATE person SET state = 'removed' WHERE id = ? AND state = 'creating' AND employee_id IS NOT NULL`,
  ).run(id);
  db.sql(`DELETE FROM person WHERE id = ? AND state = 'creating'`).run(id);
}

interface FailureCase {
  readonly at: number;
  readonly kind: 'refused' | 'doubt';
}

/** Records a failure. Attempts are counted per change: another change of the same record starts at 1 again. */
function recordFailure(db: Database, failure: Failure, { at, kind }: FailureCase): void {
  const { subject, id, label, reason, digest = null } = failure;
  db.sql(
    `INSERT INTO failure VALUES (:subject, :id, :label, :reason, 1, :at, :at, :kind, :digest)
     ON CONFLICT (subject, id) DO UPDATE SET label = :label, reason = :reason, last_at = :at, kind = :kind,
       attempts = iif(digest IS :digest, attempts + 1, 1), digest = :digest`,
  ).run({ subject, id, label, reason: shortReason(reason), at, kind, digest });
}

export function clearFailure(db: Database, subject: 'unit' | 'person', id: string): void {
  db.sql('DELETE FROM failure WHERE subject = ? AND id = ?').run(subject, id);
}

/** Counts a unit as removed, whichever node is seen under the id that it had. */
export function countAsRemoved(db: Database, unit: string): void {
  db.sql(`UPDATE unit SET state = 'removed', accepted = NULL WHERE id = ?`).run(unit);
  clearFailure(db, 'unit', unit);
}

/**
 * Remembers the usernames of staged people, by source ids. From now on these claim them without being staged, as long as
 * the source has no change.
 */
export function rememberSourceNames(db: Database, ids: readonly string[]): void {
  db.sql(
    `UPDATE person SET source_key = nullif(d.username_key, person.username_key),
       source_name = iif(d.username_key = person.username_key, NULL, d.username)
     FROM staging.person d WHERE d.id = person.id AND person.id IN (SELECT value FROM json_each(?))
       AND (d.username_key <> person.username_key OR person.source_key IS NOT NULL)`,
  ).run(JSON.stringify(ids));
}

/** The account of a person, by source id. */
const ITS_ACCOUNT = '(username_key, username) = (SELECT username_key, username FROM person WHERE id = ?)';

/** The person's username is shown with another account than ours: what was sent went to that one. */
const IS_TAKEN_OVER = `EXISTS (SELECT 1 FROM employee a WHERE a.username = :username AND a.id <> person.employee_id)`;

function lockInView(db: Database, id: string, locked: 0 | 1): void {
  db.sql(`UPDATE employee SET locked = ? WHERE ${ITS_ACCOUNT}`).run(locked, id);
}

/** Makes the next run compare the person anew, without looking at the hash. */
function reopen(db: Database, id: string): void {
  db.sql('UPDATE person SET open = 1, hash = NULL WHERE id = ?').run(id);
}

function settleUnit(
  db: Database,
  { id, orgId, sent, accepted, serialNo }: Omit<SettlementOf<'unit'>, 'is'>,
): void {
  db.sql(
    `UPDATE unit SET state = 'managed', org_id = :orgId, sent = :sent, accepted = :accepted,
       serial_no = coalesce(:serialNo, serial_no) WHERE id = :id`,
  ).run({
    id,
    orgId,
    sent: JSON.stringify(sent),
    accepted: accepted === null ? null : JSON.stringify(accepted),
    serialNo: serialNo ?? null,
  });
  // A unit that comes with another id takes over the node of the one that it was.
  for (const before of db.sql('SELECT id FROM unit WHERE org_id = ? AND id <> ?').all(orgId, id))
    countAsRemoved(db, text(before, 'id'));
  clearFailure(db, 'unit', id);
}

/** How each settlement changes the ledger. A person without a hash is compared anew by the next run. */
const SETTLERS: Settlers = {
  unit: settleUnit,
  unitGone(db, { id }) {
    db.sql('DELETE FROM organization WHERE id = (SELECT org_id FROM unit WHERE id = ?)').run(id);
    countAsRemoved(db, id);
  },
  // If the unit has left the node, the node no longer concerns it.
  aside(db, { id, orgId, name }) {
    const named = `UPDATE unit SET sent = json_set(sent, '$.fields.name', ?), accepted = NULL`;
    db.sql(`${named} WHERE id = ? AND org_id IS ?`).run(name, id, orgId);
  },
  noted: () => undefined,
  swept(db, { id, orgId }) {
    clearFailure(db, 'unit', id);
    db.sql('DELETE FROM organization WHERE id = ?').run(orgId);
  },
  // A recorded failure stays for now: the read back tells whether the import worked. Until then the print is the run's id:
  // prints come in no order, and each would write a page of their index.
  imported(db, { id, change }, run) {
    db.sql(
      `UPDATE person SET state = 'managed', username = :username, username_key = :key, sent = :sent,
         hash = coalesce((SELECT hash FROM staging.person d WHERE d.id = :id), hash),
         print = :run,
         brought_by = (SELECT brought_by FROM staging.person d WHERE d.id = :id),
         secret_hash = (SELECT secret_hash FROM staging.person d WHERE d.id = :id),
         accepted = NULL, open = 0, misses = 0, missed_at = NULL, disabled_at = NULL,
         employee_id = iif(:isNew OR ${IS_TAKEN_OVER}, NULL, employee_id)
       WHERE id = :id`,
    ).run({
      id,
      // The old account is gone: a new one has another id, and perhaps another spelling of the username.
      isNew: Number(change.kind === 'create'),
      username: change.username,
      key: foldUsername(change.username),
      sent: JSON.stringify(change.payload),
      run,
    });
  },
  modified: () => undefined,
  disabled(db, { id, at }) {
    db.sql(
      `UPDATE person SET state = 'disabled', disabled_at = ?, hash = NULL, open = 0, employee_id =
         coalesce((SELECT id FROM employee WHERE ${ITS_ACCOUNT}), employee_id) WHERE id = ?`,
    ).run(at, id, id);
    lockInView(db, id, 1);
    clearFailure(db, 'person', id);
  },
  enabled(db, { id }) {
    db.sql(`UPDATE person SET state = 'managed', disabled_at = NULL, hash = NULL WHERE id = ?`).run(id);
    lockInView(db, id, 0);
  },
  personGone(db, { id }) {
    db.sql(`DELETE FROM employee WHERE ${ITS_ACCOUNT}`).run(id);
    db.sql(`UPDATE person SET state = 'removed', hash = NULL, accepted = NULL, open = 0 WHERE id = ?`).run(
      id,
    );
    clearFailure(db, 'person', id);
  },
  vanished(db, { id }) {
    db.sql(`UPDATE person SET state = 'removed', open = 0, hash = NULL WHERE id = ?`).run(id);
    clearFailure(db, 'person', id);
  },
  reopened: (db, { id }) => reopen(db, id),
  failed(db, { failure, at }) {
    unclaim(db, failure);
    recordFailure(db, failure, { at, kind: 'refused' });
  },
  unconfirmed(db, { failure, at }) {
    recordFailure(db, failure, { at, kind: 'refused' });
    reopen(db, failure.id);
  },
  doubt(db, { failure, at }) {
    recordFailure(db, failure, { at, kind: 'doubt' });
    const { subject, id } = failure;
    if (subject === 'person') reopen(db, id);
    else db.sql('UPDATE unit SET accepted = NULL WHERE id = ?').run(id);
  },
};

function apply<K extends SettlementKind>(db: Database, settlement: SettlementOf<K>, run: string): void {
  const settler: Settler<K> = SETTLERS[settlement.is];
  settler(db, settlement, run);
}

/** @param run id of the run that goes on, which staging is of */
export function settleInto(db: Database, settlements: readonly Settlement[], run: string): void {
  for (const settlement of settlements) apply(db, settlement, run);
  const imported = settlements.flatMap((one) => (one.is === 'imported' ? [one.id] : []));
  if (imported.length > 0) rememberSourceNames(db, imported);
}
