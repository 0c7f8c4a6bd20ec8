import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATION_NAMES, type OperationName } from '../../src/interface/operations/operations.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createCaller, type Caller } from '../../src/service/create-caller.ts';
import { settingsFor } from './odd-server.ts';

/** A request as it goes over the wire, written by hand from the document. */
interface Golden {
  readonly params?: Readonly<Record<string, string>>;
  readonly json?: string;
  /** Whether there is a form with a file `a b".png` that holds `pixels`. */
  readonly file?: true;
  readonly out?: true;
  /** Method and address behind the host, without the token, which comes first. */
  readonly line: string;
  /** What goes out, where it is not the JSON as it stands. */
  readonly body?: string;
}

const ORG = '/v1/admin/organizations/c%2F1';
/** MD5 of `pixels`, by `printf pixels | md5sum`. */
const DIGEST = 'd399848208da8b80a306af0fd62bb03f';

function formOf(
  part: string,
  fields: readonly (readonly [string, string])[],
  type = 'application/octet-stream',
): string {
  const texts = fields.map(
    ([name, value]) => `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file =
    `--B\r\nContent-Disposition: form-data; name="${part}"; filename="a b%22.png"\r\n` +
    `Content-Type: ${type}\r\n\r\npixels\r\n--B--\r\n`;
  return texts.join('') + file;
}

const EMPLOYEE = '{"name":"Ann","positions":[{"org_id":9007199254740993}]}';
const NODE = '{"type":"DEPT","name":"研发部","parent_id":"9007199254740993","sort_order":7}';
const SCHEDULE =
  '{"summary":"s","repeat_type":"none","full_time":false,"begin_time":1700000000000,"end_time":1700000360000,' +
  '"reminder":{"remind":true,"remind_before_seconds":900}';

const GOLDEN: Readonly<Record<OperationName, Golden>> = {
  listTemplates: {
    params: { kw: 'a&b', skip: '10', limit: '5' },
    line: 'GET /v1/templates?kw=a%26b&skip=10&limit=5',
  },
  createTemplate: {
    params: { app_id: 'app', source_type: 'ISV' },
    json: '{"title":"t","contents":[[{"content":"{{x.DATA}}","align":"left"}]]}',
    line: 'POST /v1/templates?app_id=app&source_type=ISV',
  },
  modifyTemplate: {
    params: { templateId: 't/1', app_id: 'app' },
    json: '{"tags":"x"}',
    line: 'POST /v1/templates/t%2F1?app_id=app',
  },
  templateDetail: {
    params: { templateId: '7', app_id: 'app' },
    line: 'GET /v1/templates/7?appId=app&app_id=app',
  },
  pushMessage: {
    params: { direct: 'true' },
    json: '{"type":"TEXT","client_ids":["1"],"usernames":["ann"],"body":{"content":"hi"}}',
    line: 'POST /v1/apps/mbox?direct=true',
  },
  listEmployees: {
    params: { type: 'username', query: 'ann,bob', matching: 'true' },
    line: `GET ${ORG}/employees?domain_id=d%2B1&type=username&query=ann,bob&matching=true`,
  },
  createEmployee: {
    json: '{"username":"ann","name":"Ann","positions":[{"org_path":"/1/2/","primary":true}],"birthday":946684800000}',
    line: `POST ${ORG}/employees`,
  },
  getEmployee: { params: { employeeId: '9007199254740993' }, line: `GET ${ORG}/employees/9007199254740993` },
  modifyEmployee: {
    params: { employeeId: 'a..b' },
    json: EMPLOYEE,
    line: `POST ${ORG}/employees/a..b`,
  },
  disableEmployee: { params: { employeeId: '5' }, line: `POST ${ORG}/employees/5/disable` },
  enableEmployee: { params: { employeeId: '5' }, line: `POST ${ORG}/employees/5/enable` },
  deleteEmployee: { params: { employeeId: '5' }, line: `DELETE ${ORG}/employees/5` },
  importEmployees: {
    json: '[{"username":"ann","name":"Ann","positions":[{"org_id":9007199254740993}],"ops":"REMOVE","properties":[{"data_schema_id":9007199254740993,"values":["x"]}]}]',
    line: `POST ${ORG}/import-employees`,
  },
  organizationInfo: { line: `GET ${ORG}` },
  pageOrganizations: {
    params: { refresh_time: '1700000000000', skip: '0', limit: '100' },
    line: `GET ${ORG}/page-orgs?domain_id=d%2B1&refresh_time=1700000000000&skip=0&limit=100`,
  },
  viewOrganization: {
    params: { org_id: '3', counting: 'false' },
    line: `GET ${ORG}/view?domain_id=d%2B1&org_id=3&counting=false`,
  },
  getOrganization: { params: { id: '3' }, line: `GET ${ORG}/3` },
  organizationBySerial: {
    params: { serialNo: 'ä/ö' },
    line: `GET ${ORG}/serial/%C3%A4%2F%C3%B6?domain_id=d%2B1`,
  },
  createOrganization: { json: NODE, line: `POST ${ORG}` },
  modifyOrganization: {
    params: { id: '3' },
    json: '{"sort_order":"7"}',
    line: `POST ${ORG}/3`,
  },
  deleteOrganization: { params: { id: '3' }, line: `DELETE ${ORG}/3` },
  importOrganizations: {
    json: `[${NODE}]`,
    line: `POST ${ORG}/import-orgs`,
  },
  organizationTree: { params: { org_id: '3' }, line: `GET ${ORG}/tree?domain_id=d%2B1&org_id=3` },
  listOrganizations: { line: `GET ${ORG}/list-all?domain_id=d%2B1` },
  uploadImage: {
    json: '{"file_name":"a.png","file_content":"cGl4ZWxz","quality":0.5,"width":10}',
    line: 'POST /v1/medias/images',
  },
  uploadImageForm: {
    params: { heigh: '20', file_type: 'image/png' },
    file: true,
    line: `POST /v1/medias/images?file_digest=${DIGEST}&file_size=6&heigh=20&height=20&file_type=image%2Fpng`,
    body: formOf('file', [['file_type', 'image/png']], 'image/png'),
  },
  uploadFile: {
    json: '{"file_name":"a","file_content":"cGl4ZWxz","file_metadata":{"k":"v"}}',
    line: 'POST /v1/medias',
  },
  uploadFileForm: {
    file: true,
    line: `POST /v1/medias?file_digest=${DIGEST}&file_size=6&filename=a%20b%22.png`,
    body: formOf('file', [['filename', 'a b".png']]),
  },
  viewImage: {
    params: { media_id: 'm', type: 'DIGEST', height: '5' },
    out: true,
    line: 'GET /v1/medias/images/m?domain_id=d%2B1&type=DIGEST&heigh=5&height=5',
  },
  downloadFile: { params: { media_id: 'm' }, out: true, line: 'GET /v1/medias/m?domain_id=d%2B1' },
  mediaInfo: {
    params: { media_id_or_media_md5: DIGEST, type: 'DIGEST' },
    line: `GET /v1/medias/${DIGEST}/info?type=DIGEST`,
  },
  translateMedia: {
    params: { media_id: 'm', source_type: 'office', dest_type: 'jpg' },
    line: 'GET /v1/medias/m/translate?source_type=office&dest_type=jpg',
  },
  compressImage: {
    params: { width: '100', thumb: 'true' },
    file: true,
    line: `POST /v1/medias/compress?width=100&thumb=true&digest=${DIGEST}`,
    body: formOf('media', [
      ['width', '100'],
      ['thumb', 'true'],
      ['digest', DIGEST],
    ]),
  },
  createSchedule: {
    json: `${SCHEDULE},"owner":"ann","source":"hr","source_id":"1","source_uid":"u"}`,
    line: 'POST /v1/apps/schedules',
  },
  modifySchedule: {
    params: { schedule_id: 's' },
    json: `${SCHEDULE},"ops":"update","schedule_date":1700000000000}`,
    line: 'POST /v1/apps/schedules/s',
  },
  deleteSchedule: {
    params: { schedule_id: 's' },
    json: '{"ops":"delete"}',
    line: 'POST /v1/apps/schedules/s',
  },
  searchUsers: {
    params: { query: 'ann', type: 'username', matching: 'false' },
    line: 'GET /v1/users?query=ann&type=username&matching=false',
  },
  getUser: { params: { query: 'a b', type: 'username' }, line: 'GET /v1/users/a%20b?type=username' },
  pageUsers: { params: { refresh_time: '-1' }, line: 'GET /v1/users?refresh_time=-1' },
};

interface Came {
  readonly line: string;
  readonly type: string;
  readonly body: string;
}

let folder: string;
let server: Server;
let caller: Caller;
const came: Came[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'golden-'));
  server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  caller = createCaller(
    settingsFor(`http://127.0.0.1:${port}`, {
      domainId: 'd+1',
      orgCode: 'c/1',
      token: 't&k',
      appToken: 'a&k',
    }),
    { clock: systemClock },
  );
});

