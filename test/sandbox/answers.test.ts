import { beforeAll, describe, expect, test } from 'vitest';
import {
  OPERATION_NAMES,
  OPERATIONS,
  type OperationName,
} from '../../src/interface/operations/operations.ts';
import { NODE } from '../../src/interface/operations/directory-records.ts';
import { checkValue } from '../../src/interface/requests/check-fields.ts';
import type { Field } from '../../src/interface/field.ts';
import type { Operation } from '../../src/interface/operation.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { parseJson } from '../../src/interface/requests/parse-json.ts';
import { jsonBody, type Json } from './wire-client.ts';
import { md5 } from './media-client.ts';
import { PNG } from './pictures.ts';

type Query = Readonly<Record<string, string>>;

/** What a request has besides method and path, and for the path's variable parts. */
interface Asked {
  readonly parts?: Query;
  readonly query?: Query;
  readonly body?: unknown;
  readonly form?: FormData;
}

/** Ids of what the scene made, for later requests. */
interface Made {
  ids: Record<string, string>;
  bytes: Buffer;
}

/** Bytes that begin as office documents do, in base64. */
const OFFICE = Buffer.from('PK\u0003\u0004 rest').toString('base64');
const TIMES = { begin_time: 1_795_000_000_000, end_time: 1_795_003_600_000 };
const SCHEDULE = {
  summary: 'S',
  repeat_type: 'daily',
  full_time: false,
  ...TIMES,
  reminder: { remind: true, remind_before_seconds: 60 },
  attendees: ['bob'],
  attachments: [{ media_id: 'm', name: 'a', file_type: 'f', size: 1 }],
};

const person = (username: string, orgId = '', more: object = {}): object => ({
  username,
  name: `Name ${username}`,
  email: `${username}@example.com`,
  mobile: '13800000000',
  gender: 'MALE',
  birthday: 1,
  id_card: 'x',
  sn: '7',
  sort_order: 1,
  senior: true,
  tags: [1],
  rank: 2,
  positions: [{ org_id: orgId, job_title: 'Boss', primary: true, chief: true, source_type: 'g' }],
  properties: [{ data_schema_id: '5', values: ['v'] }],
  ...more,
});

function formOf(part: string, bytes: Buffer, name: string): FormData {
  const form = new FormData();
  form.set(part, new Blob([new Uint8Array(bytes)]), name);
  return form;
}

