import { getEmployee, listEmployees } from '../employees/employee-reads.ts';
import {
  createEmployee,
  deleteEmployee,
  leave,
  modifyEmployee,
  reinstate,
} from '../employees/employee-writes.ts';
import { importEmployees } from '../employees/import-employees.ts';
import { importOrganizations } from '../organizations/import-organizations.ts';
import {
  getOrganization,
  listOrganizations,
  organizationBySerial,
  organizationInfo,
  organizationTree,
  pageOrganizations,
} from '../organizations/organization-reads.ts';
import { MEDIA_WORK, type MediaWork } from '../media/media-work.ts';
import { OPERATIONS, type OperationName } from '../../interface/operations.ts';
import type { Operation as Row } from '../../interface/terms/operation.ts';
import { pushMessage } from '../application/push.ts';
import { createSchedule, deleteSchedule, modifySchedule } from '../application/schedules.ts';
import { createTemplate, listTemplates, modifyTemplate, templateDetail } from '../application/templates.ts';
import { viewOrganization } from '../employees/view-organization.ts';
import {
  createOrganization,
  deleteOrganization,
  modifyOrganization,
} from '../organizations/organization-writes.ts';
import type { Operation } from '../operation/service.ts';
import { getUser, pageUsers, searchUsers } from '../users/user-reads.ts';

/** Where a call has to go to reach an operation: its row, and what the sandbox adds. */
export interface Place {
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
}

/** A route whose work is done at once. */
export interface PlainRoute extends Place {
  readonly run: Operation;
}

/** A route whose work waits for files. */
export interface MediaRoute extends Place, MediaWork {
  readonly run?: undefined;
}

export type Route = PlainRoute | MediaRoute;

/** The work of each operation, except for those on medias. */
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
} as const satisfies Readonly<Record<Exclude<OperationName, keyof typeof MEDIA_WORK>, Operation>>;

/** Names of the older paths (interface: Versioning), by which calls are counted. */
const OLDER_NAMES: Readonly<Partial<Record<OperationName, string>>> = {
  disableEmployee: 'lockEmployee',
  enableEmployee: 'unlockEmployee',
};

/** All routes; of those at one place, one with a telling query comes before one without. */
export const ROUTES: readonly Route[] = [
  ...Object.entries(WORK).flatMap(([name, run]) =>
    placesOf(name as keyof typeof WORK).map((place): Route => ({ ...place, run })),
  ),
  ...Object.entries(MEDIA_WORK).flatMap(([name, work]) =>
    placesOf(name as keyof typeof MEDIA_WORK).map((place): Route => ({ ...place, ...work })),
  ),
].toSorted((one, other) => Number(one.having === undefined) - Number(other.having === undefined));

function placesOf(name: OperationName): readonly Place[] {
  const row: Row = OPERATIONS[name];
  const { method, path, older } = row;
  const place = {
    name,
    row,
    method,
    path,
    newer: older !== undefined,
    having: name === 'searchUsers' ? 'query' : undefined,
    form: sharesPath(row) ? row.body.kind === 'form' : undefined,
    ops: opsOf(row),
  };
  if (older === undefined) return [place];
  return [place, { ...place, name: OLDER_NAMES[name] ?? name, path: older, newer: false }];
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
