import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import type { EmailSettings } from '../../src/domain/settings.ts';
import { emailChannel } from '../../src/notify/email-channel.ts';
import { authority } from '../servers/private-ca.ts';
import { scratchFolder } from '../servers/scratch.ts';
import { failureOf, OUTGOING } from './outgoing.ts';

const folder = scratchFolder('mail');
const CA = authority(folder);
const { cert, key } = CA.issue('mail', 'DNS:localhost,IP:127.0.0.1');
const OTHER = CA.issue('other', 'DNS:mail.example.com');

const opened: { close: () => unknown }[] = [];
afterEach(() => opened.splice(0).forEach((one) => one.close()));

interface Post {
  readonly server: SMTPServer;
  readonly mails: string[];
  /** `USER:PASSWORD`, or none. */
  readonly url: (scheme: string, login?: string) => string;
}

async function mailServer(options: SMTPServerOptions = {}): Promise<Post> {
  const mails: string[] = [];
  const server = new SMTPServer({
    cert,
    key,
    authOptional: true,
    logger: false,
    onAuth: ({ username, password }, _, done) =>
      username === 'roll@call' && password === 'p/ss'
        ? done(null, { user: username })
        : done(new Error(`wrong password ${password ?? ''}`)),
    onRcptTo: ({ address }, _, done) =>
      done(address.startsWith('gone') ? new Error('no such mailbox') : null),
    onData: (stream, _, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks).toString());
        done();
      });
    },
    ...options,
  });
  // A client that ends a handshake is part of these tests.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  opened.push(server);
  const { port } = server.server.address() as AddressInfo;
  return {
    server,
    mails,
    url: (scheme, login) => `${scheme}://${login === undefined ? '' : `${login}@`}localhost:${port}`,
  };
}

