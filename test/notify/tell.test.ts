import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { notifyOfRun } from '../../src/app/tell.ts';
import { ConfigError, LedgerError, RequestError } from '../../src/domain/errors.ts';
import { NOTIFY_ON, type NotifySettings } from '../../src/domain/settings.ts';
import { receiver } from '../servers/receiver.ts';
import { SYNC } from '../plan/build.ts';
import { openWorld } from '../sync/world.ts';

const NOTIFY: NotifySettings = {
  to: { usernames: ['reader'] },
  on: NOTIFY_ON,
  language: 'en',
};

/** Runs three times, each ending with the error, and returns what somebody was told. */
async function toldOf(error: Error): Promise<readonly string[]> {
  const world = await openWorld();
  world.sandbox.edit.addUser('reader', 'Reader');
  const told: string[] = [];
  world.sandbox.onPush = ({ body }) => told.push(JSON.stringify(body['content']));
  const state = { path: world.ledgerFile, keepDays: 1 };
  const settings = { notify: NOTIFY, sync: SYNC, state };
  for (const _ of [1, 2, 3]) {
    world.minutes(60);
    await world.sync({
      after: async ({ ledger, service, report, log }) => {
        const failed = { ...report, error, end: { ...report.end, result: 'failed' as const } };
        const at = world.clock.now();
        await notifyOfRun({ settings, service, log }, ledger, { report: failed, page: null, at });
      },
    });
  }
  return told;
}

test('a mistake of the configuration that a daemon meets is told as any other failure', async () => {
  const [message, ...more] = await toldOf(new ConfigError('source.tls.ca: /ca.pem cannot be read'));
  expect(more).toEqual([]);
  expect(JSON.parse(message ?? '')).toMatchInlineSnapshot(`
    "rollcall cannot run
    3 runs failed one after the other. The last one:
    source.tls.ca: /ca.pem cannot be read
    More: rollcall status"
  `);
});

test('what somebody typed and cannot be done is told to nobody else', async () => {
  expect(await toldOf(new RequestError('--approve 0: nothing is held under this hash'))).toEqual([]);
});

const FULL = Object.assign(new LedgerError('the disk is full'), { exitCode: 1 });

test('runs that cannot begin, since there is no ledger, are told by another way than the messenger', async () => {
  const world = await openWorld();
  const { url, got } = await receiver();
  const notify = { ...NOTIFY, to: undefined, webhook: { url, as: 'json' as const } };
  const settings = { notify, sync: SYNC, state: { path: randomUUID(), keepDays: 400 } };
  const counted: string[] = [];
  const observer = {
    event: () => undefined,
    call: () => undefined,
    notifyFailed: (name: string) => void counted.push(name),
  };
  await world.sync({
    after: async ({ ledger, service, report, log }) => {
      const unbegun = {
        ...report,
        run: 'R0',
        error: FULL,
        end: { ...report.end, result: 'failed' as const },
      };
      const deps = { settings, service, log, observer };
      const at = world.clock.now();
      for (const n of [1, 2, 3, 4])
        await notifyOfRun(deps, null, { report: unbegun, page: null, at: at + n });
      expect(got).toMatchObject([
        { event: 'failed', run: 'R0', data: { failures: 3, error: 'the disk is full' } },
      ]);
      const ok = { ...report, run: 'R1', end: { ...report.end, result: 'ok' as const } };
      await notifyOfRun(deps, ledger, { report: ok, page: null, at: at + 5 });
    },
  });
  expect(got).toMatchObject([
    { event: 'failed', run: 'R0' },
    { event: 'recovered', run: 'R1' },
  ]);
  expect(counted).toEqual([]);
});
