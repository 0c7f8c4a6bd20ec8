import { describe, expect, test } from 'vitest';
import { ConfigError, SourceError } from '../../src/domain/errors.ts';
import {
  escapeHidden,
  listSome,
  printable,
  printableText,
  shortReason,
} from '../../src/domain/text/printable.ts';
import { showValue } from '../../src/domain/ports/service.ts';

describe('a value in a line', () => {
  test.each([
    ['escape', 'a\u001B[2Jb', String.raw`a\x1b[2Jb`],
    ['bell, NUL, delete', '\u0007\0\u007F', String.raw`\x07\x00\x7f`],
    ['line feed, return, tab', 'a\n\r\tb', String.raw`a\n\r\tb`],
    ['C1 controls', '\u0085\u009B31m', String.raw`\x85\x9b31m`],
    ['line and paragraph separators', '\u2028\u2029', String.raw`\u2028\u2029`],
    ['marks of direction', '\u200E\u200F\u061C', String.raw`\u200e\u200f\u061c`],
    [
      'embeddings and overrides',
      '\u202A\u202B\u202C\u202D\u202E',
      String.raw`\u202a\u202b\u202c\u202d\u202e`,
    ],
    ['isolates', '\u2066\u2067\u2068\u2069', String.raw`\u2066\u2067\u2068\u2069`],
    [
      'zero-width characters',
      'a\u200B\u200C\u200D\u2060\uFEFFb',
      String.raw`a\u200b\u200c\u200d\u2060\ufeffb`,
    ],
    ['joiners of no emoji', '\u200D🚀a\u200D👧\u200D', String.raw`\u200d🚀a\u200d👧\u200d`],
    ['a soft hyphen and fillers', '\u00AD\u034F\u3164\uFFA0', String.raw`\xad\u034f\u3164\uffa0`],
    ['tags beyond 16 bits', '\u{E0041}', String.raw`\u{e0041}`],
    ['half of a surrogate pair', 'a\uD83Db', String.raw`a\ud83db`],
    ['variation selectors of nothing', '\uFE0Fa\uFE0F\u{E0100}', String.raw`\ufe0fa\ufe0f\u{e0100}`],
  ])('shows %s as escapes', (_, value, shown) => {
    for (const show of [escapeHidden, printable, printableText, showValue]) expect(show(value)).toBe(shown);
  });

  test('stays as it is where it steers nothing', () => {
    const plain = [
      'Ann-Marie O’Neill',
      '林 葛\u{E0100}',
      'Zoë',
      'محمد',
      '❤\uFE0F 🚀',
      '👨\u200D👩🏽\u200D👧 🏳\uFE0F\u200D🌈',
      'a\\b "c"',
      'x\u00A0y\u3000z',
    ];
    for (const value of plain) expect(printable(value)).toBe(value);
  });

  test('is cut, and tells how long it is; cutting twice is cutting once', () => {
    const long = 'x'.repeat(1_048_576);
    expect(printable(long)).toBe(`${'x'.repeat(200)}… (1,048,576 characters)`);
    expect(printable(printable(long))).toBe(printable(long));
    expect(printableText(printable(long))).toBe(printable(long));
    expect(printableText(shortReason(long))).toBe(shortReason(long));
    expect(shortReason('x'.repeat(800))).toHaveLength(800);
    expect(printable(`${'x'.repeat(199)}🚀y`)).toBe(`${'x'.repeat(199)}… (202 characters)`);
    expect(showValue([printable('a'.repeat(5_000))])).toBe(`["${'a'.repeat(200)}… (5,000 characters)"]`);
    expect(showValue(['a'.repeat(300)])).toHaveLength(200 + '… (304 characters)'.length);
  });
});

test('a list in a sentence has a few of its items, and how many more', () => {
  expect(listSome([])).toBe('');
  expect(listSome(['a', 'b', 'c', 'd'])).toBe('a, b, c, d');
  expect(listSome(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more');
  expect(listSome(Array.from({ length: 10_000 }, (_, n) => `${n}`))).toBe('0, 1, 2 and 9,997 more');
});

test('the message of an error cannot steer a terminal; only lines that are told apart begin lines', () => {
  expect(new SourceError('no \u001B[2Jcolumn\nHELD').message).toBe(String.raw`no \x1b[2Jcolumn\nHELD`);
  expect(new ConfigError(['two', '  a\nb', '  c']).message).toBe('two\n  a\\nb\n  c');
  expect(new SourceError('x'.repeat(100_000)).message.length).toBeLessThan(1_100);
});
