import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { WrittenEntry } from '../../src/plan/words/written-entry.ts';
import { sign } from '../../src/callback/signature.ts';
import { LANGUAGES } from '../../src/notify/languages.ts';
import { seal } from '../callback/seal.ts';
import { freePort } from '../servers/daemon.ts';
import { eventsOf, HR, openStage, type Running, type Stage } from './command-line.ts';
import { expectScreen } from './story.ts';

const WITH_EVA = `${HR} insert into employee values ('4', 'eva', 'Eva', null, 'active');
  insert into assignment values ('4', 'd1', null, 1);`;
const HELD = `update employee set status = 'left' where login in ('ann', 'bob')`;
/** How long a daemon may take on a busy machine; what it does is seen at once where it does it. */
const PATIENCE_MS = 60_000;
const HASH = /approve (?<hash>[0-9a-f]{12})/u;

interface Daemon {
  readonly port: number;
  readonly stage: Stage;
  readonly running: Running;
}

/** A daemon that runs when it is asked to, and that lin and eva may answer, and bob while he is not held. */
async function openDaemon(): Promise<Daemon> {
  const port = await freePort();
  const callback = { url: `http://127.0.0.1:${port}/callback`, applicationId: 'roll' };
  const stage = await openStage({ hr: WITH_EVA, sandbox: { callback } });
  stage.configure(['log:', configuration(port)]);
  await stage.type('sync');
  const running = stage.start('run');
  onTestFinished(async () => {
    running.child.kill('SIGTERM');
    await running.ended;
  });
  await expect.poll(() => running.out(), { timeout: PATIENCE_MS }).toContain('"msg":"listening"');
  return { port, stage, running };
}

const TOKEN = 'sandbox-callback-token';

const configuration = (
  port: number,
  token = TOKEN,
): string => `sync: { guard: { leavers: 0 }, cron: "0 0 1 1 *" }
notify: { to: { usernames: [lin] }, on: [problems] }
http: { listen: "127.0.0.1:${port}" }
approvals:
  callback:
    token: ${token}
    key: sandboxsandboxsandboxsandboxsandboxsandbox0
    applicationId: roll
  approvers: [lin, eva, bob, ANN]
log:`;

/** Texts that were pushed, and to whom; not the page of the plan, and not that all is well again. */
function told({ sandbox }: Stage): readonly string[] {
  return sandbox.state.pushes().flatMap(({ body, recipients }) => {
    const names = recipients.map((id) =>
      ['lin', 'eva', 'bob', 'ann'].find((name) => sandbox.state.user(name)?.id === id),
    );
    const { content } = body as { readonly content?: string };
    return content?.includes('well again') === false ? [`${names.join(',')}: ${content}`] : [];
  });
}

const say = async ({ sandbox }: Stage, from: string, content: string, more = {}): Promise<string> => {
  const { http, reply, problem } = await sandbox.callback({
    msg_type: 'text',
    from_user_name: from,
    content,
    ...more,
  });
  return problem ?? `${http}: ${(JSON.parse(reply ?? '{}') as { readonly message?: string }).message}`;
};

const CIPHER = {
  key: 'sandboxsandboxsandboxsandboxsandboxsandbox0',
  applicationId: 'roll',
} as const;

/** What was said, message by message, with HASH for what is held; the golden file `screens/answers-NAME.txt`. */
const expectTalk = async (name: string, hash: string, texts: readonly string[]): Promise<void> =>
  expectScreen(`answers ${name}`, texts.map((text) => `${text.replaceAll(hash, 'HASH')}\n`).join('\n'));

/** What `status` says of answers. */
async function answersIn(stage: Stage): Promise<string> {
  const { out } = await stage.type('status');
  const lines = out.split('\n').filter((line) => line.startsWith('answers '));
  return lines.join('\n').replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/gu, 'TIME');
}

/** A callback as the service would send it, to be sent by hand. */
function signed(
  port: number,
  content: string,
  token = TOKEN,
): { readonly url: string; readonly body: string } {
  const echo = seal(CIPHER, JSON.stringify({ msg_type: 'text', from_user_name: 'lin', content }));
  const sent = { token, timestamp: String(Date.now()), nonce: 'n' };
  const signature = sign('sha1', { ...sent, echo });
  const query = new URLSearchParams({ signature, timestamp: sent.timestamp, nonce: sent.nonce });
  return {
    url: `http://127.0.0.1:${port}/callback?${String(query)}`,
    body: JSON.stringify({ encrypt: echo }),
  };
}

