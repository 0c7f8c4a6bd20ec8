import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openCallback } from '../../src/callback/open-callback.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { developer } from './developer.ts';
import { open } from './wire-client.ts';

const KEY = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ';

test.each(['plain', 'safe', 'compatible'] as const)(
  'a callback in %s mode is opened by its reader',
  async (mode) => {
    const { came, url } = await developer();
    const callback = { url, mode, token: 'tok', key: KEY, applicationId: 'app' };
    const { sandbox } = await open({ callback, now: () => 1_795_000_000_123 });
    const sent = await sandbox.callback({ msg_type: 'text', from_user_name: 'ann', content: 'approve ÄÖ' });
    expect(sent).toMatchObject({ http: 200, reply: '{"status":0,"message":"ok"}' });
    const [request] = came;
    expect(request?.query.get('keep')).toBe('1');
    const settings = { token: 'tok', mode, key: KEY, applicationId: 'app' };
    const opened = openCallback(settings, {
      query: request?.query ?? new URLSearchParams(),
      body: request?.body ?? '',
      now: 1_795_000_000_999,
    });
    expect(opened).toMatchObject({ mode });
    expect(opened.fields).toMatchObject({ fromUserName: 'ann', msgType: 'text', content: 'approve ÄÖ' });
    expect(request?.body.includes('approve')).toBe(mode !== 'safe');
  },
);

test('a push sends an event; an address that answers nothing stops nothing', async () => {
  const { came, url } = await developer(500);
  const { sandbox, post, people } = await open({ callback: { url, mode: 'plain' } });
  await people(sandbox.rootId, 'ann');
  const told = new Promise((resolve) => (sandbox.onCallback = resolve));
  const push = await post('/v1/apps/mbox', { type: 'text', body: { content: 'hi' }, usernames: ['ann'] });
  expect(push.status).toBe(0);
  expect(await told).toMatchObject({ http: 500, message: { event: 'CLICK', from_user_name: 'ann' } });
  expect(came[0]?.body).toContain(push.result.id.replace('n', ''));
  const lost = await startSandbox({ callback: { url: 'http://127.0.0.1:9/x' } });
  onTestFinished(() => lost.close());
  expect(await lost.callback({ msg_type: 'text', from_user_name: 'a' })).toHaveProperty('problem');
  expect(lost.callbacks).toHaveLength(1);
});

test('a message is formatted as section Events says, in its signed text and beside it', async () => {
  const { came, url } = await developer();
  const { sandbox, people } = await open({
    domainId: 'd',
    callback: { url, mode: 'plain', applicationId: 'app' },
    now: () => 1_795_000_000_123,
  });
  await people(sandbox.rootId, 'ann');
  const msg_body = { duration: 3 };
  await sandbox.callback({ msg_type: 'voice', from_user_name: 'ann', media_id: 'm1', msg_body });
  const { message, ...beside } = JSON.parse(came[0]?.body ?? '') as { message: string };
  expect(JSON.parse(message)).toEqual({
    msg_time: 1_795_000_000_123,
    create_time: 1_795_000_000_123,
    from_domain: 'd',
    from_user: sandbox.state.user('ann')?.id,
    to_domain: 'd',
    to_user: 'app',
    from_user_name: 'ann',
    to_user_name: 'app',
    msg_type: 'voice',
    media_id: 'm1',
    msg_body: { media_id: 'm1', media_domain: 'd', duration: 3 },
  });
  expect(beside).toEqual({
    to_user_name: 'app',
    from_user_name: 'ann',
    create_time: '1795000000123',
    msg_type: 'voice',
    media_id: 'm1',
  });
});

test('a sandbox that is closed breaks off callbacks that nobody answers', async () => {
  const silent = createServer(() => undefined);
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const { sandbox } = await open({
    callback: { url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/` },
  });
  const sending = sandbox.callback({ msg_type: 'text', from_user_name: 'ann', content: 'a' });
  const start = performance.now();
  await sandbox.close();
  expect(await sending).toMatchObject({ problem: 'the sandbox was closed' });
  expect(performance.now() - start).toBeLessThan(3000);
});
