import { EDITED, type FieldChange, type UnitChange, type UnitChangeKind } from '../domain/changes.ts';
import { groupBy } from '../domain/group-by.ts';
import type { UnitEntry } from '../domain/ledger.ts';
import type { UnitPayload } from '../domain/payload.ts';
import type { Organization } from '../domain/service.ts';
import type { SyncSettings } from '../domain/settings.ts';
import { changedFields } from './compare.ts';
import type { UnitNode, UnitTree } from './tree.ts';
import { unitChange, type UnitChangeParts } from './unit-change.ts';
import { adoptedFields, driftOf, nameKey, nameOf, serialKey, serialOf } from './unit-fields.ts';

export interface UnitsInput {
  readonly tree: UnitTree;
  readonly entries: readonly UnitEntry[];
  readonly organizations: readonly Organization[];
  readonly rootOrgId: string;
  readonly sync: SyncSettings;
}

export interface UnitsDecision {
  /** Creations and updates parents first, then removals children first. */
  readonly changes: readonly UnitChange[];
  /** Units left as they are: source id → why. */
  readonly blocked: ReadonlyMap<string, string>;
  /** Edits of others that are only reported. */
  readonly drift: ReadonlyMap<string, readonly FieldChange[]>;
}

/** Of a name with an id behind it: names of 255 characters are known to be taken. */
const LONGEST_NAME = 250;

class UnitDecider {
  readonly changes: UnitChange[] = [];
  readonly blocked = new Map<string, string>();
  readonly drift = new Map<string, readonly FieldChange[]>();
  readonly #input: UnitsInput;
  readonly #entries: ReadonlyMap<string, UnitEntry>;
  readonly #byId: ReadonlyMap<string, Organization>;
  readonly #bySerial: ReadonlyMap<string | null, readonly Organization[]>;
  readonly #byName: ReadonlyMap<string, readonly Organization[]>;
  readonly #managedOrgs: ReadonlySet<string>;
  /** Names below each parent, and serial numbers, by the unit that has them: a second one is blocked. */
  readonly #taken = new Map<string, string>();
  readonly #adopted = new Map<string, string>();

  constructor(input: UnitsInput) {
    const { entries, organizations } = input;
    this.#input = input;
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
    this.#byId = new Map(organizations.map((node) => [node.id, node]));
    this.#bySerial = groupBy(organizations, ({ serialNo }) => serialNo);
    this.#byName = groupBy(organizations, ({ parentId, name }) => nameKey(parentId ?? '', name));
    this.#managedOrgs = new Set(entries.flatMap(({ orgId }) => (orgId === null ? [] : [orgId])));
    for (const { id, state, sent, serialNo } of entries) {
      if (state === 'managed' && input.tree.nodes.has(id))
        this.#take(nameKey(sent.parent ?? '', nameOf(sent)), id);
      if (state === 'managed') this.#take(serialKey(serialNo), id);
    }
  }

