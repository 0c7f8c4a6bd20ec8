import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { serialBefore } from '../../domain/records/left-node.ts';
import { foldName } from '../../domain/text/fold.ts';

export interface KnownToBook {
  /** All nodes of the service, as they were seen last. */
  readonly organizations: readonly Organization[];
  readonly entries: readonly UnitEntry[];
  /** Units of the source by serial number. */
  readonly wanted: ReadonlyMap<string, string>;
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
  /** The units that have left nodes, by organization id. Such a node is removed once it is empty. */
  readonly left = new Map<string, string>();
  readonly rootOrgId: string;
  readonly #nodes = new Map<string, Organization>();
  readonly #byName = new Map<string, Set<string>>();
  readonly #bySerial = new Map<string, Set<string>>();
  readonly #own = new Map<string, UnitEntry>();
  /** Units by the serial numbers that they have, had or are to get. */
  readonly #serials: ReadonlyMap<string, string>;
  /** Units by the nodes that the ledger has for them, whatever these show. */
  readonly #known: ReadonlyMap<string | null, string>;
  readonly #moved = new Set<string>();

  constructor({ organizations, entries, wanted, rootOrgId }: KnownToBook) {
    this.rootOrgId = rootOrgId;
    const managed = entries.filter(({ state }) => state === 'managed');
    const removed = entries.filter(({ state }) => state === 'removed');
    this.#known = new Map(managed.map(({ orgId, id }) => [orgId, id]));
    const serials = [...removed, ...managed].map(({ id, serialNo }) => [serialNo, id] as const);
    this.#serials = new Map([...serials, ...wanted]);
    for (const node of organizations) this.put(node);
    for (const { id, serialNo } of managed)
      for (const node of this.withSerial(serialNo)) this.ours.set(node.id, id);
    for (const entry of [...removed, ...managed]) this.#recognize(entry);
    this.ours.set(rootOrgId, null);
    this.orgIds.set(null, rootOrgId);
  }

  /**
   * Takes the node with the id that the ledger knows, if it shows the unit's serial number, or the name that was last
   * sent or read back. Ids alone prove nothing: a service that was restored gives them again, to nodes of others.
   */
  #recognize(entry: UnitEntry): void {
    const node = this.node(entry.orgId);
    if (node === undefined || this.left.has(node.id)) return;
    const isManaged = entry.state === 'managed';
    const names = [entry.sent.fields['name'], entry.accepted?.['name']].filter(
      (name) => typeof name === 'string',
    );
    const isNamed = isManaged && names.some((name) => foldName(name) === foldName(node.name));
    if (node.serialNo !== entry.serialNo && !isNamed) return;
    this.#own.set(node.id, entry);
    this.ours.set(node.id, entry.id);
    if (isManaged) this.orgIds.set(entry.id, node.id);
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

  isLeft(orgId: string | null): boolean {
    return this.left.has(orgId ?? '');
  }

  /** Returns whether the node with the id that the ledger knows shows that it is somebody else's. */
  isOthers(orgId: string | null): boolean {
    return this.node(orgId) !== undefined && !this.ours.has(orgId ?? '');
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
    this.#noteLeft(node);
  }

  #noteLeft(node: Organization): void {
    const serialNo = serialBefore(node);
    const unit = serialNo === null ? undefined : (this.#serials.get(serialNo) ?? this.#known.get(node.id));
    if (unit === undefined) return;
    this.left.set(node.id, unit);
    this.ours.set(node.id, unit);
    if (this.orgIds.get(unit) === node.id) this.orgIds.delete(unit);
  }

  rename(orgId: string, name: string): void {
    const node = this.node(orgId);
    if (node !== undefined) this.put({ ...node, name });
  }

  /** Makes this node the unit's. People who are in the unit can follow if it is another one than before. */
  stand(unit: string, orgId: string): void {
    if (this.orgIds.get(unit) !== orgId) this.#moved.add(unit);
    this.orgIds.set(unit, orgId);
    this.ours.set(orgId, unit);
  }

  /** Returns whether the unit has got another node in this run. */
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
