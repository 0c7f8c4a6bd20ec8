import { readFileSync, renameSync, statSync } from 'node:fs';
import { request } from 'node:http';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { constant, expectScreen } from '../commands/story.ts';
import { linesOf, SCRIPT, openConsole, type Asked } from './console-stage.ts';

const VIEWS = ['', '/records?list=leavers', '/runs', '/plan', '/explain?name=ann', '/history'] as const;
const SEARCHES = [
  '/explain?name=nobody',
  '/history?of=person&name=ann',
  '/history?of=unit&name=sales',
  '/history?since=0m',
  '/history?since=yesterday',
  '/history?of=unit&name=zzz',
] as const;
const TOKEN = 'a-token-of-the-console';

/** Asks under another name, as a page of elsewhere makes a browser do. */
async function statusAs(address: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(`${address}/console`, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('error', reject).end();
  });
}

describe('the console of a daemon', { timeout: 180_000 }, () => {
  test('says what the terminal says, and changes nothing', async () => {
    const { ask, changing, ...stage } = await openConsole();
    const { address } = stage;
    changing();
    const views = [...VIEWS, ...SEARCHES];
    const shown = await Promise.all(
      views.map(async (view) => `${view}\n${linesOf(await ask(`/console${view}`))}\n`),
    );
    const text = shown
      .join('\n')
      .replaceAll(/\b\d\d:\d\d(?= (?:ok|held))/gu, 'TIME')
      .replaceAll(/\bSeconds (?:of|\d)[^\n]*/gu, 'Seconds N')
      .replaceAll(/(?<=(?:held|ok)(?: \d+){3} )[\d.,]+/gu, 'N');
    await expectScreen('views', constant(text, { ...stage, changing }));
    expect(changing()).toEqual([]);
    expect((await ask('/console', { method: 'POST', headers: { origin: address } })).status).toBe(404);
    expect((await ask('/healthz')).status).toBe(200);
    expect((await ask('/metrics')).text).toContain('rollcall_leavers_inside 30');
    expect(statSync(`${stage.ledgerFile}.last-plan.html`).mode & 0o777).toBe(0o600);
  });

  test('lets nothing in or out: headers, no address, no number', async () => {
    const { ask, address } = await openConsole();
    for (const view of VIEWS) {
      const { headers, text, status } = await ask(`/console${view}`);
      expect([view, status]).toEqual([view, 200]);
      expect(text).not.toMatch(/example\.com|5550199|t0p|sandbox-token/u);
      expect(text).not.toContain(SCRIPT);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; .*frame-ancestors 'none'/u);
      expect(policy).not.toMatch(/unsafe|\*|http/u);
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'x-frame-options': 'DENY',
      });
    }
    const odd = await ask(`/console/history?before=9.x&page=-1&name=${'%00'.repeat(2_000)}`);
    expect(odd.status).toBe(400);
    const hosts = ['evil.example', '127.0.0.1.nip.io', 'localhost'];
    const statuses = await Promise.all(hosts.map((host) => statusAs(address, host)));
    expect(statuses).toEqual([403, 403, 200]);
  });

  test('opens by its token, entered in the form', async () => {
    const { ask, running, address } = await openConsole(
      `{ listen: 0.0.0.0:0, console: { token: ${TOKEN} } }`,
    );
    const enter = async (token: string): Promise<Asked> =>
      ask('/console/enter', {
        method: 'POST',
        body: new URLSearchParams({ token }),
        headers: { origin: address },
      });
    for (const view of VIEWS) {
      const shut = await ask(`/console${view}`);
      expect([shut.status, shut.text.includes('sandbox')]).toEqual([401, false]);
    }
    const wrong = linesOf(await enter('wrong'));
    const right = await enter(TOKEN);
    expect([right.status, right.headers.get('location')]).toEqual([303, '/console']);
    const [cookie = ''] = (right.headers.get('set-cookie') ?? '').split(';');
    expect((await ask('/console', { headers: { cookie } })).status).toBe(200);
    for (let n = 0; n < 1_000; n += 1) await enter(`wrong ${n}`);
    const paused = await enter(TOKEN);
    const seconds = linesOf(paused).replace(/\d+ seconds/u, 'N seconds');
    await expectScreen('refused tokens', `${wrong}\n\n${seconds}\n`);
    expect(Number(paused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await ask('/console', { headers: { cookie } })).status).toBe(200);
    expect((await ask('/healthz')).status).toBe(200);
    expect(running.out().match(/too many wrong tokens/gu)?.length).toBeLessThanOrEqual(2);
    expect(running.out()).not.toContain(TOKEN);
  });

  test('says so where the ledger is locked, newer, of others or gone', async () => {
    const { ask, ...stage } = await openConsole();
    const { ledgerFile } = stage;
    const db = new Database(ledgerFile);
    const texts: string[] = [];
    const said = async (): Promise<number> => {
      const answer = await ask('/console');
      texts.push(`${linesOf(answer)}\n`);
      return answer.status;
    };
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const asked = performance.now();
    expect(await said()).toBe(503);
    expect(performance.now() - asked).toBeLessThan(3_000);
    db.exec('ROLLBACK');
    db.close();
    const again = new Database(ledgerFile);
    const version = Number(again.pragma('user_version', { simple: true }));
    again.pragma(`user_version = ${version + 1}`);
    expect(await said()).toBe(503);
    again.pragma(`user_version = ${version}`);
    again.close();
    renameSync(ledgerFile, `${ledgerFile}.away`);
    expect(await said()).toBe(503);
    renameSync(`${ledgerFile}.away`, ledgerFile);
    await expectScreen('ledger', constant(texts.join('\n'), stage));
    expect(await said()).toBe(200);
  });

  test('keeps no plan once it is off, nor of a person who was forgotten', async () => {
    const { type, configure, running, ledgerFile, hr } = await openConsole();
    const planFile = `${ledgerFile}.last-plan.html`;
    running.child.kill('SIGTERM');
    await running.ended;
    expect(readFileSync(planFile, 'utf8')).toContain('Person 9');
    const exists = (): boolean => statSync(planFile, { throwIfNoEntry: false }) !== undefined;
    hr(`delete from employee where emp_no = 'b1'; delete from assignment where emp_no = 'b1'`);
    configure([
      'log:',
      'sync: { leavers: { misses: 1, action: remove }, guard: { leavers: off } }\nhttp: { console: true }\nlog:',
    ]);
    hr(`delete from employee where emp_no = '1'; delete from assignment where emp_no = '1'`);
    expect((await type('sync')).code).not.toBe(2);
    expect(exists()).toBe(true);
    const forgotten = await type('forget', 'ann');
    expect([forgotten.code, exists(), forgotten.err]).toEqual([0, false, expect.anything()]);
    await type('sync');
    expect(exists()).toBe(true);
    configure(['log:', 'http: {}\nlog:']);
    await type('sync');
    expect(exists()).toBe(false);
  });
});
