import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { codeOf } from '../../domain/errors.ts';
import { hideAll, spellingsOf } from '../../domain/text/hide.ts';
import { printable } from '../../domain/text/printable.ts';
import { CommandProblem, killAll } from '../../lib/ask-command.ts';
import { stopped } from '../connect/network-problem.ts';
import { csvProblem } from './csv-problems.ts';

/** What a program may take and print at most. */
const LIMITS = { seconds: 600, megabytes: 1024 };

/**
 * Runs a program to its end, and returns what it printed: a file that has no name any more. Throws a SourceError unless
 * the program ended with exit code 0; then everything that it has started is killed too.
 */
export async function printedFile(
  place: string,
  [program = '', ...args]: readonly string[],
  signal: AbortSignal,
  { seconds, megabytes } = LIMITS,
): Promise<FileHandle> {
  const path = join(tmpdir(), `rollcall-csv-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  const until = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
  let child: ChildProcessByStdio<null, Readable, Readable> | undefined;
  let [said, bytes] = ['', 0];
  try {
    await unlink(path);
    child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    // Its last line is at the end.
    child.stderr.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-4096)));
    await once(child, 'spawn');
    const ended = once(child, 'close', { signal: until });
    ended.catch(() => undefined);
    for await (const chunk of addAbortSignal(until, child.stdout) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > megabytes * 2 ** 20) throw new CommandProblem(`prints more than ${megabytes} MB`);
      await handle.appendFile(chunk);
    }
    const [code, killedBy] = (await ended) as [number | null, string | null];
    if (code !== 0) throw new CommandProblem(`failed (${killedBy ?? code})`);
    return handle;
  } catch (cause) {
    killAll(child);
    await handle.close();
    if (signal.aborted) throw stopped();
    const unkept = `cannot be run, or its output not kept in ${tmpdir()} (${codeOf(cause)})`;
    const failed = cause instanceof CommandProblem ? cause.message : unkept;
    const why = until.aborted ? `ran for more than ${seconds} s` : failed;
    throw csvProblem('csv-command', { place, program, why, words: lastWords(said, args) }, { cause });
  }
}

/** Returns the last line without the arguments of the program and their parts around a `=`: they may be secrets. */
function lastWords(said: string, args: readonly string[]): string {
  const secrets = args.flatMap((arg) => arg.split('=')).filter((text) => text !== '');
  const shown = hideAll(said.trim().replace(/^.*[\r\n]/su, ''), secrets.map(spellingsOf), '…');
  return shown === '' ? 'nothing' : printable(shown);
}
