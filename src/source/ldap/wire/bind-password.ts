import { SourceError } from '../../../domain/errors.ts';
import type { PasswordSource } from '../../../domain/source-settings.ts';
import { askCommand, CommandProblem } from '../../../lib/ask-command.ts';

/**
 * Returns the password, without the line break at its end where a command prints it. Throws a `SourceError`
 * that says neither the password nor the command's arguments.
 */
export async function readPassword(source: PasswordSource | undefined): Promise<string | undefined> {
  if (typeof source !== 'object') return source;
  const password = (await printed(source.command)).replace(/\r?\n$/u, '');
  const problem = problemOf(password);
  if (problem === null) return password;
  throw new SourceError(`source.bindPassword: what ${source.command[0] ?? ''} prints ${problem}.`);
}

async function printed(command: readonly string[]): Promise<string> {
  try {
    return await askCommand(command);
  } catch (error) {
    if (!(error instanceof CommandProblem)) throw error;
    throw new SourceError(`source.bindPassword: the command, ${error.message}: try it by hand.`);
  }
}

/** Returns what is wrong with a password; an empty one would bind as anonymous (RFC 4513, section 5.1.2). */
function problemOf(password: string): string | null {
  if (password === '') return 'is empty: it has to print the password alone';
  return /[\r\n]/u.test(password) ? 'has several lines: it has to print the password alone' : null;
}
