import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { open, person, type Json } from './wire-client.ts';

const reading = (...readings: readonly string[]): ReturnType<typeof open> => open({ readings });

describe('keys of imports', () => {
  test('pathKeys=ids: paths of ids, in failures with the name at the end', async () => {
    const { post, org, sandbox } = await reading('pathKeys=ids');
    const { result } = await post(`${org}/import-orgs`, [
      { name: 'A', type: 'DEPT', parent_id: sandbox.rootId },
      { name: 'A', type: 'DEPT', parent_id: sandbox.rootId },
    ]);
    const id = sandbox.state.organizationByPath('/Root/A')?.id;
    expect(result.successes).toEqual({ [`/${sandbox.rootId}/${id}/`]: id });
    expect(Object.keys(result.failures)).toEqual([`/${sandbox.rootId}/A`]);
  });

  test('keysLower', async () => {
    const { post, org, sandbox } = await reading('keysLower');
    const units = await post(`${org}/import-orgs`, [{ name: 'Ab', type: 'DEPT', parent_id: sandbox.rootId }]);
    const people = await post(`${org}/import-employees`, [person('Ann', sandbox.rootId), person('BOB', '1')]);
    expect(Object.keys(units.result.successes)).toEqual(['/root/ab']);
    expect(Object.keys(people.result.successes)).toEqual(['ann']);
    expect(Object.keys(people.result.failures)).toEqual(['bob']);
    expect(sandbox.state.employee('ann')?.username).toBe('Ann');
  });

  test('importIds=user', async () => {
    const { people, sandbox } = await reading('importIds=user');
    expect(await people(sandbox.rootId, 'ann')).toEqual({ ann: sandbox.state.user('ann')?.id });
  });
});

describe('errors', () => {
  test('errors=http4xx: the same envelope with an HTTP status', async () => {
    const { get, post, del, raw, org, node, people, sandbox } = await reading('errors=http4xx');
    await people(await node('A'), 'ann');
    const id = sandbox.state.organizationByPath('/Root/A')?.id;
    const full = await del(`${org}/${id}`);
    expect([full.http, full.status]).toEqual([409, 208507]);
    const gone = await get(`${org}/1`);
    expect([gone.http, gone.status]).toEqual([404, 990404]);
    expect((await post(`${org}/import-orgs`, {})).http).toBe(400);
    expect((await get('/v1/admin/organizations/other')).http).toBe(403);
    expect((await get(org)).http).toBe(200);
    sandbox.setToken('new');
    const url = `${sandbox.baseUrl}/v1/users?access_token=old`;
    expect((await fetch(url)).status).toBe(401);
    expect((await raw('GET', '/v1/users')).status).toBe(200);
  });

  test('notFound=own, codes and null for records that are not there', async () => {
    const own = await reading('notFound=own');
    const statuses = [
      (await own.get(`${own.org}/1`)).status,
      (await own.get(`${own.org}/employees/1`)).status,
    ];
    expect(statuses.every((status) => ![0, 208502, 202012].includes(status))).toBe(true);
    expect((await own.del(`${own.org}/1`)).status).toBe(208502);
    const codes = await reading('notFound=codes');
    expect((await codes.get(`${codes.org}/1`)).status).toBe(208502);
    expect((await codes.get(`${codes.org}/employees/1`)).status).toBe(202012);
    const nulls = await reading('notFound=null');
    for (const path of [`${nulls.org}/1`, `${nulls.org}/serial/x`, `${nulls.org}/employees/1`]) {
      const { status, result } = await nulls.get(path);
      expect([status, result]).toEqual([0, null]);
    }
    expect((await nulls.post(`${nulls.org}/employees/1/lock`)).status).not.toBe(0);
  });

  test('lockOnly: disable and enable are unknown paths', async () => {
    const { post, raw, org, people, sandbox } = await reading('lockOnly');
    const { ann } = await people(sandbox.rootId, 'ann');
    expect((await raw('POST', `${org}/employees/${ann}/disable`)).status).toBe(404);
    expect(sandbox.state.employee('ann')?.locked).toBe(false);
    expect((await post(`${org}/employees/${ann}/lock`)).status).toBe(0);
    expect((await raw('POST', `${org}/employees/${ann}/enable`)).status).toBe(404);
    expect(sandbox.state.employee('ann')?.locked).toBe(true);
  });
});

