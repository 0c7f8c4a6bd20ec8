import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

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
