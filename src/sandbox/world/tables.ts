import type { EmployeeRecord, MediaRecord, OrganizationRecord } from './records.ts';
import { Table, type Stored } from './table.ts';

/** The tree: nodes by id, serial number, and name below their parent. */
export class OrganizationTable extends Table<OrganizationRecord> {
  readonly #serials = this.indexBy(({ serialNo }) => (serialNo === undefined ? [] : [serialNo]));
  readonly #names = this.indexBy(({ parentId = '', name }) => [`${parentId}/${name}`]);
  readonly #children = this.indexBy(({ parentId = '' }) => [parentId]);

  get root(): OrganizationRecord {
    const [root] = this.childrenOf('');
    if (root === undefined) throw new Error('the sandbox has no root organization');
    return root;
  }

  bySerial(serialNo: string): OrganizationRecord | undefined {
    return this.allOf(this.#serials.get(serialNo)).at(-1);
  }

  childNamed(parentId: string, name: string): OrganizationRecord | undefined {
    return this.allOf(this.#names.get(`${parentId}/${name}`)).at(-1);
  }

  /** Returns the children in the order in which the service shows them: sort_order, then age. */
  childrenOf(id: string): readonly OrganizationRecord[] {
    return this.allOf(this.#children.get(id)).toSorted(bySortOrder);
  }

  /** Returns the nodes from this one up to the root. */
  lineage(id: string): readonly OrganizationRecord[] {
    const line: OrganizationRecord[] = [];
    for (let node = this.get(id); node !== undefined; node = this.get(node.parentId ?? '')) line.push(node);
    return line;
  }

  /** Returns the node and everything below it, parents first. */
  subtree(id: string): readonly OrganizationRecord[] {
    const found = [...this.allOf([id])];
    for (const node of found) found.push(...this.childrenOf(node.id));
    return found;
  }

  /** Returns a path as the interface writes it: `/<id>/<id>/`. */
  idPath(id: string): string {
    return `/${this.#pathOf(id, 'id')}/`;
  }

  namePath(id: string): string {
    return `/${this.#pathOf(id, 'name')}`;
  }

  #pathOf(id: string, part: 'id' | 'name'): string {
    const parts = this.lineage(id).map((node) => node[part]);
    return parts.toReversed().join('/');
  }

  /**
   * Finds a node by a path of names or of ids: the interface does not say which one parent_path and org_path
   * take.
   */
  byPath(path: string): OrganizationRecord | undefined {
    const parts = path.split('/').filter((part) => part !== '');
    const last = this.get(parts.at(-1) ?? '');
    if (last !== undefined && this.idPath(last.id) === `/${parts.join('/')}/`) return last;
    let node: OrganizationRecord | undefined = this.root;
    if (parts[0] !== node.name) return undefined;
    for (const name of parts.slice(1)) node = node && this.childNamed(node.id, name);
    return node;
  }
}

function bySortOrder(one: OrganizationRecord, other: OrganizationRecord): number {
  const order = (one.sortOrder ?? Infinity) - (other.sortOrder ?? Infinity);
  return order || (BigInt(one.id) < BigInt(other.id) ? -1 : 1);
}

/** Records that are found by their username; whether its case matters is up to the service (reading `usernameCase`). */
export class NamedTable<R extends Stored & { readonly username: string }> extends Table<R> {
  readonly #spellings = this.indexBy(({ username }) => [username.toLowerCase()]);
  readonly #caseMatters: () => boolean;

  constructor(caseMatters: () => boolean) {
    super();
    this.#caseMatters = caseMatters;
  }

  byUsername(username: string): R | undefined {
    const found = this.allOf(this.#spellings.get(username.toLowerCase()));
    const spelled = found.find((record) => record.username === username);
    return spelled ?? (this.#caseMatters() ? undefined : found[0]);
  }
}

/** Employees, and who sits on a node and below it: kept up to date, so that no page has to count all employees. */
export class EmployeeTable extends NamedTable<EmployeeRecord> {
  readonly #members = this.indexBy(({ positions }) => positions.map(({ orgId }) => orgId));
  readonly #totals = new Map<string, number>();
  /** Nodes that count each employee, so that exactly those are subtracted even if the tree has changed since. */
  readonly #counting = new Map<string, ReadonlySet<string>>();
  readonly #organizations: OrganizationTable;

  constructor(organizations: OrganizationTable, caseMatters: () => boolean) {
    super(caseMatters);
    this.#organizations = organizations;
  }

  membersOf(orgId: string): readonly EmployeeRecord[] {
    return this.allOf(this.#members.get(orgId));
  }

  countMembers(orgId: string): number {
    return this.#members.get(orgId).size;
  }

  /** Returns the people on the node and below it, each once. */
  below(orgId: string): readonly EmployeeRecord[] {
    return [...new Set(this.#organizations.subtree(orgId).flatMap(({ id }) => this.membersOf(id)))];
  }

  countBelow(orgId: string): number {
    return this.#totals.get(orgId) ?? 0;
  }

  override put(record: EmployeeRecord): EmployeeRecord {
    const lines = record.positions.flatMap(({ orgId }) => this.#organizations.lineage(orgId));
    this.#count(record.id, new Set(lines.map(({ id }) => id)));
    return super.put(record);
  }

  override remove(id: string): void {
    this.#count(id, new Set());
    super.remove(id);
  }

  #count(id: string, nodes: ReadonlySet<string>): void {
    for (const node of this.#counting.get(id) ?? []) this.#totals.set(node, this.countBelow(node) - 1);
    for (const node of nodes) this.#totals.set(node, this.countBelow(node) + 1);
    if (nodes.size === 0) this.#counting.delete(id);
    else this.#counting.set(id, nodes);
  }
}

export class MediaTable extends Table<MediaRecord> {
  readonly #digests = this.indexBy(({ digest }) => [digest]);

  /** Finds the newest media with these bytes; the digest may be in any case. */
  byDigest(digest: string): MediaRecord | undefined {
    return this.allOf(this.#digests.get(digest.toLowerCase())).at(-1);
  }
}