/** A daemon that holds changes, and has said under which hash. */
async function openHeld(): Promise<Daemon & { readonly hash: string }> {
  const daemon = await openDaemon();
  const { stage, running } = daemon;
  await expect.poll(() => runs(running), { timeout: PATIENCE_MS }).toBe(1);
  stage.hr(HELD);
  running.child.kill('SIGUSR2');
  await expect.poll(() => told(stage).length, { timeout: PATIENCE_MS }).toBe(1);
  return { ...daemon, hash: HASH.exec(told(stage)[0] ?? '')?.groups?.['hash'] ?? '' };
}

const runs = (running: Running): number => running.out().split('"event":"run.end"').length - 1;
const disabled = ({ sandbox }: Stage): number =>
  ['ann', 'bob'].filter((name) => sandbox.state.user(name)?.disabled === true).length;

describe('an answer in the messenger', () => {
  test('is taken with another token after SIGHUP, and no longer with the old one', async () => {
    const { port, stage, running } = await openDaemon();
    const post = async ({ url, body }: ReturnType<typeof signed>): Promise<number> =>
      (await fetch(url, { method: 'POST', body })).status;
    expect(await post(signed(port, 'hello'))).toBe(200);
    stage.configure(['log:', configuration(port, 'another-token')]);
    running.child.kill('SIGHUP');
    await expect.poll(() => post(signed(port, 'hello', 'another-token')), { timeout: PATIENCE_MS }).toBe(200);
    expect(await post(signed(port, 'hello'))).toBe(403);
  });

  test('of an approver releases what is held: a run starts at once, and its result is told', async () => {
    const { stage, running, hash } = await openHeld();
    const answer = await say(stage, 'lin', `approve ${hash}`);
    await expect.poll(() => told(stage).length, { timeout: PATIENCE_MS }).toBe(2);
    const [holds = '', result = ''] = told(stage);
    await expectTalk('of an approver', hash, [holds, answer, result, await answersIn(stage)]);
    expect(disabled(stage)).toBe(2);
    expect(running.out()).toMatch(/"event":"run\.start".*"trigger":"reply"/u);
    expect(eventsOf(running.out())).toContainEqual(expect.objectContaining({ by: 'lin', hash, changes: 2 }));
    const history = JSON.parse((await stage.type('history', '--json')).out) as readonly WrittenEntry[];
    const left = history.filter(({ kind }) => kind === 'disable');
    expect(left.map(({ approval, approver }) => [approval, approver])).toEqual([
      [hash, 'lin'],
      [hash, 'lin'],
    ]);
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  });

  test('of anybody else, or about nothing that is held, changes nothing and is answered', async () => {
    const { stage, running, hash } = await openHeld();
    await expectTalk('that release nothing', hash, [
      await say(stage, 'ann', `approve ${hash}`),
      await say(stage, 'eva', 'approve ba9876543210'),
      await say(stage, 'eva', 'who?'),
    ]);
    await expect.poll(() => told(stage).length, { timeout: PATIENCE_MS }).toBe(3);
    expect(
      told(stage)
        .slice(1)
        .every((text) => text.startsWith('eva: ')),
    ).toBe(true);
    expect([runs(running), disabled(stage)]).toEqual([2, 0]);
  });

  test('after HR has put one of two back says how many were released', async () => {
    const { stage, hash } = await openHeld();
    stage.hr(`update employee set status = 'active' where login = 'bob'`);
    await say(stage, 'lin', `approve ${hash}`);
    await expect.poll(() => told(stage).length, { timeout: PATIENCE_MS }).toBe(2);
    await expectTalk('that release a part', hash, [told(stage)[1] ?? '', await answersIn(stage)]);
    expect(disabled(stage)).toBe(1);
  });

  test('after HR has put all back says that it released nothing', async () => {
    const { stage, running, hash } = await openHeld();
    stage.hr(`update employee set status = 'active'`);
    await say(stage, 'lin', `approve ${hash}`);
    await expect.poll(() => told(stage).length, { timeout: PATIENCE_MS }).toBe(2);
    await expectTalk('after which nothing is held', hash, [told(stage)[1] ?? '', await answersIn(stage)]);
    expect(eventsOf(running.out())).toContainEqual(
      expect.objectContaining({ event: 'note', level: 'warn', hash }),
    );
    expect(disabled(stage)).toBe(0);
  });

  test('that released nothing does not count after a restart, when its hash is held again', async () => {
    const { port, stage, running, hash } = await openHeld();
    const run = async (first: Running, words: string): Promise<void> => {
      const before = runs(first);
      stage.hr(words);
      first.child.kill('SIGUSR2');
      await expect.poll(() => runs(first), { timeout: PATIENCE_MS }).toBe(before + 1);
    };
    await run(running, `update employee set status = 'active'`);
    const sent = signed(port, `approve ${hash}`);
    const post = async (): Promise<string> =>
      (await fetch(sent.url, { method: 'POST', body: sent.body })).text();
    const early = await post();
    await run(running, HELD);
    const again = await post();
    running.child.kill('SIGTERM');
    await running.ended;
    const next = stage.start('run');
    onTestFinished(async () => {
      next.child.kill('SIGTERM');
      await next.ended;
    });
    await expect.poll(() => next.out(), { timeout: PATIENCE_MS }).toContain('"msg":"listening"');
    await expectTalk('that came too early', hash, [early, again, await post()]);
    expect(disabled(stage)).toBe(0);
  });

  test('of two approvers at once releases once, and the second is told of the first', async () => {
    const { stage, hash } = await openHeld();
    const answers = await Promise.all([
      say(stage, 'lin', `approve ${hash}`),
      say(stage, 'eva', `approve ${hash}`),
    ]);
    expect(answers.filter((text) => text.startsWith('200: Taken: 2 changes'))).toHaveLength(1);
    const { alreadyReleased, unknown } = LANGUAGES.en.answers;
    expect([alreadyReleased('lin'), alreadyReleased('eva'), unknown(hash)]).toContain(
      answers.find((text) => !text.includes('Taken'))?.replace(/^200: |\n[^]*/gu, ''),
    );
    await expect.poll(() => disabled(stage), { timeout: PATIENCE_MS }).toBe(2);
    expect(stage.changing().filter((call) => call.includes('disable'))).toHaveLength(2);
  });

  test('of a look-alike, a locked account or somebody among the held releases nothing', async () => {
    const { stage, running, hash } = await openHeld();
    stage.sandbox.edit.lockEmployee('eva');
    const texts: string[] = [];
    for (const [from, more] of [
      ['LIN'],
      ['ANN'],
      ['eva'],
      ['lin', { from_domain: 'elsewhere' }],
      ['bob'],
    ] as const)
      texts.push(`${from}> ${await say(stage, from, `approve ${hash}`, more)}`);
    await expectTalk('of who may not', hash, texts);
    expect([runs(running), disabled(stage)]).toEqual([2, 0]);
    stage.sandbox.setFaults('rate=1,kinds=500,ops=listEmployees');
    expect(await say(stage, 'lin', `approve ${hash}`)).toBe('503: not now');
    stage.sandbox.setFaults(undefined);
    expect(await say(stage, 'lin', `approve ${hash}`)).toContain('200: Taken: 2 changes');
    await expect.poll(() => disabled(stage), { timeout: PATIENCE_MS }).toBe(2);
  });

  test('that comes again after a restart is not taken again, though it is still held', async () => {
    const { port, stage, running, hash } = await openHeld();
    const { url, body } = signed(port, `approve ${hash}`);
    const db = new Database(stage.ledgerFile);
    db.prepare(
      `INSERT INTO reply (signature, hash, username, text, at, count, run) VALUES (?, ?, 'lin', 'x', 1, 2, 'r')`,
    ).run(new URL(url).searchParams.get('signature'), hash);
    db.close();
    const answer = await fetch(url, { method: 'POST', body });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { status: 0, message: 'This answer was taken before. Nothing was done.' },
    ]);
    expect([runs(running), disabled(stage)]).toEqual([2, 0]);
  });

  test('that came before the daemon was killed is taken by the next one', async () => {
    const { stage, running, hash } = await openHeld();
    running.child.kill('SIGSTOP');
    running.child.kill('SIGKILL');
    await running.ended;
    const db = new Database(stage.ledgerFile);
    db.prepare(
      `INSERT INTO reply (signature, hash, username, text, at, count) VALUES ('aa', ?, 'eva', 'x', ?, 2)`,
    ).run(hash, Date.now());
    db.close();
    stage.expireLease();
    const next = stage.start('run');
    await expect.poll(() => disabled(stage), { timeout: PATIENCE_MS }).toBe(2);
    next.child.kill('SIGTERM');
    await next.ended;
  });

  test('to a daemon that was told to stop is not lost', async () => {
    const { stage, running, hash } = await openHeld();
    stage.sandbox.state.user('ann');
    expect(await say(stage, 'lin', `approve ${hash}`)).toContain('Taken');
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
    await stage.type('sync');
    expect(disabled(stage)).toBe(2);
    expect(told(stage)).toHaveLength(2);
  });
});
