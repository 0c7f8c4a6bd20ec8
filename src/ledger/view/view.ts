import { accountNamed } from '../../domain/records/account-named.ts';
import type { Fields } from '../../domain/records/fields.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { groupBy } from '../../domain/text/group-by.ts';
import type { View } from '../../domain/ports/ledger/view.ts';
import type { Employee, Employees, Organization } from '../../domain/ports/service.ts';
import {
  countOf,
  json,
  numberOrNull,
  textOrNull,
  text,
  type Database,
  type Row,
} from '../database/database.ts';
import { askingTables } from './asking.ts';
import type { HistoryContext } from '../history/history-rows.ts';
import { accept, saveEmployee } from './save-employee.ts';
import { employeeOf, spellingsOf } from '../people/person-rows.ts';
import { takeTried, triedUsernames } from '../journal/tried.ts';
import { shortReason } from '../../domain/text/printable.ts';
import { markOne } from '../database/marks.ts';

function organizationOf(row: Row): Organization {
  return {
    id: text(row, 'id'),
    parentId: textOrNull(row, 'parent_id'),
    name: text(row, 'name'),
    serialNo: textOrNull(row, 'serial_no'),
    employeeCount: numberOrNull(row, 'employee_count'),
    fields: json<Fields>(row, 'fields'),
  };
}

/**
 * Saves a node, or forgets one that is shown as not valid (interface, Organization node: `disabled`): it is not there.
 */
function saveOrganization(db: Database, node: Organization): void {
  if (node.disabled === true) {
    db.sql('DELETE FROM organization WHERE id = ?').run(node.id);
    return;
  }
  db.sql('INSERT OR REPLACE INTO organization VALUES (?, ?, ?, ?, ?, ?)').run(
    node.id,
    node.parentId,
    node.name,
    node.serialNo,
    node.employeeCount,
    JSON.stringify(node.fields),
  );
}

/** Remembers why a username is unclear, and opens its person: nothing is decided before it is clear. */
function noteUnclear(db: Database, username: string, reason: string): void {
  db.sql(markOne('unclear')).run(username, shortReason(reason));
  db.sql('UPDATE person SET open = 1 WHERE username_key = ? AND username = ?').run(
    foldUsername(username),
    username,
  );
}

function forgetEmployee(db: Database, username: string): void {
  const named = 'WHERE username_key = ? AND username = ?';
  const key = foldUsername(username);
  db.sql(`DELETE FROM employee ${named}`).run(key, username);
  db.sql(`UPDATE person SET open = 1 ${named} AND state IN ('managed', 'disabled')`).run(key, username);
}

function seenAt(db: Database, orgIds: readonly string[], which?: 'locked'): ReturnType<View['seenAt']> {
  if (orgIds.length === 0) return new Map();
  const rows = db
    .sql(
      `SELECT e.*, place.value ->> '$.orgId' AS org_id
       FROM employee e ${which === undefined ? '' : 'INDEXED BY employee_locked'}, json_each(e.shown, '$.positions') place
       WHERE ${which === undefined ? '' : 'e.locked = 1 AND'} place.value ->> '$.orgId' IN (SELECT value FROM json_each(?))
       ORDER BY e.username`,
    )
    .all(JSON.stringify(orgIds));
  const byNode = groupBy(rows, (row) => text(row, 'org_id'));
  return new Map([...byNode].map(([orgId, there]) => [orgId, there.map(employeeOf)]));
}

const IS_SHOWN = `SELECT 1 FROM employee e, json_each(e.shown, '$.fields') f WHERE f.key = ? LIMIT 1`;

const HAD_VALUE = `SELECT 1 FROM person p, json_each(p.accepted, '$.fields') f WHERE p.state = 'managed' AND f.key = ?
  AND coalesce(f.value, '') NOT IN ('', '[]', '{}') LIMIT ?`;

const UNMANAGED = `
  FROM employee e
  WHERE NOT EXISTS (SELECT 1 FROM person p WHERE p.username_key = e.username_key AND p.state <> 'removed'
    AND (p.username = e.username OR p.employee_id = e.id))
    AND e.in_source = 0`;

