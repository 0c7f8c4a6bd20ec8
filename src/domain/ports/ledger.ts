import type { Approvals } from './approvals.ts';
import type { Waiting } from '../changes.ts';
import type { Fields } from '../records/fields.ts';
import type { Journal } from './journal.ts';
import type { KeptUsername } from '../records/kept-username.ts';
import type { LandmarkQuery } from './landmark-query.ts';
import type { LedgerFacts } from './ledger-facts.ts';
import type { LeftInsideList } from './left-inside.ts';
import type { MovedUnit, OldNode } from '../records/moves.ts';
import type { PlanBook } from './plan-book.ts';
import type { PersonPayload, UnitPayload } from '../records/payload.ts';
import type { Loss, PositionRow, Refusal } from '../records/records.ts';
import type { Employee, Employees, Organization, User } from './service.ts';
import type { Shown } from './shown.ts';
import type { VanishedAccounts } from './vanished.ts';

/**
 * What rollcall knows of a record it manages.
 *
 * - `creating`: journalled before the call that creates it; whether it exists is in doubt until read
 * - `managed`: ours, active
 * - `disabled`: ours, disabled by us (people only)
 * - `removed`: was ours; its username or serial number stays its own (promise 4)
 */
export type RecordState = 'creating' | 'managed' | 'disabled' | 'removed';

export interface UnitEntry {
  readonly id: string;
  readonly state: RecordState;
  /** `null` while creating; of a removed unit the last one. */
  readonly orgId: string | null;
  readonly serialNo: string;
  /**
   * Those that its node had before the unit had another id in the source: it has the last one until it gets this one, and
   * any where the service comes back from a backup.
   */
  readonly formerSerialNos?: readonly string[];
  readonly sent: UnitPayload;
  /** The node's fields as read back after our last write; `null`: not read back yet. */
  readonly accepted: Fields | null;
  /** What the node showed right after we had made it, of what we did not send: see `NodeValues`. */
  readonly made?: Fields;
}

export interface PersonEntry {
  readonly id: string;
  readonly username: string;
  readonly state: RecordState;
  readonly employeeId: string | null;
  readonly sent: PersonPayload;
  /** Hash of compared secrets, as sent. */
  readonly secretHash: string | null;
  /** What the service showed after our last write; `null`: not read back yet. */
  readonly accepted: Shown | null;
  readonly misses: number;
  /** ms, or `null`. */
  readonly missedAt: number | null;
  readonly disabledAt: number | null;
}

/** A person of the source who is not known unchanged; without secrets. */
export interface StagedPerson {
  readonly id: string;
  readonly username: string;
  readonly active: boolean | null;
  readonly hash: string;
  readonly secretHash: string | null;
  readonly payload: PersonPayload;
  /** Why the record cannot be used as it is, e.g. an unknown unit; it is left as it is. */
  readonly problem: string | null;
}

/** What staging asks of each person as it streams by. */
export interface KnownPerson {
  readonly row: number;
  readonly hash: string | null;
  /** Something about the record is to be looked at whatever its hash says. */
  readonly open: boolean;
}

/** The employee as last seen. */
export interface EmployeeView {
  readonly id: string;
  readonly username: string;
  readonly locked: boolean;
  readonly shown: Shown;
}

/** An account whose username somebody changed in the service. */
export interface RenamedAccount {
  readonly username: string;
  readonly locked: boolean;
}

/** One row of the differences: desired × ledger × service. */
export interface PersonRow {
  readonly id: string;
  /**
   * `null`: no record with this id in a complete read. `unchanged`: its hash is what the ledger holds. `left`: all its
   * records say that the person has left, whatever else is wrong with them.
   */
  readonly desired: StagedPerson | 'unchanged' | 'left' | null;
  readonly entry: PersonEntry | null;
  readonly employee: EmployeeView | null;
  /** Our account, found by its id under another username where the employees list lacks the one that we know. */
  readonly renamed: RenamedAccount | null;
  /** The service said yes to our disable and never showed it, and nothing was done since. */
  readonly isDisableUnshown?: boolean;
  /** No employee is listed, and the domain has a user of this username, in any case, who is disabled. */
  readonly isUserDisabled: boolean;
  /** Why it cannot be told which account is this person's, or whether there is one. */
  readonly unclear: string | null;
  /** What is known of the username that the source has, where it is another one than that of our account. */
  readonly newAccount: Pick<PersonRow, 'employee' | 'isUserDisabled' | 'unclear'> | null;
  /** Source id of another person to whom this username belongs already. */
  readonly usernameOwner: string | null;
  /**
   * That owner has no record in this read, or one that says "left" where this one does not: the same person may have come
   * with another source id.
   */
  readonly ownerMissing: boolean;
  /** Of an owner who is missing so: what the ledger has. */
  readonly owner?: PersonEntry | null;
  /**
   * The record has that owner's username and not the name of before: the source has given the id again. `name`: it has
   * the owner's name; `username`: a name that neither had; `left`: one that cannot be used, and says "left".
   */
  readonly ownersRecord?: 'name' | 'username' | 'left' | null;
  /**
   * Source id of a record of this read that has our username and may be the same person: one that we do not know, or that
   * has our name as well.
   */
  readonly claimedBy: string | null;
  /** That record cannot be used, so nobody is asked whether it is the same person. */
  readonly claimIsBad: boolean;
  /** That record says "left". */
  readonly claimHasLeft: boolean;
}

