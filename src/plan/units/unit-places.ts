import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { UnitPayload } from '../../domain/records/payload.ts';
import type { Organization } from '../../domain/ports/service.ts';
import type { NodeBook } from '../nodes/node-book.ts';
import { serialOf, unitName } from './unit-name.ts';
import { isMissing } from './unit-removals.ts';
import type { UnitTree } from './tree.ts';
import type { UnitsInput } from './units-input.ts';

const nameKey = (parent: string | null, name: string): string => JSON.stringify([parent ?? '', name]);
const serialKey = (serialNo: string): string => JSON.stringify([serialNo]);

/** Returns the units of the source by the serial numbers that they have, or are to get. */
export function wantedSerials({ nodes }: UnitTree): ReadonlyMap<string, string> {
  return new Map([...nodes.values()].map(({ unit }) => [serialOf(unit, unit.id), unit.id]));
}

/** Which names and serial numbers are taken, by units as they will be and by nodes as they are. */
export class UnitPlaces {
  readonly #input: UnitsInput;
  readonly #nodes: NodeBook;
  /** Serial numbers of the units of the source. */
  readonly #wanted: ReadonlySet<string>;
  /** Names below each parent, and serial numbers, by the unit that has them: a second one is blocked. */
  readonly #taken = new Map<string, string>();

  constructor(input: UnitsInput, nodes: NodeBook) {
    this.#input = input;
    this.#nodes = nodes;
    this.#wanted = new Set(wantedSerials(input.tree).keys());
    this.#takeManaged();
  }

  /** A unit of the source has this serial number. */
  isWanted(serialNo: string): boolean {
    return this.#wanted.has(serialNo);
  }

  /** The unit that has the name below this parent already; `null`: it is this one's now. */
  nameRival(id: string, payload: UnitPayload): string | null {
    const owner = this.#take(nameKey(payload.parent, unitName(payload)), id);
    return owner === id ? null : owner;
  }

  serialRival(id: string, serialNo: string): string | null {
    const owner = this.#take(serialKey(serialNo), id);
    return owner === id ? null : owner;
  }

  /** Nodes that have the name below this one and keep it: what this plan renames, moves or removes makes room. */
  namesakes(
    parentOrgId: string | undefined,
    payload: UnitPayload,
    except: string | null,
  ): readonly Organization[] {
    if (parentOrgId === undefined) return [];
    const same = this.#nodes.named({ parentId: parentOrgId, name: unitName(payload) });
    return same.filter((node) => node.id !== except && !this.#leaves(node, payload));
  }

  /** Who has a name now and keeps it comes before who takes it, and both before who is new. */
  #takeManaged(): void {
    const managed = this.#input.entries.filter(({ state }) => state === 'managed');
    const wanted = managed.flatMap(({ id, sent }) => {
      const place = this.#input.tree.nodes.get(id);
      if (place === undefined) return [];
      const key = nameKey(place.parent, unitName(place.unit));
      return [{ id, key, keeps: key === nameKey(sent.parent, unitName(sent)) }];
    });
    for (const { id, key } of wanted.toSorted((a, b) => Number(b.keeps) - Number(a.keeps)))
      this.#take(key, id);
    for (const { id, serialNo } of managed) this.#take(serialKey(serialNo), id);
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

  /** Takes it where nobody has; returns who has it. */
  #take(key: string, id: string): string {
    const owner = this.#taken.get(key) ?? id;
    this.#taken.set(key, owner);
    return owner;
  }
}
