import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { WebhookSettings } from '../../src/domain/settings.ts';
import { webhookChannel } from '../../src/notify/webhook-channel.ts';
import { authority } from '../servers/private-ca.ts';
import { scratchFolder } from '../servers/scratch.ts';
import { failureOf, OUTGOING } from './outgoing.ts';

const { cert, key } = authority(scratchFolder('hook')).issue('hook', 'DNS:localhost');

interface Got {
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const opened: (() => void)[] = [];
afterEach(() => opened.splice(0).forEach((close) => close()));

/** A receiver that gives one answer; `null`: none. */
async function receiver(
  answer: { readonly status?: number; readonly body?: string; readonly location?: string } | null = {},
  isSecure = false,
): Promise<{ readonly got: Got[]; readonly url: string; readonly connections: () => number }> {
  const got: Got[] = [];
  let connections = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks = await request.toArray();
    const url = new URL(request.url ?? '', 'http://localhost');
    got.push({ url, headers: request.headers, body: Buffer.concat(chunks as Buffer[]).toString() });
    if (answer === null) return;
    const { status = 200, body = '', location } = answer;
    response.writeHead(status, location === undefined ? {} : { location }).end(body);
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void =>
    void handle(request, response);
  const server = isSecure ? createTlsServer({ cert, key }, listener) : createServer(listener);
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `${isSecure ? 'https' : 'http'}://localhost:${port}/hook/T0PSECRET?access_token=T0KEN`;
  return { got, url, connections: () => connections };
}

const send = (settings: WebhookSettings, signal = AbortSignal.timeout(20_000)): Promise<void> =>
  webhookChannel(settings).send(OUTGOING, signal);

const hmac = (secret: string | Buffer, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64');

const OK = { feishu: '{"code":0,"data":{},"msg":"success"}', dingtalk: '{"errcode":0,"errmsg":"ok"}' };

/** What one POST brought. */
async function posted(as: WebhookSettings['as'], secret?: string): Promise<Got> {
  const { got, url } = await receiver({ body: OK[as as 'feishu'] ?? 'ok' });
  await send({ url, secret, as });
  expect(got).toHaveLength(1);
  return got[0] as Got;
}

describe('what is posted', () => {
  test.each([
    ['a text', 'a secret of words', 'a secret of words'],
    ['whsec_', `whsec_${Buffer.from('bytes').toString('base64')}`, Buffer.from('bytes')],
  ])('as json is signed as Standard Webhooks say, by a key that is %s', async (_, secret, bytes) => {
    const { headers, body, url } = await posted('json', secret);
    const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])];
    expect(headers['webhook-signature']).toBe(`v1,${hmac(bytes, `${id}.${timestamp}.${body}`)}`);
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(100);
    expect(headers['content-type']).toBe('application/json');
    expect(url.pathname + url.search).toBe('/hook/T0PSECRET?access_token=T0KEN');
  });

  test('as json has what needs no language, without mail addresses', async () => {
    const { headers, body } = await posted('json');
    expect(headers['webhook-signature']).toBeUndefined();
    expect(JSON.parse(body)).toEqual({
      event: 'held',
      run: '01R',
      time: '2026-11-30T02:33:00.000Z',
      data: {
        isReminder: false,
        held: [
          {
            guard: 'leavers',
            hash: '7bc54bcfcb86',
            count: 12,
            limit: 5,
            first: ['ann (Ann <ann@…>)'],
            about: '',
            cause: null,
          },
        ],
      },
      title: OUTGOING.title,
      text: OUTGOING.text,
    });
  });

  test('for Slack has no mention in it', async () => {
    const { body } = await posted('slack');
    expect(JSON.parse(body)).toEqual({
      mrkdwn: false,
      text: 'rollcall holds changes\nLeavers: 12, allowed without approval: 5\n- ann (&lt;!channel&gt; &amp; 李)',
    });
  });

