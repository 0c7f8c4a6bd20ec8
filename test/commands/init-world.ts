import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeExport } from '../servers/scratch.ts';
import { openStage, type Stage } from './command-line.ts';
import { play, type Step } from './story.ts';

/** Where `rollcall init` writes. */
export const TARGET = 'new/rollcall.yaml';

/** Writes a file into the folder; returns its name. */
export function put({ folder }: Stage, name: string, content: string | Buffer): string {
  writeExport(join(folder, name), content);
  return name;
}

export const writtenIn = ({ folder }: Stage): string | null =>
  existsSync(join(folder, TARGET)) ? readFileSync(join(folder, TARGET), 'utf8') : null;

/** A folder without a configuration, and the file `token` for the sandbox. */
export async function openBeginning(): Promise<Stage> {
  const stage = await openStage();
  mkdirSync(join(stage.folder, 'new'));
  put(stage, 'token', `${stage.sandbox.token}\n`);
  return stage;
}

/** `rollcall init` with the address of the sandbox. */
function init({ sandbox: { baseUrl, domainId, orgCode } }: Stage, flags: readonly string[]): Step {
  const service = `--service-url ${baseUrl} --domain-id ${domainId} --org-code ${orgCode} --token-file token`;
  return ['init', '--out', TARGET, ...service.split(' '), ...flags];
}

export const WRITTEN: Step = [`what is in ${TARGET}`, writtenIn];
export const CHECK: Step = ['check', '--config', TARGET];
export const SYNC: Step = ['sync', '--config', TARGET];
export const ARRIVED: Step = [
  'who is in the service',
  (stage) =>
    stage.sandbox.state
      .employees()
      .map((employee) => arrivedAs(stage, employee))
      .toSorted()
      .join('\n'),
];

/** Plays `rollcall init`, and what follows with the configuration it wrote. */
export const proposed = async (
  stage: Stage,
  flags: readonly string[],
  then: readonly Step[] = [CHECK, SYNC, ARRIVED],
): Promise<string> => play(stage, [init(stage, flags), WRITTEN, ...then]);

/** Returns `ann, Ann: Company/Sales`, with every unit of the person. */
function arrivedAs(
  { sandbox }: Stage,
  { username, name, positions }: ReturnType<Stage['sandbox']['state']['employees']>[number],
): string {
  const organizations = new Map(sandbox.state.organizations().map((one) => [one.id, one]));
  const pathOf = (id: string): string => {
    const one = organizations.get(id);
    if (one === undefined || id === sandbox.rootId) return '';
    return `${pathOf(one.parentId ?? '')}/${one.name}`;
  };
  const units = positions.map(({ orgId }) => pathOf(orgId).slice(1));
  return `${username}, ${name}: ${units.toSorted().join(', ')}`;
}
