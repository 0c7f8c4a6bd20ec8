import { describe, expect, test } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { open, type Json, type Reply, type Wire } from './wire-client.ts';

const APP = '/v1/templates?app_id=a';
const PUSH = '/v1/apps/mbox';

/** A company of two units with one person each, and one who has left. */
async function company(
  options: SandboxOptions = {},
): Promise<Wire & { readonly ids: Json; readonly a: string }> {
  const wire = await open(options);
  const [a, b] = [await wire.node('A'), await wire.node('B')];
  const ids = { ...(await wire.people(a, 'ann')), ...(await wire.people(b, 'bob', 'old')) };
  wire.sandbox.edit.lockEmployee('old');
  return { ...wire, ids, a };
}

describe('templates', () => {
  test('are made, found by title and tags, changed in part, and shown', async () => {
    const { post, get } = await open({ now: () => 77 });
    const body = { title: 'Weather', tags: 'daily', contents: [[{ content: '{{x.DATA}}', align: 'left' }]] };
    const { result: made } = await post(APP, body);
    await post(APP, { title: 'Other' });
    expect(made).toMatchObject({ ...body, app_id: 'a', type: 'DEFAULT', create_time: 77 });
    const found = await get('/v1/templates', { kw: 'DAIL' });
    expect(found.result).toMatchObject({ total_count: 1, records: [{ id: made.id, title: 'Weather' }] });
    const paged = await get('/v1/templates', { skip: '1', limit: '1' });
    expect(paged.result).toMatchObject({ total_count: 2, records: [{ title: 'Other' }] });
    const changed = await post(`/v1/templates/${made.id}?app_id=a`, { title: 'Storm' });
    expect(changed.result).toMatchObject({ title: 'Storm', tags: 'daily' });
    const shown = await get(`/v1/templates/${made.id}`, { appId: 'a' });
    expect(shown.result).toEqual(changed.result);
    expect((await get('/v1/templates/1', { appId: 'a' })).status).toBe(990_404);
    const both = await get(`/v1/templates/${made.id}`, { appId: 'a', app_id: 'a' });
    expect(both.status).toBe(0);
  });
});

const text = (more: object = {}): object => ({
  type: 'text',
  body: { content: 'hi' },
  usernames: ['ann'],
  ...more,
});

describe('a push', () => {
  test('tells who was there and who was not, and is kept', async () => {
    const { post, ids, sandbox } = await company();
    const user = sandbox.state.user('ann')?.id ?? '';
    const { result } = await post(PUSH, text({ usernames: ['ann', 'nobody'], client_ids: [user, '9'] }));
    expect(result).toMatchObject({
      recipients: [user],
      include_usernames: ['ann'],
      exclude_usernames: ['nobody'],
      include_client_ids: [user],
      exclude_client_ids: ['9'],
    });
    expect(sandbox.state.pushes()).toMatchObject([
      { type: 'text', recipients: [user], body: { content: 'hi' } },
    ]);
    expect(Object.keys(ids)).toContain('bob');
  });

  test('reaches a unit by its path, or everybody where that is said, but none who has left', async () => {
    const { post, a, sandbox } = await company();
    const names = (reply: Reply): string[] =>
      reply.result.recipients.map(
        (id: string) => sandbox.state.users().find((user) => user.id === id)?.username,
      );
    const scope = await post(PUSH, text({ usernames: [], scopes: [sandbox.state.idPath(a)] }));
    expect(names(scope)).toEqual(['ann']);
    expect(names(await post(`${PUSH}?for_all=true`, text({ usernames: [] })))).toEqual(['ann', 'bob']);
    expect(names(await post(`${PUSH}?for_all=true`, text()))).toEqual(['ann']);
  });

  test('of a template alone answers a plan, which counts those who are not there as failed', async () => {
    const { post, sandbox } = await company();
    const { result: template } = await post(APP, { title: 't' });
    const message = {
      type: 'TEMPLATE',
      body: { template_id: template.id },
      client_ids: [sandbox.state.user('bob')?.id, '404'],
    };
    const { result: plan } = await post(PUSH, message);
    expect(plan).toMatchObject({ expects: 2, oks: 1, fails: 1, material_id: template.id });
    expect((await post(PUSH, { ...message, usernames: ['ann'] })).result).toHaveProperty('plan_time');
    sandbox.setReadings(['pushTypes=lower']);
    expect((await post(PUSH, message)).message).toContain(' TEMPLATE ');
  });

  test.each([
    ['', { usernames: ['nobody'] }, 202_012, 'no matching employee'],
    ['', { usernames: [] }, 990_400, 'has no recipient'],
    ['', { type: 'template', body: { template_id: '1' } }, 990_404, 'no matching template'],
  ])('%s with %o is refused', async (query, more, status, words) => {
    const { post, sandbox } = await company({ lenient: true });
    const reply = await post(`${PUSH}${query}`, text(more));
    expect([reply.status, reply.message]).toEqual([status, expect.stringContaining(words)]);
    expect(sandbox.state.pushes()).toEqual([]);
  });
});
