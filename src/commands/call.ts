import { loadApp, openCaller, type Caller, checkTarget, fileProblem } from '../app/app.ts';
import { commandProblem } from './problems.ts';
import { requireFree } from '../app/setup.ts';
import { DIRECTORY_WARNING, helpLines, listLines } from './describe-operation.ts';
import { stopOnSignals, type CommandContext } from './context.ts';
import { secretsOf } from '../config/load-settings.ts';
import { EXIT, ServiceError, type ConfigError } from '../domain/errors.ts';
import type { Operation } from '../interface/operation.ts';
import {
  OPERATION_NAMES,
  OPERATIONS,
  rowOf,
  type OperationName,
} from '../interface/operations/operations.ts';
import type { Problem } from '../interface/requests/check-fields.ts';
import { namesOf } from '../interface/requests/check-request.ts';
import { suggest } from '../lib/suggest.ts';
import { Scrubber } from '../runtime/scrubber.ts';
import { isUtf8 } from 'node:buffer';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { JsonSyntaxError, parseJson } from '../interface/requests/parse-json.ts';

interface CallOptions {
  readonly param: readonly string[];
  readonly body?: string | undefined;
  readonly out?: string | undefined;
  readonly write: boolean;
  readonly list: boolean;
  readonly help: boolean;
}

/** Runs `rollcall call`: any operation of the interface, checked against its row before it goes out. */
export async function callCommand(
  context: CommandContext,
  operation: string | undefined,
  options: CallOptions,
): Promise<number> {
  if (options.list || (operation === undefined && options.help)) {
    await context.show({ lines: () => [...(options.help ? HELP : []), ...listLines()] });
    return EXIT.done;
  }
  const name = nameOf(operation);
  if (options.help) {
    await context.show({ lines: () => helpLines(name) });
    return EXIT.done;
  }
  return send(context, name, options);
}

const HELP = [
  'Usage: rollcall call OPERATION [--param NAME=VALUE …] [--body FILE|-] [--out FILE] [--write]',
  '       rollcall call OPERATION --help',
  '       rollcall call --list',
  '',
  'Sends one operation of the interface, checked before it goes out; the answer comes as JSON, in which',
  'integers of 16 digits and more are text, or as a file. What changes something needs --write.',
  'The service is the one of --config FILE. Exit codes, the first that applies: 2 usage or configuration,',
  '1 it failed, 4 the answer names records that failed, 0 done.',
  '',
];

/** Sends the operation with the connection of the configuration, whose secrets are shown nowhere. */
async function send(context: CommandContext, name: OperationName, options: CallOptions): Promise<number> {
  const app = loadApp(context, { logTo: 'stderr' });
  if (options.out !== undefined) requireFree(app, options.out);
  const secrets = new Scrubber(secretsOf(app.settings), SHORTEST);
  const caller = openCaller(app, (secret) => secrets.hide(secret));
  try {
    const print = (result: unknown): string => jsonOf(maskedValue(result, (text) => secrets.literals(text)));
    return await performCall({ caller, print, context }, name, options);
  } catch (error) {
    throw maskedError(error, (text) => secrets.text(text));
  } finally {
    await caller.close();
    await app.service.close();
  }
}

/** Characters below which a secret is shown: a shorter one is part of too many innocent values. */
const SHORTEST = 4;

interface RequestedCall {
  readonly caller: Caller;
  /** Returns an answer as it may be shown. */
  readonly print: (result: unknown) => string;
  readonly context: CommandContext;
}

/** Returns the exit code: an import of which records failed is done in part. */
async function performCall(
  { caller, print, context }: RequestedCall,
  name: OperationName,
  options: CallOptions,
): Promise<number> {
  const row: Operation = OPERATIONS[name];
  const params = paramsOf(name, options.param);
  requireWrite(name, row, options.write);
  const { json, file } = await readBody(name, row, options.body);
  const isFile = row.answer.kind === 'bytes';
  const target = targetOf(isFile ? undefined : options.out, context.out);
  const stop = stopOnSignals();
  try {
    if (row.changes === 'directory') context.complain(DIRECTORY_WARNING);
    const save = isFile ? (options.out ?? null) : null;
    const answer = await caller.call({ name, params, json, file, out: save }, stop.signal);
    if (!('result' in answer)) throw notSent(name, answer.problems);
    target.write(print(answer.result ?? null));
    return hasFailures(answer.result) && row.changes !== 'nothing' ? EXIT.partial : EXIT.done;
  } finally {
    target.drop();
    stop.release();
  }
}

/** Returns whether an answer of an import names records that failed (interface: import results). */
function hasFailures(result: unknown): boolean {
  if (typeof result !== 'object' || result === null || !('failures' in result)) return false;
  const { failures } = result;
  return typeof failures === 'object' && failures !== null && Object.keys(failures).length > 0;
}

function jsonOf(result: unknown): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}

function nameOf(operation: string | undefined): OperationName {
  if (operation === undefined) {
    throw commandProblem('usage-missing', {
      what: 'the operation, as rollcall call --list shows it,',
      verb: 'call',
    });
  }
  if (rowOf(operation) !== undefined) return operation as OperationName;
  throw commandProblem('call-unknown', {
    what: `operation ${operation}`,
    meant: meantBy(operation, OPERATION_NAMES),
    known: 'They are listed by rollcall call --list',
  });
}

