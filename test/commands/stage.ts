import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { compiled } from '../runtime/compiled.ts';

export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A folder with an HR database and a configuration, a service beside them, and the command line as a user has it. */
export interface Stage {
  readonly sandbox: Sandbox;
  readonly hr: Database.Database;
  readonly ledgerFile: string;
  readonly rollcall: (...args: readonly string[]) => Promise<Said>;
  /** Writes the configuration anew; what stands below `sync`. */
  readonly configure: (sync: string) => void;
  readonly close: () => Promise<void>;
}

const TABLES = `
  create table department (id text, parent_id text, name text);
  create table employee (emp_no text, login text, full_name text, email text, status text, card text, rank text);
  create table assignment (emp_no text, dept_id text, title text, is_primary integer);
  insert into department values ('d1', null, 'Harbour'), ('d2', 'd1', 'Sales'), ('d3', 'd1', '研发部'), ('d4', 'd2', 'Service');
`;

function configOf(sandbox: Sandbox, sync: string): string {
  const { baseUrl, domainId, orgCode, token } = sandbox;
  return `
service: { baseUrl: "${baseUrl}", domainId: ${domainId}, orgCode: ${orgCode}, token: "${token}", limits: { requestsPerSecond: 1000 } }
source:
  type: sql
  url: sqlite:hr.db
  units: { query: select * from department, fields: { id: id, parent: parent_id, name: name } }
  people:
    query: select * from employee
    fields:
      id: emp_no
      username: login
      name: full_name
      email: email
      sort_order: rank
      id_card: card
      active: { expr: "status != 'left'" }
  positions: { query: select * from assignment, fields: { person: emp_no, unit: dept_id, job_title: title, primary: is_primary } }
state: { path: rollcall.db }
sync: ${sync}
`;
}

export async function setStage(): Promise<Stage> {
  const folder = compiled(['src']);
  const sandbox = await startSandbox();
  const hr = new Database(join(folder, 'hr.db'));
  hr.exec(TABLES);
  const configure = (sync: string): void =>
    writeFileSync(join(folder, 'rollcall.yaml'), configOf(sandbox, sync));
  configure('{}');
  return {
    sandbox,
    hr,
    ledgerFile: join(folder, 'rollcall.db'),
    configure,
    rollcall: async (...args) => {
      const words = [join(folder, 'src/main.js'), '--config', 'rollcall.yaml', ...args];
      const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
      const ended = once(child, 'close');
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
      const [code] = (await ended) as readonly [number];
      return { code, out, err };
    },
    close: async () => {
      hr.close();
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
