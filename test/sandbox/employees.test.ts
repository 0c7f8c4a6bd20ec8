import { describe, expect, test } from 'vitest';
import { open, person, type Json } from './wire-client.ts';

const fields = (text: string): string[] => text.split(' ').toSorted();

const LIST_FIELDS = fields(
  'id type domain_id org_code display_name name pinyin initial gender email mobile avatar status sn user_id ' +
    'username nickname sort_order senior locked employee_rank tags tag_names positions data_schemas properties ' +
    'created last_modified root_org_info platforms',
);
const LIST_POSITION_FIELDS = fields(
  'id domain_id code employee_id org_id path type job_title level primary chief display_nodes full_name_path org_name',
);
const RESULT_FIELDS = fields(
  'employee_id name pinyin initial sn email sort_order senior user extension_profiles positions properties rank ' +
    'tags disabled deleted create_time modify_time',
);
const RESULT_POSITION_FIELDS = fields('position_id employee_id org_id path type job_title primary chief');

const FULL = {
  name: 'Ann Lee',
  email: 'ann@x',
  mobile: '+1 2',
  gender: 'FEMALE',
  sn: 'E1',
  sort_order: 4,
  senior: true,
  rank: 7,
  tags: [11, 12],
  id_card: 'ID1',
  birthday: 946_684_800_000,
  extension_id: 'x1',
  properties: [{ data_schema_id: 'd1', values: ['v'] }],
};

describe('Create and Get one', () => {
  test('answer the Employee result with its own field names', async () => {
    const { get, post, org, node, sandbox } = await open({ domainId: 'd', orgCode: 'acme' });
    const dept = await node('A');
    const position = { org_id: dept, job_title: 'Boss', primary: true, chief: true };
    const { result } = await post(
      `${org}/employees`,
      person('Ann', dept, { ...FULL, positions: [position] }),
    );
    expect(Object.keys(result).toSorted()).toEqual(RESULT_FIELDS);
    expect(Object.keys(result.positions[0]).toSorted()).toEqual(RESULT_POSITION_FIELDS);
    const { id } = result.employee_id;
    const user = sandbox.state.user('ann');
    expect(result).toMatchObject({
      employee_id: { domain_id: 'd', code: 'acme' },
      name: 'Ann Lee',
      pinyin: 'annlee',
      initial: 'al',
      sort_order: 4,
      senior: true,
      rank: 7,
      tags: [11, 12],
      properties: FULL.properties,
      disabled: false,
      deleted: false,
      user: {
        id: user?.id,
        username: 'Ann',
        name: 'Ann Lee',
        id_card: 'ID1',
        gender: 'FEMALE',
        status: 'confirmed',
      },
    });
    expect(result.positions[0]).toMatchObject({
      position_id: { domain_id: 'd', code: 'acme' },
      employee_id: id,
      org_id: `${dept}n`,
      path: `/${sandbox.rootId}/${dept}/`,
      type: 'DEPT',
      job_title: 'Boss',
      primary: true,
      chief: true,
    });
    expect((await get(`${org}/employees/${id}`)).result).toEqual(result);
  });

  test('a username that exists, in any case, is refused', async () => {
    const { post, org, sandbox } = await open();
    await post(`${org}/employees`, person('Ann', sandbox.rootId));
    expect((await post(`${org}/employees`, person('aNN', sandbox.rootId))).status).not.toBe(0);
    expect(sandbox.state.employees().map(({ username }) => username)).toEqual(['Ann']);
  });

  test.each([
    [{ name: undefined }, 'name'],
    [{ username: '' }, 'username'],
    [{ positions: undefined }, 'positions'],
    [{ positions: [] }, 'positions'],
    [{ positions: [{ job_title: 'x' }] }, 'one of org_id, org_path'],
    [{ positions: [{ org_id: 99 }] }, '99'],
    [{ positions: [{ org_path: '/Root/Nowhere' }] }, '/Root/Nowhere'],
    [{ mobile: 123 }, 'mobile'],
    [{ birthday: '' }, 'birthday'],
    [{ senior: 'true' }, 'senior'],
    [{ tags: ['a'] }, 'tags'],
    [{ tag_names: [{ tag: 'x' }] }, 'tag_names'],
    [{ properties: [{ values: [] }] }, 'properties'],
    [{ user_id: '77' }, '77'],
  ])('refuses %j', async (change, words) => {
    const { post, org, sandbox } = await open();
    const reply = await post(`${org}/employees`, person('ann', sandbox.rootId, change));
    expect(reply.status).not.toBe(0);
    expect(reply.message).toContain(words);
    expect([sandbox.state.employees(), sandbox.state.users()]).toEqual([[], []]);
  });

  test('an unknown id is refused with a code of its own', async () => {
    const { get, post, del, org } = await open();
    const replies = [
      await get(`${org}/employees/1`),
      await post(`${org}/employees/1`, { name: 'x', positions: [] }),
      await post(`${org}/employees/1/disable`),
      await post(`${org}/employees/1/unlock`),
      await del(`${org}/employees/1`),
    ];
    expect(replies.map(({ status }) => status)).toEqual([990404, 990404, 990404, 990404, 990404]);
  });

  test('positions take org_id as a long number, as a string, and org_path of either spelling', async () => {
    const { post, org, node, sandbox } = await open({ lenient: true });
    const [a, b, c, d] = [await node('A'), await node('B'), await node('C'), await node('D')];
    const text = `{"name":"n","username":"u","positions":[{"org_id":${a}},{"org_id":"${b}"},
      {"org_path":"/Root/C"},{"org_path":"/${sandbox.rootId}/${d}/"}]}`;
    const { result } = await post(`${org}/employees`, text);
    expect(result.positions.map((position: Json) => position.org_id)).toEqual(
      [a, b, c, d].map((id) => `${id}n`),
    );
  });
});