test('importOrgs: off refuses the import as a whole, and creates a node', async () => {
  const { post, org, sandbox } = await reading('importOrgs=off');
  const body = { type: 'DEPT', name: 'A', parent_id: sandbox.rootId, serial_no: 'a' };
  expect((await post(`${org}/import-orgs`, [body])).status).not.toBe(0);
  expect(sandbox.state.organizationBySerial('a')).toBeUndefined();
  expect((await post(org, body)).status).toBe(0);
  expect(sandbox.state.organizationBySerial('a')?.name).toBe('A');
});

test('pageCap: no page is longer, whatever limit says', async () => {
  const { get, org, people, node, sandbox } = await reading('pageCap=2');
  for (const name of ['A', 'B']) await node(name);
  await people(sandbox.rootId, 'a', 'b', 'c');
  const nodes = (await get(`${org}/page-orgs`, { limit: '1000' })).result;
  const users = (await get('/v1/users', { limit: '1000' })).result;
  expect([nodes.total_count, nodes.records.length]).toEqual([3, 2]);
  expect([users.total_count, users.users.length]).toEqual([3, 2]);
  expect((await get(`${org}/page-orgs`, { limit: '1' })).result.records).toHaveLength(1);
});

test('siblings=merge: a namesake is updated and keeps its id', async () => {
  const { post, org, node, sandbox } = await reading('siblings=merge');
  const id = await node('A', sandbox.rootId, { serial_no: 's1', sn: 'n1' });
  expect(await node('A', sandbox.rootId, { serial_no: 's2' })).toBe(id);
  expect(sandbox.state.organization(id)).toMatchObject({ serialNo: 's2', sn: 'n1' });
  await post(org, { type: 'CORP', name: 'A', parent_id: sandbox.rootId });
  expect(sandbox.state.organization(id)).toMatchObject({ serialNo: 's2', type: 'CORP' });
  expect(sandbox.state.organizations()).toHaveLength(2);
});

describe('deleting nodes', () => {
  test('disabledCount: locked employees keep a node by default, and do not where it is off', async () => {
    const { del, get, post, org, node, people, sandbox } = await open();
    const id = await node('A');
    const { ann } = await people(id, 'ann');
    await post(`${org}/employees/${ann}/disable`);
    expect((await del(`${org}/${id}`)).status).toBe(208507);
    expect((await get(`${org}/${id}`)).result.employee_count).toBe(1);
    sandbox.setReadings(['disabledCount=off']);
    expect((await get(`${org}/${id}`)).result).toMatchObject({ employee_count: 0, all_employee_count: 0 });
    expect((await del(`${org}/${id}`)).status).toBe(0);
    expect(sandbox.state.employee('ann')?.positions).toEqual([]);
  });

  test('deleteCascades: children and positions go along, people stay', async () => {
    const { del, org, node, people, sandbox } = await reading('deleteCascades');
    const a = await node('A');
    const b = await node('B', a);
    await people(b, 'ann');
    expect((await del(`${org}/${a}`)).status).toBe(0);
    expect(sandbox.state.organizations().map(({ id }) => id)).toEqual([sandbox.rootId]);
    expect(sandbox.state.employee('ann')?.positions).toEqual([]);
    expect((await del(`${org}/${sandbox.rootId}`)).status).not.toBe(0);
  });
});

