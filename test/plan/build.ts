import type { PersonChange, UnitChange } from '../../src/domain/changes.ts';
import type { Fields } from '../../src/domain/records/fields.ts';
import type { EmployeeView, PersonRow } from '../../src/domain/ports/ledger/person-row.ts';
import type { PersonEntry, UnitEntry } from '../../src/domain/ports/ledger/entries.ts';
import type { StagedPerson } from '../../src/domain/ports/ledger/source-stage.ts';
import type { PlacedPosition } from '../../src/domain/records/payload.ts';
import type { Unit } from '../../src/domain/records/records.ts';
import type { Organization } from '../../src/domain/ports/service.ts';
import { GUARD_NAMES, guardLimit, GUARDS, type Guard, type GuardLimit } from '../../src/domain/guards.ts';
import type { SyncSettings } from '../../src/domain/settings.ts';
import type { PersonRules } from '../../src/plan/people/person-decision.ts';
import { buildTree, type UnitTree } from '../../src/plan/units/tree.ts';

/** The contract's defaults. */
export const SYNC: SyncSettings = {
  mode: 'apply',
  cron: '*/15 * * * *',
  fullCron: null,
  timezone: 'UTC',
  root: null,
  unitsGone: 'remove',
  leavers: { misses: 2, action: 'disable', removeAfterDays: null },
  clear: 'empty',
  drift: 'repair',
  unmapped: 'keep',
  orphans: 'block',
  protect: { usernames: [], units: [] },
  guard: eachGuard((guard) => guardLimit(GUARDS[guard].limit ?? '0')),
};

function eachGuard(limitOf: (guard: Guard) => GuardLimit | null): SyncSettings['guard'] {
  return Object.fromEntries(GUARD_NAMES.map((guard) => [guard, limitOf(guard)])) as SyncSettings['guard'];
}

/** Nothing is held. */
export const NO_GUARD = eachGuard(() => ({ percent: 100, count: 10_000 }));

/** Every change of every kind waits for a person. */
export const EVERYTHING_HELD = eachGuard(() => ({ percent: 0, count: 0 }));

export const NOW = 1_700_000_000_000;

/** Units `sales` and `tech` are nodes 51 and 52 of the service, its root is 50. */
const ORG_IDS: Readonly<Record<string, string>> = { sales: '51', tech: '52' };

export function rules(options: Partial<PersonRules> & { readonly sync?: SyncSettings } = {}): PersonRules {
  return {
    sync: SYNC,
    now: NOW,
    surely: NOW,
    orgIdOf: (id) => (id === null ? '50' : ORG_IDS[id]),
    moving: new Map(),
    isProtected: () => false,
    ...options,
  };
}

export const at = (id: string | null, fields: Fields = {}): PlacedPosition => ({ unit: id, fields });
const SALES = [at('sales', { job_title: 'Clerk', primary: true })];
const FIELDS: Fields = { name: 'Ann', email: 'ann@example.com' };

/** Ann (id 7) as the source has her. */
export function staged(options: Partial<StagedPerson> = {}): StagedPerson {
  const payload = { fields: FIELDS, positions: [at('sales', { job_title: 'Clerk' })] };
  return {
    id: '7',
    username: 'ann',
    active: true,
    hash: 'h1',
    secretHash: null,
    payload,
    problem: null,
    ...options,
  };
}

/** Ann as the ledger has her after a write that was read back. */
export function entry(options: Partial<PersonEntry> = {}): PersonEntry {
  return {
    id: '7',
    username: 'ann',
    state: 'managed',
    employeeId: '900',
    sent: { fields: FIELDS, positions: SALES },
    secretHash: null,
    accepted: shown(),
    misses: 0,
    missedAt: null,
    disabledAt: null,
    ...options,
  };
}

export function shown(fields: Fields = FIELDS, orgId = '51'): EmployeeView['shown'] {
  return { fields, positions: [{ orgId, fields: { job_title: 'Clerk', primary: true } }] };
}

/** Ann as the service shows her. */
export function employee(options: Partial<EmployeeView> = {}): EmployeeView {
  return { id: '900', username: 'ann', locked: false, shown: shown(), ...options };
}

export function row(options: Partial<PersonRow> = {}): PersonRow {
  const { record = staged() } = options;
  return {
    id: '7',
    record,
    inSource: typeof record === 'object' && record !== null ? record.username : null,
    entry: entry(),
    hasSaidLeft: false,
    employee: employee(),
    unclear: null,
    isUserDisabled: false,
    owner: null,
    claims: [],
    ...options,
  };
}

export function unit(id: string, parent: string | null = null, fields: Fields = { name: id }): Unit {
  return { id, refs: [id], parent, fields };
}

export function treeOf(units: readonly Unit[], root: string | null = null): UnitTree {
  return buildTree({ units, refusals: [], root });
}

export function unitEntry(id: string, options: Partial<UnitEntry> = {}): UnitEntry {
  const fields = { name: id };
  return {
    id,
    state: 'managed',
    orgId: `o-${id}`,
    serialNo: id,
    sent: { fields, parent: null },
    accepted: fields,
    ...options,
  };
}

export function node(id: string, options: Partial<Organization> = {}): Organization {
  const name = options.name ?? id.replace(/^o-/u, '');
  return { id, parentId: 'root', name, serialNo: name, employeeCount: 0, fields: { name }, ...options };
}

export function unitChange(id: string, options: Partial<UnitChange> = {}): UnitChange {
  return {
    subject: 'unit',
    kind: 'create',
    id,
    name: id,
    payload: { fields: { name: id }, parent: null },
    serialNo: id,
    orgId: null,
    why: { code: 'new' },
    fields: [],
    guard: null,
    cause: null,
    ...options,
  };
}

export function personChange(id: string, options: Partial<PersonChange> = {}): PersonChange {
  return {
    subject: 'person',
    kind: 'create',
    id,
    username: `u${id}`,
    payload: { fields: { name: `N${id}` }, positions: [at('sales', { primary: true })] },
    employeeId: null,
    why: { code: 'new' },
    fields: [],
    guard: 'joiners',
    cause: null,
    ...options,
  };
}
