import { once } from 'node:events';
import { inspect, stripVTControlCharacters, styleText } from 'node:util';
import type { Line, Paint, Tone } from '../domain/text/line.ts';
import { escapeHidden } from '../domain/text/printable.ts';

/** The part of a terminal's stream that matters here. */
interface ScreenStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * Output for a person: folded to the width of the terminal, and coloured; a file or pipe gets whole lines
 * without colours.
 */
export interface Screen {
  readonly isTerminal: boolean;
  readonly paint: Paint;
  /** Yields lines as they are printed; a line break or a control character in a line is shown as an escape. */
  readonly folded: (lines: Iterable<Line>) => Iterable<string>;
  readonly print: (lines: Iterable<Line>) => void;
}

/** Columns of a terminal that does not say how wide it is. */
const COLUMNS = 80;

/** Returns the columns of a terminal now; a file has no limit. */
export function columnsOf({ isTTY, columns = 0 }: Pick<ScreenStream, 'isTTY' | 'columns'>): number {
  if (isTTY !== true) return Number.POSITIVE_INFINITY;
  return columns > 0 ? columns : COLUMNS;
}

/**
 * Returns whether to use colours: on a terminal, unless https://no-color.org or the terminal itself says no;
 * FORCE_COLOR alone decides where it is set.
 */
export function wantsColour(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}

function painter(stream: ScreenStream, env: NodeJS.ProcessEnv): Paint {
  if (!wantsColour(stream, env)) return (_, text) => text;
  return (tone, text) => (text === '' ? text : styleText(STYLES[tone], text, { validateStream: false }));
}

/** @param rewritten returns a text as it is to be shown */
export function createScreen(
  stream: ScreenStream,
  env: NodeJS.ProcessEnv,
  rewritten = (text: string): string => text,
): Screen {
  function* folded(lines: Iterable<Line>): Iterable<string> {
    for (const line of lines)
      for (const text of fold(guarded(line, rewritten), columnsOf(stream))) yield `${text}\n`;
  }
  return {
    isTerminal: stream.isTTY === true,
    paint: painter(stream, env),
    folded,
    print: (lines) => {
      for (const text of folded(lines)) stream.write(text);
    },
  };
}

function guarded(line: Line, rewritten: (text: string) => string): Line {
  if (typeof line === 'string') return guardLine(rewritten(line));
  return { head: guardLine(line.head), text: guardLine(rewritten(line.text)) };
}

const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/gu;

/** Returns the columns that a text takes on a terminal: a Chinese character takes two, a colour none. */
export function widthOf(text: string): number {
  const bare = stripVTControlCharacters(text);
  const wide = bare.match(WIDE) ?? [];
  // A character beyond U+FFFF already has the length two.
  return bare.length + wide.filter((character) => character.length === 1).length;
}

/** Texts that stay in one line because people copy them. */
const COMMAND =
  /rollcall (?:--config \S+ )?(?:explain \S+|[a-z]+)(?: --(?:approve|reading|data) \S+| --[a-z-]+)*/gu;
const STUCK = '\u0000';

const BLANK = /\p{Zs}/u;

/** Splits a text into the words that may stand on separate lines: at every blank, also at one that a value has. */
function wordsOf(text: string): readonly string[] {
  const stuck = text.replaceAll(COMMAND, (command) => command.replaceAll(' ', STUCK));
  return stuck.split(BLANK).map((word) => word.replaceAll(STUCK, ' '));
}

interface Room {
  /** Columns of the first line (`first`) and of the others. */
  readonly first: number;
  readonly next: number;
}

function broken(text: string, { first, next }: Room): readonly string[] {
  const lines: string[] = [];
  let line: string | null = null;
  let width = 0;
  for (const word of wordsOf(text)) {
    const more = widthOf(word);
    const room = lines.length === 0 ? first : next;
    if (line !== null && line.trim() !== '' && width + 1 + more > room) {
      lines.push(line);
      line = word;
      width = more;
    } else {
      // Blanks between columns do not begin a line.
      const begins: boolean = line === null || (lines.length > 0 && line === '');
      width = begins ? more : width + 1 + more;
      line = begins ? word : `${line} ${word}`;
    }
  }
  return line === null ? lines : [...lines, line];
}

/** Beginning of a plain line before its text: blanks, a sign, the branches of a tree. */
const BEGINNING = /^ *(?:[+~=>!-] )?[ │├└─]*/u;
/** Smallest width of a column after an indentation. */
const NARROWEST = 20;

/** Returns the beginning of the lines below: the branches go on, the signs do not. */
function below(line: string): string {
  const beginning = BEGINNING.exec(stripVTControlCharacters(line))?.[0] ?? '';
  return `${beginning.replaceAll(/[+~=>!└─-]/gu, ' ').replaceAll('├', '│')}    `;
}

/** Returns one line as a terminal with so many columns shows it. */
export function fold(line: Line, columns: number): readonly string[] {
  const { head, text } = typeof line === 'string' ? { head: '', text: line } : line;
  if (widthOf(head) + widthOf(text) <= columns) return [(head + text).trimEnd()];
  const indent = typeof line === 'string' ? below(line) : ' '.repeat(widthOf(head));
  const next = Math.max(NARROWEST, columns - widthOf(indent));
  const parts = broken(text, { first: Math.max(NARROWEST, columns - widthOf(head)), next });
  return parts.map((part, index) => ((index === 0 ? head : indent) + part).trimEnd());
}

type Style = Parameters<typeof styleText>[0];

/** How a terminal shows a tone. */
const STYLES = {
  joins: 'green',
  changes: 'yellow',
  leaves: 'red',
  adopted: 'cyan',
  moves: 'magenta',
  alarm: ['bold', 'red'],
  care: 'yellow',
  fine: 'green',
  strong: 'bold',
  quiet: 'gray',
} as const satisfies Record<Tone, Style>;

/** Numbers that begin and end the styles that rollcall uses, such as `31` and `39`. */
const NUMBERS = Object.values(STYLES)
  .flat()
  .flatMap((style) => [...(inspect.colors[style] ?? [])]);
const OWN_CODE = new RegExp(String.raw`(\u001B\[(?:${[...new Set(NUMBERS)].join('|')})m)`, 'u');

/**
 * Guards every line for a person, as a last net: only rollcall's own colours can steer the terminal, even if
 * a caller forgot `printable`. The result is one line.
 */
export function guardLine(line: string): string {
  // Every second part is a code.
  return line
    .split(OWN_CODE)
    .map((part, index) => (index % 2 === 1 ? part : escapeHidden(part)))
    .join('');
}

/** Waits until the stream takes more. Returns `false` if the reader has closed it, as behind `| head`. */
export async function drained(stream: NodeJS.WriteStream): Promise<boolean> {
  if (stream.writableNeedDrain && isOpen(stream)) {
    const over = new AbortController();
    const { signal } = over;
    // What goes wrong shows below; `main.ts` listens for errors.
    await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]).catch(
      () => undefined,
    );
    over.abort();
  }
  return isOpen(stream);
}

function isOpen({ writable, destroyed, errored }: NodeJS.WriteStream): boolean {
  return writable && !destroyed && errored === null;
}
