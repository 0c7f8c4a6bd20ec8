import { RecordTable } from './record-table.ts';
import type { OrganizationRecord } from './records.ts';

/** The tree: nodes by id, serial number, and name below their parent. */
export class OrganizationTable extends RecordTable<OrganizationRecord> {
  readonly #bySerial = new Map<string, string>();
  readonly #byName = new Map<string, string>();
  readonly #children = new Map<string, Set<string>>();
  #rootId = '';

  get root(): OrganizationRecord {
    const root = this.get(this.#rootId);
    if (root === undefined) throw new Error('the sandbox has no root organization');
    return root;
  }

  bySerial(serialNo: string): OrganizationRecord | undefined {
    return this.get(this.#bySerial.get(serialNo) ?? '');
  }

  childNamed(parentId: string, name: string): OrganizationRecord | undefined {
    return this.get(this.#byName.get(nameKey(parentId, name)) ?? '');
  }

  /** Returns the children in the order in which the service shows them: sort_order, then age. */
  childrenOf(id: string): readonly OrganizationRecord[] {
    const ids = [...(this.#children.get(id) ?? [])];
    const records = ids.map((child) => this.get(child)).filter((child) => child !== undefined);
    return records.toSorted(bySortOrder);
  }

  hasChildren(id: string): boolean {
    return (this.#children.get(id)?.size ?? 0) > 0;
  }

  /** Returns the nodes from this one up to the root. */
  lineage(id: string): readonly OrganizationRecord[] {
    const line: OrganizationRecord[] = [];
    for (let node = this.get(id); node !== undefined; node = this.get(node.parentId ?? '')) line.push(node);
    return line;
  }

  /** Returns the node and everything below it, parents first. */
  subtree(id: string): readonly OrganizationRecord[] {
    const start = this.get(id);
    const found = start === undefined ? [] : [start];
    for (const node of found) found.push(...this.childrenOf(node.id));
    return found;
  }

  /** Returns a path as the interface writes it: `/<id>/<id>/`. */
  idPath(id: string): string {
    return `/${this.#upwards(id, (node) => node.id).join('/')}/`;
  }

  namePath(id: string): string {
    return `/${this.#upwards(id, (node) => node.name).join('/')}`;
  }

  /**
   * Finds a node by a path of names or of ids: the interface does not say which one parent_path and org_path
   * take.
   */
  byPath(path: string): OrganizationRecord | undefined {
    const parts = path.split('/').filter((part) => part !== '');
    const last = this.get(parts.at(-1) ?? '');
    if (last !== undefined && this.idPath(last.id) === `/${parts.join('/')}/`) return last;
    return parts[0] === this.root.name ? this.#descend(parts.slice(1)) : undefined;
  }

  #descend(names: readonly string[]): OrganizationRecord | undefined {
    let node: OrganizationRecord | undefined = this.root;
    for (const name of names) node = node && this.childNamed(node.id, name);
    return node;
  }

  #upwards(id: string, part: (node: OrganizationRecord) => string): readonly string[] {
    return this.lineage(id).map(part).toReversed();
  }

  protected override index(record: OrganizationRecord): void {
    if (record.serialNo !== undefined) this.#bySerial.set(record.serialNo, record.id);
    if (record.parentId === undefined) {
      this.#rootId = record.id;
      return;
    }
    this.#byName.set(nameKey(record.parentId, record.name), record.id);
    const siblings = this.#children.get(record.parentId) ?? new Set();
    this.#children.set(record.parentId, siblings.add(record.id));
  }

  protected override unindex(record: OrganizationRecord): void {
    if (record.serialNo !== undefined) dropIfOwn(this.#bySerial, record.serialNo, record.id);
    if (record.parentId === undefined) return;
    dropIfOwn(this.#byName, nameKey(record.parentId, record.name), record.id);
    this.#children.get(record.parentId)?.delete(record.id);
  }
}

/**
 * Removes an entry if it belongs to this record: an edit behind the interface's back can give two records one
 * key, and the other one's entry stays.
 */
function dropIfOwn(entries: Map<string, string>, key: string, id: string): void {
  if (entries.get(key) === id) entries.delete(key);
}

function nameKey(parentId: string, name: string): string {
  return `${parentId}/${name}`;
}

function bySortOrder(one: OrganizationRecord, other: OrganizationRecord): number {
  const order = (one.sortOrder ?? Infinity) - (other.sortOrder ?? Infinity);
  return order || (BigInt(one.id) < BigInt(other.id) ? -1 : 1);
}
