import type { Change, UnitChange } from '../../domain/changes.ts';
import { groupBy } from '../../domain/text/group-by.ts';
import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import { PERSON_KINDS, UNIT_KINDS } from '../changes/kinds.ts';
import { unitName } from './tree.ts';

/** A planned change of a unit, and whether a guard holds it. */
export interface PlannedUnit {
  readonly change: UnitChange;
  readonly isHeld: boolean;
}

/** People whose changes concern the same units. */
export interface PeopleGroup {
  /** Units that are to be made, adopted or renamed, and in which these people are to be. */
  readonly into: readonly string[];
  /** Units that are to go or to be renamed, and in which these people are now. */
  readonly from: readonly string[];
  readonly isHeld: boolean;
}

interface PlannedUnits {
  readonly units: readonly PlannedUnit[];
  readonly people: readonly PeopleGroup[];
  /** Units of the ledger. */
  readonly entries: readonly UnitEntry[];
}

type IsSo = (kind: UnitChange['kind']) => boolean;

const joins: IsSo = (kind) => UNIT_KINDS[kind].joins;
const makesNode: IsSo = (kind) => UNIT_KINDS[kind].makesNode;
const isAnew: IsSo = (kind) => joins(kind) || makesNode(kind);
const placeKey = (parent: string | null, name: string): string => JSON.stringify([parent, name]);

/** Returns whether the change gives a node a name that it did not have. */
export const takesName = ({ kind, fields }: UnitChange): boolean =>
  makesNode(kind) || (kind !== 'remove' && fields.some(({ field }) => field === 'name'));

/**
 * Makes changes wait that would be useless or harmful while others are held. A unit is not made while its
 * name is still taken, or while all its people wait. A unit is not removed, and keeps its name, while people
 * stay in it.
 */
export class DragAlong {
  /** Units that wait although no guard holds them: source id → why. */
  readonly #waiting = new Map<string, string>();
  readonly #held: ReadonlySet<string>;
  readonly #names: ReadonlyMap<string, string>;
  readonly #kinds: ReadonlyMap<string, UnitChange['kind']>;
  /** Units of the plan by the parent and name that they have now. */
  readonly #holders: ReadonlyMap<string, string>;
  readonly #units: readonly PlannedUnit[];
  readonly #below: ReadonlyMap<string | null, readonly UnitChange[]>;
  readonly #leftBelow: ReadonlyMap<string | null, readonly UnitChange[]>;
  readonly #into: ReadonlyMap<string, readonly PeopleGroup[]>;
  readonly #from: ReadonlyMap<string, readonly PeopleGroup[]>;

