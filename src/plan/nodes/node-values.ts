import {
  NODE_FIELDS_ALONG,
  NODE_FIELDS_UNWRITABLE,
  type Fields,
  type FieldValue,
} from '../../domain/records/fields.ts';
import { digestIn } from '../../domain/records/logo.ts';
import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { Organization } from '../../domain/ports/service.ts';

const FIELDS = [...NODE_FIELDS_ALONG, ...NODE_FIELDS_UNWRITABLE] as const;
type Name = (typeof FIELDS)[number];
type NodeValue = FieldValue | null;

const NAMES: ReadonlySet<Name> = new Set(['en_name', 'tw_name']);

/** How many nodes have to show a value before it can be the service's own: two equal values prove nothing. */
const USUAL_FROM = 3;

/** Returns what a node of ours shows right after it was made, among fields that rollcall did not send. */
export function madeOf({ fields }: Organization, names: readonly Name[] = FIELDS): Fields {
  return Object.fromEntries(names.flatMap((name) => (name in fields ? [[name, fields[name] ?? null]] : [])));
}

/**
 * Returns the same for a node made by a move. It shows the logo that was sent along, which is not the service's own.
 */
export const madeByMoveOf = (node: Organization): Fields => madeOf(node, NODE_FIELDS_UNWRITABLE);

/**
 * Tells values that others typed into nodes from values that the service fills in itself. A value is no loss
 * if
 *
 * 1. it is empty;
 * 2. it is an English or traditional name that equals the node's name;
 * 3. the node showed it right after rollcall had made it: the service filled it in, and will do so in the
 * next node;
 * 4. more than half of all nodes show it, at least 3. Nodes that rollcall made count with what they showed
 * then. So an owner that the service gives to every node was not typed in, and an owner that was entered for
 * one node was.
 */
export class NodeValues {
  readonly #made: ReadonlyMap<string, Fields>;
  readonly #usual: ReadonlyMap<Name, NodeValue>;

  constructor(nodes: readonly Organization[], entries: readonly UnitEntry[]) {
    this.#made = new Map(
      entries.flatMap(({ orgId, made }) =>
        orgId === null || made === undefined ? [] : [[orgId, made] as const],
      ),
    );
    this.#usual = new Map(FIELDS.map((name) => [name, this.#usualOf(name, nodes)]));
  }

  /** Returns the fields that a new node would not show, since no call can write them. */
  lostWith(node: Organization): readonly string[] {
    return NODE_FIELDS_UNWRITABLE.filter((name) => this.#isTypedIn(name, node));
  }

  /** Returns the fields that are sent along to a new node. */
  along(node: Organization): Fields {
    const names = NODE_FIELDS_ALONG.filter((name) => this.#isTypedIn(name, node));
    return Object.fromEntries(names.map((name) => [name, node.fields[name] ?? null]));
  }

  #isTypedIn(name: Name, { id, name: called, fields }: Organization): boolean {
    const value = fields[name] ?? null;
    // A picture that rollcall has sent: it is no longer mapped, and stays.
    if (digestIn(value) !== null) return true;
    if (isNone(value) || (NAMES.has(name) && value === called)) return false;
    return value !== this.#made.get(id)?.[name] && value !== this.#usual.get(name);
  }

  #usualOf(name: Name, nodes: readonly Organization[]): NodeValue {
    const counts = new Map<NodeValue, number>();
    for (const { id, fields } of nodes) {
      const value = (this.#made.get(id) ?? fields)[name] ?? null;
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const enough = Math.max(USUAL_FROM, Math.floor(nodes.length / 2) + 1);
    return [...counts].find(([value, count]) => count >= enough && !isNone(value))?.[0] ?? null;
  }
}

const isNone = (value: NodeValue): boolean => typeof value !== 'string' || value.trim() === '';
