import { SourceError } from '../../../domain/errors.ts';
import type { GroupMembers } from '../../../domain/source-choices.ts';

export interface GroupNode {
  readonly dn: string;
  /** It is a unit. */
  readonly isUnit: boolean;
  /** Its members are in scope (`source.people.memberOf`). */
  readonly isScope: boolean;
}

/** Returns the numbers of the groups that have this one as a member. */
type HoldersOf = (group: number) => readonly number[];

/** Groups, each in the next one, after which a read gives up. */
const MOST_LEVELS = 10;

/** Groups in groups: what it means to be a member of one of them. */
export class GroupGraph {
  readonly #nodes: readonly GroupNode[];
  readonly #holders: readonly (readonly number[])[];
  readonly #nested: GroupMembers['nested'];
  readonly #units = new Map<number, readonly number[]>();
  readonly #scopes = new Map<number, number | null>();

  constructor(nodes: readonly GroupNode[], holdersOf: HoldersOf, nested: GroupMembers['nested']) {
    this.#nodes = nodes;
    this.#nested = nested;
    this.#holders = nodes.map((_, group) => holdersOf(group));
  }

  /** Returns the units that a member of this group belongs to. Throws a SourceError if it is nested too deep. */
  unitsOf(group: number): readonly number[] {
    const known = this.#units.get(group);
    if (known !== undefined) return known;
    const units = this.#unitsAt(group);
    this.#units.set(group, units);
    return units;
  }

  /** Returns the group that puts a member of this group in scope, the nearest of several; `null`: none does. */
  scopeOf(group: number): number | null {
    const known = this.#scopes.get(group);
    if (known !== undefined) return known;
    const scope = this.#above(group).find((one) => this.#nodes[one]?.isScope === true) ?? null;
    this.#scopes.set(group, scope);
    return scope;
  }

  /**
   * Returns the unit that this group is in; `null`: it is at the top. Of several one that holds none of the others, since that one is nearest,
   * and of these the first by DN.
   */
  parentOf(group: number): number | null {
    const found = new Set(
      this.#othersAbove(group).flatMap((holder) =>
        this.#isUnit(holder) ? [holder] : this.#nearestUnits(holder),
      ),
    );
    found.delete(group);
    const all = [...found].toSorted((a, b) => (this.#dnOf(a) < this.#dnOf(b) ? -1 : 1));
    const nearest = all.find((one) => !all.some((other) => other !== one && this.#isAbove(one, other)));
    return nearest ?? all[0] ?? null;
  }

  /**
   * Returns the DNs of the groups that put people in scope, and of the groups in groups that put them in a unit, sorted:
   * without one of them they would be in none. A unit is a record of its own, and only the scope needs it.
   */
  followed(): readonly string[] {
    const isFollowed = (group: number): boolean => !this.#isUnit(group) || this.#isBelowScope(group);
    return [...this.#nodes.keys()]
      .filter(isFollowed)
      .map((group) => this.#dnOf(group))
      .toSorted();
  }

  #unitsAt(group: number): readonly number[] {
    if (this.#nested === 'people') return this.#above(group).filter((one) => this.#isUnit(one));
    if (this.#isUnit(group)) return [group];
    return this.#nested === 'none' ? [] : this.#nearestUnits(group);
  }

  #nearestUnits(group: number): readonly number[] {
    return this.#above(group, (one) => this.#isUnit(one)).filter((one) => this.#isUnit(one));
  }

  /** Returns the group and all that hold it, the nearest first; what holds one at which it ends is left out. */
  #above(group: number, endsAt: (group: number) => boolean = () => false): readonly number[] {
    const seen = new Set([group]);
    let level = [group];
    for (let levels = 0; level.length > 0; levels += 1) {
      const open = level.filter((one) => !endsAt(one));
      level = [...new Set(open.flatMap((one) => this.#holders[one] ?? []))].filter((one) => !seen.has(one));
      if (level.length > 0 && levels >= MOST_LEVELS) throw this.#tooDeep(group);
      for (const one of level) seen.add(one);
    }
    return [...seen];
  }

  #isBelowScope(start: number): boolean {
    const above = new Set([start]);
    for (const group of above) for (const holder of this.#holders[group] ?? []) above.add(holder);
    return [...above].some((group) => this.#nodes[group]?.isScope === true);
  }

  #isAbove(group: number, other: number): boolean {
    return group !== other && this.#above(other).includes(group);
  }

  #othersAbove(group: number): readonly number[] {
    return (this.#holders[group] ?? []).filter((holder) => holder !== group);
  }

  #isUnit(group: number): boolean {
    return this.#nodes[group]?.isUnit === true;
  }

  #dnOf(group: number): string {
    return this.#nodes[group]?.dn ?? '';
  }

  #tooDeep(group: number): SourceError {
    return new SourceError(
      `source: the group ${this.#dnOf(group)} is in more than ${MOST_LEVELS} groups, each in the next one, so that not all ` +
        'of them were followed; the read is incomplete and nothing of it is used. Nest the groups less.',
    );
  }
}
