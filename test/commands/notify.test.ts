import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { receiver } from '../servers/receiver.ts';
import { openStage, type Stage } from './command-line.ts';
import { constant, expectScreen } from './story.ts';

const STRICT = 'sync: { guard: { leavers: 0 } }';
const NOTIFY = `${STRICT}\nnotify: { to: { usernames: [lin] }, on: [problems] }\nlog:`;

/** The golden file of texts that were pushed. */
const expectTexts = async (name: string, stage: Stage): Promise<void> => {
  const texts = stage.sandbox.state
    .pushes()
    .map(({ body }) => (body as { readonly content?: string }).content);
  await expectScreen(name, constant(texts.map((text) => text ?? '(a file)').join('\n\n'), stage));
};

/** A mail server of this machine that takes everything. */
async function mailbox() {
  const mails: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username }, _, done) => done(null, { user: username }),
    onData: (stream, _, done) => {
      mails.push('');
      stream.on('data', (chunk: Buffer) => (mails[mails.length - 1] += chunk.toString()));
      stream.on('end', done);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const close = (): void => {
    server.close();
  };
  onTestFinished(close);
  return { mails, close, port: (server.server.address() as AddressInfo).port };
}

/** Texts that were pushed. */
const told = ({ sandbox }: Stage): readonly string[] =>
  sandbox.state.pushes().map(({ body }) => JSON.stringify(body));

test('who is to be told gets one message of what is held, and one when it is over', async () => {
  const stage = await openStage();
  stage.configure(['log:', NOTIFY]);
  expect((await stage.type('sync')).code).toBe(0);
  expect(told(stage)).toEqual([]);
  stage.hr(`update employee set status = 'left' where login <> 'lin'`);
  expect((await stage.type('sync')).code).toBe(3);
  expect((await stage.type('sync')).code).toBe(3);
  const [message, file, ...others] = stage.sandbox.state.pushes();
  expect([file?.type, others]).toEqual(['file', []]);
  expect(message?.recipients).toEqual([stage.sandbox.state.user('lin')?.id]);
  stage.hr(`update employee set status = 'active'`);
  expect((await stage.type('sync')).code).toBe(0);
  await expectTexts('told of what is held', stage);
});

test('a run for one record tells nobody anything, and what is held of the others stays listed', async () => {
  const stage = await openStage();
  stage.configure(['log:', NOTIFY.replace('failed', 'partial')]);
  expect((await stage.type('sync')).code).toBe(0);
  stage.hr(`update employee set status = 'left' where login <> 'lin'`);
  expect((await stage.type('sync')).code).toBe(3);
  const before = told(stage);
  const inside = async (): Promise<unknown> =>
    (JSON.parse((await stage.type('status', '--json')).out) as { readonly leftInside: unknown }).leftInside;
  const listed = await inside();
  expect(JSON.stringify(listed)).toMatch(/--approve [0-9a-f]{12}/u);
  expect((await stage.type('sync', '--only', 'lin')).code).toBe(0);
  expect(await inside()).toEqual(listed);
  expect((await stage.type('sync')).code).toBe(3);
  expect(told(stage)).toEqual(before);
});

test('the message about records that fail names these, and those that wait, with reasons', async () => {
  const stage = await openStage();
  stage.configure(['log:', NOTIFY.replace('failed', 'partial')]);
  await stage.type('sync');
  stage.hr(`insert into employee values ('8', 'nameless', '', null, 'active'), ('9', 'lost', 'Lost', null, 'active');
    insert into assignment values ('8', 'd1', null, 1), ('9', 'nowhere', null, 1)`);
  expect((await stage.type('sync')).code).toBe(4);
  await expectTexts('told of records that fail', stage);
});

