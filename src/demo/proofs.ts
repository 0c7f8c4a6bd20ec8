import type { Sandbox } from '../sandbox/sandbox.ts';
import type { HrDatabase, Reorganization } from './hr-database.ts';

/** A sentence about the service, and whether it is true. */
export interface Proof {
  readonly sentence: string;
  readonly holds: boolean;
}

/** Proves that something, or nothing, was changed since `forgetCalls`. */
export function sent({ calls }: Sandbox, isChange: boolean): Proof {
  const changing = calls.filter(({ method }) => method !== 'GET').length;
  return {
    sentence: `The service counted ${calls.length} calls, ${changing} of them changing.`,
    holds: changing > 0 === isChange,
  };
}

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
    {
      sentence: `${units.length} organizations, each with the name and the parent that HR says.`,
      holds: isSame(hr.units(), units),
    },
    {
      sentence: `${employees.length} employees at work with ${seats.length} positions, titles and heads, all as HR says.`,
      holds: isSame(hr.seats(), seats),
    },
  ];
}

function isSame(expected: readonly string[], actual: readonly string[]): boolean {
  return expected.toSorted().join('\n') === actual.toSorted().join('\n');
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

/** Returns what became of the changes, compared with the service before them. */
export function reorganized(sandbox: Sandbox, before: Memory, plan: Reorganization): readonly Proof[] {
  return [renamed(sandbox, before, plan), moved(sandbox, before, plan), ...written(sandbox, before, plan)];
}

function renamed({ state }: Sandbox, before: Memory, { renamed: wanted }: Reorganization): Proof {
  const unit = state.organizationBySerial(wanted.id);
  return {
    sentence: `${unit?.name} is still organization ${unit?.id}: renamed, not made anew.`,
    holds: unit?.name === wanted.name && unit.id === before.organizations.get(wanted.id),
  };
}

function moved({ state }: Sandbox, before: Memory, { mover: { login } }: Reorganization): Proof {
  const mover = state.employee(login);
  const paths = mover?.positions.map(({ orgId }) => state.namePath(orgId)) ?? [];
  return {
    sentence: `${mover?.name} sits in ${paths.join(' and ')}, as the same employee ${mover?.id}.`,
    holds: mover?.id === before.employees.get(login)?.id,
  };
}

function written({ state }: Sandbox, before: Memory, plan: Reorganization): readonly Proof[] {
  const locked = state.employees().filter((employee) => employee.locked);
  const concerned = new Set([plan.mover, plan.founder, plan.leaver].map(({ login }) => login));
  const unchanged = state
    .employees()
    .filter(({ username }) => before.employees.has(username) && !concerned.has(username));
  return [
    {
      sentence: `${locked.map(({ name }) => name).join(', ')} is locked, and nobody else.`,
      holds: locked.length === 1 && locked[0]?.username === plan.leaver.login,
    },
    {
      sentence: `The other ${unchanged.length} employees were not written again.`,
      holds: unchanged.every(
        ({ username, refreshed }) => before.employees.get(username)?.refreshed === refreshed,
      ),
    },
  ];
}