describe('importing people', () => {
  test('positions=merge: imported positions are added, modified ones still replace', async () => {
    const { post, org, node, people, sandbox } = await reading('positions=merge');
    const [a, b] = [await node('A'), await node('B')];
    const { ann } = await people(a, 'ann');
    await people(b, 'ann');
    const places = (): unknown => sandbox.state.employee('ann')?.positions.map(({ orgId }) => orgId);
    expect(places()).toEqual([a, b]);
    await post(`${org}/employees/${ann}`, { name: 'x', positions: [{ org_id: b }] });
    expect(places()).toEqual([b]);
  });

  test('emptyPositions=taken', async () => {
    const { post, org, people, sandbox } = await reading('emptyPositions=taken');
    await people(sandbox.rootId, 'ann');
    await post(`${org}/import-employees`, [{ username: 'ann', name: 'Ann', positions: [] }]);
    expect(sandbox.state.employee('ann')?.positions).toEqual([]);
  });

  test('absent=clear: what an import does not mention is gone', async () => {
    const { get, post, org, people, sandbox } = await reading('absent=clear');
    const more = { email: 'e', tags: [1], senior: true };
    await post(`${org}/import-employees`, [person('ann', sandbox.rootId, more)]);
    await people(sandbox.rootId, 'ann');
    const [ann] = (await get(`${org}/employees`)).result;
    expect(ann).toMatchObject({ tags: [], senior: false });
    expect(ann).not.toHaveProperty('email');
  });

  test('importEnables: an import unlocks employee and user', async () => {
    const { people, sandbox } = await reading('importEnables');
    await people(sandbox.rootId, 'ann');
    sandbox.edit.lockEmployee('ann');
    expect(sandbox.state.user('ann')?.disabled).toBe(true);
    await people(sandbox.rootId, 'ann');
    expect(sandbox.state.employee('ann')?.locked).toBe(false);
    expect(sandbox.state.user('ann')?.disabled).toBe(false);
  });

  test('normalizes: phones lose blanks and dashes, names are collapsed', async () => {
    const { post, org, node, sandbox } = await reading('normalizes');
    const dept = await node('  A   B ');
    const more = { name: ' Ann   Lee ', mobile: '+1 2-3', email: 'a - b' };
    await post(`${org}/import-employees`, [person('ann', dept, more)]);
    expect(sandbox.state.employee('ann')).toMatchObject({
      name: 'Ann Lee',
      profile: { mobile: '+123', email: 'a - b' },
    });
    expect(sandbox.state.user('ann')?.phone).toBe('+123');
    expect(sandbox.state.organization(dept)?.name).toBe('A B');
  });

  test('fillsNodes: a new node has an owner, an English name and a logo that nobody sent', async () => {
    const { get, org, node } = await reading('fillsNodes');
    const { result } = await get(`${org}/${await node('Sales Dept')}`);
    expect(result).toMatchObject({ en_name: 'salesdept', tw_name: '', owner_id: '1', logo: 'default' });
  });
});

describe('users and lists', () => {
  test('usersRemain=off: the user goes with the employee', async () => {
    const { del, post, org, people, sandbox } = await reading('usersRemain=off');
    const { ann } = await people(sandbox.rootId, 'ann', 'bob', 'cleo');
    await del(`${org}/employees/${ann}`);
    await post(`${org}/import-employees`, [person('bob', sandbox.rootId, { ops: 'REMOVE' })]);
    expect(sandbox.state.users().map(({ username }) => username)).toEqual(['cleo']);
  });

  test('usersRefreshBlind: changes of employees do not move the refresh time of users', async () => {
    let time = 1000;
    const { get, people, sandbox } = await open({ readings: ['usersRefreshBlind'], now: () => time });
    await people(sandbox.rootId, 'ann');
    time = 2000;
    await people(sandbox.rootId, 'ann', 'bob');
    sandbox.edit.lockEmployee('ann');
    const { result } = await get('/v1/users', { refresh_time: '1000' });
    expect(result.users.map(({ username }: Json) => username)).toEqual(['bob']);
    expect((await get('/v1/users/ann', { type: 'username' })).result.disabled).toBe(true);
  });

  test('namesRead: the first names of a query are looked at, the others are left out in silence', async () => {
    const { get, org, people, sandbox } = await reading('namesRead=2');
    await people(sandbox.rootId, 'ann', 'bob', 'cid');
    const query = { matching: 'true', type: 'username', query: 'nobody,bob,cid' };
    const { status, result } = await get(`${org}/employees`, query);
    expect([status, result.map(({ username }: Json) => username)]).toEqual([0, ['bob']]);
  });

  test('hidesLocked: list and view leave locked employees out', async () => {
    const { get, org, people, sandbox } = await reading('hidesLocked');
    const { ann } = await people(sandbox.rootId, 'ann', 'bob');
    sandbox.edit.lockEmployee('ann');
    const listed = (await get(`${org}/employees`)).result.map(({ username }: Json) => username);
    const asked = await get(`${org}/employees`, { type: 'username', matching: 'true', query: 'ann' });
    const viewed = (await get(`${org}/view`)).result[0].employees;
    expect([listed, asked.result, viewed.length]).toEqual([['bob'], [], 1]);
    expect((await get(`${org}/employees/${ann}`)).result.disabled).toBe(true);
  });
});