function meantBy(word: string, known: readonly string[]): string {
  const suggestion = suggest(word, known);
  return suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
}

function requireWrite(name: OperationName, { changes }: Operation, write: boolean): void {
  if (changes === 'nothing' || write) return;
  const more = changes === 'directory' ? ` ${DIRECTORY_WARNING}` : '';
  throw commandProblem('call-write', { name, more });
}

function notSent(name: OperationName, problems: readonly Problem[]): ConfigError {
  return commandProblem('call-refused', {
    name,
    problems: problems.map(({ place, text }) => `${place} ${text}`).join('; '),
  });
}

/** Reads `NAME=VALUE` texts; a value may hold more equals signs. Throws a ConfigError that names the nearest name. */
function paramsOf(name: OperationName, texts: readonly string[]): Readonly<Record<string, string>> {
  const accepted = namesOf(OPERATIONS[name]);
  const params = new Map<string, string>();
  for (const text of texts) {
    const [param, value] = pairOf(text);
    if (!accepted.includes(param)) throw unknownParam(name, param, accepted);
    if (params.has(param)) throw commandProblem('call-param', { param, what: 'is given twice' });
    params.set(param, value);
  }
  return Object.fromEntries(params);
}

function pairOf(text: string): readonly [string, string] {
  const equals = text.indexOf('=');
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
  throw commandProblem('call-param', { param: text, what: 'expected NAME=VALUE' });
}

function unknownParam(name: OperationName, param: string, accepted: readonly string[]): ConfigError {
  return commandProblem('call-unknown', {
    what: `parameter ${param} of ${name}`,
    meant: meantBy(param, accepted),
    known: accepted.length === 0 ? 'It takes none' : `It takes ${accepted.join(', ')}`,
  });
}

type Mask = (text: string) => string;

/**
 * Returns a value of JSON with every text in it masked, the names of its fields too. A number in which something is
 * masked becomes text.
 */
function maskedValue(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'number') return maskedNumber(value, mask);
  if (Array.isArray(value)) return value.map((item) => maskedValue(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), maskedValue(item, mask)]));
}

function maskedNumber(value: number, mask: Mask): number | string {
  const masked = mask(String(value));
  return masked === String(value) ? value : masked;
}

/** Masks the words of an error, which may quote a path or an address; returns the same error. */
function maskedError(error: unknown, mask: Mask): unknown {
  if (!(error instanceof Error)) return error;
  const { message, stack } = error;
  error.message = mask(message);
  if (stack !== undefined) error.stack = mask(stack);
  return error;
}

const badBody = (from: string, what: string, cause?: unknown): ConfigError =>
  commandProblem('call-body', { from, what }, { cause });

/** What `--body` brings: JSON, or the path of the file of a form. */
interface BodyOption {
  readonly json: string | null;
  readonly file: string | null;
}

/** Reads `--body`: a file or, for `-`, stdin. Throws a ConfigError where it is no JSON, or not what is taken. */
async function readBody(
  name: OperationName,
  { body }: Operation,
  from: string | undefined,
): Promise<BodyOption> {
  if (from === undefined) return { json: null, file: null };
  if (body.kind === 'none') throw badBody(from, `cannot be sent: ${name} takes no body`);
  if (body.kind === 'form') return { json: null, file: fileOf(name, from) };
  const bytes = from === '-' ? await buffer(process.stdin) : readBodyFile(from);
  return { json: jsonIn(bytes, from === '-' ? 'stdin' : from), file: null };
}

function fileOf(name: OperationName, from: string): string {
  if (from !== '-') return from;
  throw badBody(from, `cannot be sent: ${name} sends a file, whose size must be known; give its path`);
}

function readBodyFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw badBody(path, `cannot be read: ${fileProblem(error)}`, error);
  }
}

function jsonIn(bytes: Buffer, origin: string): string {
  if (!isUtf8(bytes)) throw badBody(origin, 'is not UTF-8: convert it, and send it then');
  // A decoder drops the mark at the beginning of a file, which is no part of the JSON.
  const json = new TextDecoder().decode(bytes);
  if (json.trim() === '') throw badBody(origin, 'is empty; JSON is expected');
  try {
    parseJson(json);
  } catch (cause) {
    if (!(cause instanceof JsonSyntaxError)) throw cause;
    throw badBody(origin, `is no JSON: ${cause.message}`, cause);
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
 * Prepares `--out` before anything is sent. The file is begun under another name in the same folder, so that
 * an error in writing shows now. Without a path the answer goes to `out`. Throws a ConfigError or a
 * FileError.
 */
function targetOf(path: string | undefined, out: (text: string) => void): Target {
  if (path === undefined) return { write: out, drop: () => undefined };
  checkTarget(path);
  const temporary = `${path}.${process.pid}.part`;
  try {
    writeFileSync(temporary, '', { flag: 'wx' });
  } catch (error) {
    throw commandProblem(
      'output-unwritable',
      { option: 'call: --out', path, why: fileProblem(error) },
      { cause: error },
    );
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
          { cause: error },
        );
      }
    },
    drop: () => rmSync(temporary, { force: true }),
  };
}
