import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStage, type Running } from './command-line.ts';

async function said(running: Running, words: string, times = 1): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (running.out().split(words).length > times) return;
    await sleep(50);
  }
  throw new Error(`not said: ${words}\n${running.out()}`);
}

/** The daemon after its first run; SIGHUP with some of the configuration replaced. */
async function daemon() {
  const stage = await openStage();
  const running = stage.start('run');
  await said(running, '"event":"run.end"');
  return {
    stage,
    running,
    reload: (search: string, replacement: string): void => {
      stage.configure([search, replacement]);
      running.child.kill('SIGHUP');
    },
    end: async () => {
      running.child.kill('SIGTERM');
      return running.ended;
    },
  };
}

test.each([
  ['another organization', 'orgCode: ', 'orgCode: other-', 'set service.domainId and service.orgCode back'],
  ['another ledger', 'state/rollcall.db', 'state/other.db', 'set state.path back'],
])(
  'SIGHUP with %s is refused with a sentence, and the old configuration stays',
  async (_, search, to, words) => {
    const { stage, running, reload, end } = await daemon();
    reload(search, to);
    await said(running, words);
    expect(running.out()).not.toContain('configuration read again');
    stage.hr(`insert into employee values ('4', 'eve', 'Eve', null, 'active');
    insert into assignment values ('4', 'd2', null, 1)`);
    running.child.kill('SIGUSR2');
    await said(running, '"event":"run.end"', 2);
    expect(stage.sandbox.state.employees()).toHaveLength(4);
    expect((await end()).code).toBe(0);
  },
);

test('SIGHUP with anything else is taken for the next run', async () => {
  const { stage, running, reload, end } = await daemon();
  reload('log:', 'sync: { protect: { usernames: [bob] } }\nlog:');
  await said(running, 'configuration read again');
  stage.hr(`update employee set status = 'left' where login <> 'lin'`);
  running.child.kill('SIGUSR2');
  await said(running, '"event":"run.end"', 2);
  expect(running.out()).toContain('protect');
  expect((await end()).code).toBe(0);
});