test('asyncImport: an import answers at once, is visible later, and later calls build on it', async () => {
  const { get, org, node, people, sandbox } = await reading('asyncImport=300ms');
  const seen = async (): Promise<readonly number[]> => [
    (await get(`${org}/page-orgs`)).result.total_count,
    (await get(`${org}/employees`)).result.length,
  ];
  const id = await node('A');
  await people(id, 'ann');
  expect(await seen()).toEqual([1, 0]);
  expect((await get(`${org}/${id}`)).status).toBe(990404);
  sandbox.edit.addUser('zoe', 'Zoe');
  expect((await get('/v1/users')).result.users.map(({ username }: Json) => username)).toEqual(['zoe']);
  await sleep(500);
  expect(await seen()).toEqual([2, 1]);
  expect((await get(`${org}/${id}`)).result.employee_count).toBe(1);
});

async function shown(readings: readonly string[], fields = {}): Promise<Json> {
  const { get, org, people, sandbox } = await reading(...readings);
  const { ann } = await people(sandbox.rootId, 'ann');
  sandbox.edit.changeEmployee('ann', fields);
  const { result } = await get(`${org}/employees`, { type: 'id', matching: 'true', query: String(ann) });
  return result[0];
}

describe('what is shown of an employee', () => {
  const FIELDS = [
    'gender',
    'email',
    'mobile',
    'sn',
    'sort_order',
    'senior',
    'employee_rank',
    'tags',
    'properties',
  ];

  test.each([
    ['absent', [undefined, undefined, undefined, undefined, undefined, false, undefined, [], []]],
    ['zero', ['', '', '', '', 0, false, 0, [], []]],
    ['null', [null, null, null, null, null, null, null, null, null]],
  ])('defaults=%s: fields that nobody has set', async (defaults, values) => {
    const record = await shown([`defaults=${defaults}`]);
    expect(FIELDS.map((name) => record[name])).toEqual(values);
    expect(record.positions[0].job_title).toBe({ absent: undefined, zero: '', null: null }[defaults]);
  });

  test('masked: numbers, addresses and properties', async () => {
    const properties = [{ data_schema_id: '12', values: ['secret'] }];
    const record = await shown(['masked'], {
      mobile: '13812340000',
      email: 'ann@example.com',
      sn: 'S1',
      properties,
    });
    expect(record).toMatchObject({ mobile: '138****0000', email: 'a****@example.com', sn: 'S1' });
    expect(record.properties).toEqual([{ data_schema_id: '12', values: ['••••'] }]);
    expect(record.data_schemas).toMatchObject([{ id: '12', privacy: true }]);
  });

  test.each([
    ['replace', [12]],
    ['merge', [11, 12]],
  ])('properties=%s: what an import makes of the list', async (value, ids) => {
    const { post, org, people, sandbox } = await reading(`properties=${value}`);
    await people(sandbox.rootId, 'ann');
    for (const id of [11, 12]) {
      const properties = [{ data_schema_id: id, values: [`${id}`] }];
      await post(`${org}/import-employees`, [person('ann', sandbox.rootId, { properties })]);
    }
    const { profile } = sandbox.state.employee('ann')!;
    expect((profile['properties'] as Json[]).map((one) => one.data_schema_id)).toEqual(ids);
  });
});
