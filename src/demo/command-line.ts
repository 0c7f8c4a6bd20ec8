import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { EXIT } from '../domain/errors.ts';
import { prettyLine } from '../runtime/logger.ts';
import { fold, wantsColour } from '../runtime/screen.ts';

export const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
const TIMEOUT_MS = 60_000;

interface Started {
  /** Throws a DemoError unless the command ends with exit code 0. */
  readonly ended: () => Promise<void>;
  /** Asks it to end, and waits for that. */
  readonly stop: () => Promise<void>;
}

interface CommandLineOptions {
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
  async rollcall(...argv: readonly string[]): Promise<void> {
    await this.start(...argv).ended();
  }

  /** Starts a command, and shows what it writes. */
  start(...argv: readonly string[]): Started {
    const { folder, config, narrator } = this.#options;
    const args = ['--config', config, ...argv];
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
    const ended = async (): Promise<void> => {
      await shown;
      const [code]: readonly unknown[] = await closed;
      process.off('exit', kill);
      if (code !== EXIT.done) throw new DemoError(`rollcall ${argv.join(' ')} ended with ${endOf(code)}`);
    };
    return { ended, stop: async () => (child.kill('SIGTERM'), ended()) };
  }

  async #show(stream: Readable): Promise<void> {
    for await (const line of createInterface({ input: stream })) this.#options.narrator.output(line);
  }
}

const endOf = (code: unknown): string => (typeof code === 'number' ? `exit code ${code}` : 'a signal');

type Style = Parameters<typeof styleText>[0];

const WIDTH = 100;

/** Tells what the demo says and shows, on a terminal or in a file. */
export class Narrator {
  readonly #out: NodeJS.WriteStream;
  readonly #colour: boolean;
  #chapter = 0;

  constructor(out: NodeJS.WriteStream, env: NodeJS.ProcessEnv) {
    this.#out = out;
    this.#colour = wantsColour(out, env);
  }

  chapter(title: string): void {
    this.#chapter += 1;
    const head = `── ${this.#chapter}. ${title} `;
    this.#line(`\n${this.#paint('bold', head.padEnd(WIDTH, '─'))}`);
  }

  say(text: string): void {
    for (const line of fold(text, WIDTH)) this.#line(line);
  }

  /** Prints sentences that were shown to be true. */
  proved(sentences: readonly string[]): void {
    this.#line('');
    for (const line of sentences.flatMap((text) => fold(`✓ ${text}`, WIDTH))) {
      this.#line(this.#paint('green', line));
    }
  }

  command(words: string): void {
    this.#line(`\n${this.#paint('cyan', `$ ${words}`)}`);
  }

  /**
   * Prints output of a command as a terminal shows it: JSON of the log is spelled out, long lines are folded.
   */
  output(text: string): void {
    const shown = text.startsWith('{"level"') ? prettyLine(text, this.#colour) : text;
    for (const line of fold(shown, WIDTH)) this.#line(line);
  }

  #line(text: string): void {
    this.#out.write(`${text}\n`);
  }

  #paint(style: Style, text: string): string {
    return this.#colour ? styleText(style, text, { validateStream: false }) : text;
  }
}

/** Thrown where something did not end as narrated. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}
