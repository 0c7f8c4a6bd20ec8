import { describe, expect, test } from 'vitest';
import type { PushRecord } from '../../src/sandbox/world/records.ts';
import { open, type Reply, type Wire } from './wire-client.ts';

const PUSH = '/v1/apps/mbox';
const APP = '/v1/templates?app_id=a';

async function withAnn(): Promise<Wire> {
  const wire = await open();
  await wire.people(wire.sandbox.rootId, 'ann');
  return wire;
}

const toAnn = (type: string, body: object, more: object = {}): object => ({
  type,
  body,
  usernames: ['ann'],
  ...more,
});

const outcome = ({ status, message }: Reply): readonly unknown[] => [status, message];

describe('the body of a message', () => {
  test.each([
    ['text', {}, 'body.content is required'],
    ['text', { content: 'a', colour: 'red' }, 'body.colour is not in the interface'],
  ])('%s with %j is refused', async (type, body, words) => {
    const { post, sandbox } = await withAnn();
    const reply = await post(PUSH, toAnn(type, body));
    expect(outcome(reply)).toEqual([990_400, expect.stringContaining(words)]);
    expect(sandbox.state.pushes()).toEqual([]);
  });

  test('of rich_text, which is not shown, may be anything that is an object', async () => {
    const { post, sandbox } = await withAnn();
    expect((await post(PUSH, toAnn('RICH_TEXT', { any: [{ thing: 1 }] }))).status).toBe(0);
    expect((await post(PUSH, toAnn('rich_text', [] as object))).status).toBe(990_400);
    expect(sandbox.state.pushes()).toMatchObject([{ type: 'rich_text', body: { any: [{ thing: 1 }] } }]);
  });

  test('is ignored in part where the sandbox is lenient', async () => {
    const { post, people, sandbox } = await open({ lenient: true });
    await people(sandbox.rootId, 'ann');
    expect((await post(PUSH, toAnn('text', { content: 'a', colour: 'red' }))).status).toBe(0);
  });
});

describe('what is kept and told of a push', () => {
  test.each([
    ['text', { content: 'hi' }, 'hi'],
    ['article', { articles: ['One', 'Two'].map((title) => ({ title, url: '' })) }, 'One\nTwo'],
    ['file', { media_id: 'm', name: 'plan.pdf' }, 'plan.pdf'],
    ['image', { media_id: 'm' }, ''],
  ])('%s: what people read, on which platforms', async (type, body, shown) => {
    const { post, sandbox } = await withAnn();
    const told: PushRecord[] = [];
    sandbox.onPush = (push) => told.push(push);
    await post(PUSH, toAnn(type, body));
    await post(PUSH, toAnn(type, body, { platforms: ['PC'] }));
    expect(told).toMatchObject([
      { shown, platforms: ['IOS', 'ANDROID'], recipients: [sandbox.state.user('ann')?.id] },
      { shown, platforms: ['PC'] },
    ]);
    expect(sandbox.state.pushes()).toEqual(told);
  });

  test('variables of a template are filled in; those without a value are empty', async () => {
    const { post, sandbox } = await withAnn();
    const contents = [
      [{ content: 'Dear {{name.DATA}},' }, { content: '{{day.DATA}}', align: 'right' }],
      [{ content: '{{gone.DATA}}{{plain}} {{name.DATA}}' }],
    ];
    const { result: template } = await post(APP, { title: 'Leave', contents });
    const data = [
      { key: 'name', value: 'Ann $& {{day.DATA}}' },
      { key: 'day', value: 'Monday' },
    ];
    await post(PUSH, toAnn('template', { template_id: template.id, data, top_title: 'HR' }));
    expect(sandbox.state.pushes()[0]?.shown).toBe(
      'HR\nLeave\nDear Ann $& {{day.DATA}}, Monday\n{{plain}} Ann $& {{day.DATA}}',
    );
  });

  test('a plan counts those who are not there as failed', async () => {
    const { post, sandbox } = await withAnn();
    const { result: template } = await post(APP, {});
    const client_ids = [sandbox.state.user('ann')?.id, '404'];
    const { result } = await post(PUSH, {
      type: 'template',
      body: { template_id: template.id },
      client_ids,
    });
    expect(result).toMatchObject({ expects: 2, oks: 1, fails: 1, material_id: template.id });
  });

  test('a push that was not taken is not told of; one whose answer was lost is', async () => {
    const { post, sandbox } = await withAnn();
    const told: string[] = [];
    sandbox.onPush = ({ shown }) => told.push(shown);
    await post(PUSH, { type: 'text', body: { content: 'a' }, usernames: ['nobody'] });
    expect(told).toEqual([]);
    sandbox.setFaults('rate=1,kinds=dropAfter');
    await expect(post(PUSH, toAnn('text', { content: 'b' }))).rejects.toThrow('fetch failed');
    expect(told).toEqual(['b']);
  });
});