/** A server that speaks as it is told. */
async function rawServer(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({ close: () => [...sockets].map((socket) => socket.destroy()) }, server);
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const settingsFor = (url: string, more: Partial<EmailSettings> = {}): EmailSettings => ({
  url,
  from: 'rollcall@example.com',
  to: ['it@example.com'],
  caFile: CA.caFile,
  ...more,
});

const patient = (): AbortSignal => AbortSignal.timeout(20_000);

const send = (settings: EmailSettings, outgoing = OUTGOING, signal = patient()): Promise<void> =>
  emailChannel(settings).send(outgoing, signal);

const LOGIN = 'roll%40call:p%2Fss';

describe('an e-mail', () => {
  test('has the title as its subject, the text, and the page of the plan', async () => {
    const post = await mailServer({ secure: true });
    const path = join(folder, 'plan.html');
    writeFileSync(path, '<p>plan</p>');
    const page = { path, name: 'rollcall-plan-1.html', contentType: 'text/html' };
    await send(settingsFor(post.url('smtps', LOGIN), { to: ['it@example.com', 'hr@example.com'] }), {
      ...OUTGOING,
      page,
    });
    const [mail = ''] = post.mails;
    expect(mail).toContain('Subject: rollcall holds changes\r\n');
    expect(mail).toContain('From: rollcall@example.com\r\n');
    expect(mail).toContain('To: it@example.com, hr@example.com\r\n');
    expect(mail).toContain('Auto-Submitted: auto-generated\r\n');
    expect(mail).toContain('Leavers: 12, allowed without approval: 5');
    expect(mail).toContain('filename=rollcall-plan-1.html');
    expect(mail).toContain(Buffer.from('<p>plan</p>').toString('base64'));
  });

  test.each([
    ['smtps', {}, { secure: true }],
    ['smtp', { startTls: true }, {}],
    ['smtp', {}, { disabledCommands: ['STARTTLS'] }],
    ['smtp', { startTls: false }, {}],
  ] as const)('goes by %s with %j', async (scheme, more, options) => {
    const post = await mailServer({ ...options, allowInsecureAuth: true } as SMTPServerOptions);
    const settings = settingsFor(post.url(scheme, LOGIN), more);
    await send(settings);
    expect(post.mails).toHaveLength(1);
    const did = await emailChannel(settings).check(patient());
    const isEncrypted = scheme === 'smtps' || ('startTls' in more && more.startTls);
    expect(did).toMatch(isEncrypted ? /connected by TLS/u : /without TLS/u);
    expect(did).toContain('logged in as roll@call');
    expect(did).not.toContain('p/ss');
    expect(post.mails).toHaveLength(1);
  });
});

describe('no e-mail leaves', () => {
  test('without a login that is taken, and the password is in no sentence', async () => {
    const post = await mailServer({ secure: true });
    const settings = settingsFor(post.url('smtps', 'roll%40call:hunter22'));
    for (const work of [() => send(settings), () => emailChannel(settings).check(patient())]) {
      const { problem, message, code } = await failureOf(work());
      expect([problem, code]).toEqual(['notify-login', 'NOTIFY']);
      expect(message).toContain('wrong password …');
    }
    expect(post.mails).toEqual([]);
  });

  test('to a mailbox that is not there', async () => {
    const post = await mailServer({ secure: true });
    const { problem, message } = await failureOf(
      send(settingsFor(post.url('smtps'), { to: ['gone@example.com'] })),
    );
    expect(problem).toBe('notify-refused');
    expect(message).toContain('no such mailbox');
  });

  test('in clear where encryption is wanted and the server has none', async () => {
    const post = await mailServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    const { problem } = await failureOf(send(settingsFor(post.url('smtp', LOGIN), { startTls: true })));
    expect(problem).toBe('notify-no-tls');
    expect(post.mails).toEqual([]);
  });

  test.each([
    ['of an unknown authority', 'notify-certificate', { secure: true }, { caFile: undefined }],
    ['for another name', 'notify-certificate', { secure: true, cert: OTHER.cert, key: OTHER.key }, {}],
    ['behind a port without TLS', 'notify-unreachable', {}, {}],
  ])('with a certificate %s', async (_, wanted, options, more) => {
    const post = await mailServer(options);
    const { problem, message } = await failureOf(send(settingsFor(post.url('smtps', LOGIN), more)));
    expect(problem).toBe(wanted);
    expect(message).not.toContain('p/ss');
  });

  test('where nobody listens', async () => {
    const address = await rawServer(() => undefined);
    opened.splice(0).forEach((one) => one.close());
    const { problem, message } = await failureOf(send(settingsFor(`smtp://${address}`)));
    expect([problem, message]).toEqual(['notify-unreachable', expect.stringContaining('ECONNREFUSED')]);
  });

  test('to a server that takes the connection and says nothing: the signal ends it', async () => {
    const ended: boolean[] = [];
    const address = await rawServer((socket) => socket.on('close', () => ended.push(true)));
    const { problem, code } = await failureOf(
      send(settingsFor(`smtp://${address}`), OUTGOING, AbortSignal.timeout(200)),
    );
    expect([problem, code]).toEqual(['notify-unreachable', 'NOTIFY']);
    await expect.poll(() => ended).toEqual([true]);
  });
});

describe('it is in doubt', () => {
  test('where the server takes all of it, and does not answer any more', async () => {
    const post = await mailServer({ secure: true, onData: (stream) => void stream.resume() });
    const { problem, code } = await failureOf(
      send(settingsFor(post.url('smtps')), OUTGOING, AbortSignal.timeout(1_500)),
    );
    expect([problem, code]).toEqual(['notify-no-answer', 'AMBIGUOUS']);
  });

  test('where one of two mailboxes is refused: the other has it', async () => {
    const post = await mailServer({ secure: true });
    const to = ['it@example.com', 'gone@example.com'];
    const { problem, code } = await failureOf(send(settingsFor(post.url('smtps'), { to })));
    expect([problem, code, post.mails.length]).toEqual(['notify-partly', 'AMBIGUOUS', 1]);
  });
});
