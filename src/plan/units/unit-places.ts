import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { Organization } from '../../domain/ports/service.ts';
import type { UnitPayload } from '../../domain/records/payload.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import type { NodeBook } from '../nodes/node-book.ts';
import { serialOf, unitName, type UnitTree } from './tree.ts';
import { isMissing } from './unit-removals.ts';

const nameKey = (parent: string | null, name: string): string => JSON.stringify([parent ?? '', name]);
const serialKey = (serialNo: string): string => JSON.stringify([serialNo]);

/** Returns the source ids of units by the serial numbers that they have, or are to get. */
export function wantedSerials({ nodes }: UnitTree): ReadonlyMap<string, string> {
  return new Map([...nodes.values()].map(({ unit }) => [serialOf(unit, unit.id), unit.id]));
}

/** Which names and serial numbers are taken, by units as they will be and by nodes as they are. */
export class UnitPlaces {
  readonly #input: UnitsInput;
  readonly #nodes: NodeBook;
  /** Serial numbers of the units of the source. */
  readonly #wanted: ReadonlySet<string>;
  /** Which unit has a name below a parent, or a serial number: a second unit that wants it is blocked. */
  readonly #claims = new Map<string, string>();

  constructor(input: UnitsInput, nodes: NodeBook) {
    this.#input = input;
    this.#nodes = nodes;
    this.#wanted = new Set(wantedSerials(input.tree).keys());
    this.#takeManaged();
  }

  /** Returns whether a unit of the source has this serial number. */
  isWanted(serialNo: string): boolean {
    return this.#wanted.has(serialNo);
  }

  /** Returns the unit that already has the name below this parent. With `null`, the name is this unit's from now on. */
  nameRival(id: string, payload: UnitPayload): string | null {
    const owner = this.#claim(nameKey(payload.parent, unitName(payload)), id);
    return owner === id ? null : owner;
  }

  serialRival(id: string, serialNo: string): string | null {
    const owner = this.#claim(serialKey(serialNo), id);
    return owner === id ? null : owner;
  }

  /**
   * Returns the nodes below this one that have the name and keep it. Those that this plan renames, moves or removes
   * make room.
   */
  namesakes(
    parentOrgId: string | undefined,
    payload: UnitPayload,
    except: string | null,
  ): readonly Organization[] {
    if (parentOrgId === undefined) return [];
    const same = this.#nodes.named({ parentId: parentOrgId, name: unitName(payload) });
    return same.filter((node) => node.id !== except && !this.#leaves(node, payload));
  }

  /**
   * Gives out names: first to units that keep theirs, then to those that take another one, and only later to new units.
   */
  #takeManaged(): void {
    const managed = this.#input.entries.filter(({ state }) => state === 'managed');
    const wanted = managed.flatMap(({ id, sent }) => {
      const place = this.#input.tree.nodes.get(id);
      if (place === undefined) return [];
      const key = nameKey(place.parent, unitName(place.unit));
      return [{ id, key, keeps: key === nameKey(sent.parent, unitName(sent)) }];
    });
    for (const { id, key } of wanted.toSorted((a, b) => Number(b.keeps) - Number(a.keeps)))
      this.#claim(key, id);
    for (const { id, serialNo } of managed) this.#claim(serialKey(serialNo), id);
  }

  #leaves(node: Organization, payload: UnitPayload): boolean {
    const entry = this.#nodes.unitAt(node.id);
    if (entry === undefined) return this.#nodes.isOld(node.id);
    const place = this.#input.tree.nodes.get(entry.id);
    if (place === undefined) return isMissing(entry, this.#input) && !this.#isProtected(entry);
    return place.parent !== payload.parent || unitName(place.unit) !== unitName(payload);
  }

  #isProtected({ id }: UnitEntry): boolean {
    return this.#input.sync.protect.units.includes(id);
  }

  /** Claims the name or serial number if it is still free. Returns the id that has it. */
  #claim(key: string, id: string): string {
    const owner = this.#claims.get(key) ?? id;
    this.#claims.set(key, owner);
    return owner;
  }
}

