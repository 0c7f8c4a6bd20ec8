import { describe, expect, test } from 'vitest';
import { open } from './wire-client.ts';

const FULL = { logo: 'm1', tel: '1', contact: 'c', sn: 'n1', serial_no: 's1', sort_order: 3 };

describe('Organization info and Get node', () => {
  test('the root is CORP and has no parent', async () => {
    const { get, org, sandbox } = await open({ rootName: 'Acme Ltd', orgCode: 'acme', domainId: 'd' });
    const { result, message } = await get(org);
    expect(message).toBe('Everything is ok.');
    expect(result).toMatchObject({
      id: sandbox.rootId,
      type: 'CORP',
      name: 'Acme Ltd',
      path: `/${sandbox.rootId}/`,
      org_code: 'acme',
      domain_id: 'd',
      disabled: false,
      level: 0,
    });
    expect(result).not.toHaveProperty('parent_org_id');
  });
});

describe('Paged list', () => {
  test('refresh_time lets through what was refreshed after it', async () => {
    let time = 1000;
    const { get, post, del, org, node } = await open({ now: () => time });
    const first = await node('A');
    time = 2000;
    const second = await node('B');
    const since = async (refreshTime: number): Promise<string[]> =>
      (await get(`${org}/page-orgs`, { refresh_time: `${refreshTime}` })).result.records.map(
        ({ id }: { id: string }) => id,
      );
    expect(await since(1000)).toEqual([second]);
    expect(await since(1999)).toEqual([second]);
    expect(await since(2000)).toEqual([]);
    expect(await since(-1)).toHaveLength(3);
    time = 3000;
    await post(`${org}/${first}`, { name: 'A2' });
    expect(await since(1999)).toEqual([second, first]);
    expect((await get(`${org}/page-orgs`, { refresh_time: '2000' })).result.total_count).toBe(1);
    await del(`${org}/${second}`);
    expect(await since(1999)).toEqual([first]);
  });
});

describe('View, Tree, List all', () => {
  test('view shows employees, children, names above and the nearest CORP', async () => {
    const { get, org, node, people, sandbox } = await open();
    const corp = await node('C', sandbox.rootId, { type: 'CORP' });
    const dept = await node('D', corp);
    const below = await node('E', dept);
    await people(dept, 'ann', 'bob');
    await people(below, 'cleo');
    const { result } = await get(`${org}/view`, { org_id: dept });
    expect(result).toHaveLength(1);
    expect(result[0]).toMatchObject({
      id: dept,
      parent_org_name: 'C',
      full_name_path: '/Root/C/D',
      employee_count: 2,
      all_employee_count: 3,
      directly_corp: {
        id: corp,
        name: 'C',
        type: 'CORP',
        path: `/${sandbox.rootId}/${corp}/`,
        display: true,
      },
    });
    expect(result[0].employees.map(({ username }: { username: string }) => username)).toEqual(['ann', 'bob']);
    expect(result[0].children.map(({ id }: { id: string }) => id)).toEqual([below]);
  });

  test('tree nests, list-all is flat, both from org_id and in sort order', async () => {
    const { get, org, node, sandbox } = await open();
    const late = await node('L', sandbox.rootId, { sort_order: 9 });
    const early = await node('E', sandbox.rootId, { sort_order: 1 });
    const leaf = await node('X', late);
    const tree = (await get(`${org}/tree`)).result;
    expect(tree.children.map(({ id }: { id: string }) => id)).toEqual([early, late]);
    expect(tree.children[1].children[0]).toMatchObject({ id: leaf, children: [] });
    const all = (await get(`${org}/list-all`)).result;
    expect(all.map(({ id }: { id: string }) => id)).toEqual([sandbox.rootId, early, late, leaf]);
    const part = (await get(`${org}/list-all`, { org_id: late })).result;
    expect(part.map(({ id }: { id: string }) => id)).toEqual([late, leaf]);
    expect((await get(`${org}/tree`, { org_id: late })).result.id).toBe(late);
    expect((await get(`${org}/tree`, { org_id: '5' })).status).toBe(990404);
  });
});

