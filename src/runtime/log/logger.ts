import { pino, stdTimeFunctions, type DestinationStream, type Logger as Pino } from 'pino';
import { EVENTS, levelOf, type Log, type LogLevel, type RunEvent } from '../../domain/events.ts';
import { fold } from '../screen/fold.ts';
import { complainOnStderr, LogWriter } from './log-writer.ts';
import { guardLine } from '../screen/own-codes.ts';
import { prettyLine } from './pretty-line.ts';
import type { ProgressBar } from '../screen/progress-bar.ts';
import { Scrubber } from './scrubber.ts';

export interface Pretty {
  readonly colour: boolean;
  /** Returns the columns of the terminal now; without it lines are not folded. */
  readonly columns?: () => number;
  /** Bar that shares the terminal: lines are written above it. */
  readonly bar?: Pick<ProgressBar, 'above'> | undefined;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Literal secrets, replaced wherever they turn up. */
  readonly secrets?: readonly string[];
  /** Set for lines for people instead of JSON. */
  readonly pretty?: Pretty | undefined;
  /** Where lines go; by default stdout, written at once, so that none is lost with the process. */
  readonly out?: DestinationStream;
}

export interface Logger extends Log {
  /** Hides one more literal secret: a token that was read later than the configuration. */
  hide(secret: string): void;
  setLevel(level: LogLevel): void;
  ofRun(run: string): Logger;
}

/** Creates a log of JSON lines, one for each event, without secrets: see {@link Scrubber}. */
export function createLogger({ level, secrets, pretty, out = stdout() }: LoggerOptions): Logger {
  const scrubber = new Scrubber(secrets);
  const root = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (fields) => scrubber.fields(fields) },
    },
    pretty === undefined ? out : prettyStream(pretty, out),
  );
  return new PinoLog({ root, scrubber }, root);
}

function prettyStream({ colour, columns, bar }: Pretty, out: DestinationStream): DestinationStream {
  const write = (json: string): void => {
    const lines = fold(guardLine(prettyLine(json, colour)), columns?.() ?? Number.POSITIVE_INFINITY);
    out.write(`${lines.join('\n')}\n`);
  };
  return {
    write: (json) => {
      if (bar === undefined) write(json);
      else bar.above(() => write(json));
    },
  };
}

/** The only writer of the process, also after the configuration was read again. */
let onStdout: LogWriter | undefined;

function stdout(): LogWriter {
  onStdout ??= new LogWriter({ fd: 1, atOnce: process.stdout.isTTY, complain: complainOnStderr, lostLine });
  return onStdout;
}

/** Gives the log so many milliseconds to be read, before the process ends. */
export async function endLog(ms: number): Promise<void> {
  await onStdout?.end(ms);
}

function lostLine(lines: number): string {
  const time = new Date().toISOString();
  const msg = 'lines of the log are missing here: nobody read it, or its disk was full';
  return `${JSON.stringify({ level: 'warn', time, lines, msg })}\n`;
}

interface Shared {
  /** The parent of all loggers, which has their level. */
  readonly root: Pino;
  readonly scrubber: Scrubber;
}

class PinoLog implements Logger {
  readonly #shared: Shared;
  readonly #lines: Pino;

  constructor(shared: Shared, lines: Pino) {
    this.#shared = shared;
    this.#lines = lines;
  }

  event(event: RunEvent): void {
    this.#write(levelOf(event), EVENTS[event.event].message, event);
  }

  note(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.#write(level, this.#shared.scrubber.text(message), fields);
  }

  ofRun(run: string): Logger {
    return new PinoLog(this.#shared, this.#lines.child({ run }));
  }

  hide(secret: string): void {
    this.#shared.scrubber.hide(secret);
  }

  setLevel(level: LogLevel): void {
    this.#shared.root.level = level;
  }

  /**
   * Writes a line at the level of the root, which is copied first: children of pino keep the level that they
   * were created with.
   */
  #write(level: LogLevel, message: string, fields: object): void {
    this.#lines.level = this.#shared.root.level;
    this.#lines[level](fields, message);
  }
}
