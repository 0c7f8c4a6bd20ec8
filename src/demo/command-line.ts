import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { DemoError } from './demo-error.ts';
import type { Narrator } from './narrator.ts';

export const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
const TIMEOUT_MS = 60_000;

export interface CommandLineOptions {
  /** Folder in which the commands run. */
  readonly folder: string;
  readonly config: string;
  readonly narrator: Narrator;
}

/** Runs the built command line for the demo, as a process like the one a user starts. */
export class CommandLine {
  readonly #options: CommandLineOptions;

  constructor(options: CommandLineOptions) {
    this.#options = options;
  }

  /** Runs a command, and shows it with its output. Throws DemoError unless it exits 0. */
  async rollcall(...words: readonly string[]): Promise<void> {
    const { folder, config, narrator } = this.#options;
    const args = ['--config', config, ...words];
    narrator.command(`rollcall ${args.join(' ')}`);
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
    });
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    const ended = once(child, 'close');
    await Promise.all([this.#show(child.stdout), this.#show(child.stderr)]);
    const [code]: readonly unknown[] = await ended;
    process.off('exit', kill);
    if (code !== 0)
      throw new DemoError(
        `rollcall ${words.join(' ')} ended with ${typeof code === 'number' ? `exit code ${code}` : 'a signal'}`,
      );
  }

  async #show(stream: Readable): Promise<void> {
    for await (const line of createInterface({ input: stream })) this.#options.narrator.output(line);
  }
}
