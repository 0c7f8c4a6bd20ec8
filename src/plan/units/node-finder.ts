import { groupBy } from '../../domain/text/group-by.ts';
import type { UnitPayload } from '../../domain/records/payload.ts';
import type { Organization } from '../../domain/ports/service.ts';
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
  readonly #bySerial: ReadonlyMap<string | null, readonly Organization[]>;

  constructor(organizations: readonly Organization[], places: UnitPlaces) {
    this.#places = places;
    this.#bySerial = groupBy(organizations, ({ serialNo }) => serialNo);
  }

  /** Finds it by serial number, else by parent and name; `null`: there is none; a text: why it cannot be told. */
  find(unit: Nodeless): Organization | string | null {
    const { payload, serialNo, formerSerialNos, parentOrgId } = unit;
    const rival = this.#rivalOf(unit);
    if (rival !== null) return `${rival}: the service could not tell them apart`;
    const known = this.#bySerial.get(serialNo) ?? formerSerialNos.flatMap((one) => this.#nobodys(one));
    if (known.length > 1) return `several nodes of the service have its serial number ${serialNo}`;
    if (known[0] !== undefined) return known[0];
    const same = this.#places.namesakes(parentOrgId, payload, null);
    const [only] = same;
    if (only === undefined) return null;
    if (same.length === 1 && only.serialNo === null && !this.#places.isManaged(only)) return only;
    const first = same.find(({ serialNo: serial }) => serial !== null);
    const other = first === undefined ? 'several nodes' : `a node with serial number ${first.serialNo}`;
    return `${other} of the same name is below the same parent in the service already: rename or remove it there, or rename the unit in the source`;
  }

  /** Nodes with a serial number that no other unit has. */
  #nobodys(serialNo: string): readonly Organization[] {
    if (this.#places.isWanted(serialNo)) return [];
    const nodes = this.#bySerial.get(serialNo) ?? [];
    return nodes.filter((node) => !this.#places.isManaged(node));
  }

  /** The unit that has the name below this parent, or the serial number, already; `null`: both are this one's now. */
  #rivalOf({ id, payload, serialNo }: Nodeless): string | null {
    const byName = this.#places.nameRival(id, payload);
    if (byName !== null) return `unit ${byName} has the same name below the same parent`;
    const bySerial = this.#places.serialRival(id, serialNo);
    return bySerial === null ? null : `unit ${bySerial} has the same serial number ${serialNo}`;
  }
}
