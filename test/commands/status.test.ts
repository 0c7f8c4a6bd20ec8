import { expect, test } from 'vitest';
import { loadedStage, openStage, until } from './command-line.ts';

test('status names the time at which a full run that failed is made again', async () => {
  const stage = await openStage();
  stage.configure(['log:', 'sync: { cron: "*/15 * * * *", fullCron: "0 0 1 1 *", timezone: UTC }\nlog:']);
  await stage.type('sync');
  stage.hr('alter table employee rename to elsewhere');
  expect((await stage.type('sync', '--full')).code).toBe(1);
  const running = stage.start('run');
  await until(() => running.out().includes('run.end'), 'the run at start');
  const next = async (): Promise<Readonly<Record<'incremental' | 'full', string>> | null> =>
    (JSON.parse((await stage.type('status', '--json')).out) as { next: never }).next;
  await expect.poll(next, { timeout: 60_000 }).not.toBeNull();
  const { incremental, full } = (await next()) ?? { incremental: '', full: '' };
  const later = (Date.parse(full) - Date.parse(incremental)) / 60_000;
  // It is due a quarter of an hour after it began: with the run after the next one at most.
  expect([0, 15]).toContain(later);
  running.child.kill('SIGTERM');
  await running.ended;
});

test('status --exit-code is not 0 while a leaver is inside, also after a run of one record', async () => {
  const stage = await loadedStage();
  stage.configure(['log:', 'sync: { protect: { usernames: [bob] } }\nlog:']);
  stage.hr(`update employee set status = 'left' where login = 'bob'`);
  const codes = [];
  for (const args of [['sync'], ['sync', '--only', 'ann'], ['status', '--exit-code']])
    codes.push((await stage.type(...args)).code);
  expect(codes).toEqual([4, 0, 4]);
  stage.configure();
  // What sync.protect no longer keeps waits for an approval.
  const { code, out } = await stage.type('sync');
  const hash = /"hash":"(?<hash>[0-9a-f]{12})","count":1/u.exec(out)?.groups?.['hash'] ?? '';
  expect([code, (await stage.type('status', '--exit-code')).code]).toEqual([3, 3]);
  expect((await stage.type('sync', '--approve', hash)).code).toBe(0);
  expect((await stage.type('status', '--exit-code')).code).toBe(0);
});
