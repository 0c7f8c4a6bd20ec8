import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { EmployeeView } from '../../domain/ports/ledger/person-row.ts';
import type { PinnedPerson, PinnedUnit } from '../../domain/reverting/pin.ts';
import { digestIn } from '../../domain/records/logo.ts';
import { invertPerson, type Inverse } from '../../plan/revert/invert-person.ts';
import { invertUnit } from '../../plan/revert/invert-unit.ts';
import type { NetChange } from '../../plan/revert/net-change.ts';
import { driftOf } from '../../plan/units/unit-fields.ts';
import { changedShown, expectedOf } from '../../plan/values/compare-shown.ts';
import type { ServiceView } from '../refresh/service-view.ts';
import type { Run } from '../state/world.ts';
import type { StandingUnits } from './standing-units.ts';

/** Returns the inverse of what a run did to a person, as ledger and service have the person now. */
export function personInverse(run: Run, done: NetChange, units: StandingUnits): Inverse<PinnedPerson> {
  const { entry, employee } = run.ledger.people.row(done.id);
  return invertPerson(done, {
    entry,
    employee,
    edited: editedFields(run, { entry, employee }, units),
    later: run.ledger.history.later(done),
    drift: run.sync.drift,
    isThere: (unit) => units.isThere(unit),
  });
}

interface Account {
  readonly entry: PersonEntry | null;
  readonly employee: EmployeeView | null;
}

/** Returns the mapped fields that somebody edited since our last write, as far as the service shows them. */
function editedFields(run: Run, { entry, employee }: Account, units: StandingUnits): ReadonlySet<string> {
  if (entry === null || entry.accepted === null || employee === null) return new Set();
  const { shown } = employee;
  const expected = expectedOf(entry.sent, (unit) => units.orgIdOf(unit));
  const isOurs = (orgId: string): boolean => run.sync.positions === 'all' || units.isOurs(orgId);
  const edited = changedShown(entry.accepted, shown, expected, { isOurs });
  const isShown = (field: string): boolean => field === 'positions' || field in shown.fields;
  return new Set(edited.map(({ field }) => field).filter(isShown));
}

/** Returns the inverse of what a run did to a unit, as ledger and service have it now. */
export function unitInverse(
  run: Run,
  done: NetChange,
  { units, told }: { readonly units: StandingUnits; readonly told: ServiceView['told'] },
): Inverse<PinnedUnit> {
  const [entry, node] = [units.entry(done.id), units.node(done.id)];
  const isRead = entry !== null && node !== null;
  const edited = isRead ? driftOf(entry, { shown: node.fields, told }, entry.sent.fields) : [];
  return invertUnit(done, {
    entry,
    node,
    edited: new Set(edited.map(({ field }) => field)),
    isElsewhere: isRead && node.parentId !== units.orgIdOf(entry.sent.parent),
    later: run.ledger.history.later(done),
    unitsGone: run.sync.unitsGone,
    isThere: (unit) => units.isThere(unit),
    hasPicture: (logo) => run.logos.mediaIdOf(digestIn(logo) ?? '') !== undefined,
  });
}