describe('List employees', () => {
  test('shows the list record, its positions with names and levels', async () => {
    const { get, post, org, node, sandbox } = await open();
    const dept = await node('D', await node('A'));
    const positions = [{ org_id: dept, job_title: 'Boss', primary: true }];
    await post(`${org}/employees`, person('ann', dept, { ...FULL, positions }));
    const { result } = await get(`${org}/employees`);
    expect(result).toHaveLength(1);
    expect(Object.keys(result[0]).toSorted()).toEqual(LIST_FIELDS);
    expect(Object.keys(result[0].positions[0]).toSorted()).toEqual(LIST_POSITION_FIELDS);
    expect(result[0]).toMatchObject({
      type: 'EMPLOYEE',
      status: 'ACTIVATED',
      display_name: 'Ann Lee',
      user_id: sandbox.state.user('ann')?.id,
      mobile: '+1 2',
      employee_rank: 7,
      locked: false,
      root_org_info: {
        id: sandbox.rootId,
        name: 'Root',
        type: 'CORP',
        path: `/${sandbox.rootId}/`,
        display: true,
      },
    });
    expect(result[0].positions[0]).toMatchObject({
      org_id: `${dept}n`,
      level: 2,
      full_name_path: '/Root/A/D',
      org_name: 'D',
    });
    expect(result[0].positions[0].display_nodes.map((shown: Json) => shown.name)).toEqual(['Root', 'A', 'D']);
  });

  test('matching by username or id takes a comma list, in any case, each once', async () => {
    const { get, org, people, sandbox } = await open();
    const ids = await people(sandbox.rootId, 'Ann', 'Anna', 'bob');
    const found = async (query: Record<string, string>): Promise<string[]> =>
      (await get(`${org}/employees`, { matching: 'true', ...query })).result.map(
        ({ username }: Json) => username,
      );
    expect(await found({ type: 'username', query: 'ann, BOB,ann,nobody' })).toEqual(['Ann', 'bob']);
    expect(await found({ query: `${ids['Anna']},${ids['bob']},1` })).toEqual(['Anna', 'bob']);
    expect(await found({ type: 'id', query: 'Ann' })).toEqual([]);
    expect(await found({ type: 'username', query: '' })).toEqual([]);
  });

  test('without matching it searches name, username and pinyin for a part', async () => {
    const { get, org, post, sandbox } = await open();
    await post(`${org}/employees`, person('u1', sandbox.rootId, { name: 'Ann Lee' }));
    await post(`${org}/employees`, person('annika', sandbox.rootId, { name: 'X' }));
    await post(`${org}/employees`, person('u3', sandbox.rootId, { name: 'Bob' }));
    const found = async (query: string): Promise<string[]> =>
      (await get(`${org}/employees`, { type: 'username', matching: 'false', query })).result.map(
        ({ username }: Json) => username,
      );
    expect(await found('ANN')).toEqual(['u1', 'annika']);
    expect(await found('nnle')).toEqual(['u1']);
    expect(await found('')).toHaveLength(3);
    expect((await get(`${org}/employees`, { type: 'mail' })).status).not.toBe(0);
    expect((await get(`${org}/employees`, { matching: 'yes' })).status).not.toBe(0);
  });

  test('path takes the node with all below, org_id only itself unless recursion', async () => {
    const { get, org, node, people, sandbox } = await open();
    const a = await node('A');
    const b = await node('B', a);
    await people(sandbox.rootId, 'root');
    await people(a, 'ann');
    await people(b, 'bob');
    const found = async (query: Record<string, string>): Promise<string[]> =>
      (await get(`${org}/employees`, query)).result.map(({ username }: Json) => username);
    expect(await found({ path: `/${sandbox.rootId}/${a}/` })).toEqual(['ann', 'bob']);
    expect(await found({ path: `/${sandbox.rootId}/${a}/`, query: 'bo' })).toEqual(['bob']);
    expect(await found({ path: '/1/2/' })).toEqual([]);
    expect(await found({ org_id: a })).toEqual(['ann']);
    expect(await found({ org_id: a, recursion: 'true' })).toEqual(['ann', 'bob']);
    const both = { org_id: a, matching: 'true', type: 'username', query: 'ann,bob,root' };
    expect(await found(both)).toEqual(['ann']);
    expect((await get(`${org}/employees`, { org_id: '1' })).status).toBe(990404);
  });

  test('locked employees are listed and say so', async () => {
    const { get, post, org, people, sandbox } = await open();
    const { ann } = await people(sandbox.rootId, 'ann', 'bob');
    await post(`${org}/employees/${ann}/lock`);
    const { result } = await get(`${org}/employees`);
    const locked = result.map(({ username, locked: flag }: Json) => [username, flag]);
    expect(Object.fromEntries(locked)).toEqual({ ann: true, bob: false });
  });
});

