import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLossless } from '../../src/lib/parse-lossless.ts';

test('integers that a double cannot hold come as text, digit for digit', () => {
  expect(
    parseLossless('{"id":9007199254740993,"list":[-9223372036854775808, 18446744073709551615]}'),
  ).toEqual({
    id: '9007199254740993',
    list: ['-9223372036854775808', '18446744073709551615'],
  });
});

test('15 digits stay numbers, 16 are text: a type that depends on the value only by its length', () => {
  expect(parseLossless('[999999999999999,1000000000000000]')).toEqual([
    999_999_999_999_999,
    '1000000000000000',
  ]);
});

test.each([
  ['digits within text', '{"a":"12345678901234567","b":"x: 12345678901234567,"}'],
  ['digits at the begin of a text', '{"a":":12345678901234567,","b":":-12345678901234567}"}'],
  ['digits in a key', '{"12345678901234567":1}'],
  ['escaped quotes', String.raw`{"a":"\"12345678901234567","b":"\\","c":"\\\",1234567890123456789,\""}`],
  [
    'fractions and exponents',
    '[1.12345678901234567,0.1234567890123456789,1e20,12345678901234567.5,12345678901234567e3]',
  ],
  ['no long number', '{"a":[1,2,{"b":null,"c":true}]}'],
])('%s come as JSON.parse reads them', (_, json) => {
  expect(parseLossless(json)).toEqual(JSON.parse(json));
});

test('a number alone, blanks around, a byte order mark', () => {
  expect(parseLossless('9007199254740993')).toBe('9007199254740993');
  expect(parseLossless('\uFEFF{ "id" :\n 9007199254740993 }')).toEqual({ id: '9007199254740993' });
});

test.each(['{"id":9007199254740993', '{"id":"9007199254740993', '{"a":9007199254740993,}', '"\\', ''])(
  'broken JSON throws: %s',
  (json) => {
    expect(() => parseLossless(json)).toThrow(SyntaxError);
  },
);

/** Digit runs are likely within text, so that text and numbers are told apart for real. */
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[\\",:\d[\]{} -]{0,40}$/),
  fc.bigInt().map((long) => `, ${long}`),
);
const longs = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n });
const trees = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    texts,
    longs,
    fc.constant(null),
    fc.array(tie('tree')),
    fc.dictionary(texts, tie('tree')),
  ),
})).tree;

function write(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${write(member)}`)
    .join(',')}}`;
}

function expected(value: unknown): unknown {
  if (typeof value === 'bigint')
    return String(value).replace('-', '').length > 15 ? String(value) : Number(value);
  if (Array.isArray(value)) return value.map(expected);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expected(member)]));
}

test('any tree of text and 64-bit integers comes back whole', () => {
  fc.assert(
    fc.property(trees, (tree) => {
      expect(parseLossless(write(tree))).toEqual(expected(tree));
    }),
    { numRuns: 2000 },
  );
});
