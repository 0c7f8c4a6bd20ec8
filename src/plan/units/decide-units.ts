import type { FieldChange, UnitChange, UnitChangeKind } from '../../domain/changes.ts';
import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { RecordState } from '../../domain/records/next.ts';
import type { Organization } from '../../domain/ports/service.ts';
import { ofUnit, type Reason } from '../../domain/reasons/reason.ts';
import { isForPlace, type Doubt } from '../../domain/records/records.ts';
import type { Guard } from '../../domain/guards.ts';
import { NodeBook } from '../nodes/node-book.ts';
import { lostWith } from '../nodes/node-values.ts';
import { changedFields, withEdits } from '../values/compare.ts';
import { UnitMatcher, wantedUnit, type UnitsInput, type WantedUnit } from './match-unit.ts';
import { serialOf, unitName } from './tree.ts';
import {
  adoptedFields,
  driftOf,
  fieldsOf,
  guardOf,
  NO_UNIT,
  placeChange,
  serialChange,
  takesNothing,
  unitChange,
  type UnitChangeParts,
} from './unit-change.ts';

export type { UnitsInput } from './match-unit.ts';

/**
 * What the service shows of a unit.
 *
 * - `own`: the node that the ledger knows
 * - `found`: another node, by its serial number or by parent and name
 * - `left`: only the node that the unit was about to leave
 * - `others`: the node that the ledger knows shows that it is somebody else's
 * - `none`: no node
 */
type Actual = 'own' | 'found' | 'left' | 'others' | 'none';
type ById = Exclude<Actual, 'found'>;

type Wanted = 'keep' | 'adopt' | 'finish' | 'ask' | 'remake' | 'create';
type Absent = 'remove' | 'disown' | 'forget' | 'nothing';

const NEW = { own: 'adopt', found: 'adopt', left: 'create', others: 'create', none: 'create' } as const;
const OURS = { own: 'keep', found: 'adopt', left: 'finish', others: 'ask', none: 'remake' } as const;

/** What happens to a unit of the source: known × actual. One that cannot be used, or is unclear, is blocked instead. */
const WANTED: Readonly<Record<WantedUnit['known'], Readonly<Record<Actual, Wanted>>>> = {
  unknown: NEW,
  creating: NEW,
  managed: OURS,
  disabled: OURS,
  removed: NEW,
};

const GOES = { own: 'remove', found: 'remove', left: 'forget', others: 'disown', none: 'forget' } as const;
const GONE = {
  own: 'remove',
  found: 'nothing',
  left: 'nothing',
  others: 'nothing',
  none: 'nothing',
} as const;

/** The same for a unit that is missing in the source. */
const ABSENT: Readonly<Record<RecordState, Readonly<Record<Actual, Absent>>>> = {
  creating: GOES,
  managed: GOES,
  disabled: GOES,
  removed: GONE,
};

export interface UnitsDecision {
  /** Creations and updates parents first, then removals children first. */
  readonly changes: readonly UnitChange[];
  /** Units that are left as they are: source id → why. */
  readonly blocked: ReadonlyMap<string, Reason>;
  /** Edits of others that are only reported. */
  readonly drift: ReadonlyMap<string, readonly FieldChange[]>;
  /** Missing units that have no node any more; with a reason: what the node shows that they had. */
  readonly forgotten: ReadonlyMap<string, Reason | null>;
  /** Missing units whose nodes other units take over: their source ids → those of the others. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Organization ids of nodes that are not a unit's yet, and are to be adopted or moved. */
  readonly adopting: ReadonlyMap<string | null, string>;
  /** Units that get another node, each with the topmost moved unit that it follows, or with itself. */
  readonly moving: ReadonlyMap<string, string>;
}

/** Why a unit needs another node, and which move that follows from. */
type Move = Required<Pick<UnitChangeParts, 'why' | 'guard' | 'cause' | 'fields'>>;

const fromTo = (from: string | null, to: string | null): readonly FieldChange[] => [
  { field: 'parent', from, to },
];

const moveOf = (why: Reason, guard: Guard | null): Move => ({ why, guard, cause: null, fields: [] });

/** Of what always has to be approved. */
const ASKED = { guard: 'adopted', isOthers: true } as const;
const ADDED = { why: { code: 'new' }, guard: null } as const;
const VANISHED = { why: { code: 'vanished' }, guard: 'gone' } as const;

