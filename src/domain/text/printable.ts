/** Maximum characters of one value in a line: a name, id or path from outside rollcall. */
const LONGEST_VALUE = 200;
/** Maximum characters of a sentence that has values in it. */
const LONGEST_TEXT = 1_000;
/**
 * Maximum characters of a reason in the ledger: short enough to be printed whole with the words around it.
 */
const LONGEST_REASON = 800;
/** Number of items of a list that are shown within a sentence. */
const LISTED = 3;

/**
 * Characters that a terminal obeys or that are not seen: control characters of both ranges, marks of
 * direction, line and paragraph separators, zero-width, blank and other ignorable characters, halves of a
 * surrogate pair. A variation selector stays where it can belong to the character before it (an emoji, a
 * Chinese character), and a joiner stays between two emoji: a family is one sign.
 */
const HIDDEN =
  /(?!\p{Variation_Selector}|(?<=\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D\p{Extended_Pictographic})[\u2800\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?<=^|[\p{ASCII}\p{Variation_Selector}])\p{Variation_Selector}/gu;
/** Matches plain text, which nearly all text is, at little cost. */
const PLAIN = /^[ -~]*$/u;

const SHORT: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
};

function escaped(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`;
}

/**
 * Shows as escapes the characters that would steer a terminal or are not seen: `\x1b`, `\n`, `\u202e`. The
 * result is one line.
 */
export function escapeHidden(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll(HIDDEN, escaped);
}

/** End of a text that was cut already, or of a list of one such text as JSON. */
const CUT = /… \([\d,]+ characters\)(?:"\])?$/u;
const LONGEST_CUT = 30;

/**
 * Keeps the beginning of a longer text, and says how long it is; a text that was cut already stays as it is.
 */
function cut(text: string, atMost: number): string {
  if (text.length <= atMost) return text;
  if (text.length <= atMost + LONGEST_CUT && CUT.test(text)) return text;
  const end = /[\uD800-\uDBFF]/u.test(text.charAt(atMost - 1)) ? atMost - 1 : atMost;
  return `${text.slice(0, end)}… (${text.length.toLocaleString('en')} characters)`;
}

/**
 * Returns a value in a form that is safe in a line of text. Every value passes here on its way into a text:
 * names, ids and paths, from the source, the service or the configuration. A second call changes nothing.
 */
export function printable(value: string): string {
  return escapeHidden(cut(value, LONGEST_VALUE));
}

/** Returns a text from outside, only cut: for callers who escape it themselves. */
export function cutText(text: string): string {
  return cut(text, LONGEST_TEXT);
}

/**
 * Returns a sentence with values in it, e.g. a reason or another program's error, in a form that is safe in a
 * line.
 */
export function printableText(text: string): string {
  return escapeHidden(cutText(text));
}

/**
 * Returns a reason as the ledger keeps it. Ids in it stay as they are, so that they can be found and replaced
 * by names.
 */
export function shortReason(reason: string): string {
  return cut(reason, LONGEST_REASON);
}

/** Returns `a, b, c and 9,997 more`: a list of any length within a sentence. */
export function listSome(
  items: readonly string[],
  { atMost = LISTED, separator = ', ' }: { readonly atMost?: number; readonly separator?: string } = {},
): string {
  const left = items.length - atMost;
  // One further item takes no more room than saying "1 more".
  if (left <= 1) return items.join(separator);
  const end = separator === ', ' ? ' ' : separator;
  return `${items.slice(0, atMost).join(separator)}${end}and ${left.toLocaleString('en')} more`;
}

/** Ends a sentence with a full stop, unless it has an end of its own: `is it running?` stays as it is. */
export function withStop(sentence: string): string {
  return /[.?!…]$/u.test(sentence) ? sentence : `${sentence}.`;
}
