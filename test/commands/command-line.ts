import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import Database from 'better-sqlite3';
import { expect, onTestFinished } from 'vitest';
import { rollcall } from '../../src/commands/program.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { mainFile } from '../runtime/compiled.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';

export interface Typed {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Typed>;
  /** What it wrote to stdout so far. */
  readonly out: () => string;
}

export interface StageOptions {
  readonly readings?: readonly string[];
  /** Statements that fill the HR database; a small company without. */
  readonly hr?: string;
  readonly sandbox?: Parameters<typeof startSandbox>[0];
}

/** A sandbox, an HR database and a configuration, and the real command line to type. */
export interface Stage {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly configFile: string;
  readonly ledgerFile: string;
  readonly type: (...args: readonly string[]) => Promise<Typed>;
  readonly start: (...args: readonly string[]) => Running;
  readonly hr: (sql: string) => void;
  readonly setSource: (source: string) => void;
  /** Writes the configuration anew, with some of its text replaced. */
  readonly configure: (...replacements: readonly (readonly [search: string, replacement: string])[]) => void;
  /** Words that start the program from now on, e.g. with a limit; `sh -c '…; exec "$@"' sh`. */
  readonly startBy: (...words: readonly string[]) => void;
  readonly setEnv: (env: Readonly<Record<string, string>>) => void;
  /** As if the time of a killed holder had passed. */
  readonly expireLease: () => void;
  /** As if ten minutes had passed since people were missing. */
  readonly passTime: () => void;
  /** Names of the calls since the last look that change the service. */
  readonly changing: () => readonly string[];
}

export const HR = `
  create table department (id text, parent_id text, name text);
  create table employee (emp_no text, login text, full_name text, email text, status text);
  create table assignment (emp_no text, dept_id text, title text, is_primary integer);
  insert into department values ('d1', null, 'Company / "Head"'), ('d2', 'd1', '研发部 🚀'), ('d3', 'd1', 'Sales');
  insert into employee values ('1', 'ann', 'Ann', 'ann@example.com', 'active'),
    ('2', 'bob', 'Bob', null, 'active'), ('3', 'lin', '林', null, 'active');
  insert into assignment values ('1', 'd1', 'Head', 1), ('2', 'd2', null, 1), ('3', 'd2', 'Dev', 1), ('3', 'd3', null, 0);
`;

const SOURCE = `source:
  type: sql
  url: sqlite:hr.db
  units: { query: select * from department, fields: { id: id, parent: parent_id, name: name } }
  people:
    query: select * from employee
    fields: { id: emp_no, username: login, name: full_name, email: email, active: { expr: "status != 'left'" } }
  positions:
    query: select * from assignment
    fields: { person: emp_no, unit: dept_id, job_title: title, primary: is_primary }
`;

/** The configuration; `source` is all of its section. */
export function configText({ baseUrl, domainId, orgCode }: Sandbox, source = SOURCE): string {
  return `service:
  baseUrl: ${baseUrl}
  domainId: ${domainId}
  orgCode: ${orgCode}
  token: \${TOKEN}
  limits: { requestsPerSecond: 1000 }
${source}state: { path: state/rollcall.db }
log: { level: "\${LEVEL:-debug}" }
`;
}

const ROOT = new URL('../..', import.meta.url).pathname;

/** What is written to it, as text. */
class Written extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** What is usual: the program sets its own for its private files. */
const MASK = 0o022;

/** Runs the command line in this process, which is faster by half a second than one of its own. */
export async function runHere(
  args: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<Typed> {
  process.chdir(folder);
  const [out, err] = [new Written(), new Written()];
  const streams = {
    stdout: out as Writable as NodeJS.WriteStream,
    stderr: err as Writable as NodeJS.WriteStream,
  };
  process.umask(MASK);
  try {
    const code = await rollcall(args, { ...streams, env });
    return { code, signal: null, out: out.text, err: err.text };
  } finally {
    process.umask(MASK);
  }
}

const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString();

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const sandbox = await startSandbox({ readings: options.readings, ...options.sandbox });
  const folder = scratchFolder('stage');
  onTestFinished(async () => {
    await sandbox.close();
    process.chdir(ROOT);
    removeFolder(folder);
  });
  const configFile = join(folder, 'rollcall.yaml');
  const hr = (sql: string): void => {
    const db = new Database(join(folder, 'hr.db'));
    db.exec(sql);
    db.close();
  };
  hr(options.hr ?? HR);
  writeFileSync(configFile, configText(sandbox));
  let env: NodeJS.ProcessEnv = { PATH: process.env['PATH'], TOKEN: sandbox.token };
  let words: readonly string[] = [];
  const start = (...args: readonly string[]): Running =>
    startProgram([...words, process.execPath, mainFile(), ...args], {
      cwd: folder,
      env: { ROLLCALL_CONFIG: configFile, ...env },
    });
  let seen = 0;
  return {
    sandbox,
    folder,
    configFile,
    ledgerFile: join(folder, 'state/rollcall.db'),
    start,
    type: (...args) =>
      words.length > 0 || args.includes('run')
        ? start(...args).ended
        : runHere(args, folder, { ROLLCALL_CONFIG: configFile, ...env }),
    hr,
    configure: (...replacements) => writeFileSync(configFile, replaced(configText(sandbox), replacements)),
    setSource: (source) => writeFileSync(configFile, configText(sandbox, source)),
    startBy: (...by) => void (words = by),
    setEnv: (more) => void (env = { ...env, ...more }),
    expireLease: () => {
      const db = new Database(join(folder, 'state/rollcall.db'));
      db.exec(`update fact set value = json_set(value, '$.ends', 0) where name = 'lease'`);
      db.close();
    },
    passTime: () => {
      const db = new Database(join(folder, 'state/rollcall.db'));
      db.exec('update person set missed_at = missed_at - 600000');
      db.close();
    },
    changing: () => {
      const calls = sandbox.calls.slice(seen);
      seen = sandbox.calls.length;
      return calls.filter(({ method }) => method !== 'GET').map(({ operation }) => operation);
    },
  };
}

/** A stage after its first run, in which nothing went wrong. */
export async function loadedStage(options: StageOptions = {}): Promise<Stage> {
  const stage = await openStage(options);
  expect((await stage.type('sync')).code).toBe(0);
  return stage;
}

function replaced(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((all, [search, replacement]) => {
    if (!all.includes(search)) throw new Error(`the configuration has no ${search}`);
    return all.replace(search, () => replacement);
  }, text);
}

/** Starts a program; it ends at the latest with this process. */
export function startProgram(
  [file = '', ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Running {
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => void out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => void err.push(chunk));
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const ended = once(child, 'close').then(([code, signal]) => {
    process.off('exit', killAtExit);
    return {
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      out: textOf(out),
      err: textOf(err),
    };
  });
  return { child, ended, out: () => textOf(out) };
}

/** Usernames of the employees in the service, sorted. */
export const usernamesIn = ({ sandbox }: Stage): readonly string[] =>
  sandbox.state
    .employees()
    .map(({ username }) => username)
    .toSorted();

/** Events of a log of JSON lines. */
export function eventsOf(out: string): readonly Readonly<Record<string, unknown>>[] {
  return out
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Waits for something that another process does. */
export async function until(holds: () => boolean, what: string, seconds = 20): Promise<void> {
  const deadline = Date.now() + seconds * 1_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`waited ${seconds} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
