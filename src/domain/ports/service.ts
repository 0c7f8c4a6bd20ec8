import type { Fields, FieldValue } from '../records/fields.ts';
import { printable } from '../text/printable.ts';

/** Interface, "Organization node", what rollcall reads of it. Ids are text. */
export interface Organization {
  readonly id: string;
  /** `null` on the root. */
  readonly parentId: string | null;
  readonly name: string;
  readonly serialNo: string | null;
  readonly employeeCount: number | null;
  /** Shown as no valid node any more (interface: "false means a valid node"); absent: valid. */
  readonly disabled?: boolean;
  /** `type`, `sn`, `serial_no`, `sort_order`, `name`, `logo`, `en_name`, `tw_name`, `owner_id`: those of the node's fields that the answer shows. */
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
 * Values in no form that can be sent back, as the texts of their elements: by the name of the body, or by that of the list
 * where it is another or none (`tag_names`).
 */
export type Unread = Readonly<Record<string, readonly string[]>>;

/** Interface, "Employee (list / view record)" and "Employee (result of … get one …)", what rollcall reads of them. */
export interface Employee {
  readonly id: string;
  /** Empty where a record of one does not show it. */
  readonly username: string;
  readonly locked: boolean;
  /** When the account was made, ms on the service's clock, where it is shown: with the id, which account it is. */
  readonly created?: number;
  /** Shown fields of the person under the names of the employee body: name, email, mobile, … */
  readonly fields: Fields;
  /** Those of them, and `properties.ID`, that hold a value that cannot be sent back: private, or in no form that is known. */
  readonly unwritable?: readonly string[];
  readonly unread?: Unread;
  readonly positions: readonly EmployeePosition[];
}

/** What the employees list says of each username that it was asked for. */
export interface Employees {
  /** By the username that was asked for; the account's own spelling may differ from it in case. */
  readonly found: ReadonlyMap<string, Employee>;
  /** By the username that was asked for: why nothing can be said of it. */
  readonly unclear: ReadonlyMap<string, string>;
}

/** The most that passed where the service refused more, or did not look at it; what is missing passed always. */
export interface ListLimits {
  /** Records in one page of a list. */
  readonly pageSize?: number | undefined;
  /** Usernames in one question. */
  readonly namesPerQuery?: number | undefined;
  /** Bytes of an address. */
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

/** What a look into a node shows: anybody's children and employees, disabled ones too. */
export interface NodeContents {
  readonly children: readonly string[];
  /** Usernames, and at the end `(3 more)` where more are counted than shown. */
  readonly employees: readonly string[];
  /** There may be more, uncounted. */
  readonly more: boolean;
}

export interface ServiceStats {
  readonly requests: number;
  readonly retries: number;
}

/**
 * Port: the service. Calls wait for their turn under the one pace of all calls; reads are tried again by themselves.
 * A changing call throws `RefusedError` (definitely not done) or `AmbiguousError` (perhaps done: read before deciding);
 * retries of changing calls are the caller's, who can read in between. `ServiceError` ends the run.
 */
/** The paged lists of the service. */
export type Listed = 'organizations' | 'users';

/** What one record of a list tells of it. */
export interface Glance {
  readonly totalCount: number;
  readonly isEmpty: boolean;
}

export interface Service {
  /** GET /{org_code}: the root node. */
  root(signal: AbortSignal): Promise<Organization>;
  /** GET page-orgs, page by page; `since`: `refresh_time` in ms, `null` for all. */
  organizations(since: number | null, signal: AbortSignal): AsyncIterable<Page<Organization>>;
  /** GET /v1/users, page by page; only candidates: see {@link Service.employees}. */
  users(since: number | null, signal: AbortSignal): AsyncIterable<Page<User>>;
  /**
   * The first record of page-orgs or of /v1/users alone: how many there are in all, and whether anything is listed.
   * `since` as for the lists.
   */
  glance(list: Listed, since: number | null, signal: AbortSignal): Promise<Glance>;
  /**
   * GET employees with `type=username`, `matching=true`: who of these usernames is an employee here, by the rule of
   * `accountNamed`. Any number of usernames: one question is as long as the service takes.
   */
  employees(usernames: readonly string[], signal: AbortSignal): Promise<Employees>;
  /** Usernames that most likely are employees' here: one of them goes along, to tell whether a question is read whole. */
  suppose(usernames: readonly string[]): void;
  /**
   * GET employees/{employeeId}; `null`: the service says there is none, as it does of an id that nobody has, or that it is
   * deleted. Finds who is left out of the employees list; which fields are shown differs from the list. Throws a
   * RefusedError where the service says something else.
   */
  employee(id: string, signal: AbortSignal): Promise<Employee | null>;
  /** GET /{org_code}/{id}; `null`: the service says there is none. */
  organization(id: string, signal: AbortSignal): Promise<Organization | null>;
  /** GET serial/{serialNo}; `null`: the service says there is none. */
  organizationBySerial(serialNo: string, signal: AbortSignal): Promise<Organization | null>;
  /** GET view of one node. */
  contents(id: string, signal: AbortSignal): Promise<NodeContents>;

  importOrganizations(
    bodies: readonly OrganizationBody[],
    signal: AbortSignal,
  ): Promise<OrganizationImportAnswer>;
  /** Outcomes in the order of the bodies. */
  importEmployees(bodies: readonly EmployeeBody[], signal: AbortSignal): Promise<readonly ItemOutcome[]>;
  /** POST employees/{employeeId}; fields that it does not take are left out. */
  modifyEmployee(employeeId: string, body: EmployeeModification, signal: AbortSignal): Promise<void>;
  /** POST /{org_code}/{id}; `sort_order` goes as a string there. */
  modifyOrganization(id: string, fields: Fields, signal: AbortSignal): Promise<void>;
  deleteOrganization(id: string, signal: AbortSignal): Promise<void>;
  disableEmployee(employeeId: string, signal: AbortSignal): Promise<void>;
  enableEmployee(employeeId: string, signal: AbortSignal): Promise<void>;

  /**
   * Is asked right before each changing call leaves, each repetition too: what it throws keeps the call from being
   * sent.
   */
  fence(mayChange: () => void): void;

  /**
   * Returns what was found out of the lengths of lists and questions, in this process and by {@link Service.keepTo}.
   */
  listLimits(): ListLimits;
  /** What an earlier process found out. */
  keepTo(limits: ListLimits): void;

  /** Now on the service's clock (`Date` header of its last answer, else ours), ms. */
  now(): number;
  stats(): ServiceStats;
  close(): Promise<void>;
}

/** A value as text for a human, as it may stand in a line; never called for secrets. */
export function showValue(value: FieldValue | null | undefined): string {
  if (value === null || value === undefined) return '(none)';
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}
