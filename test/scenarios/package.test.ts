import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProgram, until, type Typed } from '../commands/command-line.ts';
import { ROOT } from '../readme/page.ts';
import { removeFolder, scratchFolder, writeExport } from '../servers/scratch.ts';

const ABOUT = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
const ADDON = 'better-sqlite3/build/Release/better_sqlite3.node';

let folder: string;
let files: readonly string[];

/** Packs what is here, and installs it into an empty folder. Only the addon, which would take a minute, is compiled already. */
beforeAll(() => {
  folder = scratchFolder('package');
  const npm = (...args: readonly string[]): string =>
    execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [packed] = JSON.parse(npm('pack', ROOT, '--json')) as readonly [Packed];
  files = packed.files.map(({ path }) => path);
  npm('install', '--prefer-offline', '--ignore-scripts', '--omit=optional', '--no-audit', packed.filename);
  const addon = join(folder, 'node_modules', ADDON);
  mkdirSync(dirname(addon), { recursive: true });
  copyFileSync(createRequire(import.meta.url).resolve(ADDON), addon);
});
afterAll(() => removeFolder(folder));

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

const start = (...args: readonly string[]) =>
  startProgram([join(folder, 'node_modules/.bin/rollcall'), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
  });
const type = async (...args: readonly string[]): Promise<Typed> => start(...args).ended;

test('a package has the program, its documents and examples, and nothing that it is made from or tested with', () => {
  const kinds = new Set(
    files.map((path) =>
      path
        .split('/')
        .slice(0, 2)
        .join('/')
        .replace(/^docs\/.*/u, 'docs'),
    ),
  );
  expect([...kinds].toSorted()).toEqual(
    [
      ['README.md', 'package.json', 'dist/main.js', 'dist/chunks', 'dist/page', 'docs'],
      ['config/alerts.yaml', 'config/deploy', 'config/grafana-dashboard.json', 'config/recipes'],
      ['config/csv.example.yaml', 'config/database.example.yaml', 'config/ldap.example.yaml'],
      ['config/rollcall.schema.json'],
    ]
      .flat()
      .toSorted(),
  );
  expect(files.filter((path) => /\.(?:map|ts)$/u.test(path))).toEqual([]);
});

test('a package that is installed into an empty folder does the whole quick start', async () => {
  expect(await type('--version')).toMatchObject({ code: 0, out: `${ABOUT.version}\n` });
  const sandbox = start('sandbox', '--port', '0');
  await until(() => sandbox.out().includes('orgCode'), 'the sandbox');
  const url = /http:\S+/u.exec(sandbox.out())?.[0] ?? '';
  const lines = { 'departments.csv': DEPARTMENTS, 'employees.csv': EMPLOYEES, token: 'sandbox-token\n' };
  for (const [name, text] of Object.entries(lines)) writeExport(join(folder, name), text);
  const place = ['--domain-id', 'sandbox', '--org-code', 'sandbox', '--token-file', 'token'];
  const records = ['--file', 'departments.csv', '--file', 'employees.csv'];
  expect(await type('init', ...records, '--service-url', url, ...place)).toMatchObject({ code: 0, err: '' });
  const plan = await type('plan', '--html', 'plan.html');
  expect([plan.code, plan.out]).toEqual([0, expect.stringContaining('people  + 2 create')]);
  expect(readFileSync(join(folder, 'plan.html'), 'utf8')).toContain('Ann Lee');
  expect((await type('sync')).code).toBe(0);
  expect((await type('plan', '--exit-code')).code).toBe(0);
  sandbox.child.kill('SIGTERM');
  await once(sandbox.child, 'close');
});

const DEPARTMENTS = 'id,parent_id,name\n10,,Harbour Ltd\n20,10,Sales\n30,10,Engineering\n';
const EMPLOYEES = 'emp_no,login,full_name,dept_id,status\n1,ann,Ann Lee,20,active\n2,bob,Bob Ray,30,active\n';
