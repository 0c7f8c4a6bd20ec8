import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { startSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { mainFile } from '../../runtime/compiled.ts';
import { removeFolder, scratchFolder } from '../../servers/scratch.ts';
import type { Company } from './company.ts';
import { filledIn, type Recipe } from './recipe.ts';

interface Done {
  readonly command: string;
  readonly code: number | null;
  readonly out: string;
}

/** An administrator with an empty folder, the program, and a service to try it on. */
export class Newcomer {
  readonly folder = scratchFolder('newcomer');
  readonly sandbox: Sandbox;
  readonly #tools = scratchFolder('tools');
  #seen = 0;

  private constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
    writeFileSync(
      join(this.#tools, 'rollcall'),
      `#!/bin/sh\nexec "${process.execPath}" "${mainFile()}" "$@"\n`,
      {
        mode: 0o755,
      },
    );
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

  /** Types a command in the folder. */
  async type(command: string, pasted = ''): Promise<Done> {
    const clipboard = join(this.#tools, 'clipboard');
    writeFileSync(clipboard, `${pasted}\n`);
    const stdin = openSync(clipboard, 'r');
    const env = { PATH: `${this.#tools}:${process.env['PATH'] ?? ''}` };
    const child = spawn('sh', ['-c', command], { cwd: this.folder, env, stdio: [stdin, 'pipe', 'pipe'] });
    closeSync(stdin);
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => void chunks.push(chunk));
    const [code] = (await once(child, 'close')) as [number | null];
    return { command, code, out: Buffer.concat(chunks).toString() };
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
    for (const folder of [this.folder, this.#tools]) removeFolder(folder);
  }

  #pathOf(id: string): string {
    const all = new Map(this.sandbox.state.organizations().map((one) => [one.id, one]));
    const names: string[] = [];
    for (let node = all.get(id); node?.parentId !== undefined; node = all.get(node.parentId))
      names.unshift(node.name);
    return names.join('/') || '(root)';
  }
}
