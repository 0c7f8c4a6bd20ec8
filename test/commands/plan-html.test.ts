import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadedStage, openStage } from './command-line.ts';
import { constant, expectScreen } from './story.ts';

describe('plan --html', () => {
  test('writes all of the plan as a page, and says where; nothing is left beside it', async () => {
    const stage = await openStage();
    mkdirSync(join(stage.folder, 'out'));
    const { code, out, err } = await stage.type('plan', '--html', 'out/plan.html');
    expect([code, err]).toEqual([0, '']);
    await expectScreen('plan as a page', constant(out, stage));
    expect(readdirSync(join(stage.folder, 'out'))).toEqual(['plan.html']);
    const page = readFileSync(join(stage.folder, 'out/plan.html'), 'utf8');
    for (const text of ['<!doctype html>', '研发部 🚀', '"username":"lin"', 'job_title=Dev', '</html>\n'])
      expect(page).toContain(text);
    expect(page).not.toContain(stage.sandbox.token);
    expect(stage.changing()).toEqual([]);
  });

  test('tells to type commands with the configuration that was given', async () => {
    const stage = await loadedStage();
    stage.hr(`update employee set status = 'left'`);
    await stage.type('plan', '--html', 'plan.html', '--config', stage.configFile);
    const page = readFileSync(join(stage.folder, 'plan.html'), 'utf8');
    expect(/rollcall (.*) sync --approve <span/u.exec(page)?.[1]).toBe(`--config ${stage.configFile}`);
    expect(page).not.toMatch(/rollcall (?:sync|plan|explain|status)/u);
  });

  test('marks what a guard holds, and replaces a page that was there', async () => {
    const stage = await loadedStage();
    stage.hr(`delete from employee where emp_no <> '1'`);
    await stage.type('sync');
    stage.hr(
      `update employee set status = 'left'; insert into employee select emp_no + 10, login || 'x', full_name, email, 'left' from employee`,
    );
    stage.configure(['log:', 'sync: { guard: { leavers: 0 } }\nlog:']);
    writeFileSync(join(stage.folder, 'plan.html'), 'old');
    expect((await stage.type('plan', '--html', 'plan.html')).code).toBe(0);
    const page = readFileSync(join(stage.folder, 'plan.html'), 'utf8');
    expect(page).toMatch(
      /^<!doctype html>[^]*sync\.guard\.leavers[^]*"kind":"disable"[^\n]*"username":"ann"[^\n]*"held":true/u,
    );
  });
});
