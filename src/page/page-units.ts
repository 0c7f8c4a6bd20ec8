import type { PersonChange, UnitChange } from '../domain/changes.ts';
import { printable } from '../domain/text/printable.ts';
import type { UnitTree } from '../plan/units/tree.ts';
import type { UnitLabels } from '../plan/words/unit-labels.ts';
import type { PageUnit } from './wire.ts';

export type PlacesOfUnits = Pick<UnitTree, 'nodes'>;

type Told = Pick<PageUnit, 'held' | 'note' | 'why' | 'fields'>;

const UNTOLD: Told = { held: false, note: '', why: '', fields: [] };

/** Places of people who are in no unit, and what they are called. */
const ROOT = 'root';
const NOWHERE = 'nowhere';
const PLACES: Readonly<Record<string, string>> = {
  [ROOT]: 'Directly at the service’s root',
  [NOWHERE]: 'Without a unit',
};

const keyOf = (unit: string): string => `unit ${unit}`;

/** The units of the page, numbered as they are needed. */
export class PageUnits {
  readonly #tree: PlacesOfUnits;
  readonly #labels: UnitLabels;
  /** Index of each unit or place, in this order. */
  readonly #indexes = new Map<string, number>();
  readonly #changes = new Map<string, UnitChange & { readonly told: Told }>();

  constructor(tree: PlacesOfUnits, labels: UnitLabels) {
    this.#tree = tree;
    this.#labels = labels;
  }

  /** Adds a unit that changes. */
  change(change: UnitChange, told: Told): void {
    this.#changes.set(change.id, { ...change, told });
    this.#index(keyOf(change.id));
  }

  /** Returns the index of the unit below which a person is shown: that of the primary position. */
  indexOf({ payload: { positions } }: PersonChange): number {
    const place = positions.find(({ fields }) => fields['primary'] === true) ?? positions[0];
    if (place === undefined) return this.#index(NOWHERE);
    return this.#index(place.unit === null ? ROOT : keyOf(place.unit));
  }

  /** Yields all of them by index. Those above the others are added as they are met. */
  *all(): Iterable<PageUnit> {
    // A map yields also what is added meanwhile.
    for (const key of this.#indexes.keys()) yield this.#unit(key);
  }

  #index(key: string): number {
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const index = this.#indexes.size;
    this.#indexes.set(key, index);
    return index;
  }

  #unit(key: string): PageUnit {
    const place = PLACES[key];
    if (place !== undefined) return { id: '', name: place, parent: null, kind: null, ...UNTOLD };
    const id = key.slice(keyOf('').length);
    const change = this.#changes.get(id);
    return {
      id: printable(id),
      name: this.#labels.get(id) ?? printable(change?.name ?? id),
      parent: this.#parentOf(id, change),
      kind: change?.kind ?? null,
      ...(change?.told ?? UNTOLD),
    };
  }

  #parentOf(id: string, change: UnitChange | undefined): number | null {
    const node = this.#tree.nodes.get(id);
    const parent = node === undefined ? change?.payload.parent : node.parent;
    if (parent === undefined || parent === null) return null;
    const isKnown = this.#tree.nodes.has(parent) || this.#changes.has(parent);
    return isKnown ? this.#index(keyOf(parent)) : null;
  }
}
