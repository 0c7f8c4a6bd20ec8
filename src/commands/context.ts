import type { SetupOptions, Streams } from '../app/setup.ts';
import { jsonTexts } from './json-texts.ts';
import { EXIT } from '../domain/errors.ts';
import { stopped } from '../domain/run-problems.ts';
import type { Line, Paint } from '../domain/text/line.ts';
import { createScreen, drained } from '../runtime/screen.ts';
import { onSignals } from '../runtime/signals.ts';

export type { Streams } from '../app/setup.ts';

/** What a verb answers: the same data for machines and for a person. */
export interface Answer {
  /** For `--json`; a list that is no array is written item by item. */
  readonly data?: object;
  /** For a person. */
  readonly lines: (paint: Paint) => Iterable<Line>;
}

/** What a verb gets from the process; injected, so that a test sees what a user would see. */
export interface CommandContext extends SetupOptions {
  readonly isTerminal: boolean;
  /** Shows an answer on stdout: as JSON if `--json` was given, else to a person. It ends early if the reader closes stdout. */
  readonly show: (answer: Answer) => Promise<void>;
  /** Writes to stdout for machines, as it is. */
  readonly out: (text: string) => void;
  /** Shows a text on stderr to a person. */
  readonly complain: (text: string) => void;
}

/** What was typed before the options of a verb, and its `--json`. */
type Typed = Pick<SetupOptions, 'configFile' | 'command'> & { readonly isJson: boolean };

/** Control characters that JSON has as they are, and a terminal obeys. */
const CONTROLS = /[\u007F-\u009F]/gu;
const jsonEscape = (character: string): string => `\\u00${character.charCodeAt(0).toString(16)}`;

export function contextOf(streams: Streams, { isJson, ...typed }: Typed): CommandContext {
  const { stdout, stderr, env } = streams;
  const screen = createScreen(stdout, env, typed.command);
  return {
    ...typed,
    ...streams,
    isTerminal: screen.isTerminal,
    show: ({ data, lines }) =>
      isJson && data !== undefined
        ? written(stdout, jsonTexts(data), (text) => text.replaceAll(CONTROLS, jsonEscape))
        : written(stdout, screen.folded(lines(screen.paint))),
    out: (text) => void stdout.write(text.replaceAll(CONTROLS, jsonEscape)),
    complain: (text) => createScreen(stderr, env).print(text.split('\n')),
  };
}

/** About as much as a pipe takes at once; each write by itself costs more than what it writes. */
const CHUNK = 65_536;

/** Writes texts, so that no number of them fills the memory. */
async function written(
  stream: Streams['stdout'],
  texts: Iterable<string>,
  escaped = (text: string): string => text,
): Promise<void> {
  let chunk = '';
  for (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK) continue;
    stream.write(escaped(chunk));
    chunk = '';
    if (!(await drained(stream))) return;
  }
  if (chunk !== '') stream.write(escaped(chunk));
}

export interface Stop {
  /** Aborted by the first signal: calls in flight are finished and recorded. */
  readonly signal: AbortSignal;
  /** Aborted by the second signal, right before the process ends. */
  readonly quit: AbortSignal;
  readonly release: () => void;
}

/** Stops on SIGTERM, SIGINT and when the terminal is closed; a second signal ends the process at once. */
export function stopOnSignals(): Stop {
  const [first, second] = [new AbortController(), new AbortController()];
  const stop = (): void => {
    if (!first.signal.aborted) return first.abort(stopped('stopped-asked', {}));
    second.abort();
    process.exit(EXIT.failed);
  };
  const release = onSignals(process, { SIGTERM: stop, SIGINT: stop, SIGHUP: stop });
  return { signal: first.signal, quit: second.signal, release };
}