export interface RunRecord {
  readonly id: string;
  readonly kind: 'incremental' | 'full';
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly result: string | null;
  readonly exitCode: number | null;
  /** The `run.end` event's fields. */
  readonly report: Readonly<Record<string, unknown>> | null;
}

/** Local copy of what the source delivers in this run; gone when the run ends. */
export interface SourceStage {
  begin(): void;
  /** Returns what the ledger knows of a person, by source id. */
  known(id: string): KnownPerson | undefined;
  /** Marks a person as seen unchanged. */
  seen(row: number): void;
  /** `secrets` is kept encrypted with a key that only this process has. */
  person(person: StagedPerson, secrets: Fields): void;
  positionRow(row: PositionRow): void;
  positionsOf(person: string): readonly PositionRow[];
  refuse(refusal: Refusal): void;
  /** A field that cannot be read, while the rest of its record goes on. */
  lose(loss: LostField): void;
  /** Ends the read: indexes, then finds records that share an id or a username. */
  finish(): void;
  secretsOf(id: string): Fields;
  /** Leaves out those of people who have left: nothing is needed of their records. */
  refusals(): readonly Refusal[];
  losses(): readonly LostField[];
  counts(): StagedCounts;
  end(): void;
}

export interface LostField extends Loss {
  readonly subject: 'unit' | 'person';
  readonly id: string;
  /** Username or name. */
  readonly label: string;
}

export interface StagedCounts {
  readonly seen: number;
  readonly staged: number;
  readonly refused: number;
  readonly positions: number;
}

/** Keyset paging: what comes after this key. */
export interface PageQuery {
  readonly after: string;
  readonly limit: number;
}

/** What the service was last seen to hold. */
export interface View {
  organizations(): readonly Organization[];
  /** Upserts; `complete`: what is not among these is no longer there. */
  saveOrganizations(organizations: readonly Organization[], complete: boolean): void;
  beginCandidates(): void;
  candidates(users: readonly User[]): void;
  candidateCount(): number;
  /** Remembers, after all pages, which users are disabled; `complete`: who is not among these is no user. */
  saveUsers(complete: boolean): void;
  /** Gathers the usernames to ask the employees list for; how many they are. */
  prepareToAsk(full: boolean): number;
  /**
   * Gathers, after `people.prepare`, those who are to be decided and were not asked for in this run; returns how many
   * they are.
   */
  prepareToAskDecided(): number;
  usernamesToAsk(query: PageQuery): readonly string[];
  /** Usernames of a few who most likely are active employees here. */
  likelyEmployees(limit: number): readonly string[];
  /** What the employees list said of `asked`: who is neither found nor unclear is no employee here. */
  saveEmployees(asked: readonly string[], answer: Employees): void;
  /**
   * Notes for this run that the account of a person, by source id, has another username in the service than we know.
   *
   * @param isNameThere another account has the username that we know
   */
  saveRenamed(
    id: string,
    account: Pick<Employee, 'id' | 'username' | 'locked' | 'created'>,
    isNameThere: boolean,
  ): void;
  /** Locked employees, anybody's, who were last seen on each of these nodes. */
  lockedAt(orgIds: readonly string[]): ReadonlyMap<string, readonly EmployeeView[]>;
  /** The employee of this username, by the rule of `accountNamed`. */
  employee(username: string): EmployeeView | null;
  /** Whom the source has, from what this run has staged: they are not unmanaged, though they may be blocked or held. */
  rememberNotOurs(): void;
  /** Employees here whom the source does not have. */
  unmanagedCount(): number;
  unmanaged(limit: number): readonly EmployeeView[];
}

export interface FoundAgain {
  readonly found: number;
  readonly named: number;
  readonly of: number;
  /** The first five usernames of those who are neither. */
  readonly absent: readonly string[];
}