/** How each operation is asked for an answer that shows much; in this order. */
const REQUESTS: { readonly [Name in OperationName]: (made: Made) => Asked } = {
  createOrganization: ({ ids }) => ({ body: { type: 'DEPT', name: 'C', parent_id: ids['root'] } }),
  importOrganizations: ({ ids }) => ({
    body: [
      { type: 'CORP', name: 'A', parent_id: ids['root'], serial_no: 's1', sn: '1', sort_order: 3, logo: 'l' },
      { type: 'DEPT', name: 'A', parent_id: ids['root'] },
    ],
  }),
  organizationInfo: () => ({}),
  organizationBySerial: () => ({ parts: { serialNo: 's1' } }),
  getOrganization: ({ ids }) => ({ parts: { id: ids['org'] ?? '' } }),
  modifyOrganization: ({ ids }) => ({
    parts: { id: ids['org'] ?? '' },
    body: { name: 'Aa', sort_order: '4' },
  }),
  createEmployee: ({ ids }) => ({ body: person('ann', ids['org']) }),
  importEmployees: ({ ids }) => ({
    body: [
      person('bob', ids['org'], { properties: [] }),
      person('no', '404', { properties: [] }),
      { username: 'cleo', name: 'Cleo', positions: [{ org_id: ids['org'] }] },
    ],
  }),
  listEmployees: () => ({ query: { type: 'username', query: 'ann,bob,cleo', matching: 'true' } }),
  getEmployee: ({ ids }) => ({ parts: { employeeId: ids['ann'] ?? '' } }),
  modifyEmployee: ({ ids }) => {
    const { username: _, ...fields } = person('ann', ids['org']) as Json;
    return { parts: { employeeId: ids['ann'] ?? '' }, body: fields };
  },
  disableEmployee: ({ ids }) => ({ parts: { employeeId: ids['ann'] ?? '' } }),
  enableEmployee: ({ ids }) => ({ parts: { employeeId: ids['ann'] ?? '' } }),
  pageOrganizations: () => ({ query: { limit: '10' } }),
  viewOrganization: ({ ids }) => ({ query: { org_id: ids['org'] ?? '' } }),
  organizationTree: () => ({}),
  listOrganizations: () => ({}),
  searchUsers: () => ({ query: { query: 'ann,bob', type: 'username', matching: 'true' } }),
  getUser: () => ({ parts: { query: 'ann' }, query: { type: 'username' } }),
  pageUsers: () => ({}),
  createTemplate: () => ({
    query: { app_id: 'a' },
    body: {
      title: 'T',
      tags: 't',
      sample: 's',
      actions: [{ name: 'Go', value: 'x' }],
      contents: [[{ content: 'c', align: 'left' }]],
    },
  }),
  modifyTemplate: ({ ids }) => ({
    parts: { templateId: ids['template'] ?? '' },
    query: { app_id: 'a' },
    body: { title: 'U' },
  }),
  templateDetail: ({ ids }) => ({
    parts: { templateId: ids['template'] ?? '' },
    query: { appId: 'a', app_id: 'a' },
  }),
  listTemplates: () => ({ query: { kw: '' } }),
  pushMessage: ({ ids }) => ({
    body: {
      type: 'template',
      body: { template_id: ids['template'] },
      client_ids: [ids['annUser'], '404'],
      usernames: ['bob', 'nobody'],
      scopes: [`/${ids['root'] ?? ''}/`],
    },
  }),
  createSchedule: () => ({
    body: { ...SCHEDULE, owner: 'ann', source: 's', source_id: '1', source_uid: 'u' },
  }),
  modifySchedule: ({ ids }) => ({
    parts: { schedule_id: ids['schedule'] ?? '' },
    body: { ...SCHEDULE, ops: 'update', schedule_date: TIMES.begin_time, update_today_only: true },
  }),
  deleteSchedule: ({ ids }) => ({ parts: { schedule_id: ids['schedule'] ?? '' }, body: { ops: 'delete' } }),
  uploadImage: ({ bytes }) => ({
    body: { file_name: 'a.png', file_content: bytes.toString('base64'), file_type: 'image/png' },
  }),
  uploadImageForm: ({ bytes }) => ({ form: formOf('file', bytes, 'a.png') }),
  uploadFile: () => ({
    body: { file_name: 'a.docx', file_content: OFFICE, file_metadata: { a: 'b' } },
  }),
  uploadFileForm: ({ bytes }) => ({
    query: { file_digest: md5(bytes), file_size: String(bytes.length) },
    form: formOf('file', bytes, 'a.bin'),
  }),
  viewImage: ({ ids }) => ({ parts: { media_id: ids['image'] ?? '' } }),
  downloadFile: ({ ids }) => ({ parts: { media_id: ids['file'] ?? '' } }),
  mediaInfo: ({ ids }) => ({ parts: { media_id_or_media_md5: ids['file'] ?? '' } }),
  translateMedia: ({ ids }) => ({
    parts: { media_id: ids['file'] ?? '' },
    query: { source_type: 'office', dest_type: 'pdf' },
  }),
  compressImage: ({ bytes }) => ({
    query: { thumb: 'true', original: 'true' },
    form: formOf('media', bytes, 'a.png'),
  }),
  deleteEmployee: ({ ids }) => ({ parts: { employeeId: ids['ann'] ?? '' } }),
  deleteOrganization: ({ ids }) => ({ parts: { id: ids['leaf'] ?? '' } }),
};

interface Outcome {
  readonly type: string;
  readonly status: unknown;
  readonly result: Json;
  readonly fields: readonly string[];
}

const WORLDS: readonly (readonly string[])[] = [
  [],
  ['defaults=zero', 'importIds=user', 'pathKeys=ids'],
  ['defaults=null', 'fillsNodes'],
  ['masked', 'propertyShape=schema', 'sister=2'],
];

/** Asks every operation once, in the order of the table. */
async function askAll(readings: readonly string[]): Promise<ReadonlyMap<string, Outcome>> {
  const sandbox = await startSandbox({ readings });
  const made: Made = { ids: { root: sandbox.rootId }, bytes: PNG };
  const outcomes = new Map<string, Outcome>();
  try {
    for (const [name, request] of Object.entries(REQUESTS)) {
      const outcome = await outcomeOf(await ask(sandbox, name as OperationName, request(made)));
      outcomes.set(name, outcome);
      note(made, name, outcome.result);
      noteState(made, sandbox);
    }
  } finally {
    await sandbox.close();
  }
  return outcomes;
}