export interface UnitsInput {
  readonly tree: UnitTree;
  readonly entries: readonly UnitEntry[];
  readonly organizations: readonly Organization[];
  /** Organization ids of nodes that moved units have left, and that are not deleted yet. */
  readonly oldNodes: ReadonlySet<string>;
  readonly rootOrgId: string;
  readonly sync: SyncSettings;
  /** Units whose nodes could not be asked for: source id → why. */
  readonly unclear?: ReadonlyMap<string, string>;
  /** Whether the source shows all that is there: what it does not show is gone. */
  readonly showsAll?: boolean;
}

/** A unit that has no node yet. */
interface Nodeless {
  readonly id: string;
  readonly payload: UnitPayload;
  readonly serialNo: string;
  /** Serial numbers that its node may show from before the unit had another id in the source. */
  readonly formerSerialNos: readonly string[];
  /** Organization id of the parent's node, if there is one. */
  readonly parentOrgId: string | undefined;
}

/** Finds the node that belongs to a unit, although the ledger does not say so (promise 2). */
export class NodeFinder {
  readonly #places: UnitPlaces;
  readonly #nodes: NodeBook;

  constructor(nodes: NodeBook, places: UnitPlaces) {
    this.#places = places;
    this.#nodes = nodes;
  }

  /**
   * Finds the node by serial number, else by parent and name. Returns `null` if there is none, and a text if it
   * is unclear: the reason.
   */
  find(unit: Nodeless): Organization | string | null {
    const { payload, serialNo, formerSerialNos, parentOrgId } = unit;
    const rival = this.#rivalOf(unit);
    if (rival !== null)
      return `${rival}: the service could not tell them apart; give one of the two another one in the source`;
    const same = this.#nodes.withSerial(serialNo);
    const known = same.length > 0 ? same : formerSerialNos.flatMap((one) => this.#freeNodes(one));
    if (known.length > 1) return `several nodes of the service have its serial number ${serialNo}`;
    const [there] = known;
    if (there !== undefined) return this.#ownerOf(there, serialNo) ?? there;
    const namesakes = this.#places.namesakes(parentOrgId, payload, null);
    const [only] = namesakes;
    if (only === undefined) return null;
    if (namesakes.length === 1 && only.serialNo === null && this.#isFree(only)) return only;
    const first = namesakes.find(({ serialNo: serial }) => serial !== null);
    const other = first === undefined ? 'several nodes' : `a node with serial number ${first.serialNo}`;
    return `${other} of the same name is below the same parent in the service: rename or remove it, or rename the unit in the source`;
  }

  /** Returns the nodes with a serial number that no other unit has. */
  #freeNodes(serialNo: string): readonly Organization[] {
    if (this.#places.isWanted(serialNo)) return [];
    return this.#nodes.withSerial(serialNo).filter((node) => this.#isFree(node));
  }

  /** Returns which unit has the node, in words; `null`: none. */
  #ownerOf({ id }: Organization, serialNo: string): string | null {
    const owner = this.#nodes.unitAt(id);
    return owner === undefined
      ? null
      : `unit ${owner.id} has the same serial number ${serialNo} in the service`;
  }

  #isFree({ id }: Organization): boolean {
    return this.#nodes.unitAt(id) === undefined;
  }

  /**
   * Returns which unit already has the name below this parent, or the serial number. With `null`, both are this unit's
   * from now on.
   */
  #rivalOf({ id, payload, serialNo }: Nodeless): string | null {
    const byName = this.#places.nameRival(id, payload);
    if (byName !== null) return `unit ${byName} has the same name below the same parent`;
    const bySerial = this.#places.serialRival(id, serialNo);
    return bySerial === null ? null : `unit ${bySerial} has the same serial number ${serialNo}`;
  }
}
