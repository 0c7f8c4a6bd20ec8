import { PROTECTED } from '../../domain/records/records.ts';
import { because } from '../../domain/changes.ts';
import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { UnitPayload } from '../../domain/records/payload.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { asItStands, NO_UNIT, type UnitChangeParts } from './unit-change.ts';
import type { NodeBook } from '../nodes/node-book.ts';
import type { UnitPlaces, UnitsInput } from './unit-places.ts';

/** Why a unit needs another node, and which move that follows from. */
export type Move = Required<Pick<UnitChangeParts, 'why' | 'guard' | 'cause' | 'fields'>> &
  Pick<UnitChangeParts, 'origin'>;

/** An entry that has a node. */
export type PlacedUnit = UnitEntry & { readonly orgId: string };

export interface Moving {
  readonly entry: Pick<PlacedUnit, 'id' | 'orgId' | 'serialNo' | 'sent'>;
  readonly node: Organization;
  readonly move: Move;
}

type NumberedUnit = Pick<UnitEntry, 'id' | 'serialNo'>;

/** A node that becomes the unit's. */
export interface FoundMoves {
  readonly node: Organization;
  readonly serialNo: string;
  /** What was last sent of the unit, if it had another node before. */
  readonly before: UnitPayload | null;
}

/** Where units stand, and which of them need nodes elsewhere. It grows with each decision, parents first. */
export class UnitMoves {
  readonly #input: UnitsInput;
  readonly #places: UnitPlaces;
  readonly #nodes: NodeBook;
  readonly #adopted = new Map<string | null, string>();
  /** Moved units, each with the topmost moved unit that it follows, or with itself. */
  readonly #moved = new Map<string, string>();

  constructor(input: UnitsInput, places: UnitPlaces, nodes: NodeBook) {
    this.#input = input;
    this.#places = places;
    this.#nodes = nodes;
  }

  adopts(unit: string, orgId: string): void {
    this.#adopted.set(unit, orgId);
  }

  moves(unit: string, { cause }: Move): void {
    this.#moved.set(unit, cause ?? unit);
  }

  /**
   * Returns the move of a unit that needs a node below another one, else `null`: it was moved, or a unit above it was,
   * now or in an interrupted run.
   */
  moveOf({ parent }: UnitPayload, { sent }: Pick<PlacedUnit, 'sent'>, node: Organization): Move | null {
    const isThere = node.parentId === this.orgIdOf(parent) && (parent === null || !this.#moved.has(parent));
    if (sent.parent !== parent && !isThere) {
      const fields = [{ field: 'parent', from: sent.parent, to: parent }];
      const why = sent.parent === NO_UNIT ? 'stands below a node that is no unit' : 'moved in the source';
      return { why, guard: 'unitsMoved', cause: null, fields };
    }
    const follows = this.#following(parent);
    if (follows !== null || !this.#nodes.isOld(node.parentId)) return follows;
    return { why: 'its parent has moved', guard: null, cause: null, fields: [] };
  }

  /** Returns the move of a unit below one that moves, else `null`. */
  #following(parent: string | null): Move | null {
    const cause = parent === null ? undefined : this.#moved.get(parent);
    if (cause === undefined) return null;
    return { why: `follows the move of ${cause}`, guard: 'unitsMoved', cause, fields: [] };
  }

  /**
   * Returns the move of a unit that others have put below another node, else `null`. It is set right as a move is made.
   */
  movedByOthers({ parent }: UnitPayload, node: Organization): Move | null {
    const should = this.orgIdOf(parent);
    if (should === undefined || node.parentId === should) return null;
    const fields = [{ field: 'parent', from: this.#unitOn(node.parentId), to: parent }];
    return { ...because('edited'), guard: 'unitsMoved', cause: null, fields };
  }

  /** Returns why the unit cannot be moved, or `null`. */
  obstacle(payload: UnitPayload, node: Organization, { id, serialNo }: NumberedUnit): string | null {
    if (this.#input.sync.protect.units.includes(id)) return `${PROTECTED}: would be moved`;
    const rival = this.#places.nameRival(id, payload);
    if (rival !== null)
      return `unit ${rival} has the same name below the same parent: give one of the two another one in the source`;
    const holder = this.#holderOf(serialNo, node, id);
    if (holder !== null) return `${holder} has the same serial number ${serialNo}`;
    const { parent } = payload;
    if (parent !== null && this.#moved.has(parent)) return null;
    const [other] = this.#places.namesakes(this.orgIdOf(parent), payload, node.id);
    return other === undefined ? null : `node ${other.id} has the same name below its new parent already`;
  }

  /** Returns what else has the serial number: an import would not make a new node, but answer with that one. */
  #holderOf(serialNo: string, node: Organization, id: string): string | null {
    const rival = this.#places.serialRival(id, serialNo);
    if (rival !== null) return `unit ${rival}`;
    const other = this.#nodes.withSerial(serialNo).find((one) => one.id !== node.id);
    return other === undefined ? null : `node ${other.id}`;
  }

  /**
   * Returns the unit as a found node has it, and the move that brings it to its place. If the source says the same
   * as before, and others have made the node anew elsewhere, that is an edit, which is set right a few times.
   */
  standing({ node, before }: FoundMoves, wanted: UnitPayload): { there: UnitPayload; move: Move | null } {
    if (before?.parent === wanted.parent && before !== null) {
      const there = asItStands(node, wanted, wanted.parent);
      return { there, move: this.#following(wanted.parent) ?? this.movedByOthers(wanted, node) };
    }
    const there = asItStands(node, wanted, this.#standsBelow(node, wanted.parent));
    const move = this.moveOf(wanted, { sent: there }, node);
    return { there, move: move === null ? null : { ...move, why: this.#whyElsewhere(node, move) } };
  }

  /** Returns the unit below whose node it stands. A node that a moved unit has left counts as the parent's. */
  #standsBelow({ parentId }: Organization, parent: string | null): string | null {
    if (parentId === this.orgIdOf(parent) || this.#nodes.isOld(parentId)) return parent;
    return this.#unitOn(parentId);
  }

  /** Returns the unit that stands on a node, as this plan and the next one see it; `null`: it is the root. */
  #unitOn(orgId: string | null): string | null {
    if (orgId === this.#input.rootOrgId) return null;
    const [unit] = [...this.#adopted].find(([, adopted]) => adopted === orgId) ?? [];
    return unit ?? this.#nodes.unitShownBy(orgId) ?? NO_UNIT;
  }

  #whyElsewhere({ parentId }: Organization, { why, fields }: Move): string {
    if (fields.length === 0) return why;
    if (parentId === this.#input.rootOrgId) return 'already in the service, below the root';
    return `already in the service, below "${this.#nodes.node(parentId)?.name ?? '?'}"`;
  }

  /** Returns the organization id of the node that the unit has, or gets by an adoption of this plan. */
  orgIdOf(unit: string | null): string | undefined {
    return this.#adopted.get(unit) ?? this.#nodes.orgIdOf(unit);
  }
}
