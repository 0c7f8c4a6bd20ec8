import type { Messenger } from './messenger.ts';
import type { Fields, FieldValue } from '../records/fields.ts';
import { printable } from '../text/printable.ts';

/** Interface, "Organization node", what rollcall reads of it. Ids are text. */
export interface Organization {
  readonly id: string;
  /** Organization id of the parent; `null` for the root. */
  readonly parentId: string | null;
  readonly name: string;
  readonly serialNo: string | null;
  readonly employeeCount: number | null;
  /** Whether the node is shown as no longer valid (interface: "false means a valid node"); absent: valid. */
  readonly disabled?: boolean;
  /** Of the root: the service counts no employees in the whole organization; locked ones need not be counted. */
  readonly isEmpty?: boolean;
  /**
   * The fields of the node that the answer shows, of `type`, `sn`, `serial_no`, `sort_order`, `name`, `logo`,
   * `en_name`, `tw_name`, `owner_id`.
   */
  readonly fields: Fields;
}

/** Interface, "User", what rollcall reads of it. */
export interface User {
  readonly userId: string;
  readonly username: string;
  /** Absent: not disabled, or not shown. */
  readonly disabled?: boolean;
}

export interface EmployeePosition {
  readonly orgId: string;
  readonly fields: Fields;
}

/**
 * Values in a form that cannot be sent back, as the texts of their elements. The keys are the names in the
 * body, or those in the list if they differ or the body has none (`tag_names`).
 */
export type Unread = Readonly<Record<string, readonly string[]>>;

/** Interface, "Employee (list / view record)" and "Employee (result of … get one …)", what rollcall reads of them. */
export interface Employee {
  readonly id: string;
  /** Username; empty if the record of a single employee does not show it. */
  readonly username: string;
  readonly locked: boolean;
  /**
   * Time when the account was made, ms on the service's clock, if it is shown; together with the id it
   * tells which account it is.
   */
  readonly created?: number;
  /**
   * Set if the employees list does not show the account. This is then its own record, which shows other fields than
   * the list.
   */
  readonly isUnlisted?: true;
  /** Shown fields of the person, under the names of the employee body: name, email, mobile, … */
  readonly fields: Fields;
  /**
   * Names of these fields, and `properties.ID`, whose value cannot be sent back: it is private, or in an
   * unknown form.
   */
  readonly unwritable?: readonly string[];
  readonly unread?: Unread;
  readonly positions: readonly EmployeePosition[];
}

/** An account as it is known: its own id, and the username under which it was last seen. */
export type KnownAccount = Pick<Employee, 'id' | 'username'>;

/** An account that most likely is there; `null`: its id is not known. */
export interface LikelyAccount {
  readonly id: string | null;
  readonly username: string;
}

/** What the service says of accounts, by their own ids. An account that is neither found nor unclear is gone. */
export interface Accounts {
  /** The username may be another one than the account was known by. */
  readonly found: ReadonlyMap<string, Employee>;
  /** Why nothing can be said about it. */
  readonly unclear: ReadonlyMap<string, string>;
}

/** What the employees list says of each username that it was asked for. */
export interface Employees {
  /** Employees by the username that was asked for; the account's own spelling may differ from it in case. */
  readonly found: ReadonlyMap<string, Employee>;
  /** Reasons by the username that was asked for: why nothing can be said about it. */
  readonly unclear: ReadonlyMap<string, string>;
}

/**
 * The largest sizes that passed, if the service refused more or read only a part of it; a missing size has
 * always passed.
 */
export interface ListLimits {
  /** Records in one page of a list. */
  readonly pageSize?: number | undefined;
  /** Usernames in one question for employees. */
  readonly namesPerQuery?: number | undefined;
  /** Bytes of a URL. */
  readonly urlBytes?: number | undefined;
}

/** One page of a paged list. */
export interface Page<T> {
  readonly skip: number;
  readonly totalCount: number;
  readonly records: readonly T[];
}

/** Interface, "Create node body". `null` as a value is sent as null; a missing key is not sent. */
export interface OrganizationBody {
  readonly parentId: string;
  readonly fields: Fields;
}

export interface EmployeeBody {
  readonly username: string;
  readonly fields: Fields;
  readonly positions: readonly EmployeePosition[];
  readonly ops?: 'REMOVE';
}

/** Interface, "Modify employee": all positions that the employee is to have. */
export type EmployeeModification = Pick<EmployeeBody, 'fields' | 'positions'>;

/** What became of one item of an import. `unknown`: in neither map, to be read back. */
export type ItemOutcome =
  | { readonly outcome: 'done'; readonly value: string }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'unknown' };

/** Interface, "Import nodes": keys are "organization path", whose shape is not shown. */
export interface OrganizationImportAnswer {
  readonly successes: readonly (readonly [key: string, id: string])[];
  readonly failures: readonly (readonly [key: string, reason: string])[];
}

/** What a look into a node shows: children and employees, managed or not, disabled ones too. */
export interface NodeContents {
  readonly children: readonly string[];
  /** Usernames; the last item is `(3 more)` if more are counted than shown. */
  readonly employees: readonly string[];
  /** Whether there may be more that are not counted. */
  readonly more: boolean;
}

export interface ServiceStats {
  readonly requests: number;
  readonly retries: number;
  /** Share of the configured pace that is in use, above 0, at most 1. */
  readonly pace: number;
}

