import type { Fields } from '../domain/fields.ts';
import { foldUsername } from '../domain/fold.ts';
import type { View } from '../domain/ledger.ts';
import type { Employee, Organization } from '../domain/service.ts';
import { shownOf } from '../domain/shown.ts';
import { json, number, numberOrNull, text, textOrNull } from './columns.ts';
import type { Database, Row } from './database.ts';
import { employeeOf } from './people-table.ts';

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

/** A node that is shown as not valid (interface, Organization node: `disabled`) is not there. */
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

/** Remembers an employee, and opens the managed person whom it no longer looks like. */
function saveEmployee(db: Database, employee: Employee): void {
  const shown = JSON.stringify(shownOf(employee));
  const { username, id } = employee;
  const key = foldUsername(username);
  const locked = Number(employee.locked);
  db.sql('INSERT OR REPLACE INTO employee VALUES (?, ?, ?, ?, ?)').run(username, key, id, locked, shown);
  db.sql(
    `UPDATE person SET open = 1 WHERE username_key = :key AND username = :username AND (
       (state = 'managed' AND accepted IS NOT NULL AND (accepted <> :shown OR :locked = 1 OR employee_id <> :id))
       OR (state = 'disabled' AND :locked = 0))`,
  ).run({ key, username, shown, locked, id });
}

function forgetEmployee(db: Database, username: string): void {
  db.sql('DELETE FROM employee WHERE username = ?').run(username);
  db.sql(
    `UPDATE person SET open = 1 WHERE username_key = ? AND username = ? AND state IN ('managed', 'disabled')`,
  ).run(foldUsername(username), username);
}

const ASK_ALWAYS = `
  DELETE FROM staging.ask;
  INSERT OR IGNORE INTO staging.ask SELECT username FROM staging.candidate;
  INSERT OR IGNORE INTO staging.ask SELECT username FROM person WHERE open = 1;
  INSERT OR IGNORE INTO staging.ask SELECT username FROM person WHERE accepted IS NULL AND state = 'managed';
  INSERT OR IGNORE INTO staging.ask SELECT d.username FROM staging.person d
    LEFT JOIN person p ON p.id = d.id
    WHERE (p.id IS NULL AND d.active IS NOT 0) OR p.state <> 'managed';
`;
const ASK_ON_FULL = `
  INSERT OR IGNORE INTO staging.ask SELECT username FROM staging.person;
  INSERT OR IGNORE INTO staging.ask SELECT username FROM person;
`;

const UNMANAGED = `
  FROM employee e
  WHERE NOT EXISTS (SELECT 1 FROM person p WHERE p.username_key = e.username_key AND p.state <> 'removed')`;

export function viewTables(db: Database): View {
  return {
    organizations: () => db.sql('SELECT * FROM organization').all().map(organizationOf),
    saveOrganizations(organizations, complete) {
      db.transaction(() => {
        if (complete) db.sql('DELETE FROM organization').run();
        for (const node of organizations) saveOrganization(db, node);
      });
    },
    beginCandidates: () => db.exec('DELETE FROM staging.candidate'),
    candidates(users) {
      const insert = db.sql('INSERT OR REPLACE INTO staging.candidate VALUES (?, ?)');
      db.transaction(() => {
        for (const { userId, username } of users) insert.run(userId, username);
      });
    },
    candidateCount() {
      const row = db.sql('SELECT count(*) AS n FROM staging.candidate').get();
      return row === undefined ? 0 : number(row, 'n');
    },
    prepareToAsk(full) {
      db.transaction(() => db.exec(full ? ASK_ALWAYS + ASK_ON_FULL : ASK_ALWAYS));
      const row = db.sql('SELECT count(*) AS n FROM staging.ask').get();
      return row === undefined ? 0 : number(row, 'n');
    },
    usernamesToAsk({ after, limit }) {
      const page = db.sql('SELECT username FROM staging.ask WHERE username > ? ORDER BY username LIMIT ?');
      return page.all(after, limit).map((row) => text(row, 'username'));
    },
    saveEmployees(asked, found) {
      db.transaction(() => {
        const here = new Set(found.map(({ username }) => username));
        for (const username of asked) if (!here.has(username)) forgetEmployee(db, username);
        for (const employee of found) saveEmployee(db, employee);
      });
    },
    employee(username) {
      const exact = db.sql('SELECT * FROM employee WHERE username = ?').get(username);
      const like = db.sql('SELECT * FROM employee WHERE username_key = ? LIMIT 1');
      const row = exact ?? like.get(foldUsername(username));
      return row === undefined ? null : employeeOf(row);
    },
    unmanagedCount() {
      const row = db.sql(`SELECT count(*) AS n ${UNMANAGED}`).get();
      return row === undefined ? 0 : number(row, 'n');
    },
    unmanaged: (limit) =>
      db.sql(`SELECT e.* ${UNMANAGED} ORDER BY username LIMIT ?`).all(limit).map(employeeOf),
  };
}