async function ask(sandbox: Sandbox, name: OperationName, asked: Asked): Promise<Response> {
  const row: Operation = OPERATIONS[name];
  const given: Query = { code: sandbox.orgCode, org_code: sandbox.orgCode, ...asked.parts };
  const path = row.path.replaceAll(/\{(\w+)\}/gu, (_, part: string) => given[part] ?? '');
  const domain = 'domain_id' in row.query ? { domain_id: sandbox.domainId } : {};
  const query = new URLSearchParams({ access_token: sandbox.appToken, ...domain, ...asked.query });
  const init = asked.form === undefined ? jsonBody(asked.body) : { body: asked.form };
  return fetch(`${sandbox.baseUrl}${path}?${query.toString()}`, { method: row.method, ...init });
}

function noteState({ ids }: Made, { state }: Sandbox): void {
  const found = {
    org: state.organizationBySerial('s1'),
    leaf: state.organizationByPath('/Root/C'),
    ann: state.employee('ann'),
    annUser: state.user('ann'),
  };
  for (const [name, record] of Object.entries(found)) ids[name] = record?.id ?? '';
}

function note({ ids }: Made, name: string, result: Json): void {
  if (name === 'createTemplate') ids['template'] = result.id;
  if (name === 'createSchedule') ids['schedule'] = result.id;
  if (name === 'uploadImage') ids['image'] = result;
  if (name === 'uploadFile') ids['file'] = result;
}

async function outcomeOf(response: Response): Promise<Outcome> {
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('application/json')) {
    return { type, status: response.status, result: (await response.arrayBuffer()).byteLength, fields: [] };
  }
  const envelope: Json = parseJson(await response.text());
  return { type, status: envelope.status, result: envelope.result, fields: Object.keys(envelope) };
}

/**
 * Returns in what an answer differs from its row. The interface's body has `org_id` of a position as a Long; the sandbox
 * shows it so as well, where the row, for want of a type in the document, has text. What has no value may be null in an
 * answer (reading `defaults`).
 */
function differences(result: Json, field: Field): readonly string[] {
  return checkValue(result, field, 'result')
    .filter(({ place, text }) => !(/\bpositions\[\d+\]\.org_id$/u.test(place) && text === 'is not text'))
    .filter(({ text }) => !text.startsWith('is null'))
    .map(({ place, text }) => `${place} ${text}`);
}

/** Nodes at any depth, each of which has to be a node. */
function nodesIn(value: Json): readonly Json[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap((one) => nodesIn(one));
  return Array.isArray(value.children) ? [...value.children, ...below] : below;
}

function fieldOf(name: string): Field | null {
  const { answer }: Operation = OPERATIONS[name as OperationName];
  return answer.kind === 'json' ? answer.of : null;
}

describe.each(WORLDS.map((readings) => [readings.join(' ') || 'no reading', readings] as const))(
  'answers under %s',
  (_title, readings) => {
    let outcomes: ReadonlyMap<string, Outcome>;
    beforeAll(async () => {
      outcomes = await askAll(readings);
    });

    test.each(OPERATION_NAMES)('%s: fields and kinds of its row', (name) => {
      expect(faultsIn(name, outcomes.get(name)!)).toEqual([]);
    });
  },
);

/** Returns in what an outcome is not a success as the row has it. */
function faultsIn(name: OperationName, { type, status, result, fields }: Outcome): readonly string[] {
  const { answer }: Operation = OPERATIONS[name];
  if (answer.kind === 'bytes') {
    return status === 200 && !type.startsWith('application/json') && result > 0 ? [] : ['no bytes'];
  }
  if (status !== 0 || fields.join(' ') !== 'status message result')
    return [`${String(status)} ${fields.join(' ')}`];
  const field = fieldOf(name);
  // "the payload of `result` is not shown".
  if (field === null) return result === null ? [] : ['a result that is not shown'];
  if (result === null) return ['no result'];
  return [...differences(result, field), ...nodesIn(result).flatMap((node) => differences(node, NODE))];
}

test('every name of a field of the rows is in some answer', async () => {
  const worlds = await Promise.all(WORLDS.map(askAll));
  const seen = new Set(
    worlds.flatMap((outcomes) => [...outcomes.values()].flatMap(({ result }) => keysIn(result))),
  );
  const names = OPERATION_NAMES.flatMap((name) => {
    const { answer }: Operation = OPERATIONS[name];
    return answer.kind === 'json' && answer.of !== null ? namesIn(answer.of) : [];
  });
  const missing = new Set(names.filter((name) => !seen.has(name)));
  // Schemas have one name here.
  expect([...missing].toSorted()).toEqual(['en_alias', 'tw_alias']);
});

function keysIn(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => keysIn(one));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [key, ...keysIn(one)]);
}

function namesIn(field: Field): readonly string[] {
  if (field.kind === 'list') return namesIn(field.of);
  if (field.kind !== 'record') return [];
  return Object.entries(field.fields).flatMap(([name, one]) => [name, ...namesIn(one)]);
}
