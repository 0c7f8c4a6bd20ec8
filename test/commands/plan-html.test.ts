import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadedStage, openStage } from './command-line.ts';

describe('plan --html', () => {
  test('writes all of the plan as a page, and says where; nothing is left beside it', async () => {
    const stage = await openStage();
    mkdirSync(join(stage.folder, 'out'));
    const { code, out, err } = await stage.type('plan', '--html', 'out/plan.html');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/In all: .*\n/u);
    expect(out).toMatch(/The plan as a page: out\/plan\.html\n$/u);
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
    expect(page).toContain(`rollcall --config ${stage.configFile} sync --approve <span`);
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

  test.each([
    [
      'a folder that is missing',
      ['--html', 'none/plan.html'],
      /none\/plan\.html cannot be written: there is no folder none\./u,
    ],
    ['a device', ['--html', '/dev/null'], /\/dev\/null cannot be written: it is no file\./u],
    ['a link', ['--html', 'link'], /link cannot be written: it is no file\./u],
    ['the configuration', ['--html', './rollcall.yaml'], /this is the configuration or the ledger/u],
    ['--json beside it', ['--html', 'plan.html', '--json'], /--html and --json exclude each other/u],
  ])('%s is exit 2 with a sentence, before anything is read', async (_, args, sentence) => {
    const stage = await openStage();
    symlinkSync('old.page', join(stage.folder, 'link'));
    const before = stage.sandbox.calls.length;
    const { code, out, err } = await stage.type('plan', ...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(sentence);
    expect(stage.sandbox.calls.length).toBe(before);
    expect(readdirSync(stage.folder).filter((name) => /html|part/u.test(name))).toEqual([]);
  });
});

test.each([
  'token',
  'hr.db',
  'cities.csv',
  'linked/token',
  'linked/rollcall.yaml',
  'linked/state/rollcall.db-wal',
  'state/rollcall.db.key',
  'state/rollcall.db.heartbeat',
])('neither plan nor call writes over %s, which rollcall lives on', async (name) => {
  const stage = await openStage();
  const file = join(stage.folder, name);
  writeFileSync(join(stage.folder, 'token'), stage.sandbox.token);
  writeFileSync(join(stage.folder, 'cities.csv'), 'site,city\n1,Rome\n');
  symlinkSync('.', join(stage.folder, 'linked'));
  stage.configure(
    ['token: ${TOKEN}', 'token: ${file:token}'],
    ['email: email', `city: { expr: "lookup('cities', emp_no, '')" }`],
    ['log:', 'lookups: { cities: { file: cities.csv, key: site, value: city } }\nlog:'],
  );
  const synced = await stage.type('sync');
  expect([synced.code, synced.err]).toEqual([0, '']);
  const before = existsSync(file) ? readFileSync(file) : null;
  const plan = await stage.type('plan', '--html', name);
  const call = await stage.type('call', 'organizationInfo', '--out', name);
  expect([plan.code, call.code]).toEqual([2, 2]);
  for (const { err } of [plan, call])
    expect(err).toMatch(/the configuration (?:or the ledger|names this file): name another/u);
  expect(existsSync(file) ? readFileSync(file) : null).toEqual(before);
});

test('nothing writes a file that the configuration names and that is still to come', async () => {
  const stage = await openStage();
  stage.setSource(`source:
  type: csv
  complete: { doneFile: export.done }
  units: { file: u.csv, fields: { id: id, name: name } }
  people: { file: p.csv, fields: { id: id, username: login, name: name, positions: [{ unit: unit }] } }
`);
  symlinkSync('.', join(stage.folder, 'linked'));
  for (const name of ['export.done', 'linked/export.done'])
    for (const words of [
      ['plan', '--html', name],
      ['call', 'organizationInfo', '--out', name],
      ['backup', join(stage.folder, name)],
    ]) {
      const { code, err } = await stage.type(...words);
      expect([code, err]).toEqual([2, expect.stringContaining('the configuration names this file')]);
    }
  expect(existsSync(join(stage.folder, 'export.done'))).toBe(false);
});

test('plan --json lists people who wait to be confirmed as leavers', async () => {
  const stage = await loadedStage();
  stage.hr(`delete from employee where emp_no = '3'`);
  const { out } = await stage.type('plan', '--json');
  expect(JSON.parse(out)).toMatchObject({ waiting: [{ count: 1, first: [{ id: '3', username: 'lin' }] }] });
});
