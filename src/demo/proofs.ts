import type { Sandbox } from '../sandbox/sandbox.ts';
import type { EmployeeRecord } from '../sandbox/world/records.ts';
import type { HrDatabase, Reorganization } from './hr.ts';

/** A sentence about the service, and whether it is true. */
export type Proof = readonly [sentence: string, holds: boolean];

/** Proves that something, or nothing, was changed since `forgetCalls`. */
export function sent({ calls }: Sandbox, isChange: boolean): Proof {
  const changing = calls.filter(({ method }) => method !== 'GET').length;
  return [
    `The service counted ${calls.length} calls, ${changing} of them changing.`,
    changing > 0 === isChange,
  ];
}

/** Login, department and title of everybody who has not left; whether it is the main one, and the head's. */
const SEATS = `select concat_ws(' ', login, dept_id, title, is_primary, is_head)
  from assignment join employee using (emp_no) where status = 'active'`;

/** Compares the service with HR: every unit and every seat. */
export function inStep(sandbox: Sandbox, hr: HrDatabase): readonly Proof[] {
  const { state } = sandbox;
  const serialOf = (id = ''): string => state.organization(id)?.serialNo ?? '';
  const units = state
    .organizations()
    .filter(({ parentId }) => parentId !== undefined)
    .map(({ parentId, name }) => `${serialOf(parentId)} ${name}`);
  const employees = state.employees().filter(({ locked }) => !locked);
  const seats = employees.flatMap(({ username, positions }) =>
    positions.map(({ orgId, jobTitle, primary, chief }) =>
      [username, serialOf(orgId), jobTitle, Number(primary), Number(chief)].join(' '),
    ),
  );
  return [
    [
      `${units.length} organizations, each with the name and the parent that HR says.`,
      isSame(hr.texts("select coalesce(parent_id, '') || ' ' || name from department"), units),
    ],
    [
      `${employees.length} employees at work with ${seats.length} positions, titles and heads, all as HR says.`,
      isSame(hr.texts(SEATS), seats),
    ],
  ];
}

function isSame(expected: readonly string[], actual: readonly string[]): boolean {
  return expected.toSorted().join('\n') === actual.toSorted().join('\n');
}

/** The employees as they were, and ids of organizations by their serial numbers. */
export interface Memory {
  readonly organizations: ReadonlyMap<string | undefined, string>;
  readonly employees: ReadonlyMap<string, EmployeeRecord>;
}

export function remember({ state }: Sandbox): Memory {
  return {
    organizations: new Map(state.organizations().map(({ serialNo, id }) => [serialNo, id])),
    employees: new Map(state.employees().map((employee) => [employee.username, employee])),
  };
}

/** Returns what became of the changes, compared with the service before them. */
export function reorganized({ state }: Sandbox, before: Memory, plan: Reorganization): readonly Proof[] {
  const { renamed, mover, founder, leaver } = plan;
  const unit = state.organizationBySerial(renamed.id);
  const moved = state.employees().find(({ username }) => username === mover.login);
  const paths = moved?.positions.map(({ orgId }) => state.namePath(orgId)).join(' and ');
  const locked = state.employees().filter((employee) => employee.locked);
  const concerned = new Set([mover, founder, leaver].map(({ login }) => login));
  const others = [...before.employees.values()].filter(({ username }) => !concerned.has(username));
  const isNamed = unit?.name === renamed.name && unit.id === before.organizations.get(renamed.id);
  const isSameMover = moved?.id === before.employees.get(mover.login)?.id;
  return [
    [`${renamed.name} is still organization ${unit?.id}: renamed, not made anew.`, isNamed],
    [`${mover.name} sits in ${paths}, as the same employee ${moved?.id}.`, isSameMover],
    [
      `${leaver.name} is locked, and nobody else.`,
      locked.map(({ username }) => username).join(' ') === leaver.login,
    ],
    [
      `The other ${others.length} employees were not written again.`,
      others.every(({ username, refreshed }) => state.employee(username)?.refreshed === refreshed),
    ],
  ];
}
