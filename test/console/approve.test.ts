import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WrittenEntry } from '../../src/plan/words/written-entry.ts';
import { eventsOf, type Stage } from '../commands/command-line.ts';
import { FAINT, openPage, startBrowser } from '../servers/browser.ts';
import { hasServer } from '../servers/install.ts';
import { ANN, LEAVE, openConsole, runs, TOKENS, WITH_EVA } from './approve-stage.ts';

const PATIENCE_MS = 60_000;

const disabled = ({ sandbox }: Stage): number =>
  ['ann', 'bob'].filter((name) => sandbox.state.user(name)?.disabled === true).length;

describe('an approver in the console', { timeout: 180_000 }, () => {
  test('releases what is held, reads what became of it, and is named in the history', async () => {
    const { stage, running, signIn, get, approve, run } = await openConsole();
    const [hash = ''] = await run(LEAVE);
    const lin = await signIn(TOKENS.lin);
    const shown = await get(`/approve?hash=${hash}`, lin);
    expect(shown.text).toContain('Changes 1 to 2 of 2');
    expect(shown.text).toMatch(/disable person ann \(Ann\).*disable person bob \(Bob\).*Release 2 changes/u);
    expect((await get('', lin)).text).toContain(`Look at 2 changes held by leavers, and approve: ${hash}`);
    stage.changing();
    const released = await approve(hash, lin);
    expect([released.status, released.headers.get('location')]).toEqual([
      303,
      `/console/approve?hash=${hash}`,
    ]);
    const first = await get(`/approve?hash=${hash}`, lin);
    expect(first.text).toContain('Released by lin at ');
    await expect.poll(() => disabled(stage), { timeout: PATIENCE_MS }).toBe(2);
    await expect
      .poll(async () => (await get(`/approve?hash=${hash}`, lin)).text, { timeout: PATIENCE_MS })
      .toMatch(
        /Released by lin at [\d\- :]+ UTC: 2 changes\. Run \S+ has done what was still planned of it\./u,
      );
    expect(stage.changing()).toEqual(['disableEmployee', 'disableEmployee']);
    expect(eventsOf(running.out())).toContainEqual(expect.objectContaining({ by: 'lin', hash, changes: 2 }));
    const history = JSON.parse((await stage.type('history', '--json')).out) as readonly WrittenEntry[];
    const left = history.filter(({ kind }) => kind === 'disable');
    expect(left.map(({ approver }) => approver)).toEqual(['lin', 'lin']);
    // What is told in the console is no message.
    expect(stage.sandbox.state.pushes()).toEqual([]);
  });

  test('releases nothing by a form of elsewhere, without a cookie, as a viewer, unasked, or after signing out', async () => {
    const { stage, running, signIn, approve, post, get, run, address } = await openConsole();
    const [hash = ''] = await run(LEAVE);
    const [viewer, lin] = [await signIn(TOKENS.viewer), await signIn(TOKENS.lin)];
    const statuses = [
      await approve(hash, lin, { origin: 'https://evil.example' }),
      await approve(hash, lin, { origin: 'null' }),
      await approve(hash, lin, { 'sec-fetch-site': 'cross-site' }),
      await approve(hash, ''),
      await approve(hash, `${lin}x`),
      await approve(hash, viewer),
      await post('/approve', { hash }, { cookie: lin }),
      await approve('nothing', lin),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 403, 401, 401, 403, 400, 409]);
    const bare = await fetch(`${address}/console/approve`, {
      method: 'POST',
      headers: { cookie: lin },
      body: new URLSearchParams({ hash, sure: 'yes' }),
    });
    expect(bare.status).toBe(403);
    expect((await get(`/approve?hash=${hash}`, viewer)).text).toContain('enter your own token');
    expect((await post('/leave', {}, { cookie: lin })).status).toBe(303);
    expect((await approve(hash, lin)).status).toBe(401);
    expect([disabled(stage), runs(running)]).toEqual([0, 2]);
  });

  test('releases nothing of the own account, while locked, or while nobody can look', async () => {
    const { stage, running, signIn, approve, run } = await openConsole();
    const [hash = ''] = await run(LEAVE);
    const [ann, eva, lin] = [await signIn(ANN), await signIn(TOKENS.eva), await signIn(TOKENS.lin)];
    const own = await approve(hash, ann);
    expect([own.status, own.text]).toEqual([409, expect.stringContaining('Your own account is among')]);
    stage.sandbox.edit.lockEmployee('eva');
    const locked = await approve(hash, eva);
    expect([locked.status, locked.text]).toEqual([409, expect.stringContaining('Only active accounts')]);
    stage.sandbox.setFaults('rate=1,kinds=500,ops=listEmployees');
    expect((await approve(hash, lin)).status).toBe(503);
    stage.sandbox.setFaults(undefined);
    expect([disabled(stage), runs(running)]).toEqual([0, 2]);
    expect((await approve(hash, lin)).status).toBe(303);
    await expect.poll(() => disabled(stage), { timeout: PATIENCE_MS }).toBe(2);
  });

  test('releases nothing by a name in another case or with another letter, though the token is right', async () => {
    const { stage, running, signIn, approve, get, run } = await openConsole({
      usernames: ['Lin', 'ev\u0430'],
    });
    const [hash = ''] = await run(LEAVE);
    for (const token of [TOKENS.lin, TOKENS.eva]) {
      const cookie = await signIn(token);
      expect((await get(`/approve?hash=${hash}`, cookie)).text).toContain('Release 2 changes');
      const { status, text } = await approve(hash, cookie);
      expect([status, text]).toEqual([409, expect.stringContaining('Only active accounts')]);
    }
    expect([disabled(stage), runs(running)]).toEqual([0, 2]);
  });

  test('releases nothing while the daemon only reports, and nothing is kept for later', async () => {
    const { stage, running, signIn, approve, reload, get, run } = await openConsole();
    const [hash = ''] = await run(LEAVE);
    const lin = await signIn(TOKENS.lin);
    await reload('sync: {', 'sync: { mode: report,');
    expect((await get(`/approve?hash=${hash}`, lin)).text).toContain('Report only (sync.mode: report)');
    const { status, text } = await approve(hash, lin);
    expect(status).toBe(409);
    expect(text).toContain('rollcall only reports now (sync.mode: report), so nothing was released.');
    expect(text).toContain(`Set sync.mode to apply, or run: rollcall sync --approve ${hash}`);
    await reload('cron: "0 0 1 1 *"', 'cron: "0 0 2 1 *"');
    expect(await run('')).toEqual([hash]);
    expect([disabled(stage), runs(running)]).toEqual([0, 3]);
    expect((await approve(hash, lin)).status).toBe(303);
    await expect.poll(() => disabled(stage), { timeout: PATIENCE_MS }).toBe(2);
  });

  test('releases nothing by a page that was open while the plan changed', async () => {
    const { stage, signIn, approve, get, run } = await openConsole();
    const [old = ''] = await run(`update employee set status = 'left' where login = 'ann'`);
    const lin = await signIn(TOKENS.lin);
    const [hash = ''] = await run(LEAVE);
    expect(hash).not.toBe(old);
    const late = await approve(old, lin);
    expect([late.status, late.text]).toEqual([409, expect.stringContaining(`Nothing is held under ${old}`)]);
    const again = await get(`/approve?hash=${old}`, lin);
    expect(again.text).toContain(`Nothing is held under ${old}. Look at 2 changes held by leavers`);
    expect(disabled(stage)).toBe(0);
  });

  test('is told who was first if two release at once, or one clicks twice', async () => {
    const { stage, signIn, approve, run } = await openConsole();
    const [hash = ''] = await run(LEAVE);
    const [lin, eva] = [await signIn(TOKENS.lin), await signIn(TOKENS.eva)];
    const answers = await Promise.all([lin, eva, lin, eva].map((cookie) => approve(hash, cookie)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    for (const { text } of answers.filter(({ status }) => status !== 303))
      expect(text).toMatch(/(?:lin|eva) has released it already|Nothing is held under/u);
    await expect.poll(() => disabled(stage), { timeout: PATIENCE_MS }).toBe(2);
    expect(stage.changing().filter((call) => call.includes('disable'))).toHaveLength(2);
  });

  test('pages through thousands, and reads how many there are', async () => {
    const many = Array.from({ length: 1_200 }, (_, n) => `('p${n}', 'p.${n}', 'P ${n}', null, 'active')`);
    const company = `${WITH_EVA} insert into employee values ${many.join(', ')};
      insert into assignment select emp_no, 'd3', null, 1 from employee where emp_no like 'p%';`;
    const { signIn, get, run } = await openConsole({ hr: company });
    const [hash = ''] = await run(`update employee set status = 'left' where emp_no like 'p%'`);
    const lin = await signIn(TOKENS.lin);
    const names = new Set<string>();
    for (let after = 0; after < 1_200; after += 100) {
      const { text } = await get(`/approve?hash=${hash}&after=${after}`, lin);
      expect(text).toContain(`Changes ${after + 1} to ${after + 100} of 1,200`);
      for (const [, name = ''] of text.matchAll(/disable person (p\.\d+)/gu)) names.add(name);
    }
    expect(names.size).toBe(1_200);
  });

  test('is not found by a thousand tries', async () => {
    const { running, post, signIn } = await openConsole();
    const resident = (): number =>
      Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${running.child.pid}/status`, 'utf8'))?.[1]) / 1024;
    const [lines, before] = [running.out().split('\n').length, resident()];
    const statuses = new Map<number, number>();
    for (let n = 0; n < 1_000; n += 1) {
      const { status } = await post('/enter', { token: `the-own-token-of-${n}` });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(statuses.get(303)).toBeUndefined();
    expect(statuses.get(401)).toBeLessThanOrEqual(10);
    expect(await signIn(TOKENS.lin)).toBe('');
    expect(running.out().split('\n').length - lines).toBeLessThanOrEqual(2);
    expect(resident() - before).toBeLessThan(60);
    expect(running.out()).not.toMatch(/own-token/u);
  });
});

describe.skipIf(!hasServer('chromium'))('approving in a browser', { timeout: 180_000 }, () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => browser.close());

  test('leads from the link to the run, by an own token, on a phone', async () => {
    const { stage, address, run } = await openConsole();
    const [hash = ''] = await run(LEAVE);
    const url = `${address}/console/approve?hash=${hash}`;
    const { page, trouble } = await openPage(browser, {
      url,
      mayAsk: (asked) => asked.startsWith(`${address}/console`),
      options: { viewport: { width: 360, height: 800 } },
    });
    await page.getByLabel(/Token/u).fill(TOKENS.lin);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.waitForURL(url);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict', path: '/console' });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(360);
    expect(await page.evaluate<readonly string[]>(FAINT)).toEqual([]);
    const release = page.getByRole('button', { name: 'Release 2 changes' });
    await release.click();
    expect(page.url()).toBe(url);
    expect(disabled(stage)).toBe(0);
    await page.getByRole('checkbox').check();
    await release.dblclick();
    await page.getByText(/has done what was still planned/u).waitFor({ timeout: PATIENCE_MS });
    expect(disabled(stage)).toBe(2);
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(await page.getByLabel(/Token/u).count()).toBe(1);
    expect(trouble.filter((one) => !/401 \(Unauthorized\)|\[DOM\]/u.test(one))).toEqual([]);
  });
});
