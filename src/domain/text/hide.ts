/** Characters below which a text is hidden only if it stands alone: it is part of many innocent words. */
const SHORT = 4;
/** Characters that one pattern matches: a much longer one is no regular expression any more. */
const LONGEST = 1_000;
const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;
const NAMED: ReadonlyMap<string, string> = new Map([
  ['&', 'amp'],
  ['<', 'lt'],
  ['>', 'gt'],
  ['"', 'quot'],
  ["'", 'apos'],
]);
const CONTROL_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', 'n'],
  ['\r', 'r'],
  ['\t', 't'],
  ['\b', 'b'],
  ['\f', 'f'],
]);
/** Backslashes before a quote: in JSON that stands in JSON there are three. */
const BACKSLASHES = String.raw`\\{0,7}`;

/** Matches a text in each spelling that an echo of it may have. */
export type Spellings = readonly RegExp[];

/**
 * Matches the text as it is, and as JSON (also within JSON), HTML, a URL or Base64 spell it. Each pattern
 * looks ahead from where the search stands, so that no match hides another one that overlaps it. A long text is
 * matched piece by piece.
 */
export function spellingsOf(text: string): Spellings {
  const whole = Array.from(text.toWellFormed());
  const pieces = Math.ceil(whole.length / LONGEST);
  const size = Math.ceil(whole.length / pieces);
  return Array.from({ length: pieces }, (_, at) => whole.slice(at * size, (at + 1) * size).join('')).flatMap(
    (piece) => spellingsOfPiece(piece),
  );
}

function spellingsOfPiece(whole: string): Spellings {
  const bytes = Buffer.from(whole);
  const isShort = whole.length < SHORT;
  const patterns = [
    patternOf(whole),
    ...(isShort ? [base64(bytes, 0)] : [0, 1, 2].map((at) => base64(bytes, at))),
  ];
  return patterns.map((pattern) => {
    const alone = isShort ? `(?<![\\p{L}\\p{N}])(${pattern})(?![\\p{L}\\p{N}])` : `(${pattern})`;
    return new RegExp(`(?=${alone})`, 'gu');
  });
}

/** Replaces everything that one of these matches with a mask; overlapping matches become one mask. */
export function hideAll(text: string, hidden: readonly Spellings[], mask: string): string {
  const spans = hidden.flatMap((patterns) => patterns.flatMap((pattern) => spansOf(text, pattern)));
  let [clean, end] = ['', 0];
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    if (from >= end) clean += text.slice(end, from) + mask;
    end = Math.max(end, to);
  }
  return clean + text.slice(end);
}

function spansOf(text: string, pattern: RegExp): readonly (readonly [from: number, to: number])[] {
  return [...text.matchAll(pattern)].map((match) => [match.index, match.index + (match[1]?.length ?? 0)]);
}

function patternOf(text: string): string {
  return Array.from(text, anySpelling).join('');
}

function anySpelling(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = NAMED.get(character);
  const escape = CONTROL_ESCAPES.get(character);
  const utf16 = [...Array(character.length).keys()].map((at) => hex(character.charCodeAt(at), 4));
  const bytes = [...Buffer.from(character)].map((byte) => `%${hex(byte, 2)}`);
  const spellings = [
    `${/["\\/]/.test(character) ? BACKSLASHES : ''}${literal(character)}`,
    ...(escape === undefined ? [] : [`\\\\+${escape}`]),
    utf16.map((unit) => `\\\\+u${unit}`).join(''),
    `&(?:amp;)?(?:${name === undefined ? '' : `${name}|`}#0*${code}|#[xX]0*${hex(code, 0)});`,
    bytes.join(''),
    ...(character === ' ' ? ['\\+'] : []),
  ];
  return `(?:${spellings.join('|')})`;
}

function literal(character: string): string {
  return character.replace(SPECIAL, String.raw`\$&`);
}

/** Matches hexadecimal digits in either case. */
function hex(code: number, digits: number): string {
  const text = code.toString(16).padStart(digits, '0');
  return text.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/**
 * Returns the Base64 of bytes without the characters that also depend on the bytes before and after; `before`
 * is the number of bytes before.
 */
function base64(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
  const from = Math.ceil((before * 8) / 6);
  const to = Math.floor(((before + bytes.length) * 8) / 6);
  const characters = Array.from(text.slice(from, to), (character) => {
    if (character === '-') return `(?:-|${anySpelling('+')})`;
    return character === '_' ? `(?:_|${anySpelling('/')})` : character;
  });
  const ending = before === 0 && bytes.length % 3 !== 0 ? '[\\w+/-]?(?:=|%3[dD]){0,2}' : '';
  return characters.join('') + ending;
}

const MAIL = /([\p{L}\p{N}._%+-]{1,64})\s?[@＠]\s?[^\s@＠<>(),;:]+\.[^\s@＠<>(),;:]+/gu;

/** No letter or digit may touch it: employee numbers, hashes and ids hold digits as well. */
const [AFTER, BEFORE] = ['(?<![\\p{L}\\p{N}_.:/-])', '(?![\\p{L}\\p{N}_])'];
const GAP = '[ ()./\\u00A0\\u2010-\\u2015-]';
/**
 * How phone numbers are written: with a country code, with an area code and gaps, with a leading 0, as a mobile number of
 * China, as in North America. Digits in a row may be the number of an employee.
 */
const PHONES = [
  `(?:\\+|${AFTER}00)\\d(?:${GAP}{0,2}\\d){6,14}${BEFORE}`,
  `${AFTER}\\(?0\\d{1,5}\\)?${GAP}{1,2}\\d(?:${GAP}?\\d){4,10}${BEFORE}`,
  `${AFTER}0\\d{8,10}${BEFORE}`,
  `${AFTER}1[3-9]\\d{9}${BEFORE}`,
  `${AFTER}1[3-9]\\d${GAP}\\d{4}${GAP}\\d{4}${BEFORE}`,
  `${AFTER}\\(?\\d{3}\\)?${GAP}{1,2}\\d{3}${GAP}\\d{4}${BEFORE}`,
].map((pattern) => new RegExp(pattern, 'gu'));

/** Returns the text without mail addresses, of which the part before the `@` stays, and phone numbers. */
export function withoutContacts(text: string): string {
  const plain = text.replaceAll(/[＋０-９（）－]/gu, (wide) => wide.normalize('NFKC'));
  return PHONES.reduce((shown, phone) => shown.replace(phone, '…'), plain.replace(MAIL, '$1@…'));
}
