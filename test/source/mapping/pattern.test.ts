import { describe, expect, test } from 'vitest';

import { MAX_MATCHED_VALUE, patternProblem } from '../../../src/source/mapping/rules/pattern.ts';

describe('a pattern of matches()', () => {
  test.each([
    '^ext-',
    '^[a-z.]+@example\\.com$',
    '^(left|retired|deceased)$',
    '(?:ab)+',
    '\\(a+\\)+',
    '[(+*]{2}x{3}',
    '^\\d{4}-\\d{2}$',
    '(?<year>\\d+)',
  ])('%s is taken', (pattern) => expect(patternProblem(pattern)).toBeNull());

  test.each([
    '(a+)+$',
    '(a|a)*b',
    '(?:a*)*',
    '((a+))+',
    '(a?){30}',
    '(\\w+\\s?)*$',
    '([a-z]+)*',
    '(a{1,9}){1,9}',
  ])('%s is refused: a repetition within a repetition', (pattern) =>
    expect(patternProblem(pattern)).toMatch(/repeats a group/),
  );

  test.each([
    ['(a', /no regular expression/],
    ['(?=a)b', /look-around/],
    ['(a)\\1', /back-reference/],
    ['^.*a.*b.*c.*', /more than 3 of/],
    ['a+b+c+', /more than 2 of .* without \^/],
    ['^a|b+c+d+', /more than 2 of .* without \^/],
    ['a?a?a?a?a?', /more than 4/],
    ['x'.repeat(201), /longer/],
  ])('%s is refused', (pattern, reason) => expect(patternProblem(pattern)).toMatch(reason));

  test.each(['^.*.*.*x$', 'a+a+b', '^(a|a)(a|a)(a|a)(a|a)a+a+a+b'])(
    '%s stays quick at its worst',
    (pattern) => {
      expect(patternProblem(pattern)).toBeNull();
      const before = performance.now();
      new RegExp(pattern).test('a'.repeat(MAX_MATCHED_VALUE));
      expect(performance.now() - before).toBeLessThan(3_000);
    },
  );
});
