import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { ConfigError } from '../../domain/errors.ts';
import { sentenceOf } from '../../domain/sentence-of.ts';
import type { OperationName } from '../../interface/operations.ts';
import type { Operation } from '../../interface/terms/operation.ts';

/** What `--body` brings: JSON, or the path of the file of a form. */
export interface GivenBody {
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
  const json = from === '-' ? await textOf(process.stdin) : read(from);
  requireJson(json, from === '-' ? 'stdin' : from);
  return { json, file: null };
}

function fileOf(name: OperationName, from: string): string {
  if (from !== '-') return from;
  throw new ConfigError(`call: ${name} sends a file, whose size must be known: give its path instead of -.`);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`call: --body ${path} cannot be read: ${sentenceOf(error)}`, { cause: error });
  }
}

function requireJson(json: string, place: string): void {
  if (json.trim() === '') throw new ConfigError(`call: --body: ${place} is empty; JSON is expected.`);
  try {
    JSON.parse(json);
  } catch (error) {
    // The words of the parser quote the text, which may hold a password.
    throw new ConfigError(`call: --body: ${place} is no JSON${positionIn(error)}.`);
  }
}

function positionIn(error: unknown): string {
  const [, position] = /position (\d+)/u.exec(error instanceof Error ? error.message : '') ?? [];
  return position === undefined ? '' : ` at character ${position}`;
}

/** Requires that the folder of `--out` is there, before anything is sent. */
export function requireFolder(out: string | undefined): void {
  if (out === undefined || statSync(dirname(out), { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new ConfigError(`call: --out ${out}: there is no folder ${dirname(out)}.`);
}

/** Writes the answer as JSON: to stdout, or to a file, which is there whole or not at all. */
export function writeAnswer(out: (text: string) => void, result: unknown, path: string | undefined): void {
  const json = `${JSON.stringify(result, null, 2)}\n`;
  if (path === undefined) return out(json);
  const temporary = `${path}.${process.pid}.part`;
  try {
    writeFileSync(temporary, json, { flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    // The call was made: what it answered is not lost with the file.
    out(json);
    throw new ConfigError(
      `call: --out ${path} cannot be written: ${sentenceOf(error)} The answer is above.`,
      {
        cause: error,
      },
    );
  }
}