/** The paged lists of the service. */
export type ListName = 'organizations' | 'users';

/** What the first record of a list tells about the list. */
export interface Glance {
  readonly totalCount: number;
  readonly isEmpty: boolean;
}

/**
 * Port: the service. Calls wait for their turn under the one pace of all calls; reads are tried again by themselves.
 * A changing call throws `RefusedError` (definitely not done) or `AmbiguousError` (perhaps done: read before deciding);
 * retries of changing calls are the caller's, who can read in between. `ServiceError` ends the run.
 */
export interface Service extends Messenger {
  /** Returns the root node (GET /{org_code}). */
  root(signal: AbortSignal): Promise<Organization>;
  /** Yields GET page-orgs, page by page; `since`: `refresh_time` in ms, `null` for all. */
  organizations(since: number | null, signal: AbortSignal): AsyncIterable<Page<Organization>>;
  /** Yields GET /v1/users, page by page; they are only candidates: see {@link Service.employees}. */
  users(since: number | null, signal: AbortSignal): AsyncIterable<Page<User>>;
  /**
   * Asks for the first record of page-orgs or of /v1/users alone: how many there are in all, and whether
   * anything is listed. `since` as for the lists.
   */
  glance(list: ListName, since: number | null, signal: AbortSignal): Promise<Glance>;
  /**
   * Returns who of these usernames is an employee here, by the rule of `accountNamed` (GET employees with
   * `type=username`, `matching=true`). Takes any number of usernames: each question is as long as the service
   * allows.
   */
  employees(usernames: readonly string[], signal: AbortSignal): Promise<Employees>;
  /**
   * Returns accounts by their own ids, whatever their usernames are now: many in one question if the service takes
   * ids, else by their usernames, and the others one by one (GET employees/{employeeId}). An account is gone only if
   * the service says of its own id what it says of an unknown one.
   */
  accountsById(accounts: readonly KnownAccount[], signal: AbortSignal): Promise<Accounts>;
  /** Returns how many of these usernames, from the first on, fill whole questions; all of them if they fill none. */
  wholeQuestions(usernames: readonly string[]): number;
  /**
   * Takes accounts that most likely are employees here: one of them goes along in each question, to tell whether
   * the service reads all of it.
   */
  suppose(likely: readonly LikelyAccount[]): void;
  /**
   * Returns one employee (GET employees/{employeeId}). `null`: the service does not know the id, or says that
   * the employee is deleted. It also finds employees that the employees list leaves out, and shows other
   * fields than the list. Throws a RefusedError if the service says something else.
   */
  employee(id: string, signal: AbortSignal): Promise<Employee | null>;
  /** Returns a node (GET /{org_code}/{id}); `null`: the service says there is none. */
  organization(id: string, signal: AbortSignal): Promise<Organization | null>;
  /** Returns a node (GET serial/{serialNo}); `null`: the service says there is none. */
  organizationBySerial(serialNo: string, signal: AbortSignal): Promise<Organization | null>;
  /** Returns what is in a node (GET view). */
  contents(id: string, signal: AbortSignal): Promise<NodeContents>;

  importOrganizations(
    bodies: readonly OrganizationBody[],
    signal: AbortSignal,
  ): Promise<OrganizationImportAnswer>;
  /** Creates one node (POST /{org_code}); its id is not in the answer: read it by its serial number. */
  createOrganization(body: OrganizationBody, signal: AbortSignal): Promise<void>;
  /** Imports employees; returns outcomes in the order of the bodies. */
  importEmployees(bodies: readonly EmployeeBody[], signal: AbortSignal): Promise<readonly ItemOutcome[]>;
  /** Modifies an employee (POST employees/{employeeId}); fields that this call does not take are left out. */
  modifyEmployee(employeeId: string, body: EmployeeModification, signal: AbortSignal): Promise<void>;
  /** Modifies a node (POST /{org_code}/{id}); `sort_order` is sent as a string there. */
  modifyOrganization(id: string, fields: Fields, signal: AbortSignal): Promise<void>;
  deleteOrganization(id: string, signal: AbortSignal): Promise<void>;
  disableEmployee(employeeId: string, signal: AbortSignal): Promise<void>;
  enableEmployee(employeeId: string, signal: AbortSignal): Promise<void>;

  /**
   * Uploads a picture (POST /v1/medias/images as a form) as it is, and returns its media id. Tried again by
   * itself: the same bytes are the same media. Throws a FileError if the file cannot be read.
   * @param digest MD5 of the file, lower-case hex
   */
  uploadImage(
    picture: { readonly path: string; readonly digest: string },
    signal: AbortSignal,
  ): Promise<string>;

  /**
   * Sets a check that is called right before each changing call is sent, also before each retry: if it
   * throws, the call is not sent.
   */
  fence(mayChange: () => void): void;

  /**
   * Returns what was found out about the lengths of lists and questions, in this process and by {@link
   * Service.keepTo}.
   */
  listLimits(): ListLimits;
  /** Takes the limits that an earlier process found out. */
  keepTo(limits: ListLimits): void;

  /** Returns the time on the service's clock (`Date` header of its last answer, else ours), ms. */
  now(): number;
  stats(): ServiceStats;
  close(): Promise<void>;
}

/** Returns a value as text for a person, safe within a line; never called for secrets. */
export function showValue(value: FieldValue | null | undefined): string {
  if (value === null || value === undefined) return '(none)';
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}
