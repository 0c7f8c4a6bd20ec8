import type { UnitPayload } from '../../domain/records/payload.ts';
import type { Organization } from '../../domain/ports/service.ts';
import type { NodeBook } from '../nodes/node-book.ts';
import type { UnitPlaces } from './unit-places.ts';

/** A unit that has no node yet. */
export interface Nodeless {
  readonly id: string;
  readonly payload: UnitPayload;
  readonly serialNo: string;
  /** Before the unit had another id in the source. */
  readonly formerSerialNos: readonly string[];
  /** Where there is one. */
  readonly parentOrgId: string | undefined;
}

/** Finds the node that is a unit's already, although the ledger does not say so (promise 2). */
export class NodeFinder {
  readonly #places: UnitPlaces;
  readonly #nodes: NodeBook;

  constructor(nodes: NodeBook, places: UnitPlaces) {
    this.#places = places;
    this.#nodes = nodes;
  }

  /** Finds it by serial number, else by parent and name; `null`: there is none; a text: why it cannot be told. */
  find(unit: Nodeless): Organization | string | null {
    const { payload, serialNo, formerSerialNos, parentOrgId } = unit;
    const rival = this.#rivalOf(unit);
    if (rival !== null) return `${rival}: the service could not tell them apart`;
    const same = this.#nodes.withSerial(serialNo);
    const known = same.length > 0 ? same : formerSerialNos.flatMap((one) => this.#nobodys(one));
    if (known.length > 1) return `several nodes of the service have its serial number ${serialNo}`;
    if (known[0] !== undefined) return known[0];
    const namesakes = this.#places.namesakes(parentOrgId, payload, null);
    const [only] = namesakes;
    if (only === undefined) return null;
    if (namesakes.length === 1 && only.serialNo === null && this.#isNobodys(only)) return only;
    const first = namesakes.find(({ serialNo: serial }) => serial !== null);
    const other = first === undefined ? 'several nodes' : `a node with serial number ${first.serialNo}`;
    return `${other} of the same name is below the same parent in the service already: rename or remove it there, or rename the unit in the source`;
  }

  /** Nodes with a serial number that no other unit has. */
  #nobodys(serialNo: string): readonly Organization[] {
    if (this.#places.isWanted(serialNo)) return [];
    return this.#nodes.withSerial(serialNo).filter((node) => this.#isNobodys(node));
  }

  #isNobodys({ id }: Organization): boolean {
    return this.#nodes.unitAt(id) === undefined;
  }

  /** The unit that has the name below this parent, or the serial number, already; `null`: both are this one's now. */
  #rivalOf({ id, payload, serialNo }: Nodeless): string | null {
    const byName = this.#places.nameRival(id, payload);
    if (byName !== null) return `unit ${byName} has the same name below the same parent`;
    const bySerial = this.#places.serialRival(id, serialNo);
    return bySerial === null ? null : `unit ${bySerial} has the same serial number ${serialNo}`;
  }
}