describe('Modify', () => {
  test('changes what is given, leaves the rest, clears what is empty, replaces positions', async () => {
    const { get, post, org, node } = await open({ lenient: true });
    const [a, b] = [await node('A'), await node('B')];
    const created = (await post(`${org}/employees`, person('ann', a, FULL))).result;
    const path = `${org}/employees/${created.employee_id.id}`;
    const positions = [{ org_id: b }, { org_id: a, job_title: 'x' }, { org_id: b, job_title: 'y' }];
    const body = { name: 'New', email: '', tags: [], rank: null, positions, username: 'other', sn: 'E2' };
    const { result } = await post(path, body);
    expect(result).toMatchObject({
      name: 'New',
      sn: 'E2',
      sort_order: 4,
      tags: [],
      user: { username: 'ann' },
    });
    expect(result).not.toHaveProperty('email');
    expect(result).not.toHaveProperty('rank');
    const places = result.positions.map((position: Json) => [position.org_id, position.job_title]);
    expect(Object.fromEntries(places)).toEqual({ [`${a}n`]: 'x', [`${b}n`]: 'y' });
    const kept = result.positions.find((position: Json) => position.org_id === `${a}n`);
    expect(kept.position_id).toEqual(created.positions[0].position_id);
    expect(kept.primary).toBe(false);
    expect((await get(`${org}/employees`)).result[0]).toMatchObject({ mobile: '+1 2', name: 'New' });
  });

  test.each([{ name: '' }, { positions: undefined }, { positions: [{ org_id: 1 }] }, { mobile: 5 }])(
    'refuses %j and changes nothing',
    async (change) => {
      const { post, org, people, sandbox } = await open();
      const { ann } = await people(sandbox.rootId, 'ann');
      const before = sandbox.state.employee('ann');
      const body = { ...person('ann', sandbox.rootId), ...change };
      expect((await post(`${org}/employees/${ann}`, body)).status).not.toBe(0);
      expect(sandbox.state.employee('ann')).toEqual(before);
    },
  );
});