  test('for Teams is an Adaptive Card, a block for each line', async () => {
    const { type, attachments } = JSON.parse((await posted('teams')).body) as {
      readonly type: string;
      readonly attachments: readonly {
        readonly contentType: string;
        readonly content: { readonly body: readonly unknown[] };
      }[];
    };
    const [{ contentType, content } = expect.fail('no card')] = attachments;
    expect([type, contentType]).toEqual(['message', 'application/vnd.microsoft.card.adaptive']);
    expect(content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' });
    expect(content.body).toHaveLength(3);
    expect(content.body[2]).toEqual({
      type: 'RichTextBlock',
      inlines: [{ type: 'TextRun', text: '- ann (<!channel> & 李)' }],
    });
  });

  test('for Feishu is signed in its body', async () => {
    const { timestamp, sign, ...message } = JSON.parse((await posted('feishu', 'S')).body) as Record<
      string,
      unknown
    >;
    expect(timestamp).toMatch(/^\d{10}$/u);
    expect(sign).toBe(hmac(`${String(timestamp)}\nS`, ''));
    expect(message).toEqual({
      msg_type: 'post',
      content: {
        post: {
          zh_cn: {
            title: 'rollcall holds changes',
            content: [
              [{ tag: 'text', text: 'Leavers: 12, allowed without approval: 5' }],
              [{ tag: 'text', text: '- ann (<!channel> & 李)' }],
            ],
          },
        },
      },
    });
  });

  test('for DingTalk is signed in its address', async () => {
    const { url, body } = await posted('dingtalk', 'SEC1');
    const { access_token, timestamp = '', sign } = Object.fromEntries(url.searchParams);
    expect(timestamp).toMatch(/^\d{13}$/u);
    expect([access_token, sign]).toEqual(['T0KEN', hmac('SEC1', `${timestamp}\nSEC1`)]);
    expect(JSON.parse(body)).toEqual({ msgtype: 'text', text: { content: OUTGOING.text } });
  });
});

describe('a notice', () => {
  test.each([
    ['redirected', 'json', { status: 307, location: 'http://localhost:1/elsewhere' }, 'HTTP 307'],
    ['answered by HTTP 500', 'json', { status: 500, body: 'boom' }, 'HTTP 500 boom'],
    ['answered by HTTP 429', 'slack', { status: 429 }, 'HTTP 429'],
    ['refused by Feishu', 'feishu', { body: '{"code":19021,"msg":"sign match fail"}' }, '19021'],
    ['refused by DingTalk', 'dingtalk', { body: '{"errcode":310000,"errmsg":"no match"}' }, 'no match'],
    ['answered by a page in place of Feishu', 'feishu', { body: '<html>' }, '<html>'],
  ] as const)(
    'that is %s was not taken, is posted once, and the address is in no sentence',
    async (_, as, answer, words) => {
      const { got, url } = await receiver(answer);
      const { problem, message, code } = await failureOf(send({ url, as }));
      const wanted = 'location' in answer ? 'notify-redirect' : 'notify-refused';
      expect([problem, code, got.length]).toEqual([wanted, 'NOTIFY', 1]);
      expect(message).toContain(words);
      expect(message).not.toMatch(/T0PSECRET|T0KEN/u);
    },
  );

  test('that is taken and not answered is in doubt, and not posted again', async () => {
    const { got, url } = await receiver(null);
    const { problem, code } = await failureOf(send({ url, as: 'json' }, AbortSignal.timeout(500)));
    expect([problem, code, got.length]).toEqual(['notify-no-answer', 'AMBIGUOUS', 1]);
  });

  test('leaves for no server that is not there, or has a certificate of nobody', async () => {
    const { url } = await receiver({}, true);
    const untrusted = await failureOf(send({ url, as: 'json' }));
    opened.splice(0).forEach((close) => close());
    const gone = await failureOf(send({ url, as: 'json' }));
    expect([untrusted.problem, gone.problem]).toEqual(['notify-certificate', 'notify-unreachable']);
    expect(untrusted.message + gone.message).not.toMatch(/T0PSECRET|T0KEN/u);
  });
});

describe('a check', () => {
  test('connects, and sends no request', async () => {
    const { url, got, connections } = await receiver();
    const did = await webhookChannel({ url, as: 'json' }).check(AbortSignal.timeout(20_000));
    expect(did).toMatch(/^localhost:\d+: connected without TLS$/u);
    await expect.poll(connections).toBe(1);
    expect(got).toEqual([]);
  });

  test('says why a server cannot be reached, or is not trusted', async () => {
    const { url } = await receiver({}, true);
    const check = (): Promise<string> =>
      webhookChannel({ url, as: 'json' }).check(AbortSignal.timeout(20_000));
    expect((await failureOf(check())).problem).toBe('notify-certificate');
    opened.splice(0).forEach((close) => close());
    expect((await failureOf(check())).problem).toBe('notify-unreachable');
  });
});
