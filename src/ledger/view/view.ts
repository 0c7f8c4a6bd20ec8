import { accountNamed } from '../../domain/records/account-named.ts';
import type { Fields } from '../../domain/records/fields.ts';
import { groupBy } from '../../domain/text/group-by.ts';
import type { View } from '../../domain/ports/ledger/view.ts';
import type { Employees, Organization } from '../../domain/ports/service.ts';
import { countOf, type Database } from '../database/database.ts';
import { askingTables } from './asking.ts';
import { accept, lookAgain, noteUnclear, saveEmployee } from './save-employee.ts';
import { employeeOf, spellingsOf, type EmployeeRow } from '../people/person-rows.ts';

interface OrganizationRow extends Omit<Organization, 'fields' | 'disabled'> {
  readonly fields: string;
}

const ORGANIZATIONS = `SELECT id, parent_id AS parentId, name, serial_no AS serialNo, employee_count AS employeeCount, fields
  FROM organization`;

const organizationOf = ({ fields, ...row }: OrganizationRow): Organization => ({
  ...row,
  fields: JSON.parse(fields) as Fields,
});

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

function forgetEmployee(db: Database, username: string): void {
  db.sql('DELETE FROM employee WHERE username = ?').run(username);
  lookAgain(db, username, `AND state IN ('managed', 'disabled')`);
}

function seenAt(db: Database, orgIds: readonly string[], which?: 'locked'): ReturnType<View['seenAt']> {
  if (orgIds.length === 0) return new Map();
  const isLocked = which === undefined ? '' : 'e.locked = 1 AND';
  const rows = db.sql<EmployeeRow & { readonly orgId: string }>(
    `SELECT e.*, place.value ->> '$.orgId' AS orgId
     FROM employee e ${which === undefined ? '' : 'INDEXED BY employee_locked'}, json_each(e.shown, '$.positions') place
     WHERE ${isLocked} place.value ->> '$.orgId' IN (SELECT value FROM json_each(?)) ORDER BY e.username`,
  );
  const byNode = groupBy(rows.all(JSON.stringify(orgIds)), ({ orgId }) => orgId);
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

function saveAnswer(db: Database, asked: readonly string[], { found, unclear }: Employees): void {
  for (const username of asked) {
    const reason = unclear.get(username);
    if (reason !== undefined) noteUnclear(db, username, reason);
    else if (found.get(username)?.username !== username) forgetEmployee(db, username);
  }
  for (const employee of found.values()) saveEmployee(db, employee);
}

export function viewTables(db: Database): View {
  return {
    organizations: () => db.sql<OrganizationRow>(ORGANIZATIONS).all().map(organizationOf),
    saveOrganizations(organizations, complete) {
      db.transaction(() => {
        if (complete) db.sql('DELETE FROM organization').run();
        for (const node of organizations) saveOrganization(db, node);
      });
    },
    ...askingTables(db),
    tellsField: (field, many) =>
      db.sql(IS_SHOWN).get(field) !== undefined || db.sql(HAD_VALUE).all(field, many).length < many,
    saveEmployees: (asked, answer) => db.transaction(() => saveAnswer(db, asked, answer)),
    accept: (accounts) => db.transaction(() => accept(db, accounts)),
    seenAt: (orgIds, which) => seenAt(db, orgIds, which),
    employee: (username) => accountNamed(username, spellingsOf(db, username)).account,
    rememberNotOurs() {
      db.transaction(() => db.exec(IN_SOURCE));
    },
    unmanaged(limit) {
      const rows = db.sql<EmployeeRow>(`SELECT e.* ${UNMANAGED} ORDER BY username LIMIT ?`);
      const first = limit === 0 ? [] : rows.all(limit).map(employeeOf);
      const isAll = first.length < limit;
      return { count: isAll ? first.length : countOf(db, `SELECT count(*) AS n ${UNMANAGED}`), first };
    },
  };
}