  constructor({ units, people, entries }: PlannedUnits) {
    const changes = units.map(({ change }) => change);
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    this.#units = units;
    this.#held = new Set(units.filter(({ isHeld }) => isHeld).map(({ change }) => change.id));
    this.#names = new Map(changes.map(({ id, name }) => [id, name]));
    this.#kinds = new Map(changes.map(({ id, kind }) => [id, kind]));
    this.#holders = new Map(
      changes.flatMap(({ id }) => {
        const sent = byId.get(id)?.sent;
        return sent === undefined ? [] : [[placeKey(sent.parent, unitName(sent)), id] as const];
      }),
    );
    this.#below = groupBy(
      changes.filter(({ kind }) => makesNode(kind)),
      ({ payload }) => payload.parent,
    );
    this.#leftBelow = groupBy(
      changes.filter(({ id }) => byId.has(id)),
      ({ id }) => byId.get(id)?.sent.parent ?? null,
    );
    this.#into = byUnit(people, ({ into }) => into);
    this.#from = byUnit(people, ({ from }) => from);
    this.#settle();
  }

  /** Returns why a change waits, or `null`. */
  reasonFor(change: Change): string | null {
    if (change.subject === 'unit') return this.#waiting.get(change.id) ?? null;
    const { kind, cause, payload } = change;
    if (PERSON_KINDS[kind].leaves) return null;
    const joined = payload.positions.map(({ unit }) => unit).find((unit) => this.#isUnmade(unit, joins));
    const unit = joined ?? (this.#stays(cause) ? cause : undefined);
    return unit === undefined ? null : this.#waitsFor(unit);
  }

  /** Looks for units that have to wait, again and again until there is none: one that waits may make others wait. */
  #settle(): void {
    for (let before = -1; before < this.#waiting.size;) {
      before = this.#waiting.size;
      for (const { change } of this.#units) {
        const reason = this.#stays(change.id) ? null : this.#reason(change);
        if (reason !== null) this.#waiting.set(change.id, reason);
      }
    }
  }

  #reason(change: UnitChange): string | null {
    if (change.kind === 'remove') return this.#occupied(change);
    return (
      this.#unmadeAbove(change) ??
      this.#nameTaken(change) ??
      this.#namePassed(change) ??
      this.#purpose(change)
    );
  }

  #unmadeAbove({ kind, cause, payload }: UnitChange): string | null {
    if (!makesNode(kind)) return null;
    if (this.#isUnmade(payload.parent, isAnew)) return this.#waitsFor(payload.parent);
    return this.#stays(cause) ? this.#waitsFor(cause) : null;
  }

  #nameTaken(change: UnitChange): string | null {
    const holder = this.#holderOf(change);
    if (holder === null || !this.#stays(holder)) return null;
    return `its name is still that of unit ${this.#label(holder)}, which stays for as long as something is held`;
  }

  /**
   * Returns why a rename waits, or `null`. It waits if people of the unit that still has the name are to move
   * to the renamed one, and are held. This happens if the source gave the ids of units again: by the names
   * alone, all people would seem to be in another unit.
   */
  #namePassed(change: UnitChange): string | null {
    const holder = change.kind === 'update' ? this.#holderOf(change) : null;
    const follow = this.#from.get(holder ?? '') ?? [];
    if (!follow.some((group) => group.into.includes(change.id) && this.#groupStays(group))) return null;
    return `its name is still that of unit ${this.#label(holder)}, and people who are to come with it are held`;
  }

  /** Returns another unit that has the name which this one takes, or `null`. */
  #holderOf(change: UnitChange): string | null {
    const holder = this.#holders.get(placeKey(change.payload.parent, change.name));
    return takesName(change) && holder !== undefined && holder !== change.id ? holder : null;
  }

  /** Returns why a new unit waits, or `null`: all people and units that are to come to it are held. */
  #purpose({ kind, id }: UnitChange): string | null {
    if (kind !== 'create') return null;
    const people = (this.#into.get(id) ?? []).map((group) => this.#groupStays(group));
    const below = (this.#below.get(id) ?? []).map((change) => this.#stays(change.id));
    const all = [...people, ...below];
    return all.length > 0 && all.every(Boolean)
      ? 'waits for those who are to come to it, who are held'
      : null;
  }

  #occupied({ id }: UnitChange): string | null {
    const words = 'waits to be removed, still there: ';
    if ((this.#from.get(id) ?? []).some((group) => this.#groupStays(group)))
      return `${words}people who are held`;
    const below = (this.#leftBelow.get(id) ?? []).find((change) => this.#stays(change.id));
    return below === undefined ? null : `${words}unit ${this.#label(below.id)}, which is held`;
  }

  #groupStays({ into, isHeld }: PeopleGroup): boolean {
    return isHeld || into.some((id) => this.#stays(id));
  }

  #stays(id: string | null): boolean {
    return id !== null && (this.#held.has(id) || this.#waiting.has(id));
  }

  /** Returns whether the unit waits or is held with a change of the kind that is asked about. */
  #isUnmade(id: string | null, isMeant: IsSo): boolean {
    const kind = this.#kinds.get(id ?? '');
    return kind !== undefined && isMeant(kind) && this.#stays(id);
  }

  #waitsFor(id: string | null): string {
    return `waits for unit ${this.#label(id)}, which waits for what is held`;
  }

  #label(id: string | null): string {
    const name = this.#names.get(id ?? '');
    return name === undefined ? String(id) : `${name} (${id})`;
  }
}

function byUnit(
  people: readonly PeopleGroup[],
  unitsOf: (group: PeopleGroup) => readonly string[],
): ReadonlyMap<string, readonly PeopleGroup[]> {
  const groups = new Map<string, PeopleGroup[]>();
  for (const group of people)
    for (const unit of unitsOf(group)) groups.set(unit, [...(groups.get(unit) ?? []), group]);
  return groups;
}
