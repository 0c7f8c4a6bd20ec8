import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../interface/json.ts';
import type { Backend } from './http/backend.ts';
import {
  addEmployee,
  changeEmployee,
  readEmployee,
  removeEmployee,
  setLocked,
  type EmployeeBody,
} from './operations/employee-changes.ts';
import { Refused, type Service } from './operations/operation.ts';
import { nodeById, removeSubtree } from './operations/organizations.ts';
import type { EmployeeRecord, OrganizationRecord, UserRecord } from './world/records.ts';

/** Fields of a record that an edit sets. */
type Changes = Partial<Omit<OrganizationRecord, 'id'>>;

export type Edits = ReturnType<typeof createEdits>;

/**
 * Creates the edits that an administrator can make in the service's own screens. Some are impossible through the
 * interface: namesakes below one parent, another parent, users who are employees of no organization. Each one is
 * stored and visible when it returns. Throws Refused where a record does not exist.
 */
export function createEdits(backend: Backend) {
  const edit = <T>(change: (service: Service) => T): T => {
    const result = change(backend.service(false));
    backend.commit();
    return result;
  };
  return {
    addOrganization: (parentId: string, name: string, fields: Changes = {}) =>
      edit((at) => plantNode(at, parentId, { ...fields, name })),
    changeOrganization: (id: string, changes: Changes) =>
      edit((at) => putNode(at, { ...nodeById(at, id), ...changes })),
    /** Removes the node with everything below it; its employees lose the position. */
    removeOrganization: (id: string) => edit((at) => removeSubtree(at, id)),
    /** Adds an employee from a body of the interface's create. */
    addEmployee: (body: EmployeeBody & JsonObject & { readonly username: string }) =>
      edit((at) => addEmployee(at, body.username, readEmployee(at, body))),
    /** Changes fields of the interface's modify; those not given stay, name and positions too. */
    changeEmployee: (username: string, fields: JsonObject) =>
      edit((at) => overlay(at, named(at, username), fields)),
    /** Gives the same account another username. */
    respell: (username: string, other: string) => edit((at) => respell(at, named(at, username), other)),
    lockEmployee: (username: string) => edit((at) => setLocked(at, named(at, username), true)),
    unlockEmployee: (username: string) => edit((at) => setLocked(at, named(at, username), false)),
    removeEmployee: (username: string) => edit((at) => removeEmployee(at, named(at, username))),
    addUser: (username: string, name: string) => edit((at) => enrol(at, username, name)),
    /** Makes a copy of everything; the returned function restores it, ids to come included. */
    backup: () => backend.backup(),
  } as const;
}

function named(service: Service, username: string): EmployeeRecord {
  const employee = service.world.employees.byUsername(username);
  if (employee === undefined) throw new Refused('noEmployee');
  return employee;
}

function plantNode(
  service: Service,
  parentId: string,
  fields: Changes & { readonly name: string },
): OrganizationRecord {
  const parent = nodeById(service, parentId);
  const created = service.now();
  const identity = { id: service.newId(), uuid: randomUUID(), parentId: parent.id, type: 'DEPT' };
  return putNode(service, { ...identity, created, refreshed: created, ...fields });
}

/**
 * Puts a node in its place, and counts the people below it again, because another parent changes the
 * headcount above.
 */
function putNode(service: Service, node: OrganizationRecord): OrganizationRecord {
  const { employees, organizations } = service.world;
  const put = organizations.put({ ...node, refreshed: service.now() });
  for (const { id } of organizations.subtree(node.id)) {
    for (const member of employees.membersOf(id)) employees.put(member);
  }
  return put;
}

function overlay(service: Service, employee: EmployeeRecord, fields: JsonObject): EmployeeRecord {
  const positions = employee.positions.map(({ orgId, jobTitle, primary, chief, sourceType }) => ({
    org_id: orgId,
    job_title: jobTitle,
    primary,
    chief,
    source_type: sourceType,
  }));
  const body = { name: employee.name, positions, ...fields };
  return changeEmployee(service, employee, readEmployee(service, body));
}

function respell(service: Service, employee: EmployeeRecord, username: string): EmployeeRecord {
  const { employees, users } = service.world;
  const refreshed = service.now();
  const user = users.get(employee.userId);
  if (user !== undefined) users.put({ ...user, username, refreshed });
  return employees.put({ ...employee, username, refreshed });
}

function enrol(service: Service, username: string, name: string): UserRecord {
  const created = service.now();
  const user = { id: service.newId(), username, name, disabled: false, created, refreshed: created };
  return service.world.users.put(user);
}
