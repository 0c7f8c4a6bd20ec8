import { RollcallError } from './errors.ts';
import { printableText } from './text/printable.ts';

/**
 * Returns a sentence for what ended a verb, and the lines that belong to it; a stack only for an unexpected
 * error.
 */
export function sentenceOf(error: unknown): string {
  if (error instanceof RollcallError) return error.message;
  if (!(error instanceof Error)) return printableText(String(error));
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
