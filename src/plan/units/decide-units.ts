import { because, type FieldChange, type UnitChange, type UnitChangeKind } from '../../domain/changes.ts';
import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { UnitPayload } from '../../domain/records/payload.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { isForPlace, type Doubt } from '../../domain/records/records.ts';
import { changedFields } from '../values/compare.ts';
import { NodeBook } from '../nodes/node-book.ts';
import { NodeFinder, UnitPlaces, wantedSerials, type UnitsInput } from './unit-places.ts';
import { NodeValues } from '../nodes/node-values.ts';
import { serialOf, type UnitNode } from './tree.ts';
import {
  adoptedFields,
  driftOf,
  guardOf,
  newSerial,
  placeChange,
  serialDrift,
  unitChange,
  unsetSerial,
  type UnitChangeParts,
} from './unit-change.ts';
import { UnitMoves, type FoundMoves, type Moving, type PlacedUnit } from './unit-moves.ts';
import { decideRemovals } from './unit-removals.ts';

export type { UnitsInput } from './unit-places.ts';

export interface UnitsDecision {
  /** Creations and updates parents first, then removals children first. */
  readonly changes: readonly UnitChange[];
  /** Units that are left as they are: source id → why. */
  readonly blocked: ReadonlyMap<string, string>;
  /** Edits of others that are only reported. */
  readonly drift: ReadonlyMap<string, readonly FieldChange[]>;
}

const NEW = { why: 'new in the source', guard: null } as const;
const GONE = { why: 'vanished from the service', guard: 'gone' } as const;

class UnitDecider {
  readonly changes: UnitChange[] = [];
  readonly blocked = new Map<string, string>();
  readonly drift = new Map<string, readonly FieldChange[]>();
  /** Fields that any node shows. */
  readonly #shownByAny: ReadonlySet<string>;
  readonly #input: UnitsInput;
  readonly #places: UnitPlaces;
  readonly #values: NodeValues;
  readonly #entries: ReadonlyMap<string, UnitEntry>;
  readonly #nodes: NodeBook;
  readonly #finder: NodeFinder;
  readonly #moves: UnitMoves;

  constructor(input: UnitsInput, nodes: NodeBook) {
    const { entries, organizations } = input;
    this.#input = input;
    this.#shownByAny = new Set(organizations.flatMap(({ fields }) => Object.keys(fields)));
    this.#nodes = nodes;
    this.#places = new UnitPlaces(input, nodes);
    this.#values = new NodeValues(organizations, entries);
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
    this.#finder = new NodeFinder(nodes, this.#places);
    this.#moves = new UnitMoves(input, this.#places, nodes);
  }

  decide(): UnitsDecision {
    for (const [id, reason] of this.#input.tree.problems) this.blocked.set(id, reason);
    for (const node of this.#input.tree.nodes.values()) this.#unit(node);
    const removals = decideRemovals(this.#input);
    for (const [id, reason] of removals.blocked) this.blocked.set(id, reason);
    const changes = [...this.changes, ...removals.changes];
    return { changes, blocked: this.blocked, drift: this.drift };
  }

  #unit(node: UnitNode): void {
    const { id } = node.unit;
    if (node.parent !== null && this.blocked.has(node.parent)) {
      this.blocked.set(id, `its parent ${node.parent} is blocked`);
      return;
    }
    const unclear = this.#input.unclear?.get(id);
    if (unclear !== undefined) {
      this.blocked.set(id, unclear);
      return;
    }
    const entry = this.#entries.get(id);
    const payload = { fields: node.unit.fields, parent: node.parent };
    if (entry === undefined || entry.state !== 'managed' || entry.orgId === null) this.#join(node, payload);
    else this.#keep(node, payload, { ...entry, orgId: entry.orgId });
  }

  /** Decides about a unit that is ours: renamed, moved, edited, gone, or as it should be. */
  #keep(unit: UnitNode, payload: UnitPayload, entry: PlacedUnit): void {
    const node = this.#nodes.node(this.#nodes.orgIdOf(entry.id));
    if (node === undefined) {
      this.#join(unit, payload, entry);
      return;
    }
    const move = this.#moves.moveOf(payload, entry, node) ?? this.#moves.movedByOthers(payload, node);
    if (move?.origin === 'edited' && this.#input.sync.drift === 'report')
      this.drift.set(entry.id, move.fields);
    else if (move !== null) this.#move(unit, payload, { entry, node, move });
    else this.#stay(payload, entry, node);
  }

  #move({ unit }: UnitNode, payload: UnitPayload, { entry, node, move }: Moving): void {
    const { id, orgId } = entry;
    const serialNo = serialOf(unit, entry.serialNo);
    const reason = this.#moves.obstacle(payload, node, { id, serialNo });
    if (reason !== null) {
      this.blocked.set(id, reason);
      return;
    }
    const fields = [...move.fields, ...changedFields(entry.sent.fields, payload.fields)];
    this.#moves.moves(id, move);
    const doubt = move.origin === 'edited' ? undefined : this.#doubtOf(entry);
    this.#add('move', id, { payload, serialNo, orgId, ...move, fields, doubt, ...this.#lossesOf(node) });
  }

  /** An absent parent is explained if the unit that it was is gone for certain, not hidden. */
  #doubtOf({ id, sent: { parent } }: Pick<PlacedUnit, 'id' | 'sent'>): Doubt | undefined {
    const { tree, showsAll } = this.#input;
    const doubt = tree.doubts.get(id);
    const isOfPlace = doubt?.is === 'absent' && doubt.names.every((name) => isForPlace(name));
    if (!isOfPlace || parent === null || showsAll !== true) return doubt;
    const isGone = !tree.has(parent) && !tree.isOutside(parent) && !tree.doubts.has(parent);
    return isGone && tree.unknown === 0 ? undefined : doubt;
  }

