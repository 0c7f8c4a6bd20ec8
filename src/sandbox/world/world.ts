import { EmployeeTable } from './employee-table.ts';
import { MediaTable } from './media-table.ts';
import { OrganizationTable } from './organization-table.ts';
import { PlainTable } from './plain-table.ts';
import type { RecordTable } from './record-table.ts';
import type { PushRecord, ScheduleRecord, TemplateRecord } from './records.ts';
import { UserTable } from './user-table.ts';

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

export type Kind = (typeof KINDS)[number];

/** Ids put or removed, by kind; the world shows which of the two. */
export type Changes = Readonly<Record<Kind, readonly string[]>>;

export function isEmpty(changes: Changes): boolean {
  return Object.values(changes).every((ids: readonly string[]) => ids.length === 0);
}

type AnyTable = RecordTable<{ readonly id: string; readonly refreshed: number }>;

/** Everything the service knows. */
export class World {
  readonly organizations = new OrganizationTable();
  readonly users: UserTable;
  readonly employees: EmployeeTable;
  readonly medias = new MediaTable();
  readonly templates = new PlainTable<TemplateRecord>();
  readonly pushes = new PlainTable<PushRecord>();
  readonly schedules = new PlainTable<ScheduleRecord>();
  /** Returns whether usernames that differ only in case are two. */
  readonly caseMatters: () => boolean;

  constructor(caseMatters: () => boolean) {
    this.caseMatters = caseMatters;
    this.users = new UserTable(caseMatters);
    this.employees = new EmployeeTable(this.organizations, caseMatters);
  }

  /** Returns a number that is another one after each change. */
  get version(): number {
    return KINDS.reduce((sum, kind) => sum + this.table(kind).version, 0);
  }

  /** Returns the table of a kind; what is put into it has to be of that kind. */
  table(kind: Kind): AnyTable {
    return this[kind];
  }

  /** Returns what changed since the last call. */
  takeChanges(): Changes {
    return byKind((kind) => this.table(kind).takeChanged());
  }

  /** Makes the named records the same as in the other world. */
  follow(other: World, changes: Changes = other.everything()): void {
    for (const kind of KINDS) this.table(kind).follow(other.table(kind), changes[kind]);
    this.takeChanges();
  }

  /** Takes over exactly what the other world holds, in its order; all of it counts as changed. */
  become(other: World): void {
    const [mine, theirs] = [this.everything(), other.everything()];
    for (const kind of KINDS.toReversed()) for (const id of mine[kind]) this.table(kind).remove(id);
    for (const kind of KINDS) this.table(kind).follow(other.table(kind), theirs[kind]);
  }

  everything(): Changes {
    return byKind((kind) => this.table(kind).ids());
  }
}

function byKind<T>(valueOf: (kind: Kind) => T): Readonly<Record<Kind, T>> {
  return Object.fromEntries(KINDS.map((kind) => [kind, valueOf(kind)])) as Record<Kind, T>;
}
