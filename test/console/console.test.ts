import { readFileSync, renameSync, statSync } from 'node:fs';
import { request } from 'node:http';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { SCRIPT, openConsole, type Asked } from './console-stage.ts';

const VIEWS = ['', '/records?list=leavers', '/runs', '/plan', '/explain?name=ann', '/history'] as const;
const TOKEN = 'a-token-of-the-console';

const textOf = ({ text }: Asked): string =>
  text
    .replaceAll(/<style>[^]*?<\/style>|<[^>]+>/gu, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/gu, ' ');

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
    const { ask, type, changing, ...stage } = await openConsole();
    changing();
    const hash = /--approve (\w+)/u.exec((await type('status')).out)?.[1] ?? 'none';
    const status = textOf(await ask('/console'));
    const said = (await type('status')).out.split('\n');
    const total = said.find((line) => line.startsWith('In all:')) ?? 'none';
    expect(status).toContain(total.trim());
    expect(total).toContain('30 leavers still active; 30 held');
    expect(status).toContain(`rollcall sync --approve ${hash}`);
    expect(status).toContain('Likely cause: All 30: inactive in the source');
    expect(status).toContain('bad: unit "nowhere" is unknown');
    expect(textOf(await ask('/console/records?list=leavers'))).toContain(
      `1 to 30 of 30. person user.0 (${SCRIPT}) : inactive in the source; held: rollcall sync --approve ${hash}`,
    );
    const explained = textOf(await ask('/console/explain?name=ANN'));
    expect(explained).toContain('ann (Anna), managed, active');
    const [, , ...lines] = (await type('explain', 'ann')).out.split('\n');
    expect(lines.join(' ')).toContain('job_title from title');
    expect(explained).toContain('person from emp_no, unit from dept_id, job_title from title');
    expect(textOf(await ask('/console/explain?name=nobody'))).toContain('neither managed nor noted');
    const history = textOf(await ask('/console/history?of=person&name=ann'));
    expect(history).toMatch(/~ update person ann \(1\) changed in the source \[.*name "Ann" → "Anna"/u);
    const unit = textOf(await ask('/console/history?of=unit&name=sales'));
    expect(unit).toContain('create unit Sales (d3)');
    expect(textOf(await ask('/console/history?since=0m'))).toContain('Nothing in the history matches.');
    expect(textOf(await ask('/console/runs'))).toContain('Applied changes of the last 3 runs: 0 to 47');
    expect((await ask('/console/plan')).text).toContain(`<span class="hash">${hash}</span>`);
    expect(changing()).toEqual([]);
    expect((await ask('/console', { method: 'POST' })).status).toBe(404);
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
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      });
    }
    for (const [query, words] of [
      ['since=yesterday', 'is no time: write a day'],
      ['of=unit&name=zzz', '"zzz" is not known. A unit is named by'],
    ] as const) {
      const refused = await ask(`/console/history?${query}`);
      expect([refused.status, textOf(refused)]).toEqual([400, expect.stringContaining(words)]);
    }
    const odd = await ask(`/console/history?before=9.x&page=-1&name=${'%00'.repeat(2_000)}`);
    expect(odd.status).toBe(400);
    const hosts = ['evil.example', '127.0.0.1.nip.io', 'localhost'];
    const statuses = await Promise.all(hosts.map((host) => statusAs(address, host)));
    expect(statuses).toEqual([403, 403, 200]);
  });

  test('opens by its token, entered in the form', async () => {
    const { ask, running } = await openConsole(`{ listen: 0.0.0.0:0, console: { token: ${TOKEN} } }`);
    const enter = async (token: string): Promise<Asked> =>
      ask('/console/enter', { method: 'POST', body: new URLSearchParams({ token }) });
    for (const view of VIEWS) {
      const shut = await ask(`/console${view}`);
      expect([shut.status, shut.text.includes('sandbox')]).toEqual([401, false]);
    }
    expect(textOf(await enter('wrong'))).toContain('This is not the token.');
    const right = await enter(TOKEN);
    expect([right.status, right.headers.get('location')]).toEqual([303, '/console']);
    const [cookie = ''] = (right.headers.get('set-cookie') ?? '').split(';');
    expect((await ask('/console', { headers: { cookie } })).status).toBe(200);
    for (let n = 0; n < 1_000; n += 1) await enter(`wrong ${n}`);
    const paused = await enter(TOKEN);
    expect([paused.status, textOf(paused)]).toEqual([
      429,
      expect.stringMatching(/Try again in \d+ seconds/u),
    ]);
    expect(Number(paused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await ask('/console', { headers: { cookie } })).status).toBe(200);
    expect((await ask('/healthz')).status).toBe(200);
    expect(running.out().match(/too many wrong tokens/gu)?.length).toBeLessThanOrEqual(2);
    expect(running.out()).not.toContain(TOKEN);
  });

  test('says so where the ledger is locked, newer, of others or gone', async () => {
    const { ask, ledgerFile } = await openConsole();
    const db = new Database(ledgerFile);
    const said = async (): Promise<readonly [number, string]> => {
      const answer = await ask('/console');
      return [answer.status, textOf(answer)];
    };
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const asked = performance.now();
    expect(await said()).toEqual([503, expect.stringContaining('another process is writing')]);
    expect(performance.now() - asked).toBeLessThan(3_000);
    db.exec('ROLLBACK');
    db.close();
    const again = new Database(ledgerFile);
    const version = Number(again.pragma('user_version', { simple: true }));
    again.pragma(`user_version = ${version + 1}`);
    expect(await said()).toEqual([503, expect.stringContaining('made by another build')]);
    again.pragma(`user_version = ${version}`);
    again.close();
    renameSync(ledgerFile, `${ledgerFile}.away`);
    expect(await said()).toEqual([503, expect.stringContaining('is not there yet')]);
    renameSync(`${ledgerFile}.away`, ledgerFile);
    expect((await said())[0]).toBe(200);
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
