import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Prompter } from './prompter.ts';
import type { Draft } from '../../domain/draft.ts';
import { ConfigError } from '../../domain/errors.ts';

/** A file to be written beside the configuration. */
export interface SecretFile {
  readonly path: string;
  readonly secret: string;
}

/** Modes: the configuration names people and servers, a secret is its owner's alone. */
const CONFIG_MODE = 0o640;
const SECRET_MODE = 0o600;

/** Throws a `ConfigError` where the file exists, or cannot be made: before any question is asked. */
export function requireFree(file: string): void {
  if (existsSync(file)) throw exists(file);
  let folder = dirname(resolve(file));
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  if (!statSync(folder).isDirectory())
    throw new ConfigError(`${file}: ${folder} is no folder; choose another --out.`);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new ConfigError(
      `${file}: this user may not write into ${folder}; change its mode, or choose another --out.`,
      { cause },
    );
  }
}

/** Returns the absolute path of a file beside the configuration. */
export function besideConfig(file: string, name: string): string {
  return join(dirname(resolve(file)), name);
}

/** Writes all files, or none: what was written goes again where the next one fails. Never over a file. */
export function writeAll(file: string, text: string, secrets: readonly SecretFile[]): void {
  const written: string[] = [];
  const write = (path: string, content: string, mode: number): void => {
    try {
      mkdirSync(dirname(resolve(path)), { recursive: true });
      writeFileSync(path, content, { flag: 'wx', mode });
      written.push(path);
    } catch (error) {
      for (const one of written) rmSync(one, { force: true });
      throw unwritten(path, error);
    }
  };
  for (const { path, secret } of secrets) write(path, `${secret}\n`, SECRET_MODE);
  write(file, text, CONFIG_MODE);
}

function unwritten(path: string, error: unknown): ConfigError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  if (code === 'EEXIST') return exists(path);
  return new ConfigError(
    `${path} cannot be written (${code}); nothing was left behind. Choose another --out.`,
    {
      cause: error,
    },
  );
}

function exists(path: string): ConfigError {
  return new ConfigError(
    `${path} exists, and rollcall init never writes over a file; choose another one with --out, or print with --print.`,
  );
}

/** A password and how the configuration refers to it. */
export interface Password {
  readonly text: string;
  /** `${file:…}` */
  readonly reference: string;
  /** Files to be written for it. */
  readonly files: readonly SecretFile[];
}

interface PasswordPlace {
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

/** What a look at a source leads to. */
export interface Looked extends Draft {
  readonly secrets: readonly SecretFile[];
  /** Text of `source` and what follows it, from a recipe, instead of a section of its own. */
  readonly recipe?: string | undefined;
  /** What was seen, where nothing in it looks like people. */
  readonly seen: readonly string[];
}
