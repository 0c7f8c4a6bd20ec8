import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HrDatabase } from './hr.ts';
import { CONFIG } from './narrator.ts';
import { startSandbox, type Sandbox } from '../sandbox/sandbox.ts';

/** Everything that the demo uses: a folder with an HR database and a configuration, and a service. */
export interface Stage {
  readonly folder: string;
  readonly hr: HrDatabase;
  readonly sandbox: Sandbox;
  readonly configText: string;
  /** Username of who may approve, and what the configuration gets for that. */
  readonly approver: string;
  readonly approvals: string;
}

const CALLBACK = {
  token: 'demo-callback-token',
  key: 'harbourinstrumentsharbourinstrumentsharbou0',
  applicationId: 'rollcall-demo',
} as const;

/** Sets the stage; `keep` says whether the folder stays after the demo. */
export async function setStage(keep: boolean): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-demo-'));
  if (!keep) removeAtExit(folder);
  const hr = new HrDatabase(join(folder, 'hr.db'));
  const approver = hr.memberOf('D5', true).login;
  const port = await freePort();
  const callback = { url: `http://127.0.0.1:${port}/callback`, ...CALLBACK };
  const rootName = 'Harbour Instruments';
  const sandbox = await startSandbox({ data: join(folder, 'service.db'), rootName, callback });
  const configText = demoConfig(sandbox);
  writeFileSync(join(folder, 'token'), sandbox.token, { mode: 0o600 });
  writeFileSync(join(folder, CONFIG), configText);
  const approvals = `notify: { to: { usernames: [${approver}] }, on: [problems] }
http: { listen: "127.0.0.1:${port}" }
approvals:
  callback: { token: ${CALLBACK.token}, key: ${CALLBACK.key}, applicationId: ${CALLBACK.applicationId} }
  approvers: [${approver}]
`;
  return { folder, hr, sandbox, configText, approver, approvals };
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
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}

/** Returns the configuration. Its paths are relative to the folder in which the commands run. */
function demoConfig({ baseUrl, domainId, orgCode }: Sandbox): string {
  return `service:
  baseUrl: ${baseUrl}
  domainId: ${domainId}
  orgCode: ${orgCode}
  token: \${file:token}
  limits: { requestsPerSecond: 50 }
source:
  type: sql
  url: sqlite:hr.db
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
