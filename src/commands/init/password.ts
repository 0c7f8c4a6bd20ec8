import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { ConfigError } from '../../domain/errors.ts';
import type { Prompter } from '../terminal/prompter.ts';
import { besideConfig, type SecretFile } from './target.ts';

/** A password and how the configuration refers to it. */
export interface Password {
  readonly text: string;
  /** `${file:…}` */
  readonly reference: string;
  /** Files to be written for it. */
  readonly files: readonly SecretFile[];
}

export interface PasswordPlace {
  /** Configuration that is to be written. */
  readonly target: string;
  /** Name of the file beside it. */
  readonly name: string;
  /** `--password-file`. */
  readonly given: string | undefined;
  /** Question for a person. */
  readonly text: string;
  /** Returns the password as the configuration has to have it, e.g. within a URL. */
  readonly spell?: (password: string) => string;
}

/** Reads a password from a file, or asks for it: then it gets a file beside the configuration. */
export async function passwordOf(prompter: Prompter, place: PasswordPlace): Promise<Password> {
  const { given, text: question, spell = (text) => text } = place;
  const beside = besideConfig(place.target, place.name);
  if (given !== undefined) {
    const text = secretIn(given);
    if (spell(text) === text) return { text, reference: referenceTo(resolve(given)), files: [] };
    return { text, reference: referenceTo(beside), files: [newFile(beside, spell(text))] };
  }
  requireAbsent(beside);
  const text = await prompter.askSecret(question);
  if (text === null)
    throw new ConfigError(
      `rollcall init: --password-file is missing (${question}); there is no terminal here to ask on.`,
    );
  if (text === '') throw new ConfigError('rollcall init: the password is empty; nothing was written.');
  return { text, reference: referenceTo(beside), files: [{ path: beside, secret: spell(text) }] };
}

export function referenceTo(path: string): string {
  return `\${file:${path}}`;
}

function newFile(path: string, secret: string): SecretFile {
  requireAbsent(path);
  return { path, secret };
}

function requireAbsent(path: string): void {
  if (!existsSync(path)) return;
  throw new ConfigError(
    `${path} exists, and rollcall init never writes over a file; take it with --password-file, or remove it.`,
  );
}

function secretIn(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    throw new ConfigError(`--password-file: ${file} cannot be read (${code}); check its path and its mode.`, {
      cause,
    });
  }
  const secret = text.replace(/^\uFEFF/u, '').replace(/[\r\n]+$/u, '');
  if (secret !== '' && !/[\r\n]/u.test(secret)) return secret;
  const wrong = secret === '' ? 'is empty' : 'has several lines';
  throw new ConfigError(`--password-file: ${file} ${wrong}; it has to hold the password alone.`);
}
