import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const LEVEL_STYLES: Readonly<Record<string, Style>> = {
  trace: 'gray',
  debug: 'gray',
  info: 'green',
  warn: 'yellow',
  error: 'red',
};

/** A JSON line of the log as a line for eyes: time, level, event, message, key=value. */
export function prettyLine(json: string, colour: boolean): string {
  const { time, level, event, msg, ...fields } = parseLine(json);
  const paint = (style: Style, text: string): string =>
    colour ? styleText(style, text, { validateStream: false }) : text;
  const words = [
    paint('gray', clockTime(time)),
    paint(LEVEL_STYLES[String(level)] ?? 'gray', String(level).toUpperCase().padEnd(5)),
    ...(typeof event === 'string' ? [paint('bold', event.padEnd(15))] : []),
    controlled(String(msg)),
    ...flatten(fields).map(([key, value]) => `${paint('cyan', key)}=${show(value)}`),
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

/** Nested fields as `counts.units.create`; their zeros say nothing. */
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

/** Quoted where it would run into its neighbours. */
function show(value: unknown): string {
  const bare = typeof value === 'string' && /^[^\s"=\p{Cc}]+$/u.test(value);
  return controlled(bare ? value : JSON.stringify(value));
}

/** JSON escapes the control characters below 32 only; a terminal obeys those of 127 to 159 too. */
function controlled(text: string): string {
  return text.replace(/\p{Cc}/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
