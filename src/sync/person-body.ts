import type { FieldChange, PersonChange } from '../domain/changes.ts';
import type { PersonPayload } from '../domain/payload.ts';
import type { Employee, EmployeeBody, EmployeePosition } from '../domain/service.ts';
import { shownOf } from '../domain/shown.ts';
import { differsFrom, expectedOf } from '../plan/compare.ts';
import { outgoingPerson } from '../plan/outgoing.ts';
import type { Run } from './world.ts';

/** Positions by organization id, or the unit that has none. */
export function positionsOf(run: Run, { payload }: PersonChange): readonly EmployeePosition[] | string {
  const positions: EmployeePosition[] = [];
  for (const { unit, fields } of payload.positions) {
    const orgId = run.orgIds.get(unit);
    if (orgId === undefined) return String(unit);
    const known = Object.entries(fields).filter(([, value]) => value !== null);
    positions.push({ orgId, fields: Object.fromEntries(known) });
  }
  return positions;
}

/** All that is mapped, with the secrets that were read in this run. */
export function bodyOf(run: Run, change: PersonChange, positions: readonly EmployeePosition[]): EmployeeBody {
  const { id, username, payload, kind } = change;
  const secrets = run.ledger.staging.secretsOf(id);
  const options = { clear: run.sync.clear, creating: kind === 'create', id };
  return { username, positions, fields: outgoingPerson({ ...payload.fields, ...secrets }, options) };
}

/** `adopt: trust` sends nothing where every shown field is as it should be. */
export function isTrusted(run: Run, { kind, fields }: PersonChange): boolean {
  return kind === 'adopt' && run.sync.adopt === 'trust' && fields.length === 0;
}

/** What is shown otherwise than it was sent, among the fields that the employees list shows. */
export function shownOtherwise(run: Run, sent: PersonPayload, employee: Employee): readonly FieldChange[] {
  return differsFrom(
    expectedOf(sent, (unit) => run.orgIds.get(unit)),
    shownOf(employee),
    sent,
  );
}
