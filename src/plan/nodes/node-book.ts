import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import { untagged } from '../../domain/records/moves.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { ownNodes, type UnitNodes } from './unit-nodes.ts';

export interface KnownToBook {
  /** All nodes of the service, as they were seen last. */
  readonly organizations: readonly Organization[];
  readonly entries: readonly UnitEntry[];
  /** Units of the source by serial number. */
  readonly wanted: ReadonlyMap<string, string>;
  /** Organization ids of nodes that moved units have left, and that are not deleted yet. */
  readonly oldNodes: ReadonlySet<string>;
  readonly rootOrgId: string;
}

interface NameBelow {
  readonly parentId: string | null;
  readonly name: string;
}

const nameKey = ({ parentId, name }: NameBelow): string => JSON.stringify([parentId ?? '', name]);

/**
 * The nodes of the service: which unit has which node, and which node has which name and serial number. It is
 * made when both sides were read, and kept up to date while changes are sent.
 */
export class NodeBook {
  /** Organization id of each unit that has a node; `null` is the service's root. */
  readonly orgIds = new Map<string | null, string>();
  /** The unit of each node that is ours, including nodes that their unit has left; `null` is the service's root. */
  readonly ours = new Map<string, string | null>();
  readonly rootOrgId: string;
  readonly #nodes = new Map<string, Organization>();
  readonly #byName = new Map<string, Set<string>>();
  readonly #bySerial = new Map<string, Set<string>>();
  readonly #own: ReadonlyMap<string, UnitEntry>;
  readonly #oldNodes: ReadonlySet<string>;
  /** Units of the source and of the ledger, by the serial numbers that they have or had. */
  readonly #serials: ReadonlyMap<string, string>;
  /** Nodes that the ledger has for units, even if they show otherwise now. */
  readonly #known: ReadonlySet<string | null>;
  readonly #moved = new Set<string>();

  constructor({ organizations, entries, wanted, oldNodes, rootOrgId }: KnownToBook) {
    this.rootOrgId = rootOrgId;
    this.#oldNodes = oldNodes;
    for (const node of organizations) this.put(node);
    this.#own = ownNodes(entries, organizations);
    this.orgIds.set(null, rootOrgId);
    for (const [orgId, { id }] of this.#own) this.orgIds.set(id, orgId);
    this.#known = new Set(entries.map(({ orgId }) => orgId));
    this.#serials = new Map([
      ...entries.flatMap(({ id, formerSerialNos = [] }) => formerSerialNos.map((one) => [one, id] as const)),
      ...wanted,
      ...entries.map(({ id, serialNo }) => [serialNo, id] as const),
    ]);
  }

  /** Adds nodes that are ours from now on. */
  claim(nodes: UnitNodes): void {
    for (const [orgId, unit] of nodes) this.ours.set(orgId, unit);
  }

  node(orgId: string | null | undefined): Organization | undefined {
    return this.#nodes.get(orgId ?? '');
  }

  all(): Iterable<Organization> {
    return this.#nodes.values();
  }

  withSerial(serialNo: string): readonly Organization[] {
    return this.#those(this.#bySerial.get(serialNo));
  }

  named(below: NameBelow): readonly Organization[] {
    return this.#those(this.#byName.get(nameKey(below)));
  }

  /** Returns the depth of a node: the number of nodes from the top down to it, itself included. */
  depthOf(orgId: string): number {
    let depth = 0;
    for (let node = this.node(orgId); node !== undefined && depth < this.#nodes.size; depth += 1)
      node = this.node(node.parentId);
    return depth;
  }

  /** Returns the node where the unit now stands, and where people can be put. */
  orgIdOf(unit: string | null): string | undefined {
    return this.orgIds.get(unit);
  }

  /** Returns the unit whose own node this was when the book was made. */
  unitAt(orgId: string | null): UnitEntry | undefined {
    return this.#own.get(orgId ?? '');
  }

  /** Returns the unit whose own node this was, or whose serial number it shows. */
  unitShownBy(orgId: string | null): string | undefined {
    return this.unitAt(orgId)?.id ?? this.#serials.get(this.node(orgId)?.serialNo ?? '');
  }

  /**
   * Returns whether a moved unit has left this node: the ledger remembers it or, if the ledger was lost, its tag
   * tells.
   */
  isOld(orgId: string | null): boolean {
    if (orgId === null || this.#own.has(orgId)) return false;
    return this.#oldNodes.has(orgId) || this.#unitByTag(orgId) !== null;
  }

  /** Returns the unit that has left this node; `null` if none has, or if a unit stands on it. */
  unitThatLeft(orgId: string): string | null {
    if (this.#oldNodes.has(orgId)) return this.ours.get(orgId) ?? null;
    return this.#known.has(orgId) ? null : this.#unitByTag(orgId);
  }

  #unitByTag(orgId: string): string | null {
    const base = untagged(this.node(orgId)?.serialNo ?? null);
    return base === null ? null : (this.#serials.get(base) ?? null);
  }

  put(node: Organization): void {
    const before = this.#nodes.get(node.id);
    if (before !== undefined) {
      this.#byName.get(nameKey(before))?.delete(before.id);
      this.#bySerial.get(before.serialNo ?? '')?.delete(before.id);
    }
    this.#nodes.set(node.id, node);
    add(this.#byName, nameKey(node), node.id);
    if (node.serialNo !== null) add(this.#bySerial, node.serialNo, node.id);
  }

  rename(orgId: string, name: string): void {
    const node = this.node(orgId);
    if (node !== undefined) this.put({ ...node, name });
  }

  /** Makes this node the unit's. A node that the unit has left stays ours. */
  stand(unit: string, orgId: string): void {
    this.orgIds.set(unit, orgId);
    this.ours.set(orgId, unit);
  }

  /** Notes that the unit's new node is there: people who are in the unit can follow. */
  moved(unit: string): void {
    this.#moved.add(unit);
  }

  /** Returns whether the unit has moved in this run. */
  hasMoved(unit: string | null): boolean {
    return unit !== null && this.#moved.has(unit);
  }

  #those(orgIds: ReadonlySet<string> = new Set()): readonly Organization[] {
    return [...orgIds].flatMap((orgId) => this.node(orgId) ?? []);
  }
}

function add(index: Map<string, Set<string>>, key: string, orgId: string): void {
  const ids = index.get(key);
  if (ids === undefined) index.set(key, new Set([orgId]));
  else ids.add(orgId);
}
