import { isUtf8 } from 'node:buffer';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { checkTarget, fileProblem } from '../app.ts';
import { ConfigError, ServiceError } from '../domain/errors.ts';
import type { Operation } from '../interface/operation.ts';
import type { OperationName } from '../interface/operations/operations.ts';
import { JsonSyntaxError, parseJson } from '../interface/requests/parse-json.ts';

/** What `--body` brings: JSON, or the path of the file of a form. */
interface GivenBody {
  readonly json: string | null;
  readonly file: string | null;
}

/** Reads `--body`: a file or, for `-`, stdin. Throws a ConfigError where it is no JSON, or not what is taken. */
export async function givenBody(
  name: OperationName,
  { body }: Operation,
  from: string | undefined,
): Promise<GivenBody> {
  if (from === undefined) return { json: null, file: null };
  if (body.kind === 'none') throw new ConfigError(`call: ${name} takes no body: leave --body out.`);
  if (body.kind === 'form') return { json: null, file: fileOf(name, from) };
  const bytes = from === '-' ? await buffer(process.stdin) : read(from);
  return { json: jsonIn(bytes, from === '-' ? 'stdin' : from), file: null };
}

function fileOf(name: OperationName, from: string): string {
  if (from !== '-') return from;
  throw new ConfigError(`call: ${name} sends a file, whose size must be known: give its path instead of -.`);
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ConfigError(`call: --body ${path} cannot be read: ${fileProblem(error)}.`, { cause: error });
  }
}

function jsonIn(bytes: Buffer, place: string): string {
  if (!isUtf8(bytes))
    throw new ConfigError(`call: --body: ${place} is not UTF-8: convert it, and send it then.`);
  // A decoder drops the mark at the beginning of a file, which is no part of the JSON.
  const json = new TextDecoder().decode(bytes);
  if (json.trim() === '') throw new ConfigError(`call: --body: ${place} is empty; JSON is expected.`);
  try {
    parseJson(json);
  } catch (cause) {
    if (!(cause instanceof JsonSyntaxError)) throw cause;
    throw new ConfigError(`call: --body: ${place} is no JSON: ${cause.message}.`, { cause });
  }
  return json;
}

/** Where an answer goes as JSON. */
interface Target {
  /** Writes the answer; throws a ServiceError where it cannot, after showing it. */
  readonly write: (json: string) => void;
  /** Removes what was begun, where no answer came. */
  readonly drop: () => void;
}

/**
 * Prepares `--out` before anything is sent: the file is begun under another name beside it, so that what would keep it
 * from being written shows now. Without a path the answer goes to `out`. Throws a ConfigError or a
 * FileError.
 */
export function targetOf(path: string | undefined, out: (text: string) => void): Target {
  if (path === undefined) return { write: out, drop: () => undefined };
  checkTarget(path);
  const temporary = `${path}.${process.pid}.part`;
  try {
    writeFileSync(temporary, '', { flag: 'wx' });
  } catch (error) {
    throw new ConfigError(`call: --out ${path} cannot be written: ${fileProblem(error)}.`, { cause: error });
  }
  return {
    write: (json) => {
      try {
        writeFileSync(temporary, json);
        renameSync(temporary, path);
      } catch (error) {
        // The call was made: what it answered is not lost with the file.
        out(json);
        throw new ServiceError(
          `call: the call was made; its answer is above: ${path}: ${fileProblem(error)}.`,
          {
            cause: error,
          },
        );
      }
    },
    drop: () => rmSync(temporary, { force: true }),
  };
}
