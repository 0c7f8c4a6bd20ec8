import { describe, expect, test } from 'vitest';
import { open, person, read } from './wire-client.ts';

describe('the routes come from the rows', () => {
  test('calls that ops tells apart are counted by the names of their rows', async () => {
    const { post, sandbox } = await open({ token: 'same', appToken: 'same' });
    const path = '/v1/apps/schedules/1';
    const [gone, odd] = [await post(path, { ops: 'delete' }), await post(path, { ops: 'drop' })];
    expect([gone.message, odd.message]).toEqual(['record not found', 'ops is none of update']);
    expect(sandbox.callCounts).toEqual({ deleteSchedule: 1, modifySchedule: 1 });
  });
});

describe('what the interface does not have', () => {
  test('is refused, and named with its place', async () => {
    const { get, post, org, sandbox } = await open();
    const replies = [
      await get(`${org}/page-orgs`, { limt: '5' }),
      await get(`${org}/page-orgs`, { limit: 'five' }),
      await post(org, { type: 'DEPT', name: 'A', parent_id: sandbox.rootId, owner: 'x' }),
      await post(`${org}/1`, { sort_order: 1 }),
      await post(`${org}/employees/1/disable`, {}),
    ];
    expect(replies.map(({ status, message }) => [status, message])).toEqual([
      [990400, 'query limt is not in the interface'],
      [990400, 'query limit is not a whole number'],
      [990400, 'owner is not in the interface'],
      [990400, 'sort_order is not text'],
      [990400, 'body is not taken'],
    ]);
    expect(sandbox.state.organizations()).toHaveLength(1);
  });

  test('and what the client refuses too: one parameter twice, a name twice, another operation', async () => {
    const { post, del, org, sandbox } = await open();
    const ask = async (query: string): Promise<string> => {
      const url = `${sandbox.baseUrl}/v1/users?access_token=${sandbox.token}&${query}`;
      return (await read(await fetch(url))).message;
    };
    const messages = [
      await ask('skip=0&limit=1&limit=2'),
      await ask('skip=0&limit=1&access_token=x'),
      await ask('limit='),
      await ask('query=%D1%D0&type=id&matching=true'),
      (await post(`${org}/1`, '{"name":"A","sn":"1","name":"B"}')).message,
      (await post(org, `{"name":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)).message,
      (await del(`${org}/tree`)).message,
    ];
    expect(messages).toEqual([
      'query limit is given twice',
      'query access_token is given twice',
      'query limit is empty: leave it out',
      'the call is not UTF-8',
      'the body is no JSON: "name" is given twice in one object',
      'the body is no JSON: it is nested deeper than 1000 levels',
      'path org_code, id would ask another operation: /v1/admin/organizations/{code}/tree',
    ]);
  });

  test('keeps no other record of an import from being taken', async () => {
    const { post, org, sandbox } = await open();
    const people = [person('ann', sandbox.rootId, { nick: 'A' }), person('bob', sandbox.rootId)];
    const { result } = await post(`${org}/import-employees`, people);
    expect(result.failures).toEqual({ ann: 'nick is not in the interface' });
    expect(Object.keys(result.successes)).toEqual(['bob']);
    const nodes = ['A', 'B'].map((name) => ({ type: 'DEPT', name, parent_id: sandbox.rootId }));
    const second = await post(`${org}/import-orgs`, [{ ...nodes[0], sort_order: '1' }, nodes[1]]);
    expect([second.result.failures, Object.keys(second.result.successes)]).toEqual([
      { '/Root/A': 'sort_order is not a whole number' },
      ['/Root/B'],
    ]);
  });

  test('is ignored where the sandbox is lenient', async () => {
    const { get, post, org, sandbox } = await open({ lenient: true });
    expect((await get(`${org}/page-orgs`, { limt: '5' })).status).toBe(0);
    const body = { type: 'DEPT', name: 'A', parent_id: sandbox.rootId, owner: 'x' };
    expect((await post(org, body)).status).toBe(0);
  });
});
