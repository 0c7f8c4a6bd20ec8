import { expect, test } from 'vitest';
import { openStage, type Stage } from './command-line.ts';

const STRICT = 'sync: { guard: { leavers: { percent: 0, count: 0 } } }';
const NOTIFY = `${STRICT}\nnotify: { to: { usernames: [lin] }, on: [held, recovered, failed] }\nlog:`;

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
  const [message, ...others] = stage.sandbox.state.pushes();
  expect(others).toEqual([]);
  expect(message?.recipients).toEqual([stage.sandbox.state.user('lin')?.id]);
  expect(told(stage)[0]).toMatch(
    /rollcall holds changes.*leavers: \d+.*rollcall sync --approve [0-9a-f]{12}/u,
  );
  stage.hr(`update employee set status = 'active'`);
  expect((await stage.type('sync')).code).toBe(0);
  expect(told(stage)[1]).toContain('rollcall is well again');
});

test('a message that the service refuses is noted, and changes nothing of the run', async () => {
  const stage = await openStage();
  stage.configure(['log:', NOTIFY.replace('usernames: [lin]', 'scopes: [/404/]')]);
  expect((await stage.type('sync')).code).toBe(0);
  stage.hr(`update employee set status = 'left' where login <> 'lin'`);
  const typed = await stage.type('sync');
  expect(typed.code).toBe(3);
  const status = await stage.type('status');
  expect(status.out).toMatch(/messages {4}the last one \(.*\) was not taken: POST .*no matching employee/u);
});

test.each([
  ['nobody', '{ to: {} }', 'notify.to: names nobody'],
  ['a scope that is none', '{ to: { scopes: [sales] } }', 'is no path of organization ids'],
  ['what nobody can be told', '{ to: { usernames: [a] }, on: [everything] }', 'notify.on'],
  ['quiet hours that are none', '{ to: { usernames: [a] }, quietHours: night }', 'is no span of a day'],
])('a configuration that names %s is refused', async (_, notify, words) => {
  const stage = await openStage();
  stage.configure(['log:', `notify: ${notify}\nlog:`]);
  const typed = await stage.type('sync');
  expect([typed.code, typed.err]).toEqual([2, expect.stringContaining(words)]);
});
