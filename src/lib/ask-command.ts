import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { Readable } from 'node:stream';

const LIMIT_MS = 10_000;
/** Milliseconds in which processes that the command leaves behind may still write after it has ended. */
const AFTER_EXIT_MS = 1_000;
const MOST_BYTES = 65_536;

type Child = ChildProcessByStdio<null, Readable, null>;

/**
 * How the command ended: its exit code or signal, the system's code for a failed start, or why it was killed.
 */
type End = { readonly code: number | string | null } | { readonly killed: string };

/** A command that gave no answer; the message is its name and why, without arguments and output. */
export class CommandProblem extends Error {}

/**
 * Returns what a command prints. The command is ended after 10 s at the latest, with everything that it has
 * started, even if they ignore SIGTERM. Neither arguments nor output appear in the `CommandProblem`: both may
 * hold secrets.
 */
export async function askCommand(
  [command = '', ...args]: readonly string[],
  limitMs = LIMIT_MS,
): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  const said: Buffer[] = [];
  const over = new AbortController();
  try {
    const end = await Promise.race([
      ended(child),
      flooded(child, said),
      wait(limitMs, { killed: `ran for more than ${limitMs / 1000} s` }, { signal: over.signal }),
    ]);
    if ('code' in end && end.code === 0) return Buffer.concat(said).toString('utf8');
    killAll(child);
    const words = 'killed' in end ? end.killed : `failed (${end.code})`;
    throw new CommandProblem(`${command}, ${words}`);
  } finally {
    over.abort();
    child.stdout.destroy();
  }
}

function ended(child: Child): Promise<End> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve({ code: error.code ?? error.message }));
    child.once('close', (code, signal) => resolve({ code: code ?? signal }));
    child.once('exit', (code, signal) => {
      setTimeout(() => resolve({ code: code ?? signal }), AFTER_EXIT_MS).unref();
    });
  });
}

function flooded({ stdout }: Child, said: Buffer[]): Promise<End> {
  let bytes = 0;
  return new Promise((resolve) => {
    stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) resolve({ killed: `prints more than ${MOST_BYTES} bytes` });
      else said.push(chunk);
    });
  });
}

/** Kills the command and its process group, which it leads. */
export function killAll({ pid }: Pick<Child, 'pid'> = {}): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // No process of the group is left.
  }
}
