import type { IncomingHttpHeaders } from 'node:http';

/** Somebody of the company, whatever service has the record. */
export interface Fact {
  readonly id: string;
  readonly login: string;
  readonly given: string;
  readonly family: string;
  readonly department: string;
  readonly title: string;
  readonly hasLeft: boolean;
}

type Row = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly url: URL;
  /** Of JSON or a form. */
  readonly body: Row;
  readonly headers: IncomingHttpHeaders;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Returns what a service answers to one question; `null`: it has nothing at that path. */
export type Vendor = (asked: Asked, staff: readonly Fact[]) => Reply | null;

/** All give pages of two at most, so that a small company has several. */
const MOST = 2;
const KEY = 'good-token';
const DEPARTMENTS = ['Company', 'Board', 'Sales', 'Lab'];
const idOf = (department: string): number => DEPARTMENTS.indexOf(department) + 1;

const mail = ({ login }: Fact): string => `${login}@example.com`;
const full = ({ given, family }: Fact): string => `${given} ${family}`;
const basic = (user: string, password = KEY): string => `Basic ${btoa(`${user}:${password}`)}`;
const refused = (body: Row, status = 401): Reply => ({ status, body });

const inQuery = ({ searchParams }: URL, name: string, otherwise: number): number =>
  Number(searchParams.get(name) ?? otherwise);
const page = (rows: readonly Row[], start: number, size: number): readonly Row[] =>
  rows.slice(start, start + Math.min(size, MOST));
const picked = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));

/** Returns a page, and the address of the next one if there is one. */
function linked(url: URL, rows: readonly Row[], [token, size]: readonly [token: string, size: string]) {
  const start = inQuery(url, token, 0);
  const records = page(rows, start, inQuery(url, size, 100));
  const next = new URL(url);
  next.searchParams.set(token, String(start + records.length));
  return { records, next: start + records.length < rows.length ? next.href : null };
}

/** Refuses whoever does not show this in the header `authorization`. */
const only =
  (authorization: string, vendor: Vendor, refusal = refused({ error: 'unauthorized' })): Vendor =>
  (asked, staff) =>
    asked.headers.authorization === authorization ? vendor(asked, staff) : refusal;

/** Datasets of API v2, as BambooHR's own clients have them. Without an order, rows come as they like. */
export const bamboohr: Vendor = only(basic(KEY, 'x'), ({ url, body }, staff) => {
  if (url.pathname !== '/api/v2/datasets/employee/data') return null;
  const rows = staff.map((one) => ({
    eeid: one.id,
    firstName: one.given,
    lastName: one.family,
    email: mail(one),
    jobInformationDepartment: one.department,
    jobInformationJobTitle: one.title,
    status: one.hasLeft ? 'Inactive' : 'Active',
  }));
  const at = Number(body['page'] ?? 1);
  const ordered = body['orderBy'] === 'eeid asc' ? rows : rows.toSorted(() => (at % 2) - 0.5);
  const size = Math.min(Number(body['pageSize'] ?? 100), MOST);
  const data = page(ordered, (at - 1) * size, size);
  const meta = { page: at, pageSize: size, totalItems: rows.length };
  return {
    body: { data: data.map((row) => ({ fields: picked(row, body['fields'] as string[]) })), links: {}, meta },
  };
});

const attribute = (value: unknown): Row => ({ label: 'x', value, type: 'standard', universal_id: 'x' });
const employees = only(
  'Bearer papi-token',
  ({ url }, staff) => {
    const rows = staff.map((one) => ({
      type: 'Employee',
      attributes: {
        id: attribute(Number(one.id)),
        first_name: attribute(one.given),
        last_name: attribute(one.family),
        email: attribute(mail(one)),
        status: attribute(one.hasLeft ? 'inactive' : 'active'),
        position: attribute(one.title),
        department: attribute({ type: 'Department', attributes: { name: one.department } }),
      },
    }));
    const data = page(rows, inQuery(url, 'offset', 0), inQuery(url, 'limit', 50));
    return { body: { success: true, metadata: { total_elements: rows.length }, data } };
  },
  refused({ success: false, error: { code: 0, message: 'no token' } }),
);

