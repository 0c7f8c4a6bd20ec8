import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStage, type Stage, type Typed } from './command-line.ts';

/** An empty folder, a sandbox that is to be filled, and `rollcall init` with the sandbox's address. */
export interface Beginning extends Stage {
  /** `rollcall init` into `new/rollcall.yaml`. */
  readonly init: (...flags: readonly string[]) => Promise<Typed>;
  /** A verb with the configuration that init wrote. */
  readonly go: (...args: readonly string[]) => Promise<Typed>;
  readonly written: () => string | null;
  /** Writes a file into the folder; returns its path. */
  readonly put: (name: string, content: string | Buffer) => string;
  /** Usernames in the service, with the names of their units. */
  readonly arrived: () => readonly string[];
}

export async function openBeginning(): Promise<Beginning> {
  const stage = await openStage();
  const { folder, sandbox } = stage;
  mkdirSync(join(folder, 'new'));
  const target = join(folder, 'new/rollcall.yaml');
  const put = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const token = put('token', `${sandbox.token}\n`);
  const { baseUrl, domainId, orgCode } = sandbox;
  const service = [
    '--service-url',
    baseUrl,
    '--domain-id',
    domainId,
    '--org-code',
    orgCode,
    '--token-file',
    token,
  ];
  return {
    ...stage,
    put,
    init: async (...flags) => stage.type('init', '--out', target, ...service, ...flags),
    go: async (...args) => stage.type(...args, '--config', target),
    written: () => (existsSync(target) ? readFileSync(target, 'utf8') : null),
    arrived: () =>
      sandbox.state
        .employees()
        .map((employee) => arrivedAs(stage, employee.username))
        .toSorted(),
  };
}

/** Returns `ann: Company/Sales`, with every unit of the person. */
function arrivedAs({ sandbox }: Stage, username: string): string {
  const organizations = new Map(sandbox.state.organizations().map((one) => [one.id, one]));
  const pathOf = (id: string): string => {
    const one = organizations.get(id);
    if (one === undefined || id === sandbox.rootId) return '';
    return `${pathOf(one.parentId ?? '')}/${one.name}`;
  };
  const employee = sandbox.state.employees().find((one) => one.username === username);
  const units = (employee?.positions ?? []).map(({ orgId }) => pathOf(orgId).slice(1));
  return `${username}: ${units.toSorted().join(', ')}`;
}
