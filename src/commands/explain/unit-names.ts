import type { Ledger } from '../../domain/ledger.ts';

/** Readable names of units, from the top: `Company / Sales`. */
export interface UnitNames {
  /** Of a source id; `null` is the service's root. */
  readonly unit: (id: string | null) => string;
  /** Of an organization id. */
  readonly organization: (orgId: string) => string;
  /** Last part of the name by source id, as plan texts take it. */
  readonly short: ReadonlyMap<string, string>;
}

const ROOT = '(root)';
/** A tree that is deeper goes in a circle. */
const DEEPEST = 100;

interface Place {
  readonly name: string;
  readonly parent: string | null;
}

function pathOf(places: ReadonlyMap<string, Place>, id: string): string | null {
  const names: string[] = [];
  let place = places.get(id);
  for (let depth = 0; place !== undefined && depth < DEEPEST; depth += 1) {
    names.unshift(place.name);
    place = place.parent === null ? undefined : places.get(place.parent);
  }
  return names.length === 0 ? null : names.join(' / ');
}

/** `more`: units of the source that the ledger does not have yet. */
export function unitNames(ledger: Ledger, more: ReadonlyMap<string, Place> = new Map()): UnitNames {
  const root = ledger.fact('rootOrgId');
  const units = new Map<string, Place>();
  for (const { id, sent } of ledger.units.all()) units.set(id, placeOf(id, sent.fields['name'], sent.parent));
  for (const [id, place] of more) units.set(id, place);
  const nodes = ledger.view.organizations().filter(({ id }) => id !== root);
  const organizations = new Map(nodes.map(({ id, name, parentId }) => [id, { name, parent: parentId }]));
  return {
    unit: (id) => (id === null ? ROOT : (pathOf(units, id) ?? `unit ${id}`)),
    organization: (orgId) =>
      orgId === root ? ROOT : (pathOf(organizations, orgId) ?? `organization ${orgId}`),
    short: new Map([...units].map(([id, { name }]) => [id, name])),
  };
}

export function placeOf(id: string, name: unknown, parent: string | null): Place {
  return { name: typeof name === 'string' && name !== '' ? name : id, parent };
}
