import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Memory, Wish } from './preload/simulated-time.ts';

export interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly event?: string;
  readonly msg: string;
  readonly run?: string;
  readonly [field: string]: unknown;
}

export interface DaemonOptions {
  /** Folder of the compiled program and preload. */
  readonly program: string;
  readonly configFile: string;
  /** Its folder of temporary files. */
  readonly scratch: string;
  readonly watchAhead: number;
  readonly clockAhead: number;
}

const PATIENCE_MS = 180_000;

/** The real daemon in a process of its own, whose time is moved from here. */
export class SimulatedDaemon {
  readonly child: ChildProcess;
  /** Lines that were not taken yet. */
  #lines: LogLine[] = [];
  #ends = 0;
  #onLine: () => void = () => undefined;
  readonly #exit: Promise<unknown>;
  #ended = false;
  readonly strange: string[] = [];

  constructor({ program, configFile, scratch, watchAhead, clockAhead }: DaemonOptions) {
    const preload = join(program, 'test/soak/preload/simulated-time.js');
    const main = join(program, 'src/main.js');
    const args = ['--import', preload, main, '--config', configFile, 'run'];
    const env = {
      PATH: process.env['PATH'],
      TMPDIR: scratch,
      SOAK_WATCH_AHEAD: String(watchAhead),
      SOAK_CLOCK_AHEAD: String(clockAhead),
    };
    this.child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    const killAtExit = (): void => void this.child.kill('SIGKILL');
    process.once('exit', killAtExit);
    this.child.once('exit', () => {
      process.off('exit', killAtExit);
      this.#ended = true;
      this.#onLine();
    });
    this.#exit = once(this.child, 'exit');
    createInterface({ input: this.child.stdout! }).on('line', (line) => this.#take(line));
    createInterface({ input: this.child.stderr! }).on('line', (line) => void this.strange.push(line));
  }

  /** Resolves once so many more runs have ended than when this was last waited for. */
  async runsEnded(count = 1): Promise<void> {
    await this.#until(() => this.#ends >= count, `${count} runs to end`);
    this.#ends -= count;
  }

  /** Resolves once a line of the log fits. */
  async line(fits: (line: LogLine) => boolean, what: string): Promise<void> {
    await this.#until(() => this.#lines.some(fits), what);
  }

  hasLine(fits: (line: LogLine) => boolean): boolean {
    return this.#lines.some(fits);
  }

  /** Returns the lines since the last time, and forgets them. */
  takeLines(): readonly LogLine[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  async advance(ms: number): Promise<void> {
    await this.#ask({ wish: 'advance', ms });
  }

  async setClock(ahead: number): Promise<void> {
    await this.#ask({ wish: 'setClock', ahead });
  }

  async memory(): Promise<Memory> {
    return (await this.#ask({ wish: 'memory' })) as Memory;
  }

  /** Returns how many files, sockets and pipes it has open. */
  handles(): number {
    return readdirSync(`/proc/${this.child.pid}/fd`).length;
  }

  /** Asks it to end, or kills it; resolves with its exit code, `null` where it was killed. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    this.child.kill(signal);
    await this.#exit;
    return this.child.exitCode;
  }

  async #ask(wish: Wish): Promise<unknown> {
    const answered = once(this.child, 'message');
    this.child.send(wish);
    const [message] = (await answered) as [{ readonly answer: unknown }];
    return message.answer;
  }

  #take(line: string): void {
    if (!line.startsWith('{')) return void this.strange.push(line);
    const parsed = JSON.parse(line) as LogLine;
    this.#lines.push(parsed);
    if (parsed.event === 'run.end') this.#ends += 1;
    this.#onLine();
  }

  async #until(holds: () => boolean, what: string): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!holds()) {
      const left = deadline - Date.now();
      const words = [...this.strange, ...this.#lines.map((line) => JSON.stringify(line))].join('\n');
      if (this.#ended) throw new Error(`the daemon ended, waited for ${what}:\n${words}`);
      if (left <= 0) throw new Error(`waited ${PATIENCE_MS} ms for ${what}:\n${words}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#onLine = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}
