import { describe, expect, test } from 'vitest';

import { evaluated, evaluator } from './evaluate.ts';

/** What the author of a configuration is told. */
function told(expr: string): string {
  try {
    evaluator(expr);
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  return 'nothing';
}

describe('what cannot be compiled is told with its place and what to do', () => {
  test.each([
    ["status = 'left'", 'column 8'],
    ['a || b', '&& and || take conditions'],
    [String.raw`a == '\p'`, 'Write a backslash of a text twice'],
    ['a + 1', 'Every value is text: compare with quotes'],
    ['status != 3', 'column 1: no such overload: string != int. Every value is text'],
    ['mail.domain', 'A value is text and has no parts'],
  ])('%s', (expr, words) => expect(told(expr)).toContain(words));
});

describe('a function that is not there is told with the one that is', () => {
  test.each([
    ['uper(a)', 'column 1: there is no uper(); did you mean upper(text)?'],
    [
      "regexreplace(a, 'x', '')",
      'there is no regexreplace(); did you mean regexReplace(text, pattern, new)?',
    ],
    ["nvl(a, 'x')", 'there is no nvl(); docs/sources/expressions.md has all functions'],
    ['bit(a)', 'bit() is called as bit(number, mask)'],
    ["bit(a, '2')", 'bit() is called as bit(number, mask). Every value is text'],
    ['lookup(a)', 'lookup() takes its first argument as a text written here, not from a value'],
    ["lookup('citys', a)", 'column 8: there is no table "citys"; did you mean cities?'],
    ["lookup('x', a)", 'there is no table "x"; add it to lookups'],
    [
      "phone(a, 'Germany')",
      'phone() takes the two capital letters of a country, as in \'DE\'; "Germany" is none',
    ],
    ["date(a, 'DD.MM.YYYY')", 'has letters that stand for nothing'],
    ["date(a, 'HH:mm')", 'has no day, month and year'],
    ["date(a, 'dd.MM.yyyy dd')", 'has a part twice'],
    ['date(a, b)', 'date() takes its second argument as a text written here'],
    ["regexReplace(a, '(x', '')", 'column 17: the pattern "(x" is no regular expression'],
    ["a.strictMatches('x')", 'there is no strictMatches()'],
    ['intNumeral(a)', 'there is no intNumeral()'],
  ])('%s', (expr, words) => expect(told(expr)).toContain(words));
});

test('a function that is not there is told without a word on texts', () => {
  expect(told('uper(a)')).toMatch(/ upper\(text\)\?$/u);
});

test('a place in an expression of several lines has its line', () => {
  expect(told("a == 'x'\n  && b = 'y'")).toContain('line 2, column 8: ');
});

describe('a failure on a record tells the column of the expression as it was written', () => {
  test.each([
    ["a == 'y' || int(a) > 1", 'x', 'column 17'],
    [" ( ( a ) ) .split ( ',' ) .map(x, int( (x) ))", '1,x', 'column 39'],
    ["// a comment.\nlookup('cities', a)", 'X', 'line 2, column 1'],
    ["cel.bind(b, int('3'), b + int(a))", 'x', 'column 31'],
    ["[a].exists(x, x == 'q') || [a].map(x, date(x)).size() > 0", 'x', 'column 39'],
  ])('%s', (expr, a, place) => {
    const evaluate = evaluator(expr);
    let seen: unknown;
    try {
      evaluate({ a });
    } catch (error) {
      seen = error;
    }
    expect(seen).toMatchObject({ place });
  });
});

describe('odd spellings mean what they say', () => {
  test.each([
    ["((a) + (a)) . split( 'x' ) . join( '-' )", '1x2', '1-21-2'],
    [
      "( // it.\n all.a // x,y\n ).map( v , ( int ( (v) ) ) ) . map ( w , string(w + 1) ) . join ( ',' )",
      '41',
      '42',
    ],
    ['cel . bind ( v /* no comment in CEL */ , a, v)'.replace('/* no comment in CEL */', '//,)\n'), 'x', 'x'],
    ["cel.bind(v, ((a)), cel.bind(w, (v + v), (w).matches('^xx$') ? 'yes' : 'no'))", 'x', 'yes'],
    ["[[a]].map(l, l.map(x, x.split('').map(c, c + '.').join()).join()).join()", 'ab', 'a.b.'],
    ['string(int(double(int(a))))', '7', '7'],
    ["{'k': a}.map(k, k).join()", 'x', 'k'],
    ["'.map(x, x)' + a", '!', '.map(x, x)!'],
  ])('%s', (expr, a, gives) => expect(evaluated(expr, { a })).toEqual([gives]));
});
