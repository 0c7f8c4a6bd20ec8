import { isEmpty } from '../../domain/records/fields.ts';
import type { Organization } from '../../domain/ports/service.ts';
import type { Run } from '../state/world.ts';

/** How many nodes are asked for by themselves, to see whether only the list leaves a field out. */
const ASKED = 3;

/**
 * Returns the mapped fields whose absence from a node means that it is empty there: somebody may have cleared them, or
 * the service was restored. Other nodes show such a field, and nodes that lack it lack it also when they are asked for
 * by their ids. Costs nothing where no node lacks a field that it had.
 */
export async function toldUnitFields(run: Run): Promise<ReadonlySet<string>> {
  const organizations = run.ledger.view.organizations();
  const told = new Set<string>();
  for (const [field, nodes] of lackingNodes(run, organizations)) {
    const isShown = organizations.some(({ fields }) => field in fields);
    if (isShown && !(await isShownAlone(run, field, nodes))) told.add(field);
  }
  return told;
}

/** Returns the organization ids of units' nodes that lack a mapped field that they had, by field. */
function lackingNodes(
  { ledger, source }: Run,
  organizations: readonly Organization[],
): ReadonlyMap<string, readonly string[]> {
  const nodes = new Map(organizations.map((node) => [node.id, node]));
  const mapped = Object.keys(source.rules.unit).filter((field) => field !== 'serial_no');
  const lacking = new Map<string, string[]>();
  for (const { state, orgId, accepted } of ledger.units.all()) {
    const node = nodes.get(orgId ?? '');
    if (state !== 'managed' || node === undefined || accepted === null) continue;
    for (const field of mapped) {
      if (field in node.fields || isEmpty(accepted[field])) continue;
      lacking.set(field, [...(lacking.get(field) ?? []), node.id]);
    }
  }
  return lacking;
}

async function isShownAlone(
  { service, stop }: Run,
  field: string,
  orgIds: readonly string[],
): Promise<boolean> {
  for (const orgId of orgIds.slice(0, ASKED)) {
    const node = await service.organization(orgId, stop);
    if (node !== null && field in node.fields) return true;
  }
  return false;
}
