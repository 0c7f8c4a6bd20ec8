import type { FieldChange, PersonChange } from '../../domain/changes.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import type { Employee, EmployeeBody, EmployeePosition } from '../../domain/ports/service.ts';
import { shownOf, type Shown } from '../../domain/ports/shown.ts';
import { differsFrom, expectedOf } from '../../plan/values/compare-shown.ts';
import { mergePositions } from '../../plan/people/merge-positions.ts';
import { outgoingPerson } from '../../plan/values/outgoing.ts';
import { unmappedOf, withUnmapped } from '../../plan/values/unmapped.ts';
import type { View } from '../../domain/ports/ledger/view.ts';
import type { NodeBook } from '../../plan/nodes/node-book.ts';
import type { PlanningRun } from '../state/world.ts';

/** Returns the wanted positions by organization id, or the first unit that has no node. */
export function positionsOf(
  nodes: NodeBook,
  { positions }: PersonPayload,
): readonly EmployeePosition[] | string {
  const wanted: EmployeePosition[] = [];
  for (const { unit, fields } of positions) {
    const orgId = nodes.orgIdOf(unit);
    if (orgId === undefined) return String(unit);
    wanted.push({ orgId, fields });
  }
  return wanted;
}

/**
 * Returns all that goes out for a person, with the secrets that were read in this run: the mapped fields, and what the
 * account shows besides them (contract, `sync.unmapped`). Returns the unit instead if one has
 * no node.
 */
export function bodyOf(run: PlanningRun, change: PersonChange, shown: Shown | null): EmployeeBody | string {
  const { id, username, payload, kind } = change;
  const wanted = positionsOf(run.nodes, payload);
  if (typeof wanted === 'string') return wanted;
  const positions = mergePositions(wanted, shown?.positions ?? [], run.nodes.ours);
  const secrets = run.ledger.staging.secretsOf(id);
  const changed = new Set(
    kind === 'adopt' ? Object.keys(payload.fields) : change.fields.map(({ field }) => field),
  );
  const options = { clear: run.sync.clear, creating: kind === 'create', changed, id };
  const sent = outgoingPerson({ ...payload.fields, ...secrets }, options);
  const goesAlong = shown !== null && run.sync.unmapped === 'keep';
  const fields = goesAlong ? withUnmapped(sent, unmappedOf(payload, shown)) : sent;
  return { username, positions, fields };
}

/** Returns what the account shows, as it was seen in this run; `null` if there is none, or it is still to be made. */
export function accountOf(view: View, { kind, username }: PersonChange): Shown | null {
  if (kind === 'create') return null;
  const employee = view.employee(username);
  return employee?.username === username ? employee.shown : null;
}

/** Returns what is shown otherwise than sent, among the fields that the employees list shows. */
export function shownOtherwise(
  nodes: NodeBook,
  sent: PersonPayload,
  shown: Shown | Employee,
): readonly FieldChange[] {
  const expected = expectedOf(sent, (unit) => nodes.orgIdOf(unit));
  return differsFrom(expected, 'id' in shown ? shownOf(shown) : shown, {
    isOurs: (orgId) => nodes.ours.has(orgId),
  });
}
