import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../domain/errors.ts';
import { prettyLine } from '../runtime/logger.ts';
import { fold } from '../runtime/screen.ts';

export const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
export const CONFIG = 'rollcall.yaml';
const TIMEOUT_MS = 60_000;
const WIDTH = 100;

/** Thrown where something did not end as narrated. */
export class DemoError extends Error {
  override readonly name = 'DemoError';
}

/** Prints text as a terminal shows it: JSON of the log is spelled out, long lines are folded. */
export function say(text: string): void {
  const shown = text.startsWith('{"level"') ? prettyLine(text, false) : text;
  process.stdout.write(`${fold(shown, WIDTH).join('\n')}\n`);
}

export function chapter(title: string): void {
  say(`\n${`── ${title} `.padEnd(WIDTH, '─')}`);
}

/** Prints lines of a file or a message. */
export function show(text: string): void {
  for (const line of text.trimEnd().split('\n')) say(`    ${line}`);
}

/** Asks a command to end, or waits until it does. Throws a DemoError unless it ends with exit code 0. */
export type Ended = (signal?: 'SIGTERM') => Promise<void>;

/** Starts the built command line in a folder, as a process like the one a user starts, and shows what it writes. */
export function startCommand(folder: string, argv: readonly string[]): Ended {
  const args = ['--config', CONFIG, ...argv];
  say(`\n$ rollcall ${args.join(' ')}`);
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const closed = once(child, 'close');
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', say);
  return async (signal) => {
    if (signal !== undefined) child.kill(signal);
    const [code]: readonly unknown[] = await closed;
    process.off('exit', kill);
    if (code === EXIT.done) return;
    const end = typeof code === 'number' ? `exit code ${code}` : 'a signal';
    throw new DemoError(`rollcall ${argv.join(' ')} ended with ${end}`);
  };
}