  decide(): UnitsDecision {
    for (const [id, reason] of this.#input.tree.problems) this.blocked.set(id, reason);
    for (const node of this.#input.tree.nodes.values()) this.#unit(node);
    this.#removals();
    return { changes: this.changes, blocked: this.blocked, drift: this.drift };
  }

  #unit(node: UnitNode): void {
    const { id } = node.unit;
    if (node.parent !== null && this.blocked.has(node.parent)) {
      this.blocked.set(id, `its parent ${node.parent} is blocked`);
      return;
    }
    const entry = this.#entries.get(id);
    const payload = { fields: node.unit.fields, parent: node.parent };
    if (entry === undefined || entry.state !== 'managed' || entry.orgId === null) this.#join(node, payload);
    else this.#keep(node, payload, { ...entry, orgId: entry.orgId });
  }

  /** Ours: renamed, moved, edited, gone, or as it should be. */
  #keep(
    { unit: { id } }: UnitNode,
    payload: UnitPayload,
    entry: UnitEntry & { readonly orgId: string },
  ): void {
    const node = this.#byId.get(entry.orgId);
    const parts = { payload, serialNo: entry.serialNo, orgId: entry.orgId };
    if (node === undefined) {
      this.#add('create', id, { ...parts, orgId: null, why: 'vanished from the service', guard: 'gone' });
      return;
    }
    const fields = changedFields(entry.sent.fields, payload.fields);
    if (entry.sent.parent !== payload.parent) {
      const moved = { field: 'parent', from: entry.sent.parent, to: payload.parent };
      this.#add('move', id, {
        ...parts,
        why: 'moved in the source',
        guard: 'unitsMoved',
        fields: [moved, ...fields],
      });
      return;
    }
    if (fields.length > 0) {
      this.#add('update', id, { ...parts, why: 'changed in the source', guard: 'updates', fields });
      return;
    }
    const drift = driftOf(entry.accepted, node.fields, payload.fields);
    if (entry.accepted === null)
      this.#add('update', id, { ...parts, why: 'last write in doubt', guard: null });
    else if (drift.length > 0 && this.#input.sync.drift === 'report') this.drift.set(id, drift);
    else if (drift.length > 0) {
      this.#add('update', id, { ...parts, why: EDITED, guard: 'updates', fields: drift });
    }
  }

  /** New: created, or adopted by serial number, else by parent and name (promise 2). */
  #join(node: UnitNode, payload: UnitPayload): void {
    const { id } = node.unit;
    const serialNo = serialOf(node);
    const rival = this.#rivalOf(id, payload, serialNo);
    if (rival !== null) {
      this.blocked.set(id, `${rival}: the service could not tell them apart`);
      return;
    }
    const parentOrgId = this.#orgIdOf(node.parent);
    const known = this.#bySerial.get(serialNo) ?? [];
    if (known.length > 1) {
      this.blocked.set(id, `several nodes of the service have its serial number ${serialNo}`);
      return;
    }
    if (known[0] !== undefined) {
      this.#adopt(node, payload, { node: known[0], parentOrgId, serialNo });
      return;
    }
    this.#joinByName(node, payload, { parentOrgId, serialNo });
  }

  #joinByName(
    node: UnitNode,
    payload: UnitPayload,
    { parentOrgId, serialNo }: { readonly parentOrgId: string | undefined; readonly serialNo: string },
  ): void {
    const { id } = node.unit;
    const same =
      parentOrgId === undefined ? [] : (this.#byName.get(nameKey(parentOrgId, nameOf(payload))) ?? []);
    const [only] = same;
    const isOnly = same.length === 1;
    if (only === undefined || (isOnly && this.#makesWay(only, id))) {
      this.#add('create', id, { payload, serialNo, orgId: null, why: 'new in the source', guard: null });
    } else if (isOnly && only.serialNo === null && !this.#managedOrgs.has(only.id)) {
      this.#adopt(node, payload, { node: only, parentOrgId, serialNo });
    } else {
      const first = same.find(({ serialNo: serial }) => serial !== null);
      const other = first === undefined ? 'several nodes' : `a node with serial number ${first.serialNo}`;
      this.blocked.set(id, `${other} of the same name is below the same parent in the service already`);
    }
  }

  /**
   * A unit of ours that is to be removed keeps its name until its people have left, and they wait for the new unit of
   * that name: it is renamed first.
   */
  #makesWay({ id: orgId, name }: Organization, newUnit: string): boolean {
    const old = [...this.#entries.values()].find((entry) => entry.orgId === orgId);
    if (old === undefined || !this.#isGoing(old)) return false;
    const { id, serialNo, sent } = old;
    const renamed = `${name.slice(0, LONGEST_NAME - id.length)} (${id})`;
    this.#add('update', id, {
      payload: { ...sent, fields: { ...sent.fields, name: renamed } },
      serialNo,
      orgId,
      why: `missing in the source, makes way for unit ${newUnit} of the same name`,
      guard: null,
      fields: [{ field: 'name', from: name, to: renamed }],
    });
    return true;
  }

  /** Ours, no longer in a complete read, and to be removed. */
  #isGoing({ id, state, orgId }: UnitEntry): boolean {
    const { tree, sync } = this.#input;
    if (sync.unitsGone === 'keep' || tree.unreadable || sync.protect.units.includes(id)) return false;
    return state === 'managed' && orgId !== null && !tree.has(id);
  }

  #adopt(
    { unit: { id } }: UnitNode,
    payload: UnitPayload,
    found: {
      readonly node: Organization;
      readonly parentOrgId: string | undefined;
      readonly serialNo: string;
    },
  ): void {
    const { node, parentOrgId, serialNo } = found;
    if (node.parentId !== parentOrgId) {
      this.blocked.set(
        id,
        `node ${node.id} has its serial number ${serialNo} below another parent: move it there by hand`,
      );
      return;
    }
    const fields = adoptedFields(node, payload.fields, serialNo);
    this.#adopted.set(id, node.id);
    this.#add('adopt', id, {
      payload,
      serialNo,
      orgId: node.id,
      why: 'already in the service',
      guard: null,
      fields,
    });
  }

  #orgIdOf(unit: string | null): string | undefined {
    if (unit === null) return this.#input.rootOrgId;
    return this.#adopted.get(unit) ?? this.#entries.get(unit)?.orgId ?? undefined;
  }

  /** The unit that has the name below this parent, or the serial number, already; `null`: both are this one's now. */
  #rivalOf(id: string, payload: UnitPayload, serialNo: string): string | null {
    const byName = this.#take(nameKey(payload.parent ?? '', nameOf(payload)), id);
    if (byName !== id) return `unit ${byName} has the same name below the same parent`;
    const bySerial = this.#take(serialKey(serialNo), id);
    return bySerial === id ? null : `unit ${bySerial} has the same serial number ${serialNo}`;
  }

  /** Takes it where nobody has; returns who has it. */
  #take(key: string, id: string): string {
    const owner = this.#taken.get(key) ?? id;
    this.#taken.set(key, owner);
    return owner;
  }

  #add(kind: UnitChangeKind, id: string, parts: UnitChangeParts): void {
    this.changes.push(unitChange(kind, id, parts));
  }

  /** Ours and no longer in a complete read: children first; whether the node is empty is looked at before the call. */
  #removals(): void {
    const { tree, sync } = this.#input;
    if (sync.unitsGone === 'keep' || tree.unreadable) return;
    const missing = [...this.#entries.values()]
      .filter(({ id, state, orgId }) => state === 'managed' && orgId !== null && !tree.has(id))
      .map((entry) => ({ entry, depth: this.#depth(entry) }));
    for (const { entry } of missing.toSorted((a, b) => b.depth - a.depth)) {
      if (sync.protect.units.includes(entry.id)) {
        this.blocked.set(entry.id, 'protected by sync.protect: would be removed (missing in the source)');
        continue;
      }
      const { sent: payload, serialNo, orgId } = entry;
      this.#add('remove', entry.id, {
        payload,
        serialNo,
        orgId,
        why: 'missing in the source',
        guard: 'unitsRemoved',
      });
    }
  }

  #depth(entry: UnitEntry): number {
    let depth = 0;
    let parent = entry.sent.parent;
    while (parent !== null && depth < this.#entries.size) {
      depth += 1;
      parent = this.#entries.get(parent)?.sent.parent ?? null;
    }
    return depth;
  }
}

/** Desired tree × ledger × service → changes of units. Pure. */
export function decideUnits(input: UnitsInput): UnitsDecision {
  return new UnitDecider(input).decide();
}
