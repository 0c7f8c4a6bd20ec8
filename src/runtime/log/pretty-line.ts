import { styleText } from 'node:util';
import { cutText, escapeHidden, printable, printableText } from '../../domain/text/printable.ts';

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