export interface People {
  /**
   * Gathers, after read and refresh, the records that need a decision, also who has a position in a unit that moves.
   */
  prepare(moving: readonly string[]): void;
  /**
   * Opens, before these units move, whoever has a position there: they are decided anew until imported, whatever its
   * hash says.
   */
  follow(moving: readonly string[]): void;
  /** Rows that need a decision, by source id, in pages. */
  rows(query: PageQuery): readonly PersonRow[];
  /** The same of one record, whether it needs a decision or not. */
  row(id: string): PersonRow;
  entry(id: string): PersonEntry | null;
  byUsername(username: string): PersonEntry | null;
  /** Managed and disabled people with an employee id who have exactly one of these usernames. */
  accounts(usernames: readonly string[]): readonly PersonEntry[];
  /** Everybody with this username in any case, those who were removed too. */
  named(username: string): readonly PersonEntry[];
  /** Managed or disabled and not read back since the last write. */
  unverified(query: PageQuery): readonly PersonEntry[];
  /** Accounts of another username than the source has now. */
  kept(limit: number): readonly KeptUsername[];
  /** The same of one person. */
  keptOf(id: string): KeptUsername | null;
  /** Missing in fewer complete reads than `enough`; they leave after the rest of them. Who misses fewest last. */
  waiting(enough: number): readonly Waiting[];
  /**
   * Returns those whom we changed last, whom we know the shortest, and whom we disabled last, in this order; without
   * those of whom the service has told in this run, and those who are asked for anyway.
   */
  landmarks(query: LandmarkQuery): readonly PersonEntry[];
  /** Notes the account as it was read back: from here on it is called as the view has it under this id. */
  verified(id: string, found: { readonly employeeId: string; readonly accepted: Shown }): void;
  /** The same after all: takes the staged hash and, where given, what is shown now; nothing is open any more. */
  close(id: string, accepted: Shown | null): void;
  /** The same secrets as were sent, under another hash. */
  rehash(id: string, secretHash: string): void;
  missed(id: string, at: number, misses: number): void;
  /** The same person under another source id: only the ledger changes. */
  rekey(from: string, to: string): void;
  /** Ours no longer: in neither the source nor the service. */
  forget(id: string, at: number): void;
  cancelMisses(): void;
  /**
   * Managed people, and how many of them this read of the source has by their ids; `named`: of the others, how many by
   * their usernames alone.
   */
  foundAgain(): FoundAgain;
  counts(): Readonly<Record<RecordState, number>>;
}

export interface Units {
  all(): readonly UnitEntry[];
  accept(id: string, accepted: Fields): void;
  /** Notes a move of an interrupted run. */
  moved(moved: MovedUnit): void;
  /** The same units under other source ids: new id of each old one. Only the ledger changes. */
  rekey(ids: ReadonlyMap<string, string>): void;
  /** Removed, and there again. */
  takeBack(id: string): void;
  /** Its node is somebody else's by now: it counts as removed. */
  letGo(id: string): void;
  /** Its unit has another one by now. */
  left(node: OldNode): void;
  /** Somebody else's by now. */
  forgetOld(orgId: string): void;
  /** Returns those whose nodes we changed last, the latest first. */
  changedLatest(limit: number): readonly string[];
  oldNodes(): readonly OldNode[];
}

export interface Runs {
  begin(run: { readonly id: string; readonly kind: 'incremental' | 'full'; readonly at: number }): void;
  /** Ends it as the kind that it has become: a run that began small may have read everything. */
  end(run: RunRecord): void;
  last(limit: number): readonly RunRecord[];
}

export interface Lease {
  /** `null`, or who holds it. Throws a LedgerBusyError where another process is in the middle of a write. */
  acquire(holder: string): LeaseHolder | null;
  /** Returns who holds it, as far as one look can tell. */
  holder(): string | null;
  renew(): boolean;
  /** Throws a LedgerError where another process has taken it over, a stop or a sleep of this one included. */
  require(): void;
  release(): void;
}
export interface LeaseHolder {
  readonly holder: string;
  readonly expiresAt: number;
}

/** Port: the local SQLite file. Everything is synchronous: no other call can come in between. */
export interface Ledger {
  readonly staging: SourceStage;
  readonly plan: PlanBook;
  readonly view: View;
  readonly people: People;
  readonly units: Units;
  readonly journal: Journal;
  readonly approvals: Approvals;
  readonly leftInside: LeftInsideList;
  readonly vanished: VanishedAccounts;
  readonly runs: Runs;
  readonly lease: Lease;
  fact<K extends keyof LedgerFacts>(name: K): LedgerFacts[K] | null;
  setFacts(facts: Partial<LedgerFacts>): void;
  /**
   * Returns a hash of a text that must not be found by trying, under the key beside the ledger, for telling what
   * changed.
   */
  keyed(text: string): string;
  /**
   * Times that a wrong clock has put into the future are this one: what is counted from them (the days of the disabled,
   * approvals, repairs, what guards count along) is counted from now on.
   */
  noneAfter(latest: number): void;
  transaction<T>(work: () => T): T;
  /** Throws a LedgerError where the disk has no room for a run. */
  requireRoom(): void;
  close(): void;
}
