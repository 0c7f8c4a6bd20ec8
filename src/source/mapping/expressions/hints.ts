import { suggest } from '../../../lib/suggest.ts';
import { USAGES } from './functions.ts';

interface Habit {
  /** Where it is seen, in an expression whose texts are blanked. */
  readonly seen: RegExp;
  readonly hint: string;
}

/** What people write who know C, SQL or LDAP better than CEL. */
const HABITS: readonly Habit[] = [
  {
    seen: /^\s*\(\s*[&|!]\s*\(/gu,
    hint: 'this is an LDAP filter: put it under filter, or write a == … && b == …',
  },
  { seen: /:?(?:\d+\.)+\d+:?=/gu, hint: 'there are no matching rules; bit(userAccountControl, 2)' },
  { seen: /===|!==/gu, hint: 'there is no === and !==; write == and !=' },
  { seen: /\?\?/gu, hint: "there is no ??; write name != '' ? name : …" },
  { seen: /<>/gu, hint: 'there is no <>; write !=' },
  {
    seen: /<<|>>|(?<![&])&(?![&])|(?<![|])\|(?![|])|~|\^/gu,
    hint: 'there is no &; bit(userAccountControl, 2)',
  },
  { seen: /(?<![=!<>])=(?!=)/gu, hint: 'there is no =; compare with ==' },
  { seen: /\bis\s+(?:not\s+)?null\b/giu, hint: "there is no null; what is absent is '', as in mail == ''" },
  { seen: /\bnot\s+in\b/giu, hint: "write !(status in ['left', 'retired'])" },
  { seen: /\bin\s*\([^)]*/giu, hint: "write the list in square brackets: status in ['left', 'retired']" },
  {
    seen: /\bi?like\b/giu,
    hint: "there is no LIKE; text.startsWith('…'), text.contains('…') or matches(text, '…')",
  },
  { seen: /\bbetween\b/giu, hint: 'there is no BETWEEN; write a >= 1 && a <= 9' },
  { seen: /\bcase\s+when\b|\bwhen\b|\bthen\b/giu, hint: 'there is no CASE; write condition ? one : other' },
  { seen: /\band\b/giu, hint: 'there is no AND; write &&' },
  { seen: /\bor\b/giu, hint: 'there is no OR; write ||' },
  { seen: /\bnot\b/giu, hint: 'there is no NOT; write !(…)' },
  { seen: /\bNULL\b/gu, hint: "there is no NULL; what is absent is '', as in mail == ''" },
  { seen: /`/gu, hint: "texts stand in single or double quotes: 'left'" },
];

/** Functions of C, SQL, JavaScript and spreadsheets, and what is here in their place. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  bitand: 'bit(number, mask)',
  coalesce: "a != '' ? a : b",
  concat: "a + b, or join(list, '')",
  current_date: 'now',
  current_timestamp: 'now',
  datediff: 'daysBetween(from, to)',
  getdate: 'now',
  ifnull: "a != '' ? a : b",
  iif: 'condition ? one : other',
  if: 'condition ? one : other',
  initcap: 'upper(charAt(text, 0)) + lower(text.substring(1))',
  instr: 'text.indexOf(text)',
  isnull: "a == ''",
  lcase: 'lower(text)',
  left: 'text.substring(0, to)',
  len: 'size(text)',
  length: 'size(text)',
  ltrim: 'trim(text)',
  not: '!(…)',
  mid: 'text.substring(from, to)',
  nvl: "a != '' ? a : b",
  regexp_replace: 'regexReplace(text, pattern, new)',
  replaceall: 'replace(text, old, new)',
  rtrim: 'trim(text)',
  strlen: 'size(text)',
  substr: 'text.substring(from, to)',
  tolower: 'lower(text)',
  tolowercase: 'lower(text)',
  tonumber: 'int(text)',
  to_char: 'string(number)',
  to_date: 'date(text, pattern)',
  to_number: 'int(text)',
  toupper: 'upper(text)',
  touppercase: 'upper(text)',
  ucase: 'upper(text)',
  str_to_date: 'date(text, pattern)',
  strftime: 'date(text, pattern)',
};

/** Returns what to write in place of a habit that stands at this offset of an expression; `null`: none is seen there. */
export function habitAt(expression: string, at: number): string | null {
  const text = expression.replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/gu, (quote) =>
    ' '.repeat(quote.length),
  );
  for (const { seen, hint } of HABITS) {
    for (const { index, 0: found } of text.matchAll(seen))
      if (index <= at && at <= index + found.length + 1) return hint;
  }
  return null;
}

/** Says what is wrong with the call of a function that cannot be called so. */
export function callHint(name: string): string {
  const usage = USAGES.get(name);
  if (usage !== undefined) return `${name}() is called as ${usage}`;
  const key = name.toLowerCase();
  const meant = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined;
  if (meant !== undefined) return `there is no ${name}(); ${meant}`;
  const near = suggest(name, [...USAGES.keys()]);
  return near === undefined
    ? `there is no ${name}(); docs/expressions.md has all functions`
    : `there is no ${name}(); did you mean ${USAGES.get(near) ?? near}?`;
}
