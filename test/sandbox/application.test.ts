import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/interface/operations/operations.ts';
import { checkValue } from '../../src/interface/requests/check-fields.ts';
import { TEMPLATE_PUSH_PLAN } from '../../src/interface/operations/templates.ts';
import type { Field } from '../../src/interface/field.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { jsonBody, open, read, type Json, type Reply, type Wire } from './wire-client.ts';

const APP = '/v1/templates?app_id=a';
const PUSH = '/v1/apps/mbox';
const SCHEDULES = '/v1/apps/schedules';

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

const wrong = (result: unknown, field: Field): readonly string[] =>
  checkValue(result, field, 'result').map(({ place, text }) => `${place} ${text}`);

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
    expect(wrong(shown.result, OPERATIONS.templateDetail.answer.of)).toEqual([]);
    expect((await get('/v1/templates/1', { appId: 'a' })).message).toBe('record not found');
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
    expect(wrong(result, OPERATIONS.pushMessage.answer.of)).toEqual([]);
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

  test('of a template fills only what the template has', async () => {
    const { post } = await company();
    const { result: made } = await post(APP, { contents: [[{ content: 'Hi {{who.DATA}}', align: 'left' }]] });
    const filled = (key: string): Promise<Reply> =>
      post(PUSH, text({ type: 'template', body: { template_id: made.id, data: [{ key, value: 'x' }] } }));
    expect((await filled('who')).status).toBe(0);
    expect((await filled('whom')).message).toContain('has no {{whom.DATA}}');
  });

  test('of a template alone answers a plan', async () => {
    const { post, sandbox } = await company();
    const { result: template } = await post(APP, { title: 't' });
    const message = {
      type: 'TEMPLATE',
      body: { template_id: template.id },
      client_ids: [sandbox.state.user('bob')?.id],
    };
    const { result: plan } = await post(PUSH, message);
    expect(plan).toMatchObject({ expects: 1, oks: 1, fails: 0 });
    expect(wrong(plan, TEMPLATE_PUSH_PLAN)).toEqual([]);
    expect(Object.keys(TEMPLATE_PUSH_PLAN.fields).filter((name) => !(name in plan))).toEqual([]);
    expect((await post(PUSH, { ...message, usernames: ['ann'] })).result).toHaveProperty('plan_time');
    sandbox.setReadings(['pushTypes=lower']);
    expect((await post(PUSH, message)).message).toContain('type TEMPLATE is none');
  });

  const names = Array.from({ length: 401 }, (_, index) => `p${index}`);
  test.each([
    ['', { usernames: ['nobody'] }, 202_012, 'no matching employee'],
    ['', { usernames: [] }, 990_400, 'no recipients'],
    ['?direct=true', { scopes: ['/Root'] }, 990_400, 'direct does not support scopes'],
    ['?direct=true', { usernames: names }, 990_400, 'at most 400'],
    ['', { type: 'template', body: { template_id: '1' } }, 990_404, 'no matching template'],
    ['', { type: 'fax' }, 990_400, 'type'],
    ['', { actions: [[1, 2, 3, 4, 5, 6]] }, 990_400, 'actions[0] has 6 elements'],
    ['', { actions: [[], [], [], [], [], []] }, 990_400, 'actions has 6 elements'],
    [
      '',
      { type: 'video', body: { media_id: 'm', size: 0, duration: 0, content: 'A'.repeat(30_000) } },
      990_400,
      'cover',
    ],
  ])('%s with %o is refused', async (query, more, status, words) => {
    const { post, sandbox } = await company({ lenient: true });
    const reply = await post(`${PUSH}${query}`, text(more));
    expect([reply.status, reply.message]).toEqual([status, expect.stringContaining(words)]);
    expect(sandbox.state.pushes()).toEqual([]);
  });
});

const DAY = 86_400_000;
const MONDAY = Date.UTC(2026, 10, 23, 9, 30);

function schedule(more: object = {}): object {
  return {
    summary: 'Stand-up',
    repeat_type: 'daily',
    full_time: false,
    begin_time: MONDAY,
    end_time: MONDAY + 3_600_000,
    reminder: { remind: true, remind_before_seconds: 300 },
    owner: 'ann',
    source: 'hr',
    source_id: '1',
    source_uid: 'u1',
    ...more,
  };
}

/** Posts with the token of an application. */
function asApplication({ sandbox }: Wire): (path: string, body: object) => Promise<Reply> {
  return async (path, body) => {
    const url = `${sandbox.baseUrl}${path}?access_token=${sandbox.appToken}`;
    return read(await fetch(url, { method: 'POST', ...jsonBody(body) }));
  };
}

describe('a schedule', () => {
  test('belongs to an application: another token is refused, an unknown one unknown', async () => {
    const wire = await company();
    const refused = await wire.post(SCHEDULES, schedule());
    expect([refused.status, refused.message]).toEqual([990_400, 'the token is none of an application']);
    expect((await asApplication(wire)(SCHEDULES, schedule())).status).toBe(0);
    const other = await fetch(`${wire.sandbox.baseUrl}/v1/users?access_token=${wire.sandbox.appToken}`);
    expect(await other.json()).toMatchObject({ status: 0 });
  });

  test('is made, changed for one day, and deleted', async () => {
    const wire = await company();
    const post = asApplication(wire);
    const { result: made } = await post(SCHEDULES, schedule({ attendees: ['bob'] }));
    expect(made).toMatchObject({
      begin_date: 20_261_123,
      begin_time: 930,
      attendees: ['bob'],
      status: 'all_accepted',
    });
    expect(wrong(made, OPERATIONS.createSchedule.answer.of)).toEqual([]);
    const { owner: _owner, source: _s, source_id: _i, source_uid: _u, ...base } = schedule() as Json;
    const change = {
      ...base,
      ops: 'update',
      summary: 'Late',
      schedule_date: MONDAY + DAY,
      update_today_only: true,
    };
    const { result: both } = await post(`${SCHEDULES}/${made.schedule_id}`, change);
    expect(both).toMatchObject([
      { id: made.id, summary: 'Stand-up', excludes: [{ begin_date: 20_261_124, end_date: 20_261_124 }] },
      { summary: 'Late', repeat_type: 'none' },
    ]);
    expect(wrong(both, OPERATIONS.modifySchedule.answer.of)).toEqual([]);
    expect((await post(`${SCHEDULES}/${made.id}`, { ops: 'delete' })).status).toBe(0);
    expect(wire.sandbox.state.schedules()).toHaveLength(1);
  });

  test.each([
    [{ owner: 'nobody' }, 'record not found'],
    [{ attendees: ['nobody'] }, 'record not found'],
    [{ end_time: MONDAY - 1 }, 'end_time is before begin_time'],
    [{ attendees: ['ann'], attendees_with_status: [{ username: 'bob', status: 'init' }] }, 'both given'],
  ])('with %j is refused', async (more, words) => {
    const wire = await company();
    const reply = await asApplication(wire)(SCHEDULES, schedule(more));
    expect(reply.status).not.toBe(0);
    expect(reply.message).toContain(words);
    expect(wire.sandbox.state.schedules()).toEqual([]);
  });
});