test('the plan goes along as a page, without a mail address or a phone number, and no file is left', async () => {
  const stage = await openStage();
  stage.configure(['log:', NOTIFY.replace('leavers', 'updates')]);
  await stage.type('sync');
  stage.hr(
    `update employee set email = login || '@new.example', full_name = full_name || ' +49 431 5552233'`,
  );
  expect((await stage.type('sync')).code).toBe(3);
  const [media, ...others] = stage.sandbox.state.medias();
  expect([media?.name, others]).toEqual([expect.stringMatching(/^rollcall-plan-[0-9a-f]{12}\.html$/u), []]);
  const { code } = await stage.type(
    'call',
    'downloadFile',
    '--param',
    `media_id=${media?.id ?? ''}`,
    '--out',
    'page.html',
  );
  expect(code).toBe(0);
  const page = readFileSync(join(stage.folder, 'page.html'), 'utf8');
  expect(page).toContain('"email","…","…"');
  expect(page).toMatch(/"name","[^"]+","[^"]+ …"/u);
  expect(page).not.toMatch(/\w@\w|5552233/u);
  expect(readdirSync(join(stage.folder, 'state')).filter((name) => name.includes('html'))).toEqual([]);
});

test('a message that the service refuses is noted, and changes nothing of the run', async () => {
  const stage = await openStage();
  stage.configure(['log:', NOTIFY.replace('usernames: [lin]', 'usernames: [nobody]')]);
  expect((await stage.type('sync')).code).toBe(0);
  stage.hr(`update employee set status = 'left' where login <> 'lin'`);
  const typed = await stage.type('sync');
  expect(typed.code).toBe(3);
  const status = await stage.type('status');
  expect(status.out).toMatch(/^messages .*\[service-refuses\]/mu);
});

test('the service is down: mail and webhook say so with the third run, and no secret is anywhere', async () => {
  const stage = await openStage();
  const post = await mailbox();
  const hook = await receiver();
  const address = `smtp://roll:T0PSECRET@127.0.0.1:${post.port}`;
  stage.configure([
    'log:',
    `notify:
  email: { url: '${address}', from: rollcall@example.com, to: [it@example.com] }
  webhook: { url: '${hook.url}/T0KEN', secret: S1GNED }
log:`,
  ]);
  const check = await stage.type('check');
  expect(check.out).toMatch(
    /ok +email +127\.0\.0\.1:\d+: connected without TLS, logged in as roll; nothing was sent/u,
  );
  expect(check.out).toMatch(/ok +webhook +127\.0\.0\.1:\d+: connected without TLS; nothing was sent/u);
  expect([post.mails, hook.got]).toEqual([[], []]);
  await stage.sandbox.close();
  const typed = [check, await stage.type('sync'), await stage.type('sync')];
  expect([post.mails, hook.got]).toEqual([[], []]);
  typed.push(await stage.type('sync'));
  expect(post.mails).toEqual([expect.stringMatching(/Subject: rollcall cannot run[^]*3 runs failed/u)]);
  expect(hook.got).toMatchObject([{ event: 'failed', data: { failures: 3 } }]);
  post.close();
  hook.close();
  const broken = await stage.type('check');
  expect(broken.out).toMatch(/WARN +email +no notice would arrive/u);
  expect(broken.out).toMatch(/\[notify-unreachable\] notify\.webhook: 127\.0\.0\.1:\d+ cannot be reached/u);
  for (const { out, err } of [...typed, broken, await stage.type('status')])
    expect(out + err).not.toMatch(/T0PSECRET|T0KEN|S1GNED/u);
});

test('a channel that is away is named by status, and the run ends as it would', async () => {
  const stage = await openStage();
  const hook = await receiver();
  hook.close();
  stage.configure(['log:', `${STRICT}\nnotify: { webhook: { url: '${hook.url}/T0KEN' } }\nlog:`]);
  expect((await stage.type('sync')).code).toBe(0);
  stage.hr(`update employee set status = 'left' where login <> 'lin'`);
  expect((await stage.type('sync')).code).toBe(3);
  const status = await stage.type('status');
  expect(status.out).toMatch(/^webhook .*was not taken: \[notify-unreachable\]/mu);
  expect(status.out).not.toContain('T0KEN');
});
