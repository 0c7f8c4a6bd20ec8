import { openCaller, type Caller } from '../app.ts';
import { secretsOf } from '../config/load-settings.ts';
import { ConfigError, EXIT } from '../domain/errors.ts';
import {
  OPERATION_NAMES,
  OPERATIONS,
  rowOf,
  type OperationName,
} from '../interface/operations/operations.ts';
import type { Problem } from '../interface/requests/check-fields.ts';
import type { Operation } from '../interface/operation.ts';
import { suggest } from '../lib/suggest.ts';
import { Scrubber } from '../runtime/scrubber.ts';
import { DIRECTORY_WARNING, helpLines, listLines } from './call/describe-operation.ts';
import { maskedError, maskedValue } from './call/mask.ts';
import { givenBody, targetOf } from './call/files.ts';
import { paramsOf } from './call/params.ts';
import { appOf, stopOnSignals, type Context } from './context.ts';

export interface CallOptions {
  readonly param: readonly string[];
  readonly body?: string | undefined;
  readonly out?: string | undefined;
  readonly write: boolean;
  readonly list: boolean;
  readonly help: boolean;
  /** Writes a line for a person to stderr. */
  readonly warn: (line: string) => void;
}

/** Runs `rollcall call`: any operation of the interface, checked against its row before it goes out. */
export async function callCommand(
  context: Context,
  operation: string | undefined,
  options: CallOptions,
): Promise<number> {
  const { print } = context.screen;
  if (options.list || (operation === undefined && options.help)) {
    print([...(options.help ? HELP : []), ...listLines()]);
    return EXIT.done;
  }
  const name = nameOf(operation);
  if (options.help) {
    print(helpLines(name));
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
  '',
];

/** Sends the operation with the connection of the configuration, whose secrets are shown nowhere. */
async function send(context: Context, name: OperationName, options: CallOptions): Promise<number> {
  const app = appOf(context, 'stderr');
  const secrets = new Scrubber(secretsOf(app.settings), SHORTEST);
  const caller = openCaller(app, (secret) => secrets.hide(secret));
  try {
    const print = (result: unknown): string => jsonOf(maskedValue(result, (text) => secrets.literals(text)));
    return await ask({ caller, print, out: context.out }, name, options);
  } catch (error) {
    throw maskedError(error, (text) => secrets.text(text));
  } finally {
    await caller.close();
    await app.service.close();
  }
}

/** Characters below which a secret is shown: a shorter one is part of too many innocent values. */
const SHORTEST = 4;

interface Asked {
  readonly caller: Caller;
  /** Returns an answer as it may be shown. */
  readonly print: (result: unknown) => string;
  readonly out: (text: string) => void;
}

/** Returns the exit code: an import of which records failed is done in part. */
async function ask(
  { caller, print, out }: Asked,
  name: OperationName,
  options: CallOptions,
): Promise<number> {
  const row: Operation = OPERATIONS[name];
  const params = paramsOf(name, options.param);
  requireWrite(name, row, options.write);
  const { json, file } = await givenBody(name, row, options.body);
  const isFile = row.answer.kind === 'bytes';
  const target = targetOf(isFile ? undefined : options.out, out);
  const stop = stopOnSignals();
  try {
    if (row.changes === 'directory') options.warn(DIRECTORY_WARNING);
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
    throw new ConfigError('call: which operation? `rollcall call --list` lists them.');
  }
  if (rowOf(operation) !== undefined) return operation as OperationName;
  const meant = suggest(operation, OPERATION_NAMES);
  throw new ConfigError(
    `call: there is no operation ${operation}.${meant === undefined ? '' : ` Did you mean ${meant}?`} ` +
      '`rollcall call --list` lists them.',
  );
}

function requireWrite(name: OperationName, { changes }: Operation, write: boolean): void {
  if (changes === 'nothing' || write) return;
  const more = changes === 'directory' ? ` ${DIRECTORY_WARNING}` : '';
  throw new ConfigError(
    `call: ${name} changes something in the service: give --write to send it. Nothing was sent.${more}`,
  );
}

function notSent(name: OperationName, problems: readonly Problem[]): ConfigError {
  return new ConfigError([
    `call: ${name} was not sent:`,
    ...problems.map(({ place, text }) => `  ${place} ${text}`),
    `\`rollcall call ${name} --help\` tells what it takes.`,
  ]);
}
