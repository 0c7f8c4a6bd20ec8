import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
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
import { systemClock } from '../../src/lib/clock.ts';
import { createCaller } from '../../src/service/create-caller.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { settingsFor } from '../service/odd-server.ts';
import { jsonBody, type Json } from './wire-client.ts';
import { PNG } from './pictures.ts';

type Query = Readonly<Record<string, string>>;

/** What a request has, by the interface's names; `file`: bytes of its form. */
interface Asked {
  readonly parts?: Query;
  readonly query?: Query;
  readonly body?: unknown;
  readonly file?: Buffer;
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
  uploadImageForm: ({ bytes }) => ({ file: bytes }),
  uploadFile: () => ({
    body: { file_name: 'a.docx', file_content: OFFICE, file_metadata: { a: 'b' } },
  }),
  uploadFileForm: ({ bytes }) => ({
    file: bytes,
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
    file: bytes,
  }),
  deleteEmployee: ({ ids }) => ({ parts: { employeeId: ids['ann'] ?? '' } }),
  deleteOrganization: ({ ids }) => ({ parts: { id: ids['leaf'] ?? '' } }),
};

const WORLDS: readonly (readonly string[])[] = [
  [],
  ['defaults=zero', 'importIds=user', 'pathKeys=ids'],
  ['defaults=null', 'fillsNodes'],
  ['masked', 'propertyShape=schema', 'sister=2'],
];

/** What makes a path, a query or a token of it another, unless it is encoded. */
const ODD = { orgCode: 'c/1', domainId: 'd+1', token: 't&k', appToken: 'a&k' };

/** Asks every operation once through the client, in the order of the table. */
async function askAll(readings: readonly string[]): Promise<ReadonlyMap<string, Json>> {
  const sandbox = await startSandbox({ readings, ...ODD });
  const caller = createCaller(settingsFor(sandbox.baseUrl, ODD), { clock: systemClock });
  const folder = scratchFolder('answers');
  const made: Made = { ids: { root: sandbox.rootId }, bytes: PNG };
  const results = new Map<string, Json>();
  try {
    for (const [name, request] of Object.entries(REQUESTS)) {
      const { parts, query, body, file } = request(made);
      const at = file === undefined ? null : join(folder, 'a b".png');
      if (at !== null) writeFileSync(at, file!);
      const json = body === undefined ? null : (jsonBody(body).body as string);
      const { answer }: Operation = OPERATIONS[name as OperationName];
      const out = answer.kind === 'bytes' ? join(folder, `${name}.out`) : null;
      const params = { ...parts, ...query };
      const asked = { name: name as OperationName, params, json, file: at, out };
      const answered: Json = await caller.call(asked, new AbortController().signal);
      expect(answered).toMatchObject({ problems: [] });
      results.set(name, answered.result);
      note(made, name, answered.result);
      noteState(made, sandbox);
    }
  } finally {
    await caller.close();
    await sandbox.close();
    removeFolder(folder);
  }
  return results;
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

/**
 * Returns in what an answer differs from its row. The client reads long integers as text; what has no value may be null
 * in an answer (reading `defaults`).
 */
function differences(result: Json, field: Field): readonly string[] {
  return checkValue(result, field, 'result')
    .filter(({ place, text }) => !(/\.successes\.\w+$/u.test(place) && text === 'is not a whole number'))
    .filter(({ text }) => !text.startsWith('is null'))
    .map(({ place, text }) => `${place} ${text}`);
}

/** Nodes at any depth, each of which has to be a node. */
function nodesIn(value: Json): readonly Json[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap((one) => nodesIn(one));
  return Array.isArray(value.children) ? [...value.children, ...below] : below;
}

let worlds: readonly ReadonlyMap<string, Json>[];
beforeAll(async () => {
  worlds = await Promise.all(WORLDS.map(askAll));
});

test.each(OPERATION_NAMES)('%s: fields and kinds of its row, under all readings', (name) => {
  expect(worlds.flatMap((results) => faultsIn(name, results.get(name)))).toEqual([]);
});

/** Returns in what a result is not as the row has it. */
function faultsIn(name: OperationName, result: Json): readonly string[] {
  const { answer }: Operation = OPERATIONS[name];
  if (answer.kind === 'bytes') return result.bytes > 0 ? [] : ['no bytes'];
  // "the payload of `result` is not shown".
  if (answer.of === null) return result === null ? [] : ['a result that is not shown'];
  if (result === null) return ['no result'];
  return [...differences(result, answer.of), ...nodesIn(result).flatMap((node) => differences(node, NODE))];
}

test('every name of a field of the rows is in some answer', () => {
  const seen = new Set(
    worlds.flatMap((results) => [...results.values()].flatMap((result) => keysIn(result))),
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
