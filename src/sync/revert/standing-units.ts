import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { Organization } from '../../domain/ports/service.ts';
import type { Run } from '../state/world.ts';

/** The units of the ledger, and the nodes of the service as they were read. */
export class StandingUnits {
  readonly rootOrgId: string;
  readonly #entries: ReadonlyMap<string, UnitEntry>;
  readonly #nodes: ReadonlyMap<string, Organization>;
  readonly #ours: ReadonlySet<string>;

  constructor({ ledger }: Run, rootOrgId: string) {
    const entries = ledger.units.all();
    const standing = entries.filter(({ state }) => state === 'managed').flatMap(({ orgId }) => orgId ?? []);
    this.rootOrgId = rootOrgId;
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
    this.#nodes = new Map(ledger.view.organizations().map((node) => [node.id, node]));
    this.#ours = new Set([...standing, ...ledger.units.oldNodes().map(({ orgId }) => orgId), rootOrgId]);
  }

  entry(id: string): UnitEntry | null {
    return this.#entries.get(id) ?? null;
  }

  node(id: string): Organization | null {
    return this.#nodes.get(this.orgIdOf(id) ?? '') ?? null;
  }

  /** Returns the node that the ledger has for a unit of ours; `null` is the service's root. */
  orgIdOf(unit: string | null): string | undefined {
    if (unit === null) return this.rootOrgId;
    const entry = this.#entries.get(unit);
    return entry?.state === 'managed' ? (entry.orgId ?? undefined) : undefined;
  }

  /** Returns whether somebody, or a unit, can be put into the unit. */
  isThere(unit: string | null): boolean {
    return unit === null || this.node(unit) !== null;
  }

  isOurs(orgId: string): boolean {
    return this.#ours.has(orgId);
  }
}
