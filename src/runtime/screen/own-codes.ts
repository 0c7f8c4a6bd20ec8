import { inspect, styleText } from 'node:util';
import type { Tone } from '../../domain/text/line.ts';
import { escapeHidden } from '../../domain/text/printable.ts';

type Style = Parameters<typeof styleText>[0];

/** How a terminal shows a tone. */
export const STYLES = {
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
 * Guards every line for a person, as a last net: nothing but rollcall's own colours can steer the terminal,
 * whoever forgot to call `printable`. The result is one line.
 */
export function guardLine(line: string): string {
  // Every second part is a code.
  return line
    .split(OWN_CODE)
    .map((part, index) => (index % 2 === 1 ? part : escapeHidden(part)))
    .join('');
}

/** Does the same for a text whose line breaks are rollcall's own. */
export function guardText(text: string): string {
  return text
    .split('\n')
    .map((line) => guardLine(line))
    .join('\n');
}