afterAll(async () => {
  await caller.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '', headers } = request;
  const body = await text(request);
  came.push({ line: `${method} ${url}`, type: headers['content-type'] ?? '', body });
  const saves = /^\/v1\/medias\/(?:images\/)?m\?/u.test(url);
  response.setHeader('content-type', saves ? 'image/png' : 'application/json');
  response.end(saves ? 'bytes' : '{"status":0,"message":"ok","result":{"id":9007199254740993}}');
}

/** What came last, with `B` for the boundary of a form. */
function last(): Came {
  const { line = '', type = '', body = '' } = came.at(-1) ?? {};
  const [, boundary = '\0'] = /boundary=(.+)$/u.exec(type) ?? [];
  return { line, type: type.replaceAll(boundary, 'B'), body: body.replaceAll(boundary, 'B') };
}

/** The request line with the token, which stands first. */
function lineOf(name: OperationName, { line }: Golden): string {
  const token = `access_token=${name.endsWith('Schedule') ? 'a%26k' : 't%26k'}`;
  return line.includes('?') ? line.replace('?', `?${token}&`) : `${line}?${token}`;
}

test.each(OPERATION_NAMES.map((name) => [name, GOLDEN[name]] as const))('%s', async (name, golden) => {
  const { params = {}, json = null, line, body = json ?? '' } = golden;
  const file = golden.file === true ? join(folder, 'a b".png') : null;
  if (file !== null) writeFileSync(file, 'pixels');
  const type = file === null ? 'application/json' : 'multipart/form-data; boundary=B';
  const out = golden.out === true ? join(folder, 'out') : null;
  const { signal } = new AbortController();
  const answered = await caller.call({ name, params, json, file, out }, signal);
  const result = out === null ? { id: '9007199254740993' } : { bytes: 5, contentType: 'image/png' };
  expect(answered).toMatchObject({ problems: [], result });
  expect(last()).toEqual({ line: lineOf(name, { line }), type: body === '' ? '' : type, body });
});
