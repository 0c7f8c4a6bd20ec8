import { readFile } from 'node:fs/promises';
import { ServiceError } from '../../domain/errors.ts';
import type { TokenSource } from '../../domain/source-settings.ts';
import { askCommand as ask, CommandProblem } from '../../lib/ask-command.ts';

/** Key of the configuration that says where a token comes from. */
type TokenPlace = 'service.token' | 'service.appToken';

/** An access token: read when first needed, and again when the service says 10011. */
export class Token {
  /** Whether the token can change; one written in the configuration cannot. */
  readonly renewable: boolean;
  readonly place: TokenPlace;
  readonly #source: TokenSource;
  readonly #onRead: (token: string) => void;
  #reading: Promise<string> | null = null;

  /** @param onRead called with each token that was read, so that the log can hide it */
  constructor(
    source: TokenSource,
    onRead: (token: string) => void = () => undefined,
    place: TokenPlace = 'service.token',
  ) {
    this.place = place;
    this.#source = source;
    this.#onRead = onRead;
    this.renewable = typeof source !== 'string';
  }

  /**
   * Returns the token. Throws a ServiceError that says where it should have come from; the next call tries
   * again.
   */
  get(): Promise<string> {
    return this.#reading ?? this.#read();
  }

  /**
   * Reads the token again, unless that has happened since the refused one was read: many calls are refused
   * together.
   */
  renew(refused: Promise<string>): void {
    if (this.#reading === refused) this.#reading = null;
  }

  #read(): Promise<string> {
    const reading = readToken(this.#source, this.place);
    this.#reading = reading;
    reading.then(this.#onRead, () => {
      if (this.#reading === reading) this.#reading = null;
    });
    return reading;
  }
}

async function readToken(source: TokenSource, key: TokenPlace): Promise<string> {
  const { text, place } = typeof source === 'string' ? { text: source, place: key } : await load(source);
  const token = text.trim();
  const problem = problemOf(token);
  if (problem !== null) throw new ServiceError(`The access token from ${place} ${problem}.`);
  return token;
}

/**
 * Returns what is wrong with the text of a token, or `null`: the service would refuse a token with other text
 * around it, and nobody could tell why.
 */
function problemOf(token: string): string | null {
  if (token === '') return 'is empty';
  const lines = token.split(/\r\n|\r|\n/u).length;
  if (/^[[{"]/u.test(token)) return 'is JSON: give the token alone, without braces and quotation marks';
  return lines > 1 ? `has ${lines} lines: give the token alone, on one` : null;
}

async function load(
  source: Exclude<TokenSource, string>,
): Promise<{ readonly text: string; readonly place: string }> {
  if ('file' in source) return { text: await loadFile(source.file), place: source.file };
  return { text: await askCommand(source.command), place: source.command[0] ?? '' };
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

/** Returns what the command for the access token prints; throws a ServiceError without arguments and output. */
export async function askCommand(command: readonly string[], limitMs?: number): Promise<string> {
  try {
    return await ask(command, limitMs);
  } catch (error) {
    if (!(error instanceof CommandProblem)) throw error;
    throw new ServiceError(`The command for the access token, ${error.message}: try it by hand.`);
  }
}
