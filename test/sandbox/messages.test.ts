import { describe, expect, test } from 'vitest';
import type { PushRecord } from '../../src/sandbox/world/records.ts';
import { open, type Wire } from './wire-client.ts';

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
