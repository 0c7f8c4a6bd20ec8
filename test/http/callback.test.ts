import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test } from 'vitest';
import { LedgerError } from '../../src/domain/errors.ts';
import type { ReceivedMessage } from '../../src/domain/ports/messenger.ts';
import type { ApprovalCallback } from '../../src/domain/settings.ts';
import { openListener, type Listener } from '../../src/http/listener.ts';
import { callbackRoute } from '../../src/http/callback-route.ts';
import { sign } from '../../src/callback/signature.ts';
import { seal } from '../callback/seal.ts';
import { MemoryLog } from '../runtime/memory-log.ts';

const NOW = 1_790_000_000_000;
const SETTINGS: ApprovalCallback = {
  token: 'top-5ecret',
  key: 'sandboxsandboxsandboxsandboxsandboxsandbox0',
  applicationId: 'our-app',
  mode: 'safe',
};
const MESSAGE = {
  from_domain: 'acme',
  from_user: 'u1',
  from_user_name: 'eve',
  msg_type: 'text',
  msg_body: { content: 'approve 1' },
};

/** What nobody has collected yet is no leak. */
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let open: Listener | undefined;
afterEach(() => open?.close());

interface Place {
  readonly log: MemoryLog;
  readonly took: ReceivedMessage[];
  readonly counts: Record<string, number>;
  readonly clock: { now: number };
  readonly post: (url: string, body: string, type?: string) => Promise<readonly [number, unknown]>;
}

async function place(changed: Partial<ApprovalCallback> = {}, fails?: Error): Promise<Place> {
  const [log, took, counts, clock] = [
    new MemoryLog(),
    [] as ReceivedMessage[],
    {} as Record<string, number>,
    { now: NOW },
  ];
  const take = async (message: ReceivedMessage): Promise<string> => {
    await Promise.resolve();
    if (fails !== undefined) throw fails;
    took.push(message);
    return 'thank you';
  };
  const counted = (outcome: string): void => void (counts[outcome] = (counts[outcome] ?? 0) + 1);
  const deps = { settings: () => ({ ...SETTINGS, ...changed }), now: () => clock.now, log, take, counted };
  open = await openListener({ listen: { host: '127.0.0.1', port: 0 } }, [callbackRoute(deps)]);
  const { address } = open;
  const post = async (
    url: string,
    body: string,
    type = 'application/json',
  ): Promise<readonly [number, unknown]> => {
    const response = await fetch(address + url, { method: 'POST', body, headers: { 'Content-Type': type } });
    return [response.status, await response.json()];
  };
  return { log, took, counts, clock, post };
}

interface Wanted {
  readonly message?: object | string;
  readonly timestamp?: string;
  readonly nonce?: string;
  readonly token?: string;
  readonly application?: string;
  readonly mode?: 'plain' | 'safe';
  readonly beside?: object;
}

const USUAL = {
  message: MESSAGE,
  timestamp: String(NOW),
  nonce: 'n1',
  token: SETTINGS.token,
  application: 'our-app',
  mode: 'safe',
  beside: {},
} as const;

function callback(wanted: Wanted = {}): readonly [url: string, body: string] {
  const { message, timestamp, nonce, token, application, mode, beside } = { ...USUAL, ...wanted };
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  const cipher = { key: SETTINGS.key ?? '', applicationId: application };
  const echo = mode === 'plain' ? text : seal(cipher, text);
  const signature = sign('sha1', { token, timestamp, nonce, echo });
  const query = new URLSearchParams({ signature, timestamp, nonce });
  return [
    `/callback?${String(query)}`,
    JSON.stringify({ [mode === 'plain' ? 'message' : 'encrypt']: echo, ...beside }),
  ];
}

const TAKEN = [200, { status: 0, message: 'thank you' }];
const NOT_TAKEN = [403, { status: 403, message: 'not taken' }];

