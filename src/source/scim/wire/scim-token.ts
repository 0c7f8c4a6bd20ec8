import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { SourceError } from '../../../domain/errors.ts';
import type { TokenSource } from '../../../domain/source-settings.ts';

const run = promisify(execFile);
const LIMIT_MS = 10_000;
const MOST_BYTES = 65_536;

/** Returns the bearer token. Throws a SourceError that shows neither the token nor the command's output. */
export async function readToken(source: TokenSource): Promise<string> {
  const token = (typeof source === 'string' ? source : await load(source)).trim();
  if (/^[\x21-\x7e]+$/u.test(token)) return token;
  const wrong = token === '' ? 'is empty' : 'has blanks, line breaks or other characters that no token has';
  throw new SourceError(`source.token: the token ${wrong}; give the token alone, on one line.`);
}

async function load(source: Exclude<TokenSource, string>): Promise<string> {
  if ('file' in source) {
    return readFile(source.file, 'utf8').catch((cause: unknown) => {
      const remedy = `give a readable file instead of ${source.file}`;
      throw new SourceError(`source.token: the token cannot be read; ${remedy}.`, { cause });
    });
  }
  const [command = '', ...args] = source.command;
  try {
    const options = { timeout: LIMIT_MS, killSignal: 'SIGKILL', maxBuffer: MOST_BYTES } as const;
    return (await run(command, args, options)).stdout;
  } catch {
    // The cause is left out: it holds what the command wrote.
    throw new SourceError(
      `source.token: the command ${command} failed, or ran for more than 10 s; try it by hand.`,
    );
  }
}