/** Attributes in envelopes, and a token for a login in JSON. */
export const personio: Vendor = (asked, staff) => {
  if (asked.url.pathname === '/v1/company/employees') return employees(asked, staff);
  if (asked.url.pathname !== '/v1/auth') return null;
  if (asked.body['client_secret'] === KEY) return { body: { success: true, data: { token: 'papi-token' } } };
  return refused({ success: false, error: { code: 0, message: 'Wrong credentials' } }, 403);
};

/** Everybody in one answer: active people alone unless all are asked for, lists by id unless names are asked for. */
export const hibob: Vendor = only(basic('SERVICE-1'), ({ url, body }, staff) => {
  if (url.pathname !== '/v1/people/search') return null;
  const shown = staff.filter(({ hasLeft }) => body['showInactive'] === true || !hasLeft);
  const people = shown.map((one) => {
    const department = body['humanReadable'] === 'REPLACE' ? one.department : `200000${idOf(one.department)}`;
    return {
      id: one.id,
      '/root/id': { value: one.id },
      displayName: full(one),
      email: mail(one),
      work: { department, title: one.title },
      '/work/department': { value: department },
      internal: { status: one.hasLeft ? 'Inactive' : 'Active' },
    };
  });
  return { body: { employees: people } };
});

/** Two reports as web services; without `format` they are XML. */
export const workday: Vendor = only(basic('ISU_rollcall'), ({ url }, staff) => {
  if (url.searchParams.get('format') !== 'json') return { body: '<wd:Report_Data/>' };
  const reports: Readonly<Record<string, readonly Row[]>> = {
    Rollcall_Organizations: DEPARTMENTS.map((name, at) => ({
      Organization_ID: `SUP-${at + 1}`,
      Organization: name,
      ...(at > 0 && { Superior_ID: 'SUP-1' }),
    })),
    Rollcall_Workers: staff.map((one) => ({
      Employee_ID: one.id,
      User_Name: one.login,
      Name: full(one),
      Email: mail(one),
      Active: one.hasLeft ? '0' : '1',
      Organization_ID: `SUP-${idOf(one.department)}`,
      ...(one.title !== '' && { Title: one.title }),
    })),
  };
  const Report_Entry = reports[url.pathname.replace('/ccx/service/customreport2/acme/ISU_rollcall/', '')];
  return Report_Entry === undefined ? null : { body: { Report_Entry } };
});

/** OData v2: snapshots by a link, active users alone unless the filter names a status. */
export const successfactors: Vendor = ({ url }, staff) => {
  const [, name = '', count] = /^\/odata\/v2\/(\w+)(\/\$count)?$/u.exec(url.pathname) ?? [];
  const hasAll = url.searchParams.get('$filter') === "status in 't','f'";
  const shown = staff.filter(({ hasLeft }) => hasAll || !hasLeft);
  const sets: Readonly<Record<string, readonly Row[]>> = {
    FODepartment: DEPARTMENTS.map((department, at) => ({
      externalCode: `D${at + 1}`,
      name: department,
      parent: at > 0 ? 'D1' : null,
    })),
    User: shown.map((one) => ({
      userId: one.id,
      username: one.login,
      displayName: full(one),
      email: mail(one),
      status: one.hasLeft ? 'f' : 't',
    })),
    EmpJob: shown.map((one) => ({
      userId: one.id,
      department: `D${idOf(one.department)}`,
      jobTitle: one.title,
    })),
  };
  const rows = sets[name];
  if (rows === undefined) return null;
  if (count !== undefined) return { headers: { 'content-type': 'text/plain' }, body: String(rows.length) };
  const { records, next } = linked(url, rows, ['$skiptoken', 'customPageSize']);
  const results = records.map((row) => picked(row, url.searchParams.get('$select')?.split(',') ?? []));
  return { body: { d: { results, ...(next !== null && { __next: next }) } } };
};

