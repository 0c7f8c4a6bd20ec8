import type { Change } from '../../domain/changes.ts';
import type { Settlement } from '../../domain/ports/ledger/journal.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import type { Failure } from '../../domain/ports/ledger/troubles.ts';
import { textsOf, type Database } from '../database/database.ts';
import { noteEvent, recordRead } from '../records/known-people.ts';
import { shortReason } from '../../domain/text/printable.ts';

type SettlementKind = Settlement['is'];
type SettlementOf<K extends SettlementKind> = Extract<Settlement, { readonly is: K }>;
type Settler<K extends SettlementKind> = (db: Database, settlement: SettlementOf<K>) => void;
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
  noteEvent(db, change.id, { is: 'claimed', username: change.username, sent: payload, joins });
}

/** Takes a claim back after a definite refusal: what was only claimed is not ours. */
function unclaim(db: Database, { subject, id }: Failure): void {
  if (subject === 'unit') {
    db.sql(`DELETE FROM unit WHERE id = ? AND state = 'creating'`).run(id);
    return;
  }
  noteEvent(db, id, { is: 'refused' });
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

/** The account of a person, by source id. */
const ITS_ACCOUNT = '(username_key, username) = (SELECT username_key, username FROM person WHERE id = ?)';

interface Identified {
  readonly id: string;
}

/** Returns the id of the account that was last seen under a username. */
function accountSeen(db: Database, username: string): string | null {
  return db.sql<Identified>('SELECT id FROM employee WHERE username = ?').get(username)?.id ?? null;
}

function lockInView(db: Database, id: string, locked: 0 | 1): void {
  db.sql(`UPDATE employee SET locked = ? WHERE ${ITS_ACCOUNT}`).run(locked, id);
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
  const others = db.sql<Identified>('SELECT id FROM unit WHERE org_id = ? AND id <> ?').all(orgId, id);
  for (const before of others) countAsRemoved(db, before.id);
  clearFailure(db, 'unit', id);
}

const NODES =
  'SELECT org_id FROM unit WHERE id IN (SELECT value FROM json_each(?)) AND org_id NOTNULL ORDER BY 1';

/** Returns the nodes that these units have now, as JSON. */
function nodesOf(db: Database, { positions }: PersonPayload): string {
  const units = JSON.stringify(positions.flatMap(({ unit }) => unit ?? []));
  return JSON.stringify(textsOf(db.sql(NODES).all(units), 'org_id'));
}

/** How each settlement changes the ledger. A person without a hash is compared anew by the next run. */
const SETTLERS: Settlers = {
  unit: settleUnit,
  unitGone(db, { id }) {
    db.sql('DELETE FROM organization WHERE id = (SELECT org_id FROM unit WHERE id = ?)').run(id);
    countAsRemoved(db, id);
  },
  noted: () => undefined,
  swept(db, { id, orgId }) {
    clearFailure(db, 'unit', id);
    db.sql('DELETE FROM organization WHERE id = ?').run(orgId);
  },
  // A recorded failure stays for now: the read back tells whether the import worked.
  imported(db, { id, change }) {
    noteEvent(db, id, {
      is: 'imported',
      username: change.username,
      sent: JSON.stringify(change.payload),
      nodes: nodesOf(db, change.payload),
      // The old account is gone: a new one has another id, and perhaps another spelling of the username.
      isNew: change.kind === 'create',
      account: accountSeen(db, change.username),
      record: recordRead(db, id),
    });
  },
  modified: () => undefined,
  disabled(db, { id, at }) {
    const account = db.sql<Identified>(`SELECT id FROM employee WHERE ${ITS_ACCOUNT}`).get(id)?.id ?? null;
    noteEvent(db, id, { is: 'disabled', at, account });
    lockInView(db, id, 1);
    clearFailure(db, 'person', id);
  },
  enabled(db, { id }) {
    noteEvent(db, id, { is: 'enabled' });
    lockInView(db, id, 0);
  },
  personGone(db, { id }) {
    db.sql(`DELETE FROM employee WHERE ${ITS_ACCOUNT}`).run(id);
    noteEvent(db, id, { is: 'removed' });
    clearFailure(db, 'person', id);
  },
  vanished(db, { id }) {
    noteEvent(db, id, { is: 'vanished' });
    clearFailure(db, 'person', id);
  },
  reopened: (db, { id }) => void noteEvent(db, id, { is: 'reopened' }),
  failed(db, { failure, at }) {
    unclaim(db, failure);
    recordFailure(db, failure, { at, kind: 'refused' });
  },
  unconfirmed(db, { failure, at }) {
    recordFailure(db, failure, { at, kind: 'refused' });
    noteEvent(db, failure.id, { is: 'reopened' });
  },
  doubt(db, { failure, at }) {
    recordFailure(db, failure, { at, kind: 'doubt' });
    const { subject, id } = failure;
    if (subject === 'person') noteEvent(db, id, { is: 'reopened' });
    else db.sql('UPDATE unit SET accepted = NULL WHERE id = ?').run(id);
  },
};

function apply<K extends SettlementKind>(db: Database, settlement: SettlementOf<K>): void {
  const settler: Settler<K> = SETTLERS[settlement.is];
  settler(db, settlement);
}

export function settleInto(db: Database, settlements: readonly Settlement[]): void {
  for (const settlement of settlements) apply(db, settlement);
}