  #lossesOf(node: Organization): Pick<UnitChangeParts, 'loses'> {
    const fields = this.#input.sync.unmapped === 'omit' ? [] : this.#values.lostWith(node);
    return fields.length === 0 ? {} : { loses: { fields, certain: true } };
  }

  /** Decides about a unit in its place: renamed, edited, in doubt, or as it should be. */
  #stay(payload: UnitPayload, entry: PlacedUnit, node: Organization): void {
    const { id, orgId, sent, accepted } = entry;
    const parts = { payload, serialNo: serialOf(payload, entry.serialNo), orgId };
    const fields = [...placeChange(sent, payload), ...changedFields(sent.fields, payload.fields)];
    const serial = unsetSerial(entry, node);
    const renumbered = serial.length > 0 ? [] : newSerial(entry, node);
    if (fields.length > 0 || (serial.length > 0 && accepted !== null)) {
      const why = fields.length > 0 ? 'changed in the source' : 'its move was taken back';
      const guard = guardOf(fields, node);
      this.#add('update', id, { ...parts, why, guard, fields: [...fields, ...serial, ...renumbered] });
      return;
    }
    const seen = { shown: node.fields, shownFields: this.#shownByAny };
    const drift = [...driftOf(entry, seen, payload.fields), ...serialDrift(entry, node)];
    if (accepted === null)
      this.#add('update', id, { ...parts, why: 'last write in doubt', guard: null, fields: serial });
    else if (drift.length > 0 && this.#input.sync.drift === 'report') this.drift.set(id, drift);
    else if (drift.length > 0) {
      const repaired = [...drift, ...renumbered];
      this.#add('update', id, { ...parts, ...because('edited'), guard: 'updates', fields: repaired });
    } else if (renumbered.length > 0) {
      const why = 'has another id in the source';
      this.#add('update', id, { ...parts, why, guard: null, fields: renumbered });
    }
  }

  /**
   * Finds a node for a unit that is new, or whose node is gone: adopted by serial number, else by parent and name
   * (promise 2), else created. If a ledger from a backup has an earlier entry, it helps to tell what was sent.
   */
  #join(node: UnitNode, payload: UnitPayload, entry?: PlacedUnit): void {
    const { id } = node.unit;
    const serialNo = serialOf(node.unit, entry?.serialNo ?? id);
    const { formerSerialNos = [] } = this.#entries.get(id) ?? {};
    const parentOrgId = this.#moves.orgIdOf(node.parent);
    const found = this.#finder.find({ id, payload, serialNo, formerSerialNos, parentOrgId });
    if (typeof found === 'string') this.blocked.set(id, found);
    else if (found !== null)
      this.#adopt(node, payload, { node: found, serialNo, before: entry?.sent ?? null });
    else
      this.#add('create', id, {
        payload,
        serialNo,
        orgId: null,
        ...(entry === undefined ? NEW : GONE),
        doubt: this.#input.tree.doubts.get(id),
      });
  }

  /**
   * Adopts a node where and as it stands. If it stands below another node than the parent's, a move follows in the
   * same plan, and all that changes is in the move.
   */
  #adopt(unit: UnitNode, wanted: UnitPayload, found: FoundMoves): void {
    const { id } = unit.unit;
    const { node, serialNo, before } = found;
    this.#moves.adopts(id, node.id);
    const { there, move } = this.#moves.standing(found, wanted);
    const payload = move === null ? wanted : there;
    const fields = adoptedFields(node, payload.fields, serialNo);
    // Setting our serial number, or a field, on a node that has none takes nothing away.
    const takesNothing = fields.every(({ field }) => field === 'serial_no' || !(field in node.fields));
    const isDoubtful = this.#entries.get(id)?.state === 'creating';
    this.#add('adopt', id, {
      payload,
      serialNo,
      orgId: node.id,
      why: before !== null ? 'its node is another one now' : 'already in the service',
      guard: isDoubtful || takesNothing ? null : 'adopted',
      fields,
      doubt: this.#input.tree.doubts.get(id),
    });
    if (move === null) return;
    if (move.origin === 'edited' && this.#input.sync.drift === 'report') {
      this.drift.set(id, move.fields);
      return;
    }
    this.#move(unit, wanted, { entry: { id, orgId: node.id, serialNo, sent: there }, node, move });
  }

  #add(kind: UnitChangeKind, id: string, parts: UnitChangeParts): void {
    this.changes.push(unitChange(kind, id, parts));
  }
}

/** Decides the changes of units from desired tree × ledger × service. Pure. */
export function decideUnits(input: UnitsInput, nodes = nodesOf(input)): UnitsDecision {
  return new UnitDecider(input, nodes).decide();
}

/** Returns the nodes of the service with their units, before anything is decided. */
export function nodesOf({ tree, ...known }: UnitsInput): NodeBook {
  return new NodeBook({ ...known, wanted: wantedSerials(tree) });
}