/** No archived records unless they are asked for; an empty field is `false`, a reference `[id, name]`. */
export const odoo: Vendor = only(`Bearer ${KEY}`, ({ url, body, headers }, staff) => {
  if (headers['x-odoo-database'] !== 'acme') return refused({ name: 'werkzeug.exceptions.NotFound' }, 404);
  const { active_test: isHidden = true } = (body['context'] ?? {}) as { readonly active_test?: boolean };
  const models: Readonly<Record<string, readonly Row[]>> = {
    'hr.department': DEPARTMENTS.map((name, at) => ({
      id: at + 1,
      name,
      parent_id: at > 0 ? [1, 'Company'] : false,
    })),
    'hr.employee': staff
      .filter(({ hasLeft }) => !hasLeft || !isHidden)
      .map((one) => ({
        id: Number(one.id),
        name: full(one),
        work_email: mail(one),
        mobile_phone: false,
        job_title: one.title === '' ? false : one.title,
        department_id: [idOf(one.department), `Company / ${one.department}`],
        active: !one.hasLeft,
      })),
  };
  const [model = '', method] = url.pathname.replace('/json/2/', '').split('/');
  const rows = models[model];
  if (rows === undefined) return null;
  if (method === 'search_count') return { body: rows.length };
  const fields = ['id', ...(body['fields'] as string[])];
  const asked = page(rows, Number(body['offset'] ?? 0), Number(body['limit'] ?? 80));
  return { body: asked.map((row) => picked(row, fields)) };
});

const GUEST = { id: 'g', userPrincipalName: 'gil#EXT#@example.com', displayName: 'Gil', userType: 'Guest' };
const FEW = 'id,userPrincipalName,displayName,mail,mobilePhone,jobTitle';
const graphUsers = only('Bearer graph-token', ({ url }, staff) => {
  const users = staff.map((one) => ({
    id: one.id,
    userPrincipalName: mail(one),
    displayName: full(one),
    mail: mail(one),
    mobilePhone: null,
    jobTitle: one.title === '' ? null : one.title,
    department: one.department,
    accountEnabled: !one.hasLeft,
    userType: 'Member',
  }));
  const { records, next } = linked(url, [GUEST, ...users], ['$skiptoken', '$top']);
  const value = records.map((row) => picked(row, (url.searchParams.get('$select') ?? FEW).split(',')));
  return { body: { value, ...(next !== null && { '@odata.nextLink': next }) } };
});

/** A few fields unless `$select` names them, and links to what follows. */
export const graph: Vendor = (asked, staff) => {
  if (asked.url.pathname === '/v1.0/users') return graphUsers(asked, staff);
  if (asked.url.pathname !== '/acme/oauth2/v2.0/token') return null;
  const isKnown = asked.body['client_id'] === 'app' && asked.body['client_secret'] === KEY;
  return isKnown ? { body: { access_token: 'graph-token' } } : refused({ error: 'invalid_client' });
};

/** No deprovisioned users unless there is a filter; links in a header. */
export const okta: Vendor = only(`SSWS ${KEY}`, ({ url }, staff) => {
  if (url.pathname !== '/api/v1/users') return null;
  const rows = staff
    .filter(({ hasLeft }) => !hasLeft || url.searchParams.has('filter'))
    .map((one) => ({
      id: `00u${one.id}`,
      status: one.hasLeft ? 'DEPROVISIONED' : 'ACTIVE',
      profile: {
        login: mail(one),
        firstName: one.given,
        lastName: one.family,
        email: mail(one),
        mobilePhone: null,
        department: one.department,
        title: one.title,
      },
    }));
  const { records, next } = linked(url, rows, ['after', 'limit']);
  const link = `<${url.href}>; rel="self"${next === null ? '' : `, <${next}>; rel="next"`}`;
  return { headers: { link }, body: records };
});

const keycloakUsers = only('Bearer kc-token', ({ url }, staff) => {
  if (url.pathname === '/admin/realms/acme/users/count') return { body: staff.length };
  if (url.pathname !== '/admin/realms/acme/users') return null;
  const isBrief = url.searchParams.get('briefRepresentation') !== 'false';
  const rows = staff.map((one) => ({
    id: one.id,
    username: one.login,
    firstName: one.given,
    lastName: one.family,
    email: mail(one),
    enabled: !one.hasLeft,
    ...(!isBrief && { attributes: { department: [`Company/${one.department}`], title: [one.title] } }),
  }));
  return { body: page(rows, inQuery(url, 'first', 0), inQuery(url, 'max', 100)) };
});

/** No attributes in a brief answer; the number of users is an answer of its own. */
export const keycloak: Vendor = (asked, staff) => {
  if (asked.url.pathname !== '/realms/acme/protocol/openid-connect/token') return keycloakUsers(asked, staff);
  const isKnown = asked.headers.authorization === basic('rollcall');
  return isKnown ? { body: { access_token: 'kc-token' } } : refused({ error: 'unauthorized_client' });
};
