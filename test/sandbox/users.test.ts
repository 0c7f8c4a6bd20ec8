import { describe, expect, test } from 'vitest';
import { open, person, type Json } from './wire-client.ts';

const names = (reply: Json): string[] => reply.result.users.map(({ username }: Json) => username);

describe('Paged users', () => {
  test('pages by 10 from 0, counts all, and lists users who are no employees', async () => {
    const { get, people, sandbox } = await open();
    sandbox.edit.addUser('zoe', 'Zoe');
    await people(sandbox.rootId, ...Array.from({ length: 11 }, (_, index) => `u${index}`));
    const first = await get('/v1/users');
    const second = await get('/v1/users', { skip: '10', limit: '5' });
    expect([first.result.total_count, second.result.total_count]).toEqual([12, 12]);
    expect([names(first).length, names(second).length]).toEqual([10, 2]);
    expect(new Set([...names(first), ...names(second)]).size).toBe(12);
    expect(names(first)).toContain('zoe');
    expect(sandbox.state.employee('zoe')).toBeUndefined();
  });
});

describe('Search users', () => {
  test('matching true takes a comma list of names or ids', async () => {
    const { get, people, sandbox } = await open();
    await people(sandbox.rootId, 'Ann', 'Anna', 'bob');
    const byName = await get('/v1/users', { type: 'username', matching: 'true', query: 'ANN,bob,x' });
    expect([byName.result.total_count, names(byName)]).toEqual([2, ['Ann', 'bob']]);
    const id = sandbox.state.user('anna')?.id ?? '';
    expect(names(await get('/v1/users', { type: 'id', matching: 'true', query: id }))).toEqual(['Anna']);
    expect(names(await get('/v1/users', { type: 'id', matching: 'true', query: 'ann' }))).toEqual([]);
  });

  test('matching false is the exact username or a part of name, pinyin, initials', async () => {
    const { get, post, org, sandbox } = await open();
    await post(`${org}/import-employees`, [
      person('u1', sandbox.rootId, { name: 'Ann Lee' }),
      person('u12', sandbox.rootId, { name: 'Bob' }),
    ]);
    const found = async (query: string): Promise<string[]> =>
      names(await get('/v1/users', { type: 'username', matching: 'false', query }));
    expect(await found('u1')).toEqual(['u1']);
    expect(await found('n l')).toEqual(['u1']);
    expect(await found('annlee')).toEqual(['u1']);
    expect(await found('AL')).toEqual(['u1']);
    expect(await found('ob')).toEqual(['u12']);
  });
});

describe('Get user', () => {
  test('by id or username; type is required', async () => {
    const { get, people, sandbox } = await open();
    await people(sandbox.rootId, 'ann/b');
    const id = sandbox.state.user('ann/b')?.id;
    expect((await get(`/v1/users/${id}`, { type: 'id' })).result.username).toBe('ann/b');
    expect((await get('/v1/users/ANN%2Fb', { type: 'username' })).result.user_id).toBe(id);
    expect((await get(`/v1/users/${id}`)).status).not.toBe(0);
    expect((await get(`/v1/users/${id}`, { type: 'username' })).status).not.toBe(0);
  });
});
