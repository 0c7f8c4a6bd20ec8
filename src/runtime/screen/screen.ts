import { styleText } from 'node:util';
import type { Line, Paint } from '../../domain/text/line.ts';
import { fold } from './fold.ts';
import { guardLine, STYLES } from './own-codes.ts';

/** The part of a terminal's stream that matters here. */
export interface ScreenStream {
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
  /** Prints lines; a line break or a control character in a line is shown as an escape. */
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

export function createScreen(stream: ScreenStream, env: NodeJS.ProcessEnv): Screen {
  return {
    isTerminal: stream.isTTY === true,
    paint: painter(stream, env),
    print: (lines) => {
      for (const line of lines)
        for (const folded of fold(guarded(line), columnsOf(stream))) stream.write(`${folded}\n`);
    },
  };
}

function guarded(line: Line): Line {
  if (typeof line === 'string') return guardLine(line);
  return { head: guardLine(line.head), text: guardLine(line.text) };
}
