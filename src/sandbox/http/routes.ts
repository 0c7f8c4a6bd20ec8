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
import { MEDIA_ROUTES, type MediaRoute } from '../media/media-routes.ts';
import { pushMessage } from '../application/push.ts';
import { changeSchedule, createSchedule } from '../application/schedules.ts';
import { createTemplate, listTemplates, modifyTemplate, templateDetail } from '../application/templates.ts';
import { viewOrganization } from '../employees/view-organization.ts';
import {
  createOrganization,
  deleteOrganization,
  modifyOrganization,
} from '../organizations/organization-writes.ts';
import type { Operation } from '../operation/service.ts';
import { getUser, pageUsers, searchUsers } from '../users/user-reads.ts';

export interface PlainRoute {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path, in which `:name` stands for one variable part. */
  readonly path: string;
  readonly run: Operation;
  /** Set where domain_id is a required query parameter. */
  readonly domain?: true;
  /** Set where only the newer version of the interface has it (interface: Versioning). */
  readonly newer?: true;
  /** Query parameter that identifies the operation, where two share method and path. */
  readonly having?: string;
  readonly import?: true;
  /** Set where the token of an application is needed (interface: Authentication, 3). */
  readonly application?: true;
  readonly form?: undefined;
}

/** A route whose work is done at once, or one of the medias. */
export type Route = PlainRoute | (MediaRoute & { readonly [Name in 'run' | 'newer' | 'having']?: undefined });

const ORG = '/v1/admin/organizations/:code';
const PERSON = `${ORG}/employees/:employeeId`;

/** Routes in order: a fixed part comes before a variable one in the same place. */
export const ROUTES: readonly Route[] = [
  {
    name: 'importEmployees',
    method: 'POST',
    path: `${ORG}/import-employees`,
    run: importEmployees,
    import: true,
  },
  { name: 'disableEmployee', method: 'POST', path: `${PERSON}/disable`, run: leave, newer: true },
  { name: 'lockEmployee', method: 'POST', path: `${PERSON}/lock`, run: leave },
  { name: 'enableEmployee', method: 'POST', path: `${PERSON}/enable`, run: reinstate, newer: true },
  { name: 'unlockEmployee', method: 'POST', path: `${PERSON}/unlock`, run: reinstate },
  { name: 'getEmployee', method: 'GET', path: PERSON, run: getEmployee },
  { name: 'modifyEmployee', method: 'POST', path: PERSON, run: modifyEmployee },
  { name: 'deleteEmployee', method: 'DELETE', path: PERSON, run: deleteEmployee },
  { name: 'listEmployees', method: 'GET', path: `${ORG}/employees`, run: listEmployees, domain: true },
  { name: 'createEmployee', method: 'POST', path: `${ORG}/employees`, run: createEmployee },
  {
    name: 'importOrganizations',
    method: 'POST',
    path: `${ORG}/import-orgs`,
    run: importOrganizations,
    import: true,
  },
  {
    name: 'pageOrganizations',
    method: 'GET',
    path: `${ORG}/page-orgs`,
    run: pageOrganizations,
    domain: true,
  },
  { name: 'viewOrganization', method: 'GET', path: `${ORG}/view`, run: viewOrganization, domain: true },
  { name: 'organizationTree', method: 'GET', path: `${ORG}/tree`, run: organizationTree, domain: true },
  { name: 'listOrganizations', method: 'GET', path: `${ORG}/list-all`, run: listOrganizations, domain: true },
  {
    name: 'organizationBySerial',
    method: 'GET',
    path: `${ORG}/serial/:serialNo`,
    run: organizationBySerial,
    domain: true,
  },
  { name: 'getOrganization', method: 'GET', path: `${ORG}/:id`, run: getOrganization },
  { name: 'modifyOrganization', method: 'POST', path: `${ORG}/:id`, run: modifyOrganization },
  { name: 'deleteOrganization', method: 'DELETE', path: `${ORG}/:id`, run: deleteOrganization },
  { name: 'organizationInfo', method: 'GET', path: ORG, run: organizationInfo },
  { name: 'createOrganization', method: 'POST', path: ORG, run: createOrganization },
  { name: 'searchUsers', method: 'GET', path: '/v1/users', run: searchUsers, having: 'query' },
  { name: 'pageUsers', method: 'GET', path: '/v1/users', run: pageUsers },
  { name: 'getUser', method: 'GET', path: '/v1/users/:query', run: getUser },
  { name: 'listTemplates', method: 'GET', path: '/v1/templates', run: listTemplates },
  { name: 'createTemplate', method: 'POST', path: '/v1/templates', run: createTemplate },
  { name: 'templateDetail', method: 'GET', path: '/v1/templates/:templateId', run: templateDetail },
  { name: 'modifyTemplate', method: 'POST', path: '/v1/templates/:templateId', run: modifyTemplate },
  { name: 'pushMessage', method: 'POST', path: '/v1/apps/mbox', run: pushMessage },
  {
    name: 'createSchedule',
    method: 'POST',
    path: '/v1/apps/schedules',
    run: createSchedule,
    application: true,
  },
  {
    name: 'changeSchedule',
    method: 'POST',
    path: '/v1/apps/schedules/:schedule_id',
    run: changeSchedule,
    application: true,
  },
  ...MEDIA_ROUTES,
];