class UnitDecider implements UnitsDecision {
  readonly changes: UnitChange[] = [];
  readonly blocked: Map<string, Reason>;
  readonly drift = new Map<string, readonly FieldChange[]>();
  readonly forgotten = new Map<string, Reason | null>();
  readonly renamed = new Map<string, string>();
  readonly adopting = new Map<string | null, string>();
  readonly moving = new Map<string, string>();
  /** Units by the nodes that they are to adopt. */
  readonly #adopters = new Map<string, string>();
  /** Units that move, each with the topmost moved unit that it follows, or with itself. */
  readonly #moves = new Map<string | null, string>();
  /** Fields that any node shows. */
  readonly #shownFields: ReadonlySet<string>;
  readonly #input: UnitsInput;
  readonly #nodes: NodeBook;
  readonly #matcher: UnitMatcher;
  readonly #units: readonly WantedUnit[];

  constructor(input: UnitsInput, nodes: NodeBook) {
    const { entries, organizations, tree } = input;
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    this.#input = input;
    this.#nodes = nodes;
    this.#shownFields = new Set(organizations.flatMap(({ fields }) => Object.keys(fields)));
    this.#units = [...tree.nodes.values()].map((node) => wantedUnit(node, byId.get(node.unit.id)));
    this.#matcher = new UnitMatcher(input, nodes, this.#units);
    this.blocked = new Map(tree.problems);
  }

  decide(): UnitsDecision {
    for (const unit of this.#units) {
      const reason = this.#wanted(unit);
      if (reason !== null) this.blocked.set(unit.id, reason);
    }
    const depth = ({ orgId }: UnitEntry): number => this.#nodes.depthOf(orgId ?? '');
    const absent = this.#input.entries.filter(({ id }) => !this.#input.tree.nodes.has(id));
    for (const entry of absent.toSorted((a, b) => depth(b) - depth(a))) this.#absent(entry);
    return this;
  }

