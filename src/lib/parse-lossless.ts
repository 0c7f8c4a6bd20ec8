/**
 * Digits that always fit a double; an integer of 16 or more becomes text, so that it loses no digit (promise
 * 8).
 */
const SAFE_DIGITS = 15;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const LONG_INTEGER = /^-?\d{16,}$/;
/** A long integer behind a name. The quote ends a string: where one begins, no letter or digit stands before it. */
const NAMED = /(\w":)(-?\d{16,})(?=[,}])/g;
/** Digits that may be a long integer: they stand where a number can, not behind a slash as in the path of a unit. */
const MAYBE = /(?:^|[\s,:[])-?\d{16}/;

/**
 * Parses JSON as JSON.parse does, but returns integers of 16 digits and more as text. Throws a SyntaxError
 * where JSON.parse does. It jumps from string to string and looks only at what is between them.
 */
export function parseLossless(text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (!MAYBE.test(json)) return JSON.parse(json);
  const named = json.replaceAll(NAMED, '$1"$2"');
  return JSON.parse(MAYBE.test(named) ? quoteLongIntegers(named) : named);
}

function quoteLongIntegers(json: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let from = 0; from < json.length;) {
    const open = indexOr(json.indexOf('"', from), json.length);
    if (open - from > SAFE_DIGITS) {
      parts.push(json.slice(copied, from), json.slice(from, open).replaceAll(NUMBER, quoteLong));
      copied = open;
    }
    from = closingQuote(json, open) + 1;
  }
  return parts.join('') + json.slice(copied);
}

function quoteLong(number: string): string {
  return LONG_INTEGER.test(number) ? `"${number}"` : number;
}

/** Returns where the string that starts here ends; the text's length where it does not end. */
function closingQuote(json: string, open: number): number {
  let close = json.indexOf('"', open + 1);
  while (close > 0 && isEscaped(json, close)) close = json.indexOf('"', close + 1);
  return indexOr(close, json.length);
}

function isEscaped(json: string, quote: number): boolean {
  let before = quote - 1;
  while (json[before] === '\\') before -= 1;
  return (quote - before) % 2 === 0;
}

function indexOr(index: number, missing: number): number {
  return index < 0 ? missing : index;
}

/** Returns whether a JSON value is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
