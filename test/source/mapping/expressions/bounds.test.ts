import { describe, expect, test } from 'vitest';

import { evaluated, evaluator } from './evaluate.ts';

const LONG = 'a'.repeat(60_000);

describe('an expression that takes too much', () => {
  test.each([
    ["matches(t, '(a+)+$')", /at most 10,000 characters/u],
    ["t.matches('(a+)+$')", /at most 10,000 characters/u],
    ["regexReplace(t, 'a*b|a', '-')", /at most 1,000 characters/u],
  ])('%s ends soon, as an error of the record', (expr, reason) => {
    const evaluate = evaluator(expr);
    expect(() => evaluate({ t: LONG })).toThrow(reason);
  });

  test.each([
    [`${'('.repeat(200)}a${')'.repeat(200)}`, /maxDepth/u],
    [Array.from({ length: 1_500 }, () => 'a').join(' + '), /maxAstNodes/u],
  ])('is refused when it is read, where it is too large (%#)', (expr, reason) => {
    expect(() => evaluator(expr)).toThrow(reason);
  });
});

test.each(['a.substring(0, 1)', "split(a, '')", "replace(a, '', '-')"])(
  '%s gives no half of a character',
  (expr) => {
    const evaluate = evaluator(expr);
    expect(() => evaluate({ a: '𠮷田' })).toThrow(/ character,/u);
    expect(evaluate({ a: '吉田' })).not.toEqual([]);
  },
);

/** What an expression gives, or nothing where it fails. */
function reached(expr: string): string {
  try {
    return evaluated(expr, { a: 'x', x: ['y'] }).join('');
  } catch {
    return '';
  }
}

describe('nothing but the record and the clock of the run is reachable', () => {
  test.each([
    'a.constructor',
    "a['constructor']",
    'all.x[0].constructor',
    'all.x.constructor',
    'now.constructor',
    'now.toISOString()',
    'constructor.name',
    'globalThis.process',
    "process.env['HOME']",
    'cel.constructor',
    '__proto__',
    'all.x.map(x, x.constructor)',
    "lookup('__proto__', a)",
    "lookup('constructor', a)",
    "{'a': 1}.constructor",
    '{}.__proto__',
    'bytes(\'{"a": {}}\').json().constructor',
    'bytes(\'{"__proto__": {"evil": 1}}\').json().evil',
    'dyn(a).constructor',
    'dyn(all.x).constructor',
    "dyn({})['__proto__']",
    'type(a).constructor',
    "duration('1s').constructor",
  ])('%s', (expr) => {
    // A name of JavaScript is the name of an attribute that no record has.
    expect(reached(expr)).toBe('');
  });

  test('names of JavaScript are names of attributes', () => {
    const names = { constructor: 'a', hasOwnProperty: 'b', toString: 'c', valueOf: 'd' };
    expect(evaluated('constructor + hasOwnProperty + toString + valueOf', names)).toEqual(['abcd']);
    expect(evaluated("all.constructor + all['__proto__'] + all.valueOf", names)).toEqual(['a', 'd']);
    expect(evaluated("toString + 'x'", {})).toEqual(['x']);
  });

  test('a record cannot bring code, a pattern or a table', () => {
    expect(evaluated("a + ' ' + b", { a: "' + now + '", b: '${now}' })).toEqual(["' + now + ' ${now}"]);
    expect(evaluated("replace(a, 'x', b)", { a: 'x', b: '$&$1' })).toEqual(['$&$1']);
  });

  test('the prototypes of JavaScript are as they were', () => {
    evaluated('bytes(\'{"__proto__": {"evil": "1"}}\').json().map(k, k).join()', {});
    expect(({} as Record<string, unknown>)['evil']).toBeUndefined();
  });

  test('two evaluations do not see each other', () => {
    const evaluate = evaluator('cel.bind(v, a, v + all.x.map(y, y).join())');
    expect(evaluate({ a: '1', x: ['2'] })).toEqual(['12']);
    expect(evaluate({})).toEqual(['']);
  });
});
