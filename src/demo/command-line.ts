import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../domain/errors.ts';
import { DemoError } from './demo-error.ts';
import type { Narrator } from './narrator.ts';

export const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
const TIMEOUT_MS = 60_000;

/** A daemon that goes on until it is stopped. */
export interface Daemon {
  readonly stop: () => Promise<void>;
}

interface Started {
  readonly child: ChildProcess;
  /** Throws a DemoError unless the command ends with exit code 0. */
  readonly ended: () => Promise<void>;
}

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
    await this.#start(words).ended();
  }

  /** Starts the daemon, and shows what it writes. */
  daemon(): Daemon {
    const { child, ended } = this.#start(['run']);
    return {
      stop: async () => {
        child.kill('SIGTERM');
        await ended();
      },
    };
  }

  #start(words: readonly string[]): Started {
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
    const closed = once(child, 'close');
    const shown = Promise.all([this.#show(child.stdout), this.#show(child.stderr)]);
    return {
      child,
      ended: async () => {
        await shown;
        const [code]: readonly unknown[] = await closed;
        process.off('exit', kill);
        if (code !== EXIT.done) throw new DemoError(`rollcall ${words.join(' ')} ended with ${endOf(code)}`);
      },
    };
  }

  async #show(stream: Readable): Promise<void> {
    for await (const line of createInterface({ input: stream })) this.#options.narrator.output(line);
  }
}

const endOf = (code: unknown): string => (typeof code === 'number' ? `exit code ${code}` : 'a signal');
