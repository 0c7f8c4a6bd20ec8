import type { Sandbox } from '../sandbox/sandbox.ts';

interface DemoFiles {
  readonly hr: string;
  readonly token: string;
}

/** How the service and rollcall know each other's callbacks, and who may approve. */
export interface DemoCallback {
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
export function demoConfig(sandbox: Sandbox, { hr, token }: DemoFiles): string {
  return `service:
  baseUrl: ${sandbox.baseUrl}
  domainId: ${sandbox.domainId}
  orgCode: ${sandbox.orgCode}
  token: \${file:${token}}
  limits: { requestsPerSecond: 50 }
source:
  type: sql
  url: sqlite:${hr}
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