describe('a callback', () => {
  test('is taken once, whoever sends it again', async () => {
    const { post, took, counts } = await place();
    const one = callback();
    expect(await post(...one)).toEqual(TAKEN);
    expect(await post(...one)).toEqual([200, { status: 0, message: 'taken before' }]);
    // The signature covers the joined text: exchanged, it holds as well.
    const [url, body] = one;
    expect(
      await post(
        url.replace(/signature=\w+/u, (text) => text.toUpperCase().replace('SIGNATURE', 'signature')),
        body,
      ),
    ).toEqual([200, { status: 0, message: 'taken before' }]);
    expect(await post(...callback({ nonce: 'n2' }))).toEqual(TAKEN);
    const told = { from: 'eve', domain: 'acme', text: 'approve 1', isEvent: false, at: NOW };
    expect(took).toEqual([
      { ...told, signature: /signature=(?<of>\w+)/u.exec(url)?.groups?.['of'] },
      { ...told, signature: expect.any(String) as string },
    ]);
    expect(counts).toEqual({ taken: 2, again: 2 });
  });

  test('that comes twice at once is taken once', async () => {
    const { post, took } = await place();
    const one = callback();
    const answers = await Promise.all([post(...one), post(...one)]);
    expect(answers).toContainEqual([200, { status: 0, message: 'taken before' }]);
    expect(took).toHaveLength(1);
  });

  test.each<[string, () => readonly [string, string], string]>([
    ['signed with another token', () => callback({ token: 'guessed' }), 'forged'],
    ['without a signature', () => [`/callback?timestamp=${NOW}&nonce=1`, callback()[1]], 'unsigned'],
    ['of 6 minutes ago', () => callback({ timestamp: String(NOW - 360_000) }), 'stale'],
    ['to another application', () => callback({ application: 'theirs' }), 'cut'],
    ['in clear, where it should be encrypted', () => callback({ mode: 'plain' }), 'settings'],
    ['that is no JSON', () => [callback()[0], '<xml>'], 'notJson'],
  ])('%s is turned away, and learns nothing', async (_, wanted, kind) => {
    const { post, took, counts, log } = await place();
    expect(await post(...wanted())).toEqual(NOT_TAKEN);
    expect([took, counts]).toEqual([[], { [kind]: 1 }]);
    const [line] = log.lines;
    expect(line).toMatchObject({
      level: 'warn',
      message: 'callbacks were turned away',
      fields: { [kind]: 1 },
    });
    for (const word of ['approve', 'acme', SETTINGS.token, SETTINGS.key ?? '?'])
      expect(JSON.stringify(line)).not.toContain(word);
  });

  test('that the ledger cannot take now may come again', async () => {
    const { post, counts, log } = await place({}, new LedgerError('the disk is full'));
    expect(await post(...callback())).toEqual([503, { status: 503, message: 'not now' }]);
    expect(await post(...callback())).toEqual([503, { status: 503, message: 'not now' }]);
    expect(counts).toEqual({ failed: 2 });
    expect(log.lines[0]).toMatchObject({
      message: 'a callback could not be taken',
      fields: { reason: 'the disk is full' },
    });
  });

  test('of more than 64 KB is not read, and other paths are not there', async () => {
    const { post, counts } = await place();
    const [url] = callback();
    expect(await post(url, 'x'.repeat(65 * 1024))).toEqual([413, { error: 'bad request' }]);
    expect(await post('/other', '{}')).toEqual([404, { error: 'not found' }]);
    expect(counts).toEqual({});
    expect(await post(...callback())).toEqual(TAKEN);
  });

  test('may have any content type: the signature says what it is', async () => {
    const { post } = await place();
    const [url, body] = callback();
    expect(await post(url, body, 'text/plain')).toEqual(TAKEN);
  });

  test('is one of 10,000 bad ones in a row: one line a minute, flat memory, and the good one is served', async () => {
    const { post, counts, log, clock } = await place();
    const flood = async (from: number): Promise<void> => {
      for (let n = 0; n < 5_000; n += 50)
        await Promise.all(
          Array.from({ length: 50 }, (_, i) =>
            post(...callback({ token: 'guessed', nonce: `b${from + n + i}` })),
          ),
        );
    };
    await flood(0);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    clock.now += 60_000;
    await flood(5_000);
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(30_000_000);
    expect(counts).toEqual({ forged: 10_000 });
    expect(log.lines.map(({ fields }) => fields?.['forged'])).toEqual([1, 5_000]);
    expect(await post(...callback())).toEqual(TAKEN);
  });
});

describe('who wrote what', () => {
  test.each<[string, Partial<ApprovalCallback>, Wanted, object]>([
    [
      'is in the signed text',
      {},
      { beside: { from_user_name: 'mallory' } },
      { from: 'eve', text: 'approve 1' },
    ],
    ['may be nowhere', {}, { message: { msg_type: 'text', content: 'x' } }, { from: null, text: 'x' }],
    [
      'is not believed beside the signed text',
      { mode: 'plain' },
      { mode: 'plain', message: 'approve 1', beside: { from_user_name: 'eve' } },
      { from: null, text: 'approve 1' },
    ],
    [
      'may be a button',
      {},
      { message: { from_user_name: 'eve', msg_type: 'event', event: 'CLICK', event_key: 'approve 2' } },
      { from: 'eve', text: 'approve 2', isEvent: true },
    ],
    [
      'is nothing for another event',
      {},
      { message: { from_user_name: 'eve', msg_type: 'event', event: 'VIEW', event_key: 'approve 2' } },
      { from: 'eve', text: null },
    ],
    [
      'is nothing for a file, whatever its text',
      {},
      { message: { from_user_name: 'eve', msg_type: 'file', content: 'approve 2' } },
      { from: 'eve', text: null },
    ],
  ])('%s', async (_, settings, wanted, told) => {
    const { post, took } = await place(settings);
    expect(await post(...callback(wanted))).toEqual(TAKEN);
    expect(took[0]).toMatchObject(told);
  });
});
