import type { GroupMembers } from '../../../domain/source-choices.ts';
import { ldapProblem } from '../wire/ldap-problems.ts';

export interface GroupNode {
  readonly dn: string;
  /** It is a unit. */
  readonly isUnit: boolean;
  /** Its members are in scope (`source.people.memberOf`). */
  readonly isScope: boolean;
}

/** Groups, each in the next one, after which a read gives up. */
const MOST_LEVELS = 10;

/** Groups in groups: what it means to be a member of one of them. All methods throw a SourceError if groups nest too deep. */
export class GroupGraph {
  readonly #nodes: readonly GroupNode[];
  readonly #holders: readonly (readonly number[])[];
  readonly #nested: GroupMembers['nested'];
  readonly #units = new Map<number, readonly number[]>();
  readonly #scopes = new Map<number, number | null>();

  /** @param holders the groups that have each group as a member */
  constructor(
    nodes: readonly GroupNode[],
    holders: readonly (readonly number[])[],
    nested: GroupMembers['nested'],
  ) {
    this.#nodes = nodes;
    this.#holders = holders;
    this.#nested = nested;
  }

  /** Returns the units that a member of this group belongs to. */
  unitsOf(group: number): readonly number[] {
    const known = this.#units.get(group);
    if (known !== undefined) return known;
    const units =
      this.#nested === 'people' ? this.#unitsAmong(this.#above(group)) : this.#nearestUnits(group);
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
    const found = new Set((this.#holders[group] ?? []).flatMap((holder) => this.#nearestUnits(holder)));
    found.delete(group);
    const all = [...found].toSorted((a, b) => (this.#dnOf(a) < this.#dnOf(b) ? -1 : 1));
    const holds = (one: number): boolean =>
      all.some((other) => other !== one && this.#above(other).includes(one));
    return all.find((one) => !holds(one)) ?? all[0] ?? null;
  }

  /**
   * Returns the DNs of the groups that put people in scope, and of the groups in groups that put them in a unit, sorted:
   * without one of them they would be in none. A unit is a record of its own, and only the scope needs it.
   */
  followed(): readonly string[] {
    const isFollowed = (group: number): boolean => !this.#isUnit(group) || this.scopeOf(group) !== null;
    return [...this.#nodes.keys()]
      .filter(isFollowed)
      .map((group) => this.#dnOf(group))
      .toSorted();
  }

  #nearestUnits(group: number): readonly number[] {
    return this.#unitsAmong(this.#above(group, (one) => this.#isUnit(one)));
  }

  #unitsAmong(groups: readonly number[]): readonly number[] {
    return groups.filter((one) => this.#isUnit(one));
  }

  /** Returns the group and all that hold it, the nearest first; what holds one at which it ends is left out. */
  #above(group: number, endsAt: (group: number) => boolean = () => false): readonly number[] {
    const seen = new Set([group]);
    let level = [group];
    for (let levels = 0; level.length > 0; levels += 1) {
      const open = level.filter((one) => !endsAt(one));
      level = [...new Set(open.flatMap((one) => this.#holders[one] ?? []))].filter((one) => !seen.has(one));
      if (level.length > 0 && levels >= MOST_LEVELS)
        throw ldapProblem('ldap-deep', { dn: this.#dnOf(group), most: MOST_LEVELS });
      for (const one of level) seen.add(one);
    }
    return [...seen];
  }

  #isUnit(group: number): boolean {
    return this.#nodes[group]?.isUnit === true;
  }

  #dnOf(group: number): string {
    return this.#nodes[group]?.dn ?? '';
  }
}
