import type { Change, PersonChange, UnitChange } from '../../domain/changes.ts';
import type { SequencedChange } from '../../domain/ports/ledger/plan-book.ts';
import { ofUnit, type Reason } from '../../domain/reasons/reason.ts';
import { PERSON_KINDS, UNIT_KINDS } from '../changes/kinds.ts';

/** Why a change waits, and the hashes that release what it waits for. */
export interface Waiting {
  readonly reason: Reason;
  readonly hashes: readonly string[];
}

type ListedUnit = Pick<SequencedChange, 'isHeld' | 'hashes'> & { readonly change: UnitChange };

/**
 * Tells what follows from units that guards hold: no unit gets a node below one that does not get its own, and nobody is
 * sent to a unit without a node. Made in one pass down the tree.
 */
export class WaitingUnits {
  /** Units that do not get their node in this run, by source id. */
  readonly #waiting = new Map<string, Waiting>();
  /** Those among them that have no node at all. */
  readonly #nowhere = new Set<string>();
  readonly #moving = new Set<string>();

  readonly #known: ReadonlySet<string>;

  /**
   * @param units the planned changes, parents before their children
   * @param known units that are ours, by source id
   */
  constructor(units: Iterable<ListedUnit>, known: ReadonlySet<string>) {
    this.#known = known;
    for (const unit of units) this.#add(unit);
  }

  #add({ change, isHeld, hashes }: ListedUnit): void {
    const { id, kind } = change;
    const { joins, makesNode } = UNIT_KINDS[kind];
    const held = { reason: ofUnit('waitsForUnit', id), hashes };
    const waits = isHeld && (joins || makesNode) ? held : this.whyWaits(change);
    if (waits !== null) this.#waiting.set(id, waits);
    if (waits !== null && (joins || !this.#known.has(id))) this.#nowhere.add(id);
    if (waits === null && kind === 'move') this.#moving.add(id);
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Returns why a change that no guard holds waits, or `null`. */
  whyWaits(change: Change): Waiting | null {
    if (change.subject === 'person') return this.#personWaits(change);
    const { kind, payload } = change;
    return UNIT_KINDS[kind].makesNode ? this.#ofUnit(payload.parent) : null;
  }

  /** People who only follow a move wait for it; all others only for a unit that has no node. */
  #personWaits({ kind, cause, payload }: PersonChange): Waiting | null {
    if (!PERSON_KINDS[kind].isImported) return null;
    const units = payload.positions.flatMap(({ unit }) => unit ?? []);
    const stays = cause !== null && !units.some((unit) => this.#moving.has(unit));
    const unit = units.find((one) => (stays ? this.#waiting : this.#nowhere).has(one));
    return this.#ofUnit(unit ?? null);
  }

  #ofUnit(id: string | null): Waiting | null {
    return this.#waiting.get(id ?? '') ?? null;
  }
}
