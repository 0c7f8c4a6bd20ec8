import { printable } from './printable.ts';

const PLAIN = /^[\w.:@/-]+$/u;

/** Returns a value in quotes, to be typed as one word of a POSIX shell. */
export function shellQuoted(value: string): string {
  return `'${printable(value).replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns a value as one word of a POSIX shell, in quotes if it needs them. */
export function shellWord(value: string): string {
  return PLAIN.test(value) ? value : shellQuoted(value);
}
