import { styleText } from 'node:util';
import { pino, stdTimeFunctions, type DestinationStream, type Logger as Pino } from 'pino';
import { EVENTS, levelOf, type Log, type LogLevel, type Observer, type RunEvent } from '../domain/events.ts';
import { cutText, escapeHidden, printable, printableText } from '../domain/text/printable.ts';
import { complainOnStderr, LogWriter } from './log-writer.ts';
import { Scrubber } from './scrubber.ts';
import { fold, guardLine } from './screen.ts';

export interface Pretty {
  readonly colour: boolean;
  /** Returns the columns of the terminal now; without it lines are not folded. */
  readonly columns?: () => number;
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
  /** Returns the log of the run under way, from `ofRun` to its `run.end`; if there is none, this one. */
  ofCurrentRun(): Log;
}

/** Creates a log of JSON lines, one for each event, without secrets: see {@link Scrubber}. */
export function createLogger({ level, secrets, pretty, out = stdout() }: LoggerOptions): Logger {
  const scrubber = new Scrubber(secrets);
  const lines = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (fields) => scrubber.fields(fields) },
    },
    pretty === undefined ? out : prettyStream(pretty, out),
  );
  return new PinoLog(lines, scrubber);
}

function prettyStream({ colour, columns }: Pretty, out: DestinationStream): DestinationStream {
  return {
    write: (json) => {
      const lines = fold(guardLine(prettyLine(json, colour)), columns?.() ?? Number.POSITIVE_INFINITY);
      out.write(`${lines.join('\n')}\n`);
    },
  };
}

/** The only writer of the process, also after the configuration was read again. */
let onStdout: LogWriter | undefined;

function stdout(): LogWriter {
  onStdout ??= new LogWriter({ fd: 1, complain: complainOnStderr, lostLine });
  return onStdout;
}

/** Gives the log so many milliseconds to be read, before the process ends. */
export async function endLog(ms: number): Promise<void> {
  await onStdout?.end(ms);
}

function lostLine(lines: number): string {
  const time = new Date().toISOString();
  const msg = 'lines of the log are missing here: it was not read, or its disk was full';
  return `${JSON.stringify({ level: 'warn', time, lines, msg })}\n`;
}

class PinoLog implements Logger {
  readonly #lines: Pino;
  readonly #scrubber: Scrubber;
  /** Called at the end of the run whose log this is; absent: it is that of the process. */
  readonly #ended: (() => void) | undefined;
  #current: Log | null = null;

  constructor(lines: Pino, scrubber: Scrubber, ended?: () => void) {
    this.#lines = lines;
    this.#scrubber = scrubber;
    this.#ended = ended;
  }

  event(event: RunEvent): void {
    this.#lines[levelOf(event)](event, EVENTS[event.event].message);
    if (event.event === 'run.end') this.#ended?.();
  }

  note(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    const named = this.#ended === undefined ? fields : { event: 'note', ...fields };
    this.#lines[level](named, this.#scrubber.text(message));
  }

  ofRun(run: string): Log {
    const ended = (): void => void (this.#current = null);
    this.#current = new PinoLog(this.#lines.child({ run }), this.#scrubber, ended);
    return this.#current;
  }

  ofCurrentRun(): Log {
    return this.#current ?? this;
  }

  hide(secret: string): void {
    this.#scrubber.hide(secret);
  }
}

/** Returns the log, which also shows its events to an observer. */
export function observing(log: Log, observer: Observer): Log {
  return {
    event(event) {
      log.event(event);
      observer.event(event);
    },
    note: (level, message, fields) => log.note(level, message, fields),
    ofRun: (run) => observing(log.ofRun(run), observer),
  };
}

type Style = Parameters<typeof styleText>[0];

const LEVEL_STYLES: Readonly<Record<string, Style>> = {
  trace: 'gray',
  debug: 'gray',
  info: 'green',
  warn: 'yellow',
  error: 'red',
};

/** Turns a JSON line of the log into a line for people: time, level, event, message, key=value. */
export function prettyLine(json: string, colour: boolean): string {
  const { time, level, event, msg, ...fields } = parseLine(json);
  const paint = (style: Style, text: string): string =>
    colour ? styleText(style, text, { validateStream: false }) : text;
  const words = [
    paint('gray', clockTime(time)),
    paint(LEVEL_STYLES[String(level)] ?? 'gray', String(level).toUpperCase().padEnd(5)),
    ...(typeof event === 'string' ? [paint('bold', event.padEnd(15))] : []),
    printableText(String(msg)),
    ...flatten(fields).map(([key, value]) => `${paint('cyan', printable(key))}=${show(value)}`),
  ];
  return words.join(' ');
}

function parseLine(json: string): Readonly<Record<string, unknown>> {
  const line: unknown = JSON.parse(json);
  return typeof line === 'object' && line !== null ? { ...line } : { msg: line };
}

function clockTime(time: unknown): string {
  return new Date(String(time)).toTimeString().slice(0, 8);
}

/** Flattens nested fields to `counts.units.create`; zeros in them say nothing and are left out. */
function flatten(
  fields: Readonly<Record<string, unknown>>,
  prefix = '',
): readonly (readonly [string, unknown])[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return flatten({ ...value }, `${prefix}${key}.`);
    }
    return prefix !== '' && value === 0 ? [] : [[`${prefix}${key}`, value] as const];
  });
}

/** Number of items of a list that are shown. */
const LISTED = 10;

/** Shows a value, quoted where it would run into its neighbours. */
function show(value: unknown): string {
  if (Array.isArray(value) && value.length > LISTED) {
    const listed = value.slice(0, LISTED).map((item: unknown) => quoted(item));
    return `[${listed.join(',')},… ${(value.length - LISTED).toLocaleString('en')} more]`;
  }
  const bare = typeof value === 'string' && /^[^\s"=\p{Cc}]+$/u.test(value);
  return bare ? printableText(value) : quoted(value);
}

/** Quotes a value. JSON escapes only control characters below 32; a terminal obeys others too. */
function quoted(value: unknown): string {
  const text = JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? cutText(each) : each));
  return escapeHidden(text);
}
