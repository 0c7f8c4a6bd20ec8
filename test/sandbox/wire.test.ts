import { describe, expect, test } from 'vitest';
import { JsonSyntaxError, parseJson } from '../../src/interface/requests/parse-json.ts';
import { writeJson } from '../../src/interface/json.ts';

describe('JSON without loss', () => {
  test.each([
    '9007199254740993',
    '-9223372036854775808',
    '[1,9007199254740991,9007199254740993]',
    '{"a":{"b":[9223372036854775807,"9223372036854775807"]},"c":null,"d":true,"e":false}',
    '{}',
    '[]',
    '"quote \\" backslash \\\\ and \\u0001"',
    '{"__proto__":1,"":2}',
    '1.5',
    'null',
  ])('%s comes back as it was', (text) => {
    expect(writeJson(parseJson(text))).toBe(text);
  });

  test('reads blanks, escapes and exponents as JSON.parse does', () => {
    const text = ' {"a" : [ 1e3 , -0.5 , "\\u00e9\\n" ] ,\n\t"b":"" } ';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test('tells a long number from the same digits in a string', () => {
    expect(parseJson('[9007199254740993,"9007199254740993"]')).toEqual([
      9_007_199_254_740_993n,
      '9007199254740993',
    ]);
  });

  test.each([
    '',
    '{',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
    '01',
    '1 2',
    '"open',
    '"\u0001"',
    'nul',
    '[1}',
    "{'a':1}",
  ])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow(JsonSyntaxError);
  });

  test('leaves out undefined fields', () => {
    expect(writeJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });
});
