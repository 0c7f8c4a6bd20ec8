import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { RecordState } from '../../domain/records/next.ts';
import type { Organization } from '../../domain/ports/service.ts';
import type { UnitPayload } from '../../domain/records/payload.ts';
import { ofUnit, type Reason } from '../../domain/reasons/reason.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import type { NodeBook } from '../nodes/node-book.ts';
import { serialOf, unitName, type UnitNode, type UnitTree } from './tree.ts';

export interface UnitsInput {
  readonly tree: UnitTree;
  readonly entries: readonly UnitEntry[];
  readonly organizations: readonly Organization[];
  readonly rootOrgId: string;
  readonly sync: SyncSettings;
  /** Units whose nodes could not be asked for: source id → why. */
  readonly unclear?: ReadonlyMap<string, string>;
  /** Whether the source shows all that is there: what it does not show is gone. */
  readonly showsAll?: boolean;
}

/** A unit of the source, with what the ledger knows of it. */
export interface WantedUnit {
  readonly id: string;
  readonly payload: UnitPayload;
  readonly serialNo: string;
  readonly entry: UnitEntry | undefined;
  readonly known: RecordState | 'unknown';
  /** The parent that was last sent; `undefined`: the unit is not ours yet. */
  readonly sentBelow: string | null | undefined;
}

/** Returns a unit of the tree with what the ledger knows of it. */
export function wantedUnit({ unit, parent }: UnitNode, entry: UnitEntry | undefined): WantedUnit {
  const serialNo = serialOf(unit, entry?.serialNo ?? unit.id);
  const known = entry?.state ?? 'unknown';
  const sentBelow = known === 'managed' ? entry?.sent.parent : undefined;
  return { id: unit.id, payload: { fields: unit.fields, parent }, serialNo, entry, known, sentBelow };
}

const nameKey = ({ parent, fields }: UnitPayload): string =>
  JSON.stringify([parent ?? '', unitName({ fields })]);

/**
 * Returns whether a unit of ours is in no record of a complete read, nor in one whose id cannot be read. Its node is
 * free for a unit that comes with another id. Protected units are named instead.
 */
export function isMissing({ id, sent }: UnitEntry, { tree, sync }: UnitsInput): boolean {
  const isKept = sync.protect.units.includes(id) || id === sync.root;
  return !isKept && !tree.has(id) && !tree.nodes.has(id) && !tree.mayBe(id, unitName(sent));
}

/** Tells whose node a node is: the only place that knows the identity of units. */
export class UnitMatcher {
  readonly #input: UnitsInput;
  readonly #nodes: NodeBook;
  /** Which unit gets a name below a parent, or a serial number. */
  readonly #claims = new Map<string, string>();

  constructor(input: UnitsInput, nodes: NodeBook, units: readonly WantedUnit[]) {
    this.#input = input;
    this.#nodes = nodes;
    const isKnown = ({ known }: WantedUnit): boolean => known === 'managed';
    const keepsName = ({ entry, payload }: WantedUnit): boolean =>
      entry !== undefined && nameKey(entry.sent) === nameKey(payload);
    const keepsSerial = ({ entry, serialNo }: WantedUnit): boolean => entry?.serialNo === serialNo;
    const claim = (key: string, id: string): void => void this.#claims.set(key, this.#claims.get(key) ?? id);
    // Names and numbers go to units that keep theirs, then to others of ours, and only then to new units.
    const inTurn = (keeps: (unit: WantedUnit) => boolean): readonly WantedUnit[] =>
      units.toSorted(
        (a, b) =>
          Number(isKnown(b)) - Number(isKnown(a)) || (isKnown(a) ? Number(keeps(b)) - Number(keeps(a)) : 0),
      );
    for (const { id, payload } of inTurn(keepsName)) claim(nameKey(payload), id);
    for (const { id, serialNo } of inTurn(keepsSerial)) claim(JSON.stringify(serialNo), id);
  }