  /** Decides about a unit of the source. Returns why it waits, or `null`. */
  #wanted(unit: WantedUnit): Reason | null {
    const { entry, payload, known } = unit;
    const waits = this.#whyBlocked(unit);
    if (waits !== null) return waits;
    const byId = this.#actualOf(entry);
    const found = byId === 'own' ? null : this.#matcher.find(unit, this.#orgIdOf(payload.parent));
    if (found !== null && 'code' in found) return found;
    const node = found ?? this.#nodes.node(entry?.orgId);
    const cell = WANTED[known][found === null ? byId : 'found'];
    if (node === undefined || cell === 'create' || cell === 'remake')
      return this.#create(unit, cell === 'remake' ? VANISHED : ADDED);
    const steps: Readonly<Record<typeof cell, () => Reason | null>> = {
      ask: () => this.#create(unit, { why: this.#whoseNode(node), ...ASKED }),
      finish: () => this.#move(unit, node, moveOf({ code: 'moveInterrupted' }, null)),
      adopt: () => this.#adopt(unit, node, byId),
      keep: () => this.#keep(unit, node),
    };
    return steps[cell]();
  }

  #whyBlocked({ id, payload: { parent } }: WantedUnit): Reason | null {
    if (parent !== null && this.blocked.has(parent)) return ofUnit('waitsForUnit', parent);
    const words = this.#input.unclear?.get(id);
    return words === undefined ? null : { code: 'words', values: { words } };
  }

  #actualOf(entry: UnitEntry | undefined): ById {
    const node = this.#nodes.node(entry?.orgId);
    if (entry === undefined || node === undefined) return 'none';
    if (this.#nodes.unitAt(node.id)?.id === entry.id) return 'own';
    if (this.#nodes.left.get(node.id) === entry.id) return 'left';
    return this.#nodes.isOthers(node.id) ? 'others' : 'none';
  }

  #create(unit: WantedUnit, parts: Pick<UnitChangeParts, 'why' | 'guard' | 'isOthers'>): null {
    // What hangs below a unit of ours follows it to its new node.
    if (parts.guard !== null) this.#moves.set(unit.id, unit.id);
    return this.#add('create', unit, { ...parts, orgId: null, doubt: this.#input.tree.doubts.get(unit.id) });
  }

  /** Adopts a node where it stands, or moves it to its place. */
  #adopt(unit: WantedUnit, node: Organization, byId: ById): Reason | null {
    const { id, known } = unit;
    this.adopting.set(id, node.id);
    this.#adopters.set(node.id, id);
    const isKnown = this.#isRenamed(id, node) || known === 'managed';
    const move = this.#moveOf(unit, node);
    if (move !== null && !this.#isReported(id, move)) return this.#move(unit, node, move);
    if (isKnown) this.moving.set(id, id);
    const fields = adoptedFields(unit, node);
    const isOurs = known === 'creating' || byId === 'left' || takesNothing(fields, node);
    return this.#add('adopt', unit, {
      orgId: node.id,
      why: { code: known === 'managed' ? 'otherNode' : 'there' },
      ...(known === 'managed' && byId === 'others' ? ASKED : { guard: isOurs ? null : 'adopted' }),
      fields,
      doubt: this.#input.tree.doubts.get(id),
    });
  }

  /** Returns whether the node is that of a missing unit, which this one then was under another id. */
  #isRenamed(id: string, node: Organization): boolean {
    const owner = this.#nodes.unitAt(node.id)?.id ?? id;
    if (owner !== id) this.renamed.set(owner, id);
    return owner !== id;
  }

  /** Decides about a unit that is ours and has its node: moved, renamed, edited, or as it should be. */
  #keep(unit: WantedUnit, node: Organization): Reason | null {
    if (unit.entry === undefined) return null;
    const move = this.#moveOf(unit, node);
    if (move === null) return this.#stay(unit, unit.entry, node);
    return this.#isReported(unit.id, move) ? null : this.#move(unit, node, move);
  }

  /** Notes a move by others that is only reported. */
  #isReported(id: string, { why, fields }: Move): boolean {
    const isReported = why.code === 'edited' && this.#input.sync.drift === 'report';
    if (isReported) this.drift.set(id, fields);
    return isReported;
  }

  /** Returns why the unit needs a node below another one, or `null`. */
  #moveOf({ payload, sentBelow: before }: WantedUnit, { parentId }: Organization): Move | null {
    const { parent } = payload;
    const should = this.#orgIdOf(parent);
    const cause = this.#moves.get(parent);
    if (cause === undefined && parentId === should) return null;
    const isInSource = before !== undefined && this.#calledNow(before) !== parent;
    if (isInSource) return { ...moveOf({ code: 'moved' }, 'unitsMoved'), fields: fromTo(before, parent) };
    if (cause !== undefined) return { ...moveOf(ofUnit('followsMove', cause), 'unitsMoved'), cause };
    if (this.#nodes.isLeft(parentId)) return moveOf({ code: 'parentMoved' }, null);
    const fields = fromTo(this.#unitOn(parentId), parent);
    if (before === undefined) return { ...moveOf(this.#whyElsewhere(parentId), 'unitsMoved'), fields };
    return should === undefined ? null : { ...moveOf({ code: 'edited' }, 'unitsMoved'), fields };
  }

  #calledNow(unit: string | null): string | null {
    return this.renamed.get(unit ?? '') ?? unit;
  }

  #move(unit: WantedUnit, node: Organization, move: Move): Reason | null {
    const { id, payload } = unit;
    if (this.#input.sync.protect.units.includes(id)) return { code: 'protectedMove' };
    const below = this.#moves.has(payload.parent) ? undefined : this.#orgIdOf(payload.parent);
    const obstacle = this.#matcher.obstacle(unit, node, below);
    if (obstacle !== null) return obstacle;
    const lost = this.#input.sync.unmapped === 'omit' ? [] : lostWith(node);
    this.#moves.set(id, move.cause ?? id);
    this.moving.set(id, move.cause ?? id);
    return this.#add('move', unit, {
      orgId: node.id,
      ...move,
      fields: [...move.fields, ...fieldsOf(unit, node)],
      doubt: move.why.code === 'edited' ? undefined : this.#doubtOf(unit),
      ...(lost.length > 0 && { loses: { fields: lost, certain: true } }),
    });
  }

  /** An absent parent is explained if the unit that it was is gone for certain, not hidden. */
  #doubtOf({ id, entry }: WantedUnit): Doubt | undefined {
    const { tree, showsAll } = this.#input;
    const doubt = tree.doubts.get(id);
    const parent = entry?.sent.parent ?? null;
    const isOfPlace = doubt?.is === 'absent' && doubt.names.every((name) => isForPlace(name));
    if (!isOfPlace || parent === null || showsAll !== true) return doubt;
    const isGone = !tree.has(parent) && !tree.isOutside(parent) && !tree.doubts.has(parent);
    return isGone && tree.unknown === 0 ? undefined : doubt;
  }

  /** Decides about a unit in its place: renamed, edited, in doubt, or as it should be. */
  #stay(unit: WantedUnit, entry: UnitEntry, node: Organization): null {
    const { id, payload } = unit;
    const { sent, accepted, orgId } = entry;
    const fields = [...placeChange(sent, payload), ...changedFields(sent.fields, payload.fields)];
    const drift = driftOf(entry, node, { mapped: payload.fields, shownFields: this.#shownFields });
    if (fields.length > 0)
      return this.#add('update', unit, {
        orgId,
        why: { code: 'changed' },
        guard: guardOf(fields, node),
        fields: withEdits(fields, drift),
      });
    if (accepted === null) {
      const serial = serialChange(entry.serialNo, node);
      return this.#add('update', unit, { orgId, why: { code: 'inDoubt' }, guard: null, fields: serial });
    }
    if (drift.length === 0) return null;
    if (this.#input.sync.drift === 'repair')
      return this.#add('update', unit, { orgId, why: { code: 'edited' }, guard: 'updates', fields: drift });
    this.drift.set(id, drift);
    return null;
  }

  /** Decides about a unit that the source does not have. Whether its node is empty is looked at later, before the call. */
  #absent(entry: UnitEntry): void {
    const { id, state } = entry;
    const { sync, tree, unclear } = this.#input;
    const isKept = sync.unitsGone === 'keep' && state !== 'creating';
    if (this.renamed.has(id) || isKept || tree.has(id) || tree.mayBe(id, unitName(entry.sent))) return;
    const unread = unclear?.get(id);
    if (unread !== undefined) {
      if (state === 'managed') this.blocked.set(id, { code: 'missingUnread', values: { words: unread } });
      return;
    }
    const byId = this.#actualOf(entry);
    const found = byId === 'own' ? undefined : this.#unclaimed(entry);
    const node = found ?? this.#nodes.node(entry.orgId);
    const steps: Readonly<Record<Absent, () => void>> = {
      remove: () => this.#remove(entry, node),
      disown: () => this.forgotten.set(id, this.#whoseNode(node)),
      forget: () => this.forgotten.set(id, null),
      nothing: () => undefined,
    };
    steps[ABSENT[state][found === undefined ? byId : 'found']]();
  }

  /** Returns the only node with a unit's serial number, if no other unit has it. */
  #unclaimed({ serialNo }: UnitEntry): Organization | undefined {
    const [there, ...others] = this.#nodes.withSerial(serialNo);
    const isFree = there !== undefined && others.length === 0 && this.#nodes.unitAt(there.id) === undefined;
    return isFree && !this.#adopters.has(there.id) ? there : undefined;
  }

  #remove(entry: UnitEntry, node: Organization | undefined): void {
    const { id, sent: payload, serialNo } = entry;
    const { tree } = this.#input;
    const reason = this.#whyKept(entry);
    if (reason !== null) return void this.blocked.set(id, reason);
    const why: Reason = { code: tree.isOutside(id) ? 'unitOutOfScope' : 'missing' };
    const doubt = tree.doubts.get(id);
    const orgId = node?.id ?? null;
    const parts = { payload, serialNo, orgId, why, guard: 'unitsRemoved', doubt } as const;
    this.changes.push(unitChange('remove', id, parts));
  }

  /** Returns why a unit that is missing stays; `null`: it goes. */
  #whyKept({ id }: UnitEntry): Reason | null {
    const { tree, sync } = this.#input;
    if (sync.protect.units.includes(id)) return { code: 'protectedUnit' };
    if (tree.unknown === 0 || tree.isOutside(id)) return null;
    return { code: 'idsUnread', values: { records: tree.unknown } };
  }

  #whoseNode(node: Organization | undefined): Reason {
    const values = { node: node?.id ?? '', name: node?.name ?? '' };
    return node?.serialNo
      ? { code: 'othersNode', values: { ...values, serial: node.serialNo } }
      : { code: 'unnumberedNode', values };
  }

  #whyElsewhere(parentId: string | null): Reason {
    if (parentId === this.#input.rootOrgId) return { code: 'belowRoot' };
    return { code: 'elsewhere', values: { parent: this.#nodes.node(parentId)?.name ?? '?' } };
  }

  /** Returns the unit that stands on a node; `null`: it is the root. */
  #unitOn(orgId: string | null): string | null {
    if (orgId === this.#input.rootOrgId) return null;
    return this.#adopters.get(orgId ?? '') ?? this.#nodes.ours.get(orgId ?? '') ?? NO_UNIT;
  }

  /** Returns the organization id of the node that the unit has, or gets by an adoption of this plan. */
  #orgIdOf(unit: string | null): string | undefined {
    return this.adopting.get(unit) ?? this.#nodes.orgIdOf(unit);
  }

  #add(
    kind: UnitChangeKind,
    { id, payload, serialNo }: WantedUnit,
    parts: Omit<UnitChangeParts, 'payload' | 'serialNo'>,
  ): null {
    this.changes.push(unitChange(kind, id, { payload, serialNo, ...parts }));
    return null;
  }
}

/** Decides the changes of units from desired tree × ledger × service. Pure. */
export function decideUnits(input: UnitsInput, nodes = nodesOf(input)): UnitsDecision {
  return new UnitDecider(input, nodes).decide();
}

/** Returns the nodes of the service with their units, before anything is decided. */
export function nodesOf({ tree, ...known }: UnitsInput): NodeBook {
  const units = [...tree.nodes.values()];
  return new NodeBook({
    ...known,
    wanted: new Map(units.map(({ unit }) => [serialOf(unit, unit.id), unit.id])),
  });
}
