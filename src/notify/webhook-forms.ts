import { createHmac, randomUUID } from 'node:crypto';
import type { WebhookForm, WebhookSettings } from '../domain/settings.ts';
import { isObject, parseLossless } from '../lib/parse-lossless.ts';
import { discreet } from './compose.ts';
import type { Outgoing } from './channel.ts';

/** One POST. */
export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Stamp {
  readonly secret: string | undefined;
  /** Time of sending, ms since the epoch. */
  readonly now: number;
}

interface Form {
  readonly body: (outgoing: Outgoing, stamp: Stamp) => unknown;
  /** Parameters of the address. */
  readonly query?: (stamp: Stamp) => Readonly<Record<string, string>>;
  /** Field of an answer with HTTP 200 that is 0 if the message was taken. */
  readonly code?: string;
}

/** The most records that stand in `data`. */
const LISTED = 10;

const FORMS = {
  json: {
    body: ({ notice: { on, ...data }, run, at, title, text }) => {
      const time = new Date(at).toISOString();
      return { event: on, run, time, data: discreetly(data), title, text };
    },
  },
  slack: { body: ({ text }) => ({ text: escaped(text), mrkdwn: false }) },
  teams: { body: ({ title, text }) => ({ type: 'message', attachments: [cardOf(title, text)] }) },
  feishu: {
    body: ({ title, text }, { secret, now }) => {
      const timestamp = String(Math.floor(now / 1000));
      const content = linesOf(title, text).map((line) => [{ tag: 'text', text: line }]);
      const message = { msg_type: 'post', content: { post: { zh_cn: { title, content } } } };
      if (secret === undefined) return message;
      return { timestamp, sign: hmac(`${timestamp}\n${secret}`, ''), ...message };
    },
    code: 'code',
  },
  dingtalk: {
    body: ({ text }) => ({ msgtype: 'text', text: { content: text } }),
    query: ({ secret, now }) =>
      secret === undefined ? {} : { timestamp: String(now), sign: hmac(secret, `${now}\n${secret}`) },
    code: 'errcode',
  },
} as const satisfies Record<WebhookForm, Form>;

/** Returns the request that brings a notice. */
export function postOf({ url, secret, as }: WebhookSettings, outgoing: Outgoing, now: number): Post {
  const form: Form = FORMS[as];
  const stamp = { secret, now };
  const address = new URL(url);
  for (const [name, value] of Object.entries(form.query?.(stamp) ?? {}))
    address.searchParams.set(name, value);
  const body = JSON.stringify(form.body(outgoing, stamp));
  return { url: address.href, headers: { 'content-type': 'application/json', ...signed(body, stamp) }, body };
}

/** Returns why an answer with HTTP 200 is a refusal all the same, in the words of the robot; `null`: it is none. */
export function refusalIn(as: WebhookForm, answer: string): string | null {
  const { code }: Form = FORMS[as];
  if (code === undefined) return null;
  const found = parsed(answer);
  if (isObject(found) && Number(found[code] ?? found['StatusCode'] ?? Number.NaN) === 0) return null;
  return discreet(answer);
}

function parsed(text: string): unknown {
  try {
    return parseLossless(text);
  } catch {
    return null;
  }
}

/** Returns the headers of Standard Webhooks; without a secret nothing is signed. */
function signed(body: string, { secret, now }: Stamp): Post['headers'] {
  const [id, timestamp] = [`msg_${randomUUID()}`, String(Math.floor(now / 1000))];
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp };
  if (secret === undefined) return headers;
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret;
  return { ...headers, 'webhook-signature': `v1,${hmac(key, `${id}.${timestamp}.${body}`)}` };
}

const hmac = (key: string | Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64');

/** Returns the same data without mail addresses and phone numbers, each list cut. */
function discreetly(data: unknown): unknown {
  const text = JSON.stringify(data, (_, value: unknown) => {
    if (typeof value === 'string') return discreet(value);
    return Array.isArray(value) ? value.slice(0, LISTED) : value;
  });
  return JSON.parse(text);
}

const linesOf = (title: string, text: string): readonly string[] => text.slice(title.length + 1).split('\n');

/** What Slack takes for a mention or a link is text here. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const blockOf = (line: string, style = {}): unknown => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', text: line, ...style }],
});

/** Returns an Adaptive Card; a rich text block shows a name as it is, where a text block would read marks in it. */
function cardOf(title: string, text: string): unknown {
  const lines = linesOf(title, text).map((line) => blockOf(line));
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [blockOf(title, { weight: 'bolder', size: 'medium' }), ...lines],
  };
  return { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content };
}
