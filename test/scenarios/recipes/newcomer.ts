import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { startSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { runHere } from '../../commands/command-line.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import type { Company } from './company.ts';
import { filledIn, type Recipe } from './recipe.ts';

interface Done {
  readonly command: string;
  readonly code: number | null;
  readonly out: string;
}

/** Words of a command, some of them in quotes, without a comment behind it. */
const wordsOf = (command: string): readonly string[] =>
  Array.from(command.replace(/ #.*$/u, '').matchAll(/'([^']*)'|\S+/gu), ([word, quoted]) => quoted ?? word);

/** An administrator with an empty folder, the program, and a service to try it on. */
export class Newcomer {
  readonly folder = scratchFolder('newcomer');
  readonly sandbox: Sandbox;
  #seen = 0;

  private constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  static async arrive(): Promise<Newcomer> {
    return new Newcomer(await startSandbox());
  }

  /** Follows the steps of a recipe, to the first one that fails. */
  async follow(recipe: Recipe, { fillings, secrets }: Company): Promise<readonly Done[]> {
    const { baseUrl, domainId, orgCode, token } = this.sandbox;
    const own = [
      ['https://im.example.com', baseUrl],
      ['domainId: example', `domainId: ${domainId}`],
      ['orgCode: acme', `orgCode: ${orgCode}`],
    ] as const;
    const pasted: Readonly<Record<string, string>> = { ...secrets, 'service-token': token };
    const done: Done[] = [];
    for (const command of recipe.steps) {
      const secret = /> secrets\/(?<name>\S+)/u.exec(command)?.groups?.['name'] ?? '';
      done.push(await this.type(command, pasted[secret]));
      if (done.at(-1)?.code !== 0) break;
      if (command.startsWith('mkdir'))
        writeFileSync(join(this.folder, 'config/rollcall.yaml'), filledIn(recipe, [...own, ...fillings]));
    }
    return done;
  }

  /** Types a command in the folder; rollcall runs in this process. */
  async type(command: string, pasted = ''): Promise<Done> {
    const [program, ...args] = wordsOf(command);
    const env = { PATH: process.env['PATH'] };
    if (program === 'rollcall') {
      const { code, out, err } = await runHere(args, this.folder, env);
      return { command, code, out: out + err };
    }
    const options = { cwd: this.folder, env, input: `${pasted}\n`, encoding: 'utf8' } as const;
    const { status: code, stdout, stderr } = spawnSync('sh', ['-c', command], options);
    return { command, code, out: stdout + stderr };
  }

  /** Returns the operations since the last look that changed the service. */
  changing(): readonly string[] {
    const calls = this.sandbox.calls.slice(this.#seen);
    this.#seen = this.sandbox.calls.length;
    return calls.filter(({ method }) => method !== 'GET').map(({ operation }) => operation);
  }

  /** As if ten minutes had passed since the last read. */
  letTimePass(): void {
    const ledger = new Database(join(this.folder, 'data/rollcall.db'));
    ledger.exec('update person set missed_at = missed_at - 600000 where missed_at is not null');
    ledger.close();
  }

  /** Returns everybody who is active in the service: `username, name: unit title (head)`. */
  staff(): readonly string[] {
    const { state } = this.sandbox;
    return state
      .employees()
      .filter(({ locked }) => !locked)
      .map(({ username, name, positions }) => {
        const places = positions.map(({ orgId, jobTitle, chief }) =>
          [this.#pathOf(orgId), jobTitle ?? '', chief ? '(head)' : '']
            .filter((word) => word !== '')
            .join(' '),
        );
        return `${username}, ${name}: ${places.toSorted().join(' + ')}`;
      })
      .toSorted();
  }

  async leave(): Promise<void> {
    await this.sandbox.close();
    process.chdir(tmpdir());
    removeFolder(this.folder);
  }

  #pathOf(id: string): string {
    const all = new Map(this.sandbox.state.organizations().map((one) => [one.id, one]));
    const names: string[] = [];
    for (let node = all.get(id); node?.parentId !== undefined; node = all.get(node.parentId))
      names.unshift(node.name);
    return names.join('/') || '(root)';
  }
}
