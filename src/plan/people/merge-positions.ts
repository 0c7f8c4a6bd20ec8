import type { Fields } from '../../domain/records/fields.ts';
import type { EmployeePosition } from '../../domain/ports/service.ts';
import { isMasked, isNothing } from '../values/unmapped.ts';

/** The unit of each node that is ours, by organization id; `null`: the service's root. */
type UnitNodes = ReadonlyMap<string, string | null>;

/**
 * Returns all positions to send. First come the wanted ones, each with the shown fields that no rule maps.
 * Then come those at nodes that are not managed, as they are shown. The wanted positions say which is
 * primary, so none of the others is.
 */
export function mergePositions(
  wanted: readonly EmployeePosition[],
  shown: readonly EmployeePosition[],
  nodes: UnitNodes,
): readonly EmployeePosition[] {
  const merged = wanted.map(({ orgId, fields }) => {
    const there = shownOf(orgId, shown, nodes);
    return { orgId, fields: { ...present(fields), ...worthKeeping(there, fields) } };
  });
  const taken = new Set(wanted.map(({ orgId }) => orgId));
  const others = shown.filter(({ orgId }) => !taken.has(orgId) && !nodes.has(orgId));
  return [
    ...merged,
    ...others.map(({ orgId, fields }) => ({ orgId, fields: { ...worthKeeping(fields), primary: false } })),
  ];
}

/** Returns the fields that are shown at the node, else at another node of the same unit, which the unit has left. */
function shownOf(orgId: string, shown: readonly EmployeePosition[], nodes: UnitNodes): Fields {
  const here = shown.find((one) => one.orgId === orgId);
  const unit = nodes.get(orgId);
  const before = unit === undefined ? undefined : shown.find((one) => nodes.get(one.orgId) === unit);
  return (here ?? before)?.fields ?? {};
}

function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Returns the fields whose values are to be sent back, apart from those that are mapped. */
function worthKeeping(shown: Fields, mapped: Fields = {}): Fields {
  const kept = Object.entries(shown).filter(
    ([name, value]) => !(name in mapped) && !isNothing(name, value) && !isMasked(value),
  );
  return Object.fromEntries(kept);
}

/** Returns the positions whose title is not mapped and is shown masked: a write clears it. */
export function lostTitles(
  wanted: readonly EmployeePosition[],
  shown: readonly EmployeePosition[],
  nodes: UnitNodes,
): readonly EmployeePosition[] {
  const own = wanted.flatMap(({ orgId, fields }) => {
    const title = shownOf(orgId, shown, nodes)['job_title'];
    return isMasked(title) && !('job_title' in fields)
      ? [{ orgId, fields: { job_title: title ?? null } }]
      : [];
  });
  const others = shown.filter(({ orgId, fields }) => !nodes.has(orgId) && isMasked(fields['job_title']));
  return [...own, ...others];
}
