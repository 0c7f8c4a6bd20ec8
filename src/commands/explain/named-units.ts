import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import { nameUnits, unitLabels } from '../../plan/words/unit-labels.ts';
import { unitNodes } from '../../plan/nodes/unit-nodes.ts';
import { printable } from '../../domain/text/printable.ts';

/** Readable names of units, from the top: `Company / Sales`. */
export interface UnitNames {
  /** Name of a unit by its source id; `null` is the service's root. */
  readonly unit: (id: string | null) => string;
  /** Name of a unit by its organization id. */
  readonly organization: (orgId: string) => string;
  /** Organization id of a unit by its source id; `undefined`: no organization is known. */
  readonly orgIdOf: (unit: string | null) => string | undefined;
  /** Whether positions in this organization are rollcall's (`sync.positions: ours`). */
  readonly isOurs: (orgId: string) => boolean;
  /** For an old node that waits to be removed: the unit that left it for another node; else `null`. */
  readonly leftBy: (orgId: string) => string | null;
  /** Last part of the name by source id and by organization id, as plan texts use it. */
  readonly short: ReadonlyMap<string, string>;
  /** Writes a reason with units by name: `waits for unit Sales: …`. */
  readonly inWords: (reason: string) => string;
}

const ROOT = '(root)';
/** Levels after which a tree is taken to go in a circle. */
const DEEPEST = 100;

interface NamedUnit {
  readonly name: string;
  readonly parent: string | null;
}

/** Units by source id, or organizations by theirs. */
export type NamedUnits = ReadonlyMap<string, NamedUnit>;

function pathOf(places: NamedUnits, id: string): string | null {
  const names: string[] = [];
  let place = places.get(id);
  for (let depth = 0; place !== undefined && depth < DEEPEST; depth += 1) {
    names.unshift(printable(place.name));
    place = place.parent === null ? undefined : places.get(place.parent);
  }
  return names.length === 0 ? null : names.join(' / ');
}

/** Builds the names of units; `more`: units of the source, with those that the ledger does not have yet. */
export function unitNames(ledger: Ledger | null, more: NamedUnits = new Map()): UnitNames {
  const root = ledger?.fact('rootOrgId') ?? null;
  const entries = ledger?.units.all() ?? [];
  const known = entries.map(({ id, sent }) => [id, namedUnit(id, sent.fields['name'], sent.parent)] as const);
  const units: NamedUnits = new Map([...known, ...more]);
  const all = ledger?.view.organizations() ?? [];
  const nodes = all.filter(({ id }) => id !== root);
  const oldNodes = ledger?.units.oldNodes() ?? [];
  const ours = unitNodes({ entries, oldNodes, organizations: all, rootOrgId: root ?? '' });
  const organizations: NamedUnits = new Map(
    nodes.map(({ id, name, parentId }) => [id, { name, parent: parentId }]),
  );
  const orgIds = new Map(entries.map(({ id, orgId }) => [id, orgId ?? undefined]));
  const leftBy = (orgId: string): string | null => {
    const unit = ours.get(orgId) ?? null;
    return unit === null || orgIds.get(unit) === orgId ? null : unit;
  };
  const labels = unitLabels(namesOf(units), namesOf(new Map(known)));
  return {
    unit: (id) => (id === null ? ROOT : (pathOf(units, id) ?? `unit ${printable(id)}`)),
    organization: (orgId) =>
      orgId === root ? ROOT : (pathOf(organizations, orgId) ?? `organization ${printable(orgId)}`),
    orgIdOf: (unit) => (unit === null ? (root ?? undefined) : orgIds.get(unit)),
    isOurs: (orgId) => ours.has(orgId),
    leftBy,
    short: new Map([...unitLabels(namesOf(organizations)), ...labels]),
    inWords: (reason) => nameUnits(reason, labels),
  };
}

function namesOf(places: NamedUnits): ReadonlyMap<string, string> {
  return new Map([...places].map(([id, { name }]) => [id, name]));
}

export function namedUnit(id: string, name: unknown, parent: string | null): NamedUnit {
  return { name: typeof name === 'string' && name !== '' ? name : id, parent };
}
