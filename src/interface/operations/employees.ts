import { flag, id, integer, list, map, record, text, time } from '../field.ts';
import { CHANGES_DIRECTORY, jsonOf, NO_BODY, NOT_SHOWN, READS, type Operation } from '../operation.ts';
import { EMPLOYEE, EMPLOYEE_RESULT } from './directory-records.ts';

const AT = { section: 'Employees' } as const;
const BASE = '/v1/admin/organizations/{code}';
const EMPLOYEE_PATH = `${BASE}/employees/{employeeId}` as const;

const POSITION = record(
  {
    org_id: id({ type: 'Long' }),
    org_path: text(),
    job_title: text(),
    primary: flag(),
    chief: flag(),
    source_type: text(),
  },
  { oneOf: ['org_id', 'org_path'] },
);

const VALUES = list(text(), { required: true });
const PROPERTIES = list(record({ data_schema_id: text({ required: true }), values: VALUES }));
/** In the table of imports the id is a Long, elsewhere a String. */
const IMPORTED_PROPERTIES = list(
  record({ data_schema_id: id({ type: 'Long', required: true }), values: VALUES }),
);

/** Interface: Employee body fields, those that modify has too. */
const PROFILE = {
  name: text({ required: true }),
  en_name: text(),
  mobile: text(),
  email: text(),
  extension_id: text(),
  serial_no: text(),
  sort_order: integer(),
  senior: flag(),
  sn: text(),
  province: text(),
  city: text(),
  tel: text(),
  fax: text(),
  workPhone: text(),
  otherPhone: text(),
  otherEmail: text(),
  industry: text(),
  region: text(),
  label: text(),
  extended1: text(),
  extended2: text(),
  extended3: text(),
  id_card: text(),
  gender: text(),
  birthday: time(),
  tags: list(id({ type: 'Long' })),
  tag_names: list(
    record({
      group: text({ required: true }),
      tag: text({ required: true }),
      group_property: text(),
      tag_property: text(),
    }),
  ),
  rank: id({ type: 'Long' }),
  employee_rank_name: text(),
  positions: list(POSITION, { required: true }),
} as const;

/** Fields that create and import have, and modify lacks. */
const CREATION = {
  username: text({ required: true }),
  source_id: text(),
  user_id: text(),
  password: text(),
  source_credentials: text(),
  source_identifiers: map(text()),
} as const;

export const EMPLOYEES = {
  listEmployees: {
    ...AT,
    title: 'List employees',
    method: 'GET',
    path: `${BASE}/employees`,
    query: {
      domain_id: text({ required: true }),
      type: text({ values: ['id', 'username'], default: 'id' }),
      query: text(),
      path: text(),
      matching: flag(),
      org_id: text(),
      recursion: flag(),
    },
    body: NO_BODY,
    answer: jsonOf(list(EMPLOYEE)),
    ...READS,
    open: ['`org_id` and `recursion` are seen in samples only', 'whether `matching` has a default'],
  },
  createEmployee: {
    ...AT,
    title: 'Create employee',
    method: 'POST',
    path: `${BASE}/employees`,
    query: {},
    body: jsonOf(record({ ...PROFILE, ...CREATION, properties: PROPERTIES })),
    answer: jsonOf(EMPLOYEE_RESULT),
    ...CHANGES_DIRECTORY,
  },
  getEmployee: {
    ...AT,
    title: 'Get employee',
    method: 'GET',
    path: EMPLOYEE_PATH,
    query: {},
    body: NO_BODY,
    answer: jsonOf(EMPLOYEE_RESULT),
    ...READS,
  },
  modifyEmployee: {
    ...AT,
    title: 'Modify employee',
    method: 'POST',
    path: EMPLOYEE_PATH,
    query: {},
    body: jsonOf(record({ ...PROFILE, properties: PROPERTIES })),
    answer: jsonOf(EMPLOYEE_RESULT),
    ...CHANGES_DIRECTORY,
  },
  disableEmployee: {
    ...AT,
    title: 'Leave',
    method: 'POST',
    path: `${EMPLOYEE_PATH}/disable`,
    older: `${EMPLOYEE_PATH}/lock`,
    query: {},
    body: NO_BODY,
    answer: NOT_SHOWN,
    ...CHANGES_DIRECTORY,
  },
  enableEmployee: {
    ...AT,
    title: 'Reinstate',
    method: 'POST',
    path: `${EMPLOYEE_PATH}/enable`,
    older: `${EMPLOYEE_PATH}/unlock`,
    query: {},
    body: NO_BODY,
    answer: NOT_SHOWN,
    ...CHANGES_DIRECTORY,
  },
  deleteEmployee: {
    ...AT,
    title: 'Delete employee',
    method: 'DELETE',
    path: EMPLOYEE_PATH,
    query: {},
    body: NO_BODY,
    answer: NOT_SHOWN,
    ...CHANGES_DIRECTORY,
  },
  importEmployees: {
    ...AT,
    title: 'Import employees',
    method: 'POST',
    path: `${BASE}/import-employees`,
    query: {},
    body: jsonOf(list(record({ ...PROFILE, ...CREATION, properties: IMPORTED_PROPERTIES, ops: text() }))),
    answer: jsonOf(record({ successes: map(id({ type: 'number' })), failures: map(text()) })),
    ...CHANGES_DIRECTORY,
    open: [
      'other values of `ops` than `REMOVE`: not sent, which adds or updates',
      'which fields an item with `REMOVE` needs: sent with all required ones',
    ],
  },
} as const satisfies Readonly<Record<string, Operation>>;
