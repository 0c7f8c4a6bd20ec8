import type { Organization } from '../../domain/ports/service.ts';

interface NameBelow {
  readonly parentId: string | null;
  readonly name: string;
}

const keyOf = ({ parentId, name }: NameBelow): string => JSON.stringify([parentId, name]);

/** Who has which name below which node: as the service was seen, and as this run has changed it since. */
export class NamesBelow {
  readonly #nodes = new Map<string, Organization>();
  readonly #ids = new Map<string, Set<string>>();
  /** How many nodes have each serial number. */
  readonly #serials = new Map<string, number>();

  constructor(nodes: readonly Organization[]) {
    for (const node of nodes) this.put(node);
  }

  node(id: string | null): Organization | undefined {
    return id === null ? undefined : this.#nodes.get(id);
  }

  hasSerial(serialNo: string): boolean {
    return (this.#serials.get(serialNo) ?? 0) > 0;
  }

  put(node: Organization): void {
    const before = this.#nodes.get(node.id);
    if (before !== undefined) this.#ids.get(keyOf(before))?.delete(node.id);
    this.#count(before?.serialNo, -1);
    this.#count(node.serialNo, 1);
    this.#nodes.set(node.id, node);
    const key = keyOf(node);
    this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(node.id));
  }

  #count(serialNo: string | null | undefined, by: number): void {
    if (typeof serialNo === 'string') this.#serials.set(serialNo, (this.#serials.get(serialNo) ?? 0) + by);
  }

  rename(id: string, name: string): void {
    const node = this.#nodes.get(id);
    if (node !== undefined) this.put({ ...node, name });
  }

  holder(place: NameBelow, except: string | null): Organization | undefined {
    const ids = this.#ids.get(keyOf(place)) ?? new Set();
    return this.node([...ids].find((other) => other !== except) ?? null);
  }
}
