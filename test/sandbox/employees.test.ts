import { describe, expect, test } from 'vitest';
import { open, person, type Json } from './wire-client.ts';

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
  test.each([
    [{ positions: [] }, 'positions'],
    [{ positions: [{ org_id: 99 }] }, '99'],
    [{ positions: [{ org_path: '/Root/Nowhere' }] }, '/Root/Nowhere'],
    [{ user_id: '77' }, '77'],
  ])('refuses %j', async (change, words) => {
    const { post, org, sandbox } = await open();
    const reply = await post(`${org}/employees`, person('ann', sandbox.rootId, change));
    expect(reply.status).not.toBe(0);
    expect(reply.message).toContain(words);
    expect([sandbox.state.employees(), sandbox.state.users()]).toEqual([[], []]);
  });

  test('positions take org_id as a long number, and org_path of either spelling', async () => {
    const { post, org, node, sandbox } = await open();
    const [a, c, d] = [await node('A'), await node('C'), await node('D')];
    const text = `{"name":"n","username":"u","positions":[{"org_id":${a}},
      {"org_path":"/Root/C"},{"org_path":"/${sandbox.rootId}/${d}/"}]}`;
    const { result } = await post(`${org}/employees`, text);
    expect(result.positions.map((position: Json) => position.org_id)).toEqual(
      [a, c, d].map((id) => `${id}n`),
    );
  });
});

describe('List employees', () => {
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
