import { describe, expect, test } from 'vitest';

import {
  MAX_MATCHED,
  MAX_REPLACED,
  patternOf,
  patternProblem,
} from '../../../../src/source/mapping/expressions/function-spec.ts';

describe('a pattern', () => {
  test.each([
    '^ext-',
    '^[a-z.]+@example\\.com$',
    '^(left|retired|deceased)$',
    '(?:ab)+',
    '(a+)+$',
    '(\\w+\\s?)*$',
    '^.*a.*b.*c.*$',
    '(?<year>\\d+)',
    '\\p{Han}+',
  ])('%s is taken', (pattern) => expect(patternProblem(pattern)).toBeNull());

  test.each([
    ['(a', /no regular expression/],
    ['(?=a)b', /look-around/],
    ['(?<!a)b', /look-around/],
    ['(a)\\1', /back-reference/],
    ['(x{1000}){1000}', /no regular expression/],
    ['x'.repeat(501), /longer/],
  ])('%s is refused', (pattern, reason) => expect(patternProblem(pattern)).toMatch(reason));

  test.each(['^(a+)+$', '(a|a)*b', '(a|aa)+$', '^(.*)(.*)(.*)(.*)[0-9]$', '(\\w+\\s?)*!'])(
    '%s ends soon on the longest text that it may see',
    (pattern) => {
      const text = `${'a'.repeat(MAX_MATCHED - 1)}-`;
      const before = performance.now();
      patternOf(pattern).matcher(text).find();
      expect(performance.now() - before).toBeLessThan(2_000);
    },
  );

  test.each(['a*b|a', '(a*)*b|a', '.*?x|a'])(
    '%s replaces soon in the longest text that it may see',
    (pattern) => {
      const text = 'a'.repeat(MAX_REPLACED);
      const before = performance.now();
      patternOf(pattern).matcher(text).replaceAll('-');
      expect(performance.now() - before).toBeLessThan(2_000);
    },
  );
});