const IN_SOURCE = `
  UPDATE employee SET in_source = 0 WHERE in_source = 1;
  UPDATE employee SET in_source = 1 WHERE username_key IN (
    SELECT username_key FROM staging.person
    UNION SELECT username_key FROM staging.refused WHERE subject = 'person' AND username_key IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM person p WHERE p.username_key = employee.username_key AND p.state <> 'removed')`;

/**
 * The account was made at another time than ours, so it is another one: a service that was restored gives ids again. A
 * minute's difference is allowed: the service's clock may have been set back since.
 */
const IS_MADE_OTHERWISE = 'SELECT 1 FROM person WHERE id = :id AND abs(:created - created) > 60000';

/**
 * The account belongs to another person of ours with this username. If the own username of the person is there too
 * (`:isThere`), that holds even if the other person's account had another id.
 */
const IS_ANOTHER_OF_OURS = `SELECT 1 FROM person WHERE username_key = :key AND id <> :id AND state <> 'removed'
  AND (:isThere = 1 OR coalesce(employee_id, :employeeId) = :employeeId)`;

export interface ViewContext extends HistoryContext {
  /** Writes what staging has gathered. */
  readonly flush: () => void;
}

interface Answered {
  readonly asked: readonly string[];
  readonly answer: Employees;
  /** Folded usernames of accounts that we asked for in vain a short while ago. */
  readonly tried: ReadonlySet<string>;
}

function saveAnswer(db: Database, { asked, answer: { found, unclear }, tried }: Answered): void {
  for (const username of asked) {
    const reason = unclear.get(username);
    if (reason !== undefined) noteUnclear(db, username, reason);
    else if (found.get(username)?.username !== username) forgetEmployee(db, username);
  }
  for (const employee of found.values()) {
    if (tried.has(foldUsername(employee.username))) takeTried(db, employee);
    saveEmployee(db, employee);
  }
}

interface Renamed extends Pick<Employee, 'id' | 'username' | 'locked' | 'created'> {
  readonly isNameThere: boolean;
}

function saveRenamed(db: Database, id: string, account: Renamed): void {
  const { id: employeeId, username, locked, isNameThere } = account;
  const created = account.created ?? null;
  if (db.sql(IS_MADE_OTHERWISE).get({ id, created }) !== undefined) return;
  const key = foldUsername(username);
  const isThere = Number(isNameThere);
  if (db.sql(IS_ANOTHER_OF_OURS).get({ id, key, employeeId, isThere }) !== undefined) return;
  const insert = db.sql('INSERT OR REPLACE INTO staging.renamed VALUES (?, ?, ?, ?)');
  insert.run(id, username, key, Number(locked));
}

export function viewTables(db: Database, { now, run, flush }: ViewContext): View {
  return {
    organizations: () => db.sql('SELECT * FROM organization').all().map(organizationOf),
    saveOrganizations(organizations, complete) {
      db.transaction(() => {
        if (complete) db.sql('DELETE FROM organization').run();
        for (const node of organizations) saveOrganization(db, node);
      });
    },
    ...askingTables(db),
    tellsField: (field, many) =>
      db.sql(IS_SHOWN).get(field) !== undefined || db.sql(HAD_VALUE).all(field, many).length < many,
    saveEmployees: (asked, answer) =>
      db.transaction(() => saveAnswer(db, { asked, answer, tried: triedUsernames(db, now()) })),
    accept: (accounts) =>
      db.transaction(() => accept(db, accounts, { run: run(), tried: triedUsernames(db, now()) })),
    saveRenamed: (id, account, isNameThere) => saveRenamed(db, id, { ...account, isNameThere }),
    seenAt: (orgIds, which) => seenAt(db, orgIds, which),
    employee: (username) => accountNamed(username, spellingsOf(db, username)).account,
    rememberNotOurs() {
      flush();
      db.transaction(() => db.exec(IN_SOURCE));
    },
    unmanaged(limit) {
      const count = countOf(db, `SELECT count(*) AS n ${UNMANAGED}`);
      if (limit === 0) return { count, first: [] };
      const first = db.sql(`SELECT e.* ${UNMANAGED} ORDER BY username LIMIT ?`).all(limit);
      return { count, first: first.map(employeeOf) };
    },
  };
}
