import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { ServiceError } from '../domain/errors.ts';
import type { ServiceSettings } from '../domain/settings.ts';

type TokenSource = ServiceSettings['token'];

const COMMAND_LIMIT_MS = 10_000;

/** The access token: read when first needed, and again when the service says 10011. */
export class Token {
  /** A token that stands in the configuration stays what it is. */
  readonly renewable: boolean;
  readonly #source: TokenSource;
  readonly #onRead: (token: string) => void;
  #reading: Promise<string> | null = null;

  /** @param onRead hears of each token that was read, so that the log can hide it */
  constructor(source: TokenSource, onRead: (token: string) => void = () => undefined) {
    this.#source = source;
    this.#onRead = onRead;
    this.renewable = typeof source !== 'string';
  }

  /** Throws a ServiceError that says where the token was to come from; the next call tries again. */
  get(): Promise<string> {
    return this.#reading ?? this.#read();
  }

  /** Reads the token again, unless that happened since the refused one was got: many calls are refused together. */
  renew(refused: Promise<string>): void {
    if (this.#reading === refused) this.#reading = null;
  }

  #read(): Promise<string> {
    const reading = readToken(this.#source);
    this.#reading = reading;
    reading.then(this.#onRead, () => {
      if (this.#reading === reading) this.#reading = null;
    });
    return reading;
  }
}

async function readToken(source: TokenSource): Promise<string> {
  const { text, place } =
    typeof source === 'string' ? { text: source, place: 'service.token' } : await load(source);
  const token = text.trim();
  if (token === '') throw new ServiceError(`The access token from ${place} is empty.`);
  return token;
}

async function load(
  source: Exclude<TokenSource, string>,
): Promise<{ readonly text: string; readonly place: string }> {
  if ('file' in source) return { text: await loadFile(source.file), place: source.file };
  const [command = '', ...args] = source.command;
  return { text: await run(command, args), place: command };
}

async function loadFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new ServiceError(`The access token cannot be read: give a readable file instead of ${file}.`, {
      cause,
    });
  }
}

/** Neither arguments nor output appear in the error: both may hold secrets. */
function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { timeout: COMMAND_LIMIT_MS, encoding: 'utf8' }, (error, stdout) => {
      if (error === null) return resolve(stdout);
      const end =
        error.killed === true ? `ran for more than ${COMMAND_LIMIT_MS / 1000} s` : `failed (${error.code})`;
      reject(new ServiceError(`The command for the access token, ${command}, ${end}: try it by hand.`));
    });
  });
}
