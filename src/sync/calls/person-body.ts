import type { FieldChange, PersonChange } from '../../domain/changes.ts';
import type { PersonPayload } from '../../domain/records/payload.ts';
import type { Employee, EmployeeBody, EmployeePosition } from '../../domain/ports/service.ts';
import { shownOf, type Shown } from '../../domain/ports/shown.ts';
import { differsFrom, expectedOf } from '../../plan/values/compare-shown.ts';
import { mergePositions } from '../../plan/people/merge-positions.ts';
import { outgoingPerson } from '../../plan/values/outgoing.ts';
import {
  mergedKinds,
  unmappedOf,
  withUnmapped,
  type UnmappedKind,
  type UnmappedRules,
} from '../../plan/values/unmapped.ts';
import type { PlanningRun, Run } from '../state/world.ts';

/** Wanted positions by organization id, or the unit that has none. */
export function positionsOf(
  run: PlanningRun,
  { positions }: PersonPayload,
): readonly EmployeePosition[] | string {
  const wanted: EmployeePosition[] = [];
  for (const { unit, fields } of positions) {
    const orgId = run.nodes.orgIdOf(unit);
    if (orgId === undefined) return String(unit);
    wanted.push({ orgId, fields });
  }
  return wanted;
}

/**
 * All that goes out for a person, with the secrets that were read in this run: what is mapped, over what the account
 * shows of others' (contract, `sync.unmapped` and `sync.positions`). The unit without a node, where one has none.
 *
 * @param kinds of unmapped values that go along
 */
export function bodyOf(
  run: PlanningRun,
  change: PersonChange,
  shown: Shown | null,
  kinds: ReadonlySet<UnmappedKind> = mergedKinds(unmappedRules(run)),
): EmployeeBody | string {
  const { id, username, payload, kind } = change;
  const wanted = positionsOf(run, payload);
  if (typeof wanted === 'string') return wanted;
  const rules = { positions: run.sync.positions, nodes: run.nodes.ours };
  const positions = mergePositions(wanted, shown?.positions ?? [], rules);
  const secrets = run.ledger.staging.secretsOf(id);
  const options = { clear: run.sync.clear, creating: kind === 'create', id };
  const sent = outgoingPerson({ ...payload.fields, ...secrets }, options);
  const unmapped = shown === null ? [] : unmappedOf(payload, shown);
  return { username, positions, fields: withUnmapped(sent, unmapped, kinds) };
}

/** Returns what is known of the service by now. */
export function unmappedRules({ sync, ledger }: Run): UnmappedRules {
  const keeps = { fields: ledger.fact('keepsUnmapped'), properties: ledger.fact('keepsProperties') };
  return { unmapped: sync.unmapped, keeps, newAccounts: ledger.fact('newAccounts') };
}

/** Returns what the account shows, as it was looked at in this run; `null`: there is none. */
export function accountOf(run: Run, { username }: PersonChange): Shown | null {
  const employee = run.ledger.view.employee(username);
  return employee?.username === username ? employee.shown : null;
}

/** `adopt: trust` sends nothing where every shown field is as it should be, and no unit has moved since. */
export function isTrusted(run: PlanningRun, { kind, fields, payload }: PersonChange): boolean {
  const isLeft = payload.positions.some(({ unit }) => run.nodes.hasMoved(unit));
  return kind === 'adopt' && run.sync.adopt === 'trust' && fields.length === 0 && !isLeft;
}

/** Returns what is shown otherwise than it was sent, among the fields that the employees list shows. */
export function shownOtherwise(
  run: PlanningRun,
  sent: PersonPayload,
  shown: Shown | Employee,
): readonly FieldChange[] {
  const expected = expectedOf(sent, (unit) => run.nodes.orgIdOf(unit));
  return differsFrom(expected, 'id' in shown ? shownOf(shown) : shown, {
    isOurs: (orgId) => isOurs(run, orgId),
  });
}

/** Returns whether a position at this node is ours: it goes where it is not wanted (contract, `sync.positions`). */
export function isOurs({ sync, nodes }: PlanningRun, orgId: string): boolean {
  return sync.positions === 'all' || nodes.ours.has(orgId);
}
