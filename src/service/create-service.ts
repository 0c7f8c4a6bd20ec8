import type { Service } from '../domain/ports/service.ts';
import type { ServiceSettings } from '../domain/settings.ts';
import { Client, type ClientDeps } from './calls/client.ts';
import { AccountsById } from './resources/accounts-by-id.ts';
import { EmployeeSearch } from './resources/employee-search.ts';
import {
  employeeById,
  glanceAtUsers,
  importEmployees,
  LeaveVerbs,
  listUsers,
  modifyEmployee,
  employeeAt,
  NO_MATCHING_EMPLOYEE,
} from './resources/employees.ts';
import { AbsenceCodes } from './resources/absence-codes.ts';
import { Organizations } from './resources/organizations.ts';
import { uploadFile, uploadImage } from './resources/media.ts';
import { pushMessage } from './resources/push-message.ts';
import { KnownLimits } from './resources/pages.ts';

export type ServiceDeps = ClientDeps;

/** Creates the service over HTTP. Nothing is sent before the first call; `close` ends its connections. */
export function createService(settings: ServiceSettings, deps: ServiceDeps): Service {
  const scope = { domainId: settings.domainId, orgCode: settings.orgCode };
  const client = new Client(settings, deps);
  const absence = new AbsenceCodes(client, NO_MATCHING_EMPLOYEE, (id) => employeeAt(scope, id));
  const access = { client, scope, absence };
  const limits = new KnownLimits(settings.limits);
  const organizations = new Organizations({ client, limits }, scope);
  const { concurrency } = settings.limits;
  const asking = { ...access, limits, concurrency };
  const search = new EmployeeSearch(asking, 'username');
  const requireUp = (signal: AbortSignal): Promise<unknown> => organizations.root(signal);
  const accounts = new AccountsById({ ...asking, requireUp }, search);
  const verbs = new LeaveVerbs(client, scope);
  // Whose token a message needs is left open: an application's, if there is one.
  const identity = settings.appToken === undefined ? 'any' : 'application';
  return {
    root: (signal) => organizations.root(signal),
    organizations: (since, signal) => organizations.list(since, signal),
    users: (since, signal) => listUsers({ client, limits }, since, signal),
    glance: (list, since, signal) =>
      list === 'users' ? glanceAtUsers(client, since, signal) : organizations.glance(since, signal),
    employees: (usernames, signal) => search.find(usernames, signal),
    accountsById: (known, signal) => accounts.find(known, signal),
    wholeQuestions: (usernames) => search.wholeQuestions(usernames),
    suppose: (known) => accounts.suppose(known),
    employee: (id, signal) => employeeById(access, id, signal),
    organization: (id, signal) => organizations.byId(id, signal),
    organizationBySerial: (serialNo, signal) => organizations.bySerial(serialNo, signal),
    contents: (id, signal) => organizations.contents(id, signal),
    importOrganizations: (bodies, signal) => organizations.import(bodies, signal),
    createOrganization: (body, signal) => organizations.create(body, signal),
    importEmployees: (bodies, signal) => importEmployees(access, bodies, signal),
    modifyEmployee: (id, body, signal) => modifyEmployee(access, { id, body }, signal),
    modifyOrganization: (id, fields, signal) => organizations.modify(id, fields, signal),
    deleteOrganization: (id, signal) => organizations.delete(id, signal),
    disableEmployee: (id, signal) => verbs.send('leave', id, signal),
    enableEmployee: (id, signal) => verbs.send('reinstate', id, signal),
    uploadImage: (picture, signal) => uploadImage(client, picture, signal),
    uploadFile: (file, signal) => uploadFile(client, file, signal),
    push: (to, message, signal) => pushMessage(client, { to, message, identity }, signal),
    fence: (mayChange) => client.fence(mayChange),
    listLimits: () => limits.learned,
    keepTo: (learned) => limits.keepTo(learned),
    now: () => client.now(),
    stats: () => client.stats(),
    close: () => client.close(),
  };
}
