import { RE2JS } from 're2js';

const MAX_PATTERN = 500;

/** Length of the longest text that `matches` looks at: its time grows with the length of text and pattern. */
export const MAX_MATCHED = 10_000;

/** Length of the longest text that `regexReplace` changes: its time grows with the square of the length. */
export const MAX_REPLACED = 1_000;

const compiled = new Map<string, RE2JS>();

/**
 * Returns the pattern, compiled once; patterns are written in the configuration, so they are few. JavaScript's
 * own regular expressions backtrack: `(a+)+$` on 40 characters would block the daemon for hours. RE2, which is
 * what CEL prescribes, takes time in proportion to the length of the text.
 */
export function patternOf(text: string): RE2JS {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const pattern = RE2JS.compile(text);
  compiled.set(text, pattern);
  return pattern;
}

/** Returns what is wrong with a pattern, `null` if nothing. */
export function patternProblem(text: string): string | null {
  const pattern = `the pattern ${JSON.stringify(text)}`;
  if (text.length > MAX_PATTERN) return `the pattern is longer than ${MAX_PATTERN} characters`;
  if (/\((?:\?<?[=!])|\\[1-9]/u.test(text))
    return `${pattern} uses a back-reference or look-around, which RE2 does not have`;
  try {
    patternOf(text);
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `${pattern} is no regular expression (${reason})`;
  }
}