describe('Tags and ranks', () => {
  test('ids are read first, names make the same id each time', async () => {
    const { get, post, org, sandbox } = await open();
    const tag_names = [{ group: 'g', tag: 'blue' }];
    const shown = async (username: string, more: object): Promise<Json> => {
      await post(`${org}/import-employees`, [person(username, sandbox.rootId, more)]);
      const query = { type: 'username', matching: 'true', query: username };
      return (await get(`${org}/employees`, query)).result[0];
    };
    const ann = await shown('ann', { tag_names, employee_rank_name: 'Chief' });
    const bob = await shown('bob', { tag_names, employee_rank_name: 'Chief' });
    const cleo = await shown('cleo', { tag_names, tags: [5], employee_rank_name: 'Chief', rank: 2 });
    expect([ann.tag_names, ann.tags]).toEqual([['blue'], bob.tags]);
    expect(ann.employee_rank).toBe(bob.employee_rank);
    expect([cleo.tags, cleo.tag_names, cleo.employee_rank]).toEqual([[5], [], 2]);
    const later = await shown('cleo', { tag_names });
    expect([later.tags, later.tag_names]).toEqual([ann.tags, ['blue']]);
  });
});

describe('Leave, Reinstate, Delete', () => {
  test.each([
    ['disable', 'enable'],
    ['lock', 'unlock'],
    ['disable', 'unlock'],
  ])('%s and %s turn employee and user off and on, twice does no harm', async (off, on) => {
    const { get, post, org, people, sandbox } = await open();
    const { ann } = await people(sandbox.rootId, 'ann');
    const flags = async (): Promise<boolean[]> => [
      (await get(`${org}/employees/${ann}`)).result.disabled,
      (await get('/v1/users/ann', { type: 'username' })).result.disabled,
    ];
    for (const verb of [off, off]) {
      const reply = await post(`${org}/employees/${ann}/${verb}`);
      expect([reply.status, reply.result]).toEqual([0, null]);
    }
    expect(await flags()).toEqual([true, true]);
    await post(`${org}/employees/${ann}/${on}`);
    expect(await flags()).toEqual([false, false]);
  });

  test('a deleted employee is gone, the user stays as it was, a new one has a new id', async () => {
    const { get, post, del, org, people, sandbox } = await open();
    const { ann } = await people(sandbox.rootId, 'ann');
    await post(`${org}/employees/${ann}/disable`);
    const user = (await get('/v1/users/ann', { type: 'username' })).result;
    expect((await del(`${org}/employees/${ann}`)).status).toBe(0);
    expect((await get(`${org}/employees`)).result).toEqual([]);
    expect((await get('/v1/users/ann', { type: 'username' })).result).toEqual(user);
    expect((await get(org)).result.employee_count).toBe(0);
    const again = await people(sandbox.rootId, 'ann');
    expect(again['ann']).not.toBe(ann);
    expect(sandbox.state.employee('ann')).toMatchObject({ userId: user.user_id, locked: false });
    expect([user.disabled, sandbox.state.user('ann')?.disabled]).toEqual([true, false]);
  });
});

test('counts follow people through every change, and count nobody twice', async () => {
  const { get, post, org, node, people, sandbox } = await open();
  const a = await node('A');
  const b = await node('B', a);
  const { ann } = await people(a, 'ann', 'bob');
  const counts = async (): Promise<Json> =>
    (await get(`${org}/list-all`)).result.map((shown: Json) => [
      shown.employee_count,
      shown.all_employee_count,
    ]);
  expect(await counts()).toEqual([[0, 2], [2, 2], [0, 0]]); // prettier-ignore
  const positions = [{ org_id: a }, { org_id: b }, { org_id: sandbox.rootId }];
  await post(`${org}/employees/${ann}`, { name: 'x', positions });
  expect(await counts()).toEqual([[1, 2], [2, 2], [1, 1]]); // prettier-ignore
  await post(`${org}/import-employees`, [person('ann', a, { ops: 'REMOVE' })]);
  expect(await counts()).toEqual([[0, 1], [1, 1], [0, 0]]); // prettier-ignore
});
