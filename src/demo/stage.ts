import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine, MAIN, Narrator } from './command-line.ts';
import { HrDatabase } from './hr-database.ts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.ts';

/** Everything that the demo uses: a folder with an HR database and a configuration, and a service. */
export interface Stage {
  readonly folder: string;
  readonly configText: string;
  readonly hr: HrDatabase;
  readonly sandbox: Sandbox;
  readonly narrator: Narrator;
  readonly commandLine: CommandLine;
  readonly callback: DemoCallback;
  /** Adds lines to the configuration. */
  readonly configure: (more: string) => void;
  /** Commands that start a kept stage again. */
  readonly nextSteps: readonly string[];
  readonly close: () => Promise<void>;
}

const CONFIG = 'rollcall.yaml';
const HR = 'hr.db';
const TOKEN = 'token';
const SERVICE = 'service.db';

const CALLBACK = {
  token: 'demo-callback-token',
  key: 'harbourinstrumentsharbourinstrumentsharbou0',
  applicationId: 'rollcall-demo',
} as const;

/** Sets the stage; `keep` says whether the folder stays after the demo. */
export async function setStage(keep: boolean): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-demo-'));
  if (!keep) removeAtExit(folder);
  const hr = new HrDatabase(join(folder, HR));
  const approver = hr.memberOf('D5', true).login;
  const callback = { ...CALLBACK, approver, port: await freePort() };
  const { token, key, applicationId, port } = callback;
  const url = `http://127.0.0.1:${port}/callback`;
  const sandbox = await startSandbox({
    data: join(folder, SERVICE),
    rootName: 'Harbour Instruments',
    callback: { url, token, key, applicationId },
  });
  const configText = demoConfig(sandbox);
  writeFileSync(join(folder, TOKEN), sandbox.token, { mode: 0o600 });
  writeFileSync(join(folder, CONFIG), configText);
  const narrator = new Narrator(process.stdout, process.env);
  return {
    folder,
    configText,
    hr,
    sandbox,
    narrator,
    callback,
    configure: (more) => appendFileSync(join(folder, CONFIG), more),
    commandLine: new CommandLine({ folder, config: CONFIG, narrator }),
    nextSteps: [
      `cd ${folder}`,
      `node ${MAIN} sandbox --data ${SERVICE} --port ${new URL(sandbox.baseUrl).port} \\`,
      `  --callback ${url} --callback-app ${applicationId} --callback-token ${token} --callback-key ${key} &`,
      `node ${MAIN} --config ${CONFIG} run   # answer it on the page ${sandbox.baseUrl}/`,
      `node ${MAIN} --config ${CONFIG} plan`,
    ],
    close: async () => {
      hr.close();
      await sandbox.close();
    },
  };
}

/** Returns a port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the server has no TCP address');
  return address.port;
}

/** Removes the folder at exit, however the demo ends, Ctrl-C included. */
function removeAtExit(folder: string): void {
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => process.exit(code));
  }
}

/** How the service and rollcall know each other's callbacks, and who may approve. */
interface DemoCallback {
  readonly port: number;
  readonly token: string;
  readonly key: string;
  readonly applicationId: string;
  readonly approver: string;
}

/** Returns what the configuration gets for the last chapters: messages, a listener, and who may approve. */
export function demoApprovals({ port, token, key, applicationId, approver }: DemoCallback): string {
  return `notify: { to: { usernames: [${approver}] }, on: [held] }
http: { listen: "127.0.0.1:${port}" }
approvals:
  callback: { token: ${token}, key: ${key}, applicationId: ${applicationId} }
  approvers: [${approver}]
`;
}

/**
 * Returns the whole configuration of the demo. Its paths are relative to the folder in which the commands
 * run.
 */
function demoConfig(sandbox: Sandbox): string {
  return `service:
  baseUrl: ${sandbox.baseUrl}
  domainId: ${sandbox.domainId}
  orgCode: ${sandbox.orgCode}
  token: \${file:${TOKEN}}
  limits: { requestsPerSecond: 50 }
source:
  type: sql
  url: sqlite:${HR}
  units:
    query: select * from department
    fields: { id: id, parent: parent_id, name: name }
  people:
    query: select * from employee
    fields:
      id: emp_no
      username: login
      name: full_name
      en_name: latin_name
      email: email
      mobile: mobile
      active: { expr: "status != 'left'" }
  positions:
    query: select * from assignment
    fields: { person: emp_no, unit: dept_id, job_title: title, primary: is_primary, chief: is_head }
state: { path: rollcall.db }
`;
}
