import { OPERATIONS, type OperationName } from '../../interface/operations/operations.ts';
import { parseJson } from '../../interface/requests/parse-json.ts';
import type { Operation as Row } from '../../interface/operation.ts';
import { isForm } from './form.ts';
import { getEmployee, listEmployees, viewOrganization } from '../operations/employee-reads.ts';
import {
  createEmployee,
  deleteEmployee,
  leave,
  modifyEmployee,
  reinstate,
} from '../operations/employee-writes.ts';
import { importEmployees } from '../operations/import-employees.ts';
import {
  compressImage,
  downloadFile,
  mediaInfo,
  translateMedia,
  uploadFile,
  uploadFileForm,
  uploadImage,
  uploadImageForm,
  viewImage,
} from '../operations/media.ts';
import type { Operation } from '../operations/operation.ts';
import {
  getOrganization,
  listOrganizations,
  organizationBySerial,
  organizationInfo,
  organizationTree,
  pageOrganizations,
} from '../operations/organization-reads.ts';
import {
  createOrganization,
  deleteOrganization,
  importOrganizations,
  modifyOrganization,
} from '../operations/organization-writes.ts';
import { pushMessage } from '../operations/push.ts';
import { createSchedule, deleteSchedule, modifySchedule } from '../operations/schedules.ts';
import { createTemplate, listTemplates, modifyTemplate, templateDetail } from '../operations/templates.ts';
import { getUser, pageUsers, searchUsers } from '../operations/user-reads.ts';
import { isObject, type WireValue } from '../world/wire-value.ts';

/** Where a call has to go to reach an operation: its row, and what the sandbox adds. */
export interface Route {
  /** Name of the row; the older paths of leave and reinstate have names of their own. */
  readonly name: string;
  readonly row: Row;
  readonly method: Row['method'];
  /** Path as the row has it, in which `{name}` stands for one variable part. */
  readonly path: string;
  /** Set where only the newer version of the interface has it (interface: Versioning). */
  readonly newer: boolean;
  /** Query parameter that identifies the operation, where two share method and path. */
  readonly having?: string | undefined;
  /** Whether it takes forms, where two operations share method and path. */
  readonly form?: boolean | undefined;
  /** Value of `ops` in the body that identifies the operation, where two share method and path. */
  readonly ops?: string | undefined;
  readonly run: Operation;
}

/** The work of each operation. */
const WORK = {
  listTemplates,
  createTemplate,
  modifyTemplate,
  templateDetail,
  pushMessage,
  listEmployees,
  createEmployee,
  getEmployee,
  modifyEmployee,
  disableEmployee: leave,
  enableEmployee: reinstate,
  deleteEmployee,
  importEmployees,
  organizationInfo,
  pageOrganizations,
  viewOrganization,
  getOrganization,
  organizationBySerial,
  createOrganization,
  modifyOrganization,
  deleteOrganization,
  importOrganizations,
  organizationTree,
  listOrganizations,
  createSchedule,
  modifySchedule,
  deleteSchedule,
  searchUsers,
  getUser,
  pageUsers,
  uploadImage,
  uploadImageForm,
  uploadFile,
  uploadFileForm,
  viewImage,
  downloadFile,
  mediaInfo,
  translateMedia,
  compressImage,
} as const satisfies Readonly<Record<OperationName, Operation>>;

/** Names of the older paths (interface: Versioning), by which calls are counted. */
const OLDER_NAMES: Readonly<Partial<Record<OperationName, string>>> = {
  disableEmployee: 'lockEmployee',
  enableEmployee: 'unlockEmployee',
};

/** All routes; of those at one place, one with a telling query comes before one without. */
export const ROUTES: readonly Route[] = Object.entries(WORK)
  .flatMap(([name, run]) => routesOf(name as OperationName, run))
  .toSorted((one, other) => Number(one.having === undefined) - Number(other.having === undefined));

function routesOf(name: OperationName, run: Operation): readonly Route[] {
  const row: Row = OPERATIONS[name];
  const { method, path, older } = row;
  const route = {
    name,
    row,
    method,
    path,
    newer: older !== undefined,
    having: name === 'searchUsers' ? 'query' : undefined,
    form: sharesPath(row) ? row.body.kind === 'form' : undefined,
    ops: opsOf(row),
    run,
  };
  if (older === undefined) return [route];
  return [route, { ...route, name: OLDER_NAMES[name] ?? name, path: older, newer: false }];
}

/** Returns whether another operation at the same place takes what this one does not: a form, or JSON. */
function sharesPath({ method, path, body }: Row): boolean {
  return Object.values(OPERATIONS).some(
    (other) => other.method === method && other.path === path && other.body.kind !== body.kind,
  );
}

/** Returns the only value of `ops` that a body may have (interface: Schedules). */
function opsOf({ body }: Row): string | undefined {
  if (body.kind !== 'json' || body.of.kind !== 'record') return undefined;
  const { ops } = body.of.fields;
  return ops !== undefined && 'values' in ops ? ops.values?.[0] : undefined;
}

export interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

interface RequestedPath {
  /** Variable parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Whether to leave out the paths that the older interface does not know. */
  readonly older: boolean;
  /** Content type of the body: two operations can share method and path. */
  readonly contentType: string;
}

/** Chooses among the routes of one method and path; `undefined` where none of them takes the call. */
export function chooseRoute(
  routes: readonly Route[],
  { params, query, older, contentType }: RequestedPath,
): RouteMatch | undefined {
  if (Object.values(params).includes('')) return undefined;
  const route = routes.find(
    (one) => !(older && one.newer) && hasQuery(one, query) && takes(one, contentType),
  );
  return route && { route, params };
}

/**
 * Returns the route that `ops` in the body names, where two operations share method and path (interface: Schedules);
 * the one that was chosen for a body without it.
 */
export function byOps(match: RouteMatch, routes: readonly Route[], body: Buffer): RouteMatch {
  if (match.route.ops === undefined) return match;
  const named = opsIn(body.toString());
  const route = routes.find(({ ops }) => ops === named);
  return route === undefined ? match : { ...match, route };
}

function opsIn(body: string): WireValue | undefined {
  try {
    const value = parseJson(body);
    return isObject(value) ? value['ops'] : undefined;
  } catch {
    return undefined;
  }
}

function takes({ form }: Route, contentType: string): boolean {
  return form === undefined || form === isForm(contentType);
}

function hasQuery({ having }: Route, query: URLSearchParams): boolean {
  return having === undefined || query.has(having);
}
