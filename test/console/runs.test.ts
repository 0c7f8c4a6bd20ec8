import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../commands/command-line.ts';
import { linesOf, openConsole, SCRIPT } from './console-stage.ts';

const VIEWS = ['', '/records?list=leavers', '/runs', '/plan', '/explain', '/history'] as const;

interface Entry {
  readonly run: string;
  readonly name: string;
}

describe('the console', { timeout: 180_000 }, () => {
  test('has a page for each run, person by person, as history --run has', async () => {
    const { ask, type } = await openConsole();
    const { out } = await type('history', '--json');
    const entries = JSON.parse(out) as readonly Entry[];
    const { run } = entries[0] ?? { run: '' };
    const applied = entries.filter((entry) => entry.run === run);
    expect(applied.length).toBeGreaterThan(40);
    const shown = linesOf(await ask(`/console/run?id=${run}`));
    const typed = await type('history', '--run', run);
    for (const text of [shown, typed.out]) {
      expect(text).toContain('by command');
      expect(text).toContain(`${applied.length} applied, 0 failed`);
      for (const { name } of applied.filter((one) => /^\w+$/u.test(one.name))) expect(text).toContain(name);
    }
    expect((await ask(`/console/run?id=${run}`)).text).not.toContain(SCRIPT);
    expect(linesOf(await ask('/console/runs'))).toContain('the daemon started');
    expect((await ask('/console/run?id=nothing')).status).toBe(400);
    expect(await type('history', '--run', 'nothing')).toMatchObject({
      code: 2,
      err: expect.stringContaining('[history-run]'),
    });
  });

  test('says on each view that the last run failed and why, and that the plan is superseded', async () => {
    const { ask, type, folder } = await openConsole();
    expect(linesOf(await ask('/console/plan'))).toMatch(/applied by run \S+ at .*; 30 held, waiting/u);
    for (const view of VIEWS)
      expect([view, linesOf(await ask(`/console${view}`)).includes('The last run failed')]).toEqual([
        view,
        false,
      ]);
    renameSync(join(folder, 'hr.db'), join(folder, 'away.db'));
    expect((await type('sync')).code).toBe(1);
    for (const view of VIEWS)
      expect([view, linesOf(await ask(`/console${view}`))]).toEqual([
        view,
        expect.stringMatching(/The last run failed at [^\n]*hr\.db/u),
      ]);
    expect(linesOf(await ask('/console/plan'))).toContain('Superseded by run');
    renameSync(join(folder, 'away.db'), join(folder, 'hr.db'));
    await type('sync');
    expect(linesOf(await ask('/console'))).not.toContain('The last run failed');
  });

  test('finds people by a part of a name, and lists accounts that nobody manages', async () => {
    const { ask, sandbox, type } = await openConsole();
    const found = linesOf(await ask('/console/explain?name=erson+2'));
    expect(found).toMatch(/names \d+ records/u);
    expect(found).toContain('Person 20');
    expect(found).not.toContain('Person 31');
    const { edit, rootId } = sandbox;
    edit.addEmployee({ username: 'guest', name: 'Guest of others', positions: [{ org_id: rootId }] });
    await type('sync', '--full');
    const unmanaged = linesOf(await ask('/console/records?list=unmanaged'));
    expect(unmanaged).toMatch(/1 to 1 of 1[^]*guest/u);
    expect((await type('status', '--unmanaged')).out).toContain('guest');
  });

  test('shows times in the zone of the configuration', async () => {
    const { ask, type, configure, running } = await openConsole();
    configure([
      'log:',
      'sync: { timezone: Asia/Shanghai }\nhttp: { listen: 127.0.0.1:0, console: true }\nlog:',
    ]);
    running.child.kill('SIGHUP');
    await until(() => running.out().includes('configuration read again'), 'the reload');
    const [, local = ''] = /(\d\d:\d\d)(?::\d\d)? \+08:00/u.exec((await type('status')).out) ?? [];
    expect(local).not.toBe('');
    for (const view of ['', '/runs', '/history'])
      expect([view, linesOf(await ask(`/console${view}`))]).toEqual([view, expect.stringContaining(local)]);
  });
});
