import type { FieldChange, UnitChange, UnitChangeKind } from '../domain/changes.ts';
import type { Fields } from '../domain/fields.ts';
import { groupBy } from '../domain/group-by.ts';
import type { UnitEntry } from '../domain/ledger.ts';
import type { UnitPayload } from '../domain/payload.ts';
import type { Organization } from '../domain/service.ts';
import type { Guard, SyncSettings } from '../domain/settings.ts';
import { changedFields, sameValue } from './compare.ts';
import type { UnitNode, UnitTree } from './tree.ts';

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

interface ChangeParts {
  readonly payload: UnitPayload;
  readonly serialNo: string;
  readonly orgId: string | null;
  readonly why: string;
  readonly guard: Guard | null;
  readonly fields?: readonly FieldChange[];
}

function changeOf(kind: UnitChangeKind, id: string, { fields = [], ...parts }: ChangeParts): UnitChange {
  return { subject: 'unit', kind, id, name: nameOf(parts.payload), fields, ...parts };
}

/** Defaults at creation only (contract, Fields): type DEPT, serial_no the source id. */
function serialOf(node: UnitNode): string {
  const mapped = node.unit.fields['serial_no'];
  return typeof mapped === 'string' ? mapped : node.unit.id;
}

/** Fields of a node that are mapped, shown, and no longer what they were after our last write. */
function driftOf(accepted: Fields | null, shown: Fields, mapped: Fields): readonly FieldChange[] {
  if (accepted === null) return [];
  return Object.keys(mapped)
    .filter((name) => name in shown && !sameValue(accepted[name], shown[name]))
    .map((field) => ({ field, from: shown[field] ?? null, to: mapped[field] ?? null }));
}

function nameOf({ fields }: UnitPayload): string {
  return typeof fields['name'] === 'string' ? fields['name'] : '';
}

const nameKey = (parentOrgId: string, name: string): string => JSON.stringify([parentOrgId, name]);

class UnitDecider {
  readonly changes: UnitChange[] = [];
  readonly blocked = new Map<string, string>();
  readonly drift = new Map<string, readonly FieldChange[]>();
  readonly #input: UnitsInput;
  readonly #entries: ReadonlyMap<string, UnitEntry>;
  readonly #byId: ReadonlyMap<string, Organization>;
  readonly #bySerial: ReadonlyMap<string, Organization>;
  readonly #byName: ReadonlyMap<string, readonly Organization[]>;
  readonly #managedOrgs: ReadonlySet<string>;
  /** Names that units of the source take below each parent: the second of two same names is blocked. */
  readonly #taken = new Map<string, string>();
  readonly #adopted = new Map<string, string>();

  constructor(input: UnitsInput) {
    const { entries, organizations } = input;
    this.#input = input;
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
    this.#byId = new Map(organizations.map((node) => [node.id, node]));
    this.#bySerial = new Map(
      organizations.flatMap((node) => (node.serialNo === null ? [] : [[node.serialNo, node] as const])),
    );
    this.#byName = groupBy(organizations, ({ parentId, name }) => nameKey(parentId ?? '', name));
    this.#managedOrgs = new Set(entries.flatMap(({ orgId }) => (orgId === null ? [] : [orgId])));
    for (const { id, state, sent } of entries) {
      if (state === 'managed' && input.tree.nodes.has(id)) this.#take(id, sent);
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
      this.#add('update', id, { ...parts, why: 'edited in the service', guard: 'updates', fields: drift });
    }
  }

  /** New: created, or adopted by serial number, else by parent and name (promise 2). */
  #join(node: UnitNode, payload: UnitPayload): void {
    const { id } = node.unit;
    const taken = this.#take(id, payload);
    if (taken !== id) {
      this.blocked.set(
        id,
        `unit ${taken} has the same name below the same parent: the service could not tell them apart`,
      );
      return;
    }
    const serialNo = serialOf(node);
    const parentOrgId = this.#orgIdOf(node.parent);
    const known = this.#bySerial.get(serialNo);
    if (known !== undefined) {
      this.#adopt(node, payload, { node: known, parentOrgId, serialNo });
      return;
    }
    const same = this.#byName.get(nameKey(parentOrgId ?? '', nameOf(payload))) ?? [];
    const [only] = same;
    if (only === undefined) {
      this.#add('create', id, { payload, serialNo, orgId: null, why: 'new in the source', guard: null });
    } else if (same.length === 1 && only.serialNo === null && !this.#managedOrgs.has(only.id)) {
      this.#adopt(node, payload, { node: only, parentOrgId, serialNo });
    } else {
      const first = same.find(({ serialNo: serial }) => serial !== null);
      const other = first === undefined ? 'several nodes' : `a node with serial number ${first.serialNo}`;
      this.blocked.set(id, `${other} of the same name is below the same parent in the service already`);
    }
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
    const fields = changedFields(node.fields, payload.fields);
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

  /** Takes the name below the parent; returns who has it. */
  #take(id: string, payload: UnitPayload): string {
    const key = nameKey(payload.parent ?? '', nameOf(payload));
    const owner = this.#taken.get(key);
    if (owner !== undefined) return owner;
    this.#taken.set(key, id);
    return id;
  }

  #add(kind: UnitChangeKind, id: string, parts: ChangeParts): void {
    this.changes.push(changeOf(kind, id, parts));
  }

  /** Ours and no longer in a complete read: children first; whether the node is empty is looked at before the call. */
  #removals(): void {
    const { tree, sync } = this.#input;
    if (sync.unitsGone === 'keep' || tree.unreadable) return;
    const missing = [...this.#entries.values()].filter(
      ({ id, state }) => state !== 'removed' && !tree.has(id),
    );
    for (const entry of missing.toSorted((a, b) => this.#depth(b) - this.#depth(a))) {
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