  /**
   * Finds the node of a unit whose own one is not known: by serial number, else by parent and name if exactly one free
   * node matches. Returns `null` if there is none, and the reason if it is unclear.
   *
   * @param parentOrgId the node of the parent, if there is one
   */
  find(unit: WantedUnit, parentOrgId: string | undefined): Organization | Reason | null {
    const rival = this.rivalOf(unit);
    if (rival !== null) return rival;
    const { serialNo, payload } = unit;
    const [there, ...others] = this.#nodes.withSerial(serialNo);
    if (others.length > 0) return { code: 'severalNodes', values: { serial: serialNo } };
    if (there !== undefined) {
      const owner = this.#ownerOf(there);
      return owner === null ? there : ofUnit('serialOfUnit', owner, { serial: serialNo });
    }
    const namesakes = this.namesakes(unit, parentOrgId);
    const [only, ...more] = namesakes;
    if (only !== undefined && more.length === 0 && this.#isFreeFor(only, payload)) return only;
    if (namesakes.every((node) => this.#leaves(node, payload))) return null;
    const serial = namesakes.find((node) => node.serialNo !== null)?.serialNo ?? null;
    return serial === null ? { code: 'namesakes' } : { code: 'namesake', values: { serial } };
  }

  /** Returns that another unit gets the name below this parent or the serial number; `null`: none does. */
  rivalOf({ id, payload, serialNo }: WantedUnit): Reason | null {
    const byName = this.#claims.get(nameKey(payload)) ?? id;
    if (byName !== id) return ofUnit('rivalName', byName);
    const bySerial = this.#claims.get(JSON.stringify(serialNo)) ?? id;
    return bySerial === id ? null : ofUnit('rivalSerial', bySerial, { serial: serialNo });
  }

  /** Returns why a unit cannot get a new node in place of this one, or `null`. */
  obstacle(unit: WantedUnit, node: Organization, parentOrgId: string | undefined): Reason | null {
    const rival = this.rivalOf(unit);
    if (rival !== null) return rival;
    const { serialNo, payload } = unit;
    const holder = this.#nodes.withSerial(serialNo).find(({ id }) => id !== node.id);
    if (holder !== undefined) return { code: 'serialOfNode', values: { node: holder.id, serial: serialNo } };
    const stays = this.namesakes(unit, parentOrgId).find(
      (other) => other.id !== node.id && !this.#leaves(other, payload),
    );
    return stays === undefined ? null : { code: 'nameOfNode', values: { node: stays.id } };
  }

  /** Returns the nodes below this one that have the unit's name, without those that their unit has left. */
  namesakes({ payload }: WantedUnit, parentOrgId: string | undefined): readonly Organization[] {
    if (parentOrgId === undefined) return [];
    const same = this.#nodes.named({ parentId: parentOrgId, name: unitName(payload) });
    return same.filter(({ id }) => !this.#nodes.left.has(id));
  }

  /** Returns the unit that the node belongs to, unless that is missing in the source; `null`: none. */
  #ownerOf({ id }: Organization): string | null {
    const owner = this.#nodes.unitAt(id);
    return owner === undefined || owner.state === 'removed' || isMissing(owner, this.#input)
      ? null
      : owner.id;
  }

  /** Returns whether a node of this name may be the unit's: nobody's, or of a missing unit with no other number of its own. */
  #isFreeFor(node: Organization, payload: UnitPayload): boolean {
    const owner = this.#nodes.unitAt(node.id);
    if (owner === undefined) return node.serialNo === null;
    const [before, now] = [serialOf(owner.sent, ''), serialOf(payload, '')];
    return this.#ownerOf(node) === null && (before === '' || now === '' || before === now);
  }

  /** Returns whether this plan renames, moves or removes the node: it makes room. */
  #leaves({ id }: Organization, payload: UnitPayload): boolean {
    const owner = this.#nodes.unitAt(id);
    if (owner === undefined) return false;
    const place = this.#input.tree.nodes.get(owner.id);
    if (place === undefined) return this.#input.sync.unitsGone !== 'keep' && isMissing(owner, this.#input);
    return place.parent !== payload.parent || unitName(place.unit) !== unitName(payload);
  }
}
