import type { FullReadNeeded } from './reading/increment.ts';
import { printableText } from './text/printable.ts';

/** Exit codes of the contract; the first that applies is used. */
export const EXIT = { done: 0, failed: 1, usage: 2, held: 3, partial: 4, changes: 5 } as const;

export interface ErrorDetails {
  readonly cause?: unknown;
  /** Code of the sentence in its room's table; see `problems.ts`. */
  readonly problem?: string;
  /** See `SourceError`. */
  readonly isPassing?: boolean;
}

/**
 * An error with a sentence for the administrator: place, what is wrong, what to do. Its message never holds a
 * token, a password or a URL with one. Values and words of other programs in it cannot steer a terminal.
 */
export abstract class RollcallError extends Error {
  abstract readonly code: string;
  readonly exitCode: number = EXIT.failed;
  /** Code of its sentence, as `docs/troubleshooting.md` lists it; `null`: the sentence is in no table. */
  readonly problem: string | null;

  /** @param message a sentence, or several lines: a line break within one of them begins no new line */
  constructor(message: string | readonly string[], details: ErrorDetails = {}) {
    const lines = typeof message === 'string' ? [message] : message;
    super(
      lines.map((line) => printableText(line)).join('\n'),
      details.cause === undefined ? undefined : { cause: details.cause },
    );
    this.name = new.target.name;
    this.problem = details.problem ?? null;
  }
}

/** The usage or the configuration is wrong. */
export class ConfigError extends RollcallError {
  readonly code = 'CONFIG';
  override readonly exitCode = EXIT.usage;
}

/**
 * What was typed cannot be done, and nothing of it was: it says nothing about how runs go, so no run is counted for it.
 */
export class RequestError extends ConfigError {}

/** The source could not be read to its end: nothing from this read may be used. */
export class SourceError extends RollcallError {
  readonly code = 'SOURCE';
  /** Whether the source changed while it was read: another read at once may well be whole. */
  readonly isPassing: boolean;

  constructor(message: string | readonly string[], details: ErrorDetails = {}) {
    super(message, details);
    this.isPassing = details.isPassing ?? false;
  }
}

/** An increment is not enough, as only its read has shown: all of the source has to be read. */
export class FullReadNeededError extends SourceError {
  /** As in `FullReadNeeded`. */
  readonly why: string;

  constructor(why: string, details: ErrorDetails = {}) {
    super(`source: only a full read can tell what changed: ${why}.`, details);
    this.why = why;
  }
}

/** The service is down, refuses the token, or does not speak the interface. */
export class ServiceError extends RollcallError {
  readonly code = 'SERVICE';
}

/** A file that is to be sent or saved cannot be used; the message names it and says why. */
export class FileError extends RollcallError {
  readonly code = 'FILE';
  override readonly exitCode = EXIT.usage;
}

/** Refusals after which a run goes on in a different way. */
export type RefusalName = 'noSuchOrganization' | 'hasEmployees';

interface RefusalDetails extends ErrorDetails {
  readonly unheard?: boolean;
  readonly named?: RefusalName | undefined;
}

/** The service definitely refused a call: its envelope's `status` is not 0. */
export class RefusedError extends RollcallError {
  readonly code = 'REFUSED';
  /** Status in the envelope, e.g. 208507. */
  readonly status: number;
  /**
   * Whether only the HTTP status says that the call was not taken, perhaps from something in front of the
   * service; the service itself said nothing.
   */
  readonly unheard: boolean;
  /** What the status means for this call; `null`: nothing that matters to a caller. */
  readonly named: RefusalName | null;

  constructor(message: string, status: number, details: RefusalDetails = {}) {
    super(message, details);
    this.status = status;
    this.unheard = details.unheard ?? false;
    this.named = details.named ?? null;
  }
}

/** The service sent no envelope. Whether the work was done is unknown until rollcall reads it back. */
export class AmbiguousError extends RollcallError {
  readonly code = 'AMBIGUOUS';
  /** Whether the service is well and wants fewer calls (429, 503). */
  readonly throttled: boolean;

  constructor(message: string, details: ErrorDetails & { readonly throttled?: boolean } = {}) {
    super(message, details);
    this.throttled = details.throttled ?? false;
  }
}

/** A notice was certainly not delivered by e-mail or webhook. */
export class NotifyError extends RollcallError {
  readonly code = 'NOTIFY';
}

/** The ledger cannot be opened, read or written. */
export class LedgerError extends RollcallError {
  readonly code = 'LEDGER';
}

/** Another process has begun a write to the ledger and does not finish it, so that no other process can write. */
export class LedgerBusyError extends LedgerError {}

/** The run was asked to stop; the calls in flight were finished and recorded. */
export class StoppedError extends RollcallError {
  readonly code = 'STOPPED';
}

/** Returns the words of anything that was thrown. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the code of an error of the system, e.g. `ENOENT`; `unknown error`: it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/**
 * Returns a sentence for what ended a verb, and the lines that belong to it; a stack only for an unexpected
 * error.
 */
export function sentenceOf(error: unknown): string {
  if (error instanceof RollcallError)
    return error.problem === null ? error.message : `[${error.problem}] ${error.message}`;
  if (!(error instanceof Error)) return printableText(wordsOf(error));
  const about = `unexpected error: ${printableText(error.message)}; please report it with this:`;
  return [about, error.name, ...framesOf(error)].join('\n');
}

/**
 * Returns the frames of a stack without the message before them: each line break in a message would begin a
 * line of its own.
 */
function framesOf({ stack = '', message }: Error): readonly string[] {
  const begin = stack.indexOf(message);
  const frames = begin === -1 ? stack : stack.slice(begin + message.length);
  return frames.split('\n').flatMap((line) => (/^ {4}at /u.test(line) ? [printableText(line)] : []));
}

/** Returns what comes of reading an increment or, if only the read has shown that it is not enough, why. */
export async function orFullRead<T>(work: () => Promise<T>): Promise<T | FullReadNeeded> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FullReadNeededError) return error;
    throw error;
  }
}
