import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Sqlite from 'better-sqlite3';
import Table from 'cli-table3';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { ATTRIBUTES, BASE, changesLdif, companyLdif } from './company.ts';
import { benchExpressions } from './expressions.ts';
import { measured, type Measured } from './measured.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const ROLLCALL = join(ROOT, 'dist/main.js');
const PLAIN_READ = new URL('plain-read.js', import.meta.url).pathname;

interface Row {
  readonly what: string;
  readonly run: Measured;
}

/** Runs the bench of expressions, then that of each size, and prints one table: seconds per phase, peak memory, and the floors beside them. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { people: { type: 'string', default: '10000,100000' } } });
  process.stdout.write(`node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'cpu'}\n`);
  benchExpressions();
  for (const people of values.people.split(',').filter(Boolean).map(Number)) await benchSize(people);
}

async function benchSize(people: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-bench-'));
  const size = { people, changed: Math.ceil(people / 100) };
  const slapd = await startSlapd();
  const sandbox = await startSandboxProcess();
  try {
    await slapd.load(companyLdif(size));
    const config = writeConfig(folder, slapd, sandbox.baseUrl);
    const sync = (...args: string[]): Promise<Measured> =>
      measured(process.execPath, [ROLLCALL, '--config', config, 'sync', ...args]);
    const rows: Row[] = [{ what: 'initial load', run: await sync() }];
    rows.push({ what: 'right after it', run: await sync() });
    for (let round = 0; round < 3; round += 1) {
      letTimePass(folder);
      rows.push({ what: 'plain ldapts', run: await plainRead(slapd) });
      rows.push({ what: 'ldapsearch', run: await ldapsearch(slapd) });
      rows.push({ what: 'no change', run: await sync() });
    }
    slapd.modify(changesLdif(size));
    letTimePass(folder);
    rows.push({ what: '1 % changed', run: await sync() });
    rows.push({ what: 'no change, full', run: await sync('--full') });
    print(people, rows);
  } finally {
    sandbox.child.kill('SIGTERM');
    await slapd.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * What a run finds when the one before was more than the watermark's ten minutes ago: our own writes no longer come
 * back. The bench moves the watermark instead of waiting.
 */
function letTimePass(folder: string): void {
  const ledger = new Sqlite(join(folder, 'rollcall.db'));
  ledger.prepare("UPDATE fact SET value = ? WHERE name = 'watermark'").run(String(Date.now()));
  ledger.close();
}

interface SandboxProcess {
  readonly child: ChildProcess;
  readonly baseUrl: string;
}

async function startSandboxProcess(): Promise<SandboxProcess> {
  const child = spawn(process.execPath, [ROLLCALL, 'sandbox'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [first] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const baseUrl = /baseUrl:\s+(\S+)/u.exec(first)?.[1];
  if (baseUrl === undefined) throw new Error(`the sandbox did not say where it is: ${first}`);
  return { child, baseUrl };
}

const searchFor = (filter: string, fields: object) => ({ base: BASE, filter, fields });

/** The pace is out of the way: the bench is about rollcall, the directory and the service. */
function writeConfig(folder: string, slapd: Slapd, baseUrl: string): string {
  const config = {
    service: {
      baseUrl,
      domainId: 'sandbox',
      orgCode: 'sandbox',
      token: 'sandbox-token',
      limits: { requestsPerSecond: 1000, concurrency: 4 },
    },
    source: {
      type: 'ldap',
      url: slapd.url,
      bindDn: slapd.bindDn,
      bindPassword: slapd.password,
      units: searchFor('(objectClass=organizationalUnit)', {
        id: 'businessCategory',
        refs: ['dn', 'businessCategory'],
        name: 'ou',
      }),
      people: searchFor('(objectClass=inetOrgPerson)', {
        id: 'entryUUID',
        username: 'uid',
        name: 'cn',
        email: 'mail',
        mobile: 'mobile',
        sn: 'employeeNumber',
        tel: 'telephoneNumber',
        positions: [
          { unit: 'parentDn', job_title: 'title', primary: { const: true } },
          { unit: 'departmentNumber' },
        ],
      }),
    },
    state: { path: join(folder, 'rollcall.db') },
  };
  const file = join(folder, 'rollcall.yaml');
  writeFileSync(file, JSON.stringify(config));
  return file;
}

const plainRead = (slapd: Slapd): Promise<Measured> =>
  measured(process.execPath, [PLAIN_READ, slapd.url, slapd.bindDn, slapd.password]);

function ldapsearch(slapd: Slapd): Promise<Measured> {
  const login = ['-x', '-H', slapd.url, '-D', slapd.bindDn, '-w', slapd.password];
  const search = ['-b', BASE, '-E', 'pr=500/noprompt', '-LLL', '(objectClass=inetOrgPerson)', ...ATTRIBUTES];
  return measured('ldapsearch', [...login, ...search]);
}

interface RunEndLine {
  readonly result: string;
  readonly applied: number;
  readonly requests: number;
  readonly phases: Readonly<Record<string, number>>;
}

function runEnd(stdout: string): RunEndLine | null {
  const line = stdout.split('\n').findLast((text) => text.includes('"event":"run.end"'));
  return line === undefined ? null : (JSON.parse(line) as RunEndLine);
}

/** Seconds, and as a ratio to the plain read of the same round. */
function print(people: number, rows: readonly Row[]): void {
  const table = new Table({
    head: [
      '',
      'wall s',
      '× ldapts',
      'read',
      'refresh',
      'plan',
      'apply',
      'verify',
      'peak MB',
      'applied',
      'calls',
      'result',
    ],
    style: { head: [], border: [] },
  });
  let floor: number | null = null;
  for (const { what, run } of rows) {
    if (what === 'plain ldapts') floor = run.seconds;
    const end = runEnd(run.stdout);
    const phases = ['read', 'refresh', 'plan', 'apply', 'verify'].map((name) =>
      end === null ? '' : ((end.phases[name] ?? 0) / 1000).toFixed(2),
    );
    const ratio = floor === null ? '' : (run.seconds / floor).toFixed(2);
    const tail = end === null ? ['', '', `exit ${run.code}`] : [end.applied, end.requests, end.result];
    table.push([what, run.seconds.toFixed(2), ratio, ...phases, run.peakMB, ...tail]);
  }
  process.stdout.write(`\n${people} people from slapd\n${table.toString()}\n`);
}

await main();
