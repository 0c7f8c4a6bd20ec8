import { expect, test } from 'vitest';
import { freePort } from '../servers/daemon.ts';
import { eventsOf, openStage } from './command-line.ts';

const LINE = 'Report only (sync.mode: report): nothing is sent.';
const PATIENCE = { timeout: 60_000 };

const configuration = (
  port: number,
  mode: string,
): string => `sync: { mode: ${mode}, guard: { leavers: 0 }, cron: "0 0 1 1 *" }
notify: { to: { usernames: [lin] } }
http: { listen: "127.0.0.1:${port}" }
approvals:
  callback: { token: sandbox-callback-token, key: sandboxsandboxsandboxsandboxsandboxsandbox0, applicationId: roll }
  approvers: [lin]
log:`;

test('a daemon that only reports says so everywhere, releases nothing, and sends all after the switch', async () => {
  const port = await freePort();
  const callback = { url: `http://127.0.0.1:${port}/callback`, applicationId: 'roll' };
  const stage = await openStage({ sandbox: { callback } });
  stage.configure(['log:', configuration(port, 'apply')]);
  await stage.type('sync');
  stage.hr(`update employee set status = 'left' where login = 'bob'`);
  stage.hr(`update employee set full_name = 'Anna' where login = 'ann'`);
  stage.configure(['log:', configuration(port, 'report')]);
  const ends = (): readonly object[] => eventsOf(running.out()).filter(({ event }) => event === 'run.end');
  const names = (): readonly string[] =>
    stage.sandbox.state
      .employees()
      .map(({ name, locked }) => (locked ? `${name} locked` : name))
      .toSorted();
  const firstLine = async (): Promise<string | undefined> => (await stage.type('status')).out.split('\n')[0];
  stage.changing();
  const running = stage.start('run');
  await expect.poll(ends, PATIENCE).toMatchObject([{ mode: 'report', result: 'held', applied: 0, held: 1 }]);
  expect(await firstLine()).toBe(LINE);
  expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toMatch(
    /^rollcall_report_only 1$/mu,
  );
  const said = (): readonly string[] =>
    stage.sandbox.state.pushes().map(({ body }) => (body as { readonly content?: string }).content ?? '');
  await expect.poll(() => said().filter((text) => text.includes(LINE)).length, PATIENCE).toBe(2);
  expect(said().join('\n')).toContain('- updated: ann (1)');

  const hash = /approve (?<hash>[0-9a-f]{12})/u.exec(said().join('\n'))?.groups?.['hash'] ?? '';
  const answer = { msg_type: 'text', from_user_name: 'lin', content: `approve ${hash}` };
  const { reply } = await stage.sandbox.callback(answer);
  expect(reply).toMatch(/only reports now .*nothing was released.* --approve [0-9a-f]{12}/u);
  running.child.kill('SIGUSR2');
  await expect.poll(() => ends().length, PATIENCE).toBe(2);
  expect(names()).toEqual(['Ann', 'Bob', '林']);
  expect(stage.changing().filter((call) => call !== 'pushMessage' && !/push|upload/iu.test(call))).toEqual(
    [],
  );

  stage.configure(['log:', configuration(port, 'apply')]);
  running.child.kill('SIGHUP');
  await expect.poll(firstLine, PATIENCE).not.toBe(LINE);
  running.child.kill('SIGUSR2');
  await expect.poll(() => ends().length, PATIENCE).toBe(3);
  expect(names()).toEqual(['Anna', 'Bob', '林']);
  await stage.sandbox.callback(answer);
  await expect.poll(names, PATIENCE).toEqual(['Anna', 'Bob locked', '林']);
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
});

test('what is typed by hand sends, also while the daemon only reports', async () => {
  const stage = await openStage();
  stage.configure(['log:', 'sync: { mode: report }\nlog:']);
  expect((await stage.type('sync')).code).toBe(0);
  expect(stage.sandbox.state.employees()).toHaveLength(3);
  expect((await stage.type('status')).out.split('\n')[0]).toBe(LINE);
});
