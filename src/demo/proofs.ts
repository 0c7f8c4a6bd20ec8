import type { Sandbox } from '../sandbox/sandbox.ts';
import type { HrDatabase } from './hr-database.ts';
import type { Reorganization } from './reorganization.ts';

/** A sentence about the service, and whether it is true. */
export interface Proof {
  readonly says: string;
  readonly holds: boolean;
}

/** Proves that nothing was sent since `forgetCalls`. */
export function sentNothing(sandbox: Sandbox, subject: string): Proof {
  const changing = changingCalls(sandbox);
  return {
    says: `The service counted ${sandbox.calls.length} calls of ${subject}, ${changing} of them changing.`,
    holds: changing === 0,
  };
}

export function sentSomething(sandbox: Sandbox): Proof {
  const changing = changingCalls(sandbox);
  return {
    says: `The service counted ${sandbox.calls.length} calls, ${changing} of them changing.`,
    holds: changing > 0,
  };
}

function changingCalls({ calls }: Sandbox): number {
  return calls.filter(({ method }) => method !== 'GET').length;
}

/** Compares the service with HR: every unit and every seat. */
export function inStep(sandbox: Sandbox, hr: HrDatabase): readonly Proof[] {
  const units = hr.units();
  const seats = hr.seats();
  const people = new Set(seats.map(({ login }) => login));
  const { state } = sandbox;
  const organizations = state.organizations().filter(({ parentId }) => parentId !== undefined);
  const employees = state.employees().filter(({ locked }) => !locked);
  const expectedUnits = units.map(({ parent, name }) => `${parent ?? ''} ${name}`);
  const actualUnits = organizations.map(({ parentId, name }) => `${serialOf(sandbox, parentId)} ${name}`);
  const expectedSeats = seats.map(({ login, department, title, main, head }) =>
    [login, department, title, main, head].join(' '),
  );
  const actualSeats = employees.flatMap(({ username, positions }) =>
    positions.map(({ orgId, jobTitle, primary, chief }) =>
      [username, serialOf(sandbox, orgId), jobTitle, Number(primary), Number(chief)].join(' '),
    ),
  );
  return [
    {
      says: `${organizations.length} organizations, each with the name and the parent that HR says.`,
      holds: sameSet(expectedUnits, actualUnits),
    },
    {
      says: `${employees.length} employees at work with ${actualSeats.length} positions, titles and heads, all as HR says.`,
      holds: sameSet(expectedSeats, actualSeats) && employees.length === people.size,
    },
  ];
}

/** Returns the serial number of an organization, which is its id in HR; the root has none. */
function serialOf({ state }: Sandbox, organization: string | undefined): string {
  return state.organization(organization ?? '')?.serialNo ?? '';
}

function sameSet(expected: readonly string[], actual: readonly string[]): boolean {
  const known = new Set(expected);
  return expected.length === actual.length && actual.every((item) => known.has(item));
}

/** Which record of the service belongs to whom, and when it was last written. */
export interface Memory {
  readonly organizations: ReadonlyMap<string, string>;
  readonly employees: ReadonlyMap<string, { readonly id: string; readonly refreshed: number }>;
}

export function remember({ state }: Sandbox): Memory {
  return {
    organizations: new Map(state.organizations().map(({ serialNo, id }) => [serialNo ?? '', id])),
    employees: new Map(state.employees().map(({ username, id, refreshed }) => [username, { id, refreshed }])),
  };
}

/** Returns what became of each change, compared with the service before it. */
export function reorganized(sandbox: Sandbox, before: Memory, plan: Reorganization): readonly Proof[] {
  return [
    renamed(sandbox, before, plan),
    founded(sandbox, plan),
    moved(sandbox, before, plan),
    left(sandbox, plan),
    untouched(sandbox, before, plan),
  ];
}

function renamed({ state }: Sandbox, before: Memory, { renamed: unit }: Reorganization): Proof {
  const node = state.organizationBySerial(unit.id);
  return {
    says: `${node?.name} is still organization ${node?.id}: renamed, not made anew.`,
    holds: node?.name === unit.name && node.id === before.organizations.get(unit.id),
  };
}

function founded({ state }: Sandbox, { founded: unit, founder, joiner }: Reorganization): Proof {
  const node = state.organizationBySerial(unit.id);
  const members = state
    .employees()
    .filter(({ positions }) => positions.some(({ orgId }) => orgId === node?.id));
  const head = members.find(({ positions }) => positions.some(({ chief }) => chief));
  const names = members.map(({ username }) => username).toSorted();
  return {
    says: `${state.namePath(node?.id ?? '')} is there, with ${names.join(' and ')}, headed by ${head?.username}.`,
    holds: sameSet([founder.login, joiner.login], names) && head?.username === founder.login,
  };
}

function moved({ state }: Sandbox, before: Memory, { mover, movesTo }: Reorganization): Proof {
  const employee = state.employee(mover.login);
  const paths = employee?.positions.map(({ orgId }) => state.namePath(orgId)) ?? [];
  return {
    says: `${employee?.name} sits in ${paths.join(' and ')}, as the same employee ${employee?.id}.`,
    holds:
      employee?.id === before.employees.get(mover.login)?.id &&
      paths.length === 1 &&
      employee?.positions[0]?.orgId === state.organizationBySerial(movesTo)?.id,
  };
}

function left({ state }: Sandbox, { leaver }: Reorganization): Proof {
  const locked = state.employees().filter((employee) => employee.locked);
  return {
    says: `${locked.map(({ name }) => name).join(', ')} is locked, and nobody else.`,
    holds: locked.length === 1 && locked[0]?.username === leaver.login,
  };
}

function untouched({ state }: Sandbox, before: Memory, plan: Reorganization): Proof {
  const concerned = new Set([plan.mover, plan.founder, plan.leaver].map(({ login }) => login));
  const others = state
    .employees()
    .filter(({ username }) => before.employees.has(username) && !concerned.has(username));
  return {
    says: `The other ${others.length} employees were not written again.`,
    holds: others.every(({ username, refreshed }) => before.employees.get(username)?.refreshed === refreshed),
  };
}
