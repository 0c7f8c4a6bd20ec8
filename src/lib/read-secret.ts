import { readFile } from 'node:fs/promises';
import { secretIn } from './secret-in.ts';
import { askCommand, CommandProblem } from './ask-command.ts';

/** The text itself, a program that prints it, or a file that holds it. */
type Where = string | { readonly command: readonly string[] } | { readonly file: string };

/** A secret that cannot be read; the message names the file or the command, and neither arguments nor output. */
export class SecretProblem extends Error {}

/** Returns a secret as it is now. Throws a `SecretProblem`. */
export async function readSecret(source: Where): Promise<string> {
  if (typeof source === 'string') return source;
  const text = 'file' in source ? await fromFile(source.file) : await fromCommand(source.command);
  const secret = secretIn(text);
  const place = 'file' in source ? source.file : `what ${source.command[0] ?? ''} prints`;
  if (secret.trim() === '') throw new SecretProblem(`${place} is empty: it has to be the secret alone`);
  if (/[\r\n]/u.test(secret))
    throw new SecretProblem(`${place} has several lines: it has to be the secret alone`);
  return secret;
}

async function fromFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new SecretProblem(`${file} cannot be read: give a readable file`, { cause });
  }
}

/** @param limitMs how long the command may take */
export async function fromCommand(command: readonly string[], limitMs?: number): Promise<string> {
  try {
    return await askCommand(command, limitMs);
  } catch (error) {
    if (!(error instanceof CommandProblem)) throw error;
    throw new SecretProblem(`the command, ${error.message}: try it by hand`);
  }
}
