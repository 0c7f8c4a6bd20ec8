import type { PushRecord, ScheduleRecord, TemplateRecord, UserRecord } from './records.ts';
import { Table, type Stored } from './table.ts';
import { EmployeeTable, MediaTable, NamedTable, OrganizationTable } from './tables.ts';

/** Kinds of records. Organizations come first: positions need them. */
export const KINDS = [
  'organizations',
  'users',
  'employees',
  'medias',
  'templates',
  'pushes',
  'schedules',
] as const;

export type RecordKind = (typeof KINDS)[number];

/** Ids put or removed, by kind; the world shows which of the two. */
export type ChangedIds = Readonly<Record<RecordKind, readonly string[]>>;

export function isEmpty(changes: ChangedIds): boolean {
  return Object.values(changes).every((ids: readonly string[]) => ids.length === 0);
}

/** Everything the service knows. */
export class World {
  readonly organizations = new OrganizationTable();
  readonly users: NamedTable<UserRecord>;
  readonly employees: EmployeeTable;
  readonly medias = new MediaTable();
  readonly templates = new Table<TemplateRecord>();
  readonly pushes = new Table<PushRecord>();
  readonly schedules = new Table<ScheduleRecord>();
  /** Returns whether usernames that differ only in case are two. */
  readonly caseMatters: () => boolean;

  constructor(caseMatters: () => boolean) {
    this.caseMatters = caseMatters;
    this.users = new NamedTable(caseMatters);
    this.employees = new EmployeeTable(this.organizations, caseMatters);
  }

  /** Returns the table of a kind; what is put into it has to be of that kind. */
  table(kind: RecordKind): Table<Stored> {
    return this[kind];
  }

  /** Returns what changed since the last call. */
  takeChanges(): ChangedIds {
    return byKind((kind) => this.table(kind).takeChanged());
  }

  /** Makes the named records the same as in the other world. */
  follow(other: World, changes: ChangedIds = other.allIds()): void {
    for (const kind of KINDS) this.table(kind).follow(other.table(kind), changes[kind]);
    this.takeChanges();
  }

  /** Takes over exactly what the other world holds, in its order; all of it counts as changed. */
  become(other: World): void {
    const [mine, theirs] = [this.allIds(), other.allIds()];
    for (const kind of KINDS.toReversed()) for (const id of mine[kind]) this.table(kind).remove(id);
    for (const kind of KINDS) this.table(kind).follow(other.table(kind), theirs[kind]);
  }

  allIds(): ChangedIds {
    return byKind((kind) => this.table(kind).ids());
  }
}

function byKind<T>(valueOf: (kind: RecordKind) => T): Readonly<Record<RecordKind, T>> {
  return Object.fromEntries(KINDS.map((kind) => [kind, valueOf(kind)])) as Record<RecordKind, T>;
}

interface DelayedChange {
  /** Time when it becomes visible, in milliseconds on the sandbox's clock. */
  readonly visibleAt: number;
  readonly changes: ChangedIds;
}

/** What calls see: the world, or, while imports wait to become visible (asyncImport), a copy without them. */
export class DelayedView {
  readonly #live: World;
  readonly #now: () => number;
  #waiting: readonly DelayedChange[] = [];
  #visible: World | undefined;

  constructor(live: World, now: () => number) {
    this.#live = live;
    this.#now = now;
  }

  get world(): World {
    this.#reveal();
    return this.#visible ?? this.#live;
  }

  /** Keeps the view as it is; called before an import changes the world. */
  hold(): void {
    this.#reveal();
    if (this.#visible !== undefined) return;
    this.#visible = new World(this.#live.caseMatters);
    this.#visible.follow(this.#live);
  }

  publish(changes: ChangedIds, delayMs: number): void {
    if (this.#visible === undefined) return;
    if (delayMs === 0) this.#visible.follow(this.#live, changes);
    else this.#waiting = [...this.#waiting, { visibleAt: this.#now() + delayMs, changes }];
  }

  #reveal(): void {
    const now = this.#now();
    const due = this.#waiting.filter((waiting) => waiting.visibleAt <= now);
    if (due.length === 0) return;
    for (const { changes } of due) this.#visible?.follow(this.#live, changes);
    this.#waiting = this.#waiting.filter((waiting) => waiting.visibleAt > now);
    if (this.#waiting.length === 0) this.#visible = undefined;
  }
}