describe('Create node', () => {
  test('below a parent named by id, by path of ids or by path of names', async () => {
    const { post, org, sandbox } = await open();
    const body = { type: 'DEPT', serial_no: 'x' };
    expect((await post(org, { ...body, name: 'A', parent_id: sandbox.rootId })).result).toBeNull();
    const a = sandbox.state.organizationByPath('/Root/A');
    await post(org, { type: 'CORP', name: 'B', parent_path: `/${sandbox.rootId}/${a?.id}/` });
    await post(org, { type: 'DEPT', name: 'C', parent_path: '/Root/A/B' });
    const c = sandbox.state.organizationByPath('/Root/A/B/C');
    expect(sandbox.state.namePath(c?.id ?? '')).toBe('/Root/A/B/C');
    expect(a?.serialNo).toBe('x');
  });

  test.each([
    [{ parent_id: '77' }, 'record not found'],
    [{ serial_no: 'taken' }, 'serial_no'],
    [{ name: 'Taken' }, 'name'],
  ])('refuses %j', async (change, words) => {
    const { post, org, sandbox, node } = await open();
    await node('Taken', sandbox.rootId, { serial_no: 'taken' });
    const reply = await post(org, { type: 'DEPT', name: 'New', parent_id: sandbox.rootId, ...change });
    expect(reply.status).not.toBe(0);
    expect(reply.message).toContain(words);
    expect(sandbox.state.organizations()).toHaveLength(2);
  });
});

describe('Modify node', () => {
  test('changes what is given, leaves the rest, and clears what is empty', async () => {
    const { get, post, org, sandbox, node } = await open({ lenient: true });
    const id = await node('A', sandbox.rootId, FULL);
    const reply = await post(`${org}/${id}`, {
      name: 'A2',
      sn: '',
      sort_order: '7',
      parent_id: '1',
      type: 'CORP',
    });
    expect([reply.status, reply.result]).toEqual([0, null]);
    const { result } = await get(`${org}/${id}`);
    expect(result).toMatchObject({ name: 'A2', serial_no: 's1', sort_order: 7, type: 'CORP', logo: 'm1' });
    expect(result).not.toHaveProperty('sn');
    expect(result.parent_org_id).toBe(sandbox.rootId);
  });

  test('a renamed node is found under its new names alone', async () => {
    const { get, post, org, sandbox, node } = await open();
    const id = await node('A', sandbox.rootId, { serial_no: 's1' });
    await post(`${org}/${id}`, { name: 'B', serial_no: 's2' });
    expect((await get(`${org}/serial/s2`)).result.id).toBe(id);
    expect((await get(`${org}/serial/s1`)).status).toBe(990404);
    expect(sandbox.state.organizationByPath('/Root/A')).toBeUndefined();
    expect(await node('A')).not.toBe(id);
  });

  test.each([{ serial_no: 'taken' }, { name: 'Taken' }, { name: '' }, { sort_order: 'x' }])(
    'refuses %j',
    async (change) => {
      const { post, org, sandbox, node } = await open();
      await node('Taken', sandbox.rootId, { serial_no: 'taken' });
      const id = await node('A', sandbox.rootId, { serial_no: 's1' });
      const before = sandbox.state.organization(id);
      expect((await post(`${org}/${id}`, change)).status).not.toBe(0);
      expect(sandbox.state.organization(id)).toEqual(before);
    },
  );
});

describe('Delete node', () => {
  test('a node with children and the root stay', async () => {
    const { del, org, node, sandbox } = await open();
    const id = await node('A');
    await node('B', id);
    expect((await del(`${org}/${id}`)).status).not.toBe(0);
    expect((await del(`${org}/${sandbox.rootId}`)).status).not.toBe(0);
    expect(sandbox.state.organizations()).toHaveLength(3);
  });
});

describe('Import nodes', () => {
  test('a child before its parent fails alone, with its path and a text', async () => {
    const { post, org } = await open();
    const { status, result } = await post(`${org}/import-orgs`, [
      { name: 'B', type: 'DEPT', parent_path: '/Root/A' },
      { name: 'A', type: 'DEPT', parent_path: '/Root' },
      { name: 'C', parent_path: '/Root' },
      'nonsense',
    ]);
    expect(status).toBe(0);
    expect(Object.keys(result.successes)).toEqual(['/Root/A']);
    expect(result.failures).toEqual({
      '/Root/A/B': 'no matching organization',
      '/Root/C': 'type is required',
      '[3]': 'body is no JSON object',
    });
  });

  test('a namesake or a serial number of another fails and changes nothing', async () => {
    const { post, org, node, sandbox } = await open();
    const id = await node('A', sandbox.rootId, { serial_no: 's1' });
    const { result } = await post(`${org}/import-orgs`, [
      { name: 'A', type: 'DEPT', parent_path: '/Root', serial_no: 's9' },
      { name: 'B', type: 'DEPT', parent_path: '/Root', serial_no: 's1' },
      { name: 'a', type: 'DEPT', parent_path: '/Root' },
    ]);
    expect(Object.keys(result.failures)).toEqual(['/Root/A', '/Root/B']);
    expect(Object.keys(result.successes)).toEqual(['/Root/a']);
    expect(sandbox.state.organization(id)?.serialNo).toBe('s1');
  });
});
