import { describe, expect, test } from 'vitest';

import { evaluated, evaluator } from './evaluate.ts';

const MANY = Array.from({ length: 1_000 }, (_, index) => String(index));
const LONG = 'a'.repeat(60_000);

/** Nests `cel.bind`, each variable twice the one before. */
const doubled = (times: number, first: string): string =>
  Array.from({ length: times }, (_, n) => n).reduceRight(
    (inner, n) =>
      `cel.bind(v${n}, ${n === 0 ? first : `v${n - 1}`} + ${n === 0 ? first : `v${n - 1}`}, ${inner})`,
    `v${times - 1}`,
  );

describe('a run-away expression ends soon, as an error of the record', () => {
  test.each([
    [
      'lists in lists',
      'string(all.l.map(a, all.l.map(b, all.l.map(c, a + b + c))).size())',
      /more than 100,000 steps/u,
    ],
    [
      'the same, swallowed',
      "all.l.exists(a, all.l.exists(b, all.l.exists(c, c == 'x'))) || true",
      /100,000 steps/u,
    ],
    [
      'filters and quantifiers',
      'all.l.filter(a, all.l.all(b, all.l.exists_one(c, c == b))).join()',
      /100,000 steps/u,
    ],
    ['doubled texts', doubled(40, 't'), /more than 100,000 characters/u],
    ['doubled lists', `string(size(${doubled(40, 'all.l')}))`, /100,000 steps/u],
    ['a text between all characters', "replace(t, '', t)", /100,000 (?:characters|steps)/u],
    ['a text in place of each', "replace(t, 'a', t)", /100,000 (?:characters|steps)/u],
    ['a long separator', 'join(all.l, t)', /100,000 characters/u],
    ['the same as a method', 'all.l.join(t)', /100,000 characters/u],
    ['a long text in a pattern', "matches(t, '(a+)+$')", /at most 10,000 characters/u],
    ['a long text replaced', "regexReplace(t, 'a*b|a', '-')", /at most 1,000 characters/u],
    ['pieces of pieces', "t.split('').map(x, t.split('').size()).size() > 0", /100,000 steps/u],
    [
      'nested maps of literals',
      `[1,2,3,4,5,6,7,8,9,10].map(a, ${'[1,2,3,4,5,6,7,8,9,10].map(b, '.repeat(6)}1${')'.repeat(6)}).size() > 0`,
      /100,000 steps/u,
    ],
  ])('%s', (_, expr, reason) => {
    const evaluate = evaluator(expr);
    const before = performance.now();
    expect(() => evaluate({ l: MANY, t: LONG })).toThrow(reason);
    expect(performance.now() - before).toBeLessThan(3_000);
  });

  test.each([
    [`${'('.repeat(200)}a${')'.repeat(200)}`, /maxDepth/u],
    [Array.from({ length: 1_500 }, () => 'a').join(' + '), /maxAstNodes/u],
    [doubled(120, 'a'), /maxDepth/u],
  ])('an expression that is too large is refused when it is read (%#)', (expr, reason) => {
    expect(() => evaluator(expr)).toThrow(reason);
  });

  test('short values of the same kind pass', () => {
    const short = { l: ['1', '2'], t: 'ab' };
    expect(evaluated('string(all.l.map(a, all.l.map(b, all.l.map(c, a + b + c))).size())', short)).toEqual([
      '2',
    ]);
    expect(evaluated(doubled(10, 't'), short)).toEqual(['ab'.repeat(1_024)]);
    expect(evaluated('join(all.l, t)', short)).toEqual(['1ab2']);
  });

  test('the next record has all of the budget again', () => {
    const evaluate = evaluator('string(all.l.map(a, all.l.map(b, a)).size())');
    expect(() => evaluate({ l: MANY })).toThrow(/100,000 steps/u);
    expect(evaluate({ l: MANY.slice(0, 300) })).toEqual(['300']);
    expect(evaluate({ l: MANY.slice(0, 300) })).toEqual(['300']);
  });
});

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
    'a.__proto__',
    'all.x[0].constructor',
    'all.x.constructor',
    'all.x.length',
    'now.constructor',
    'now.toISOString()',
    "now['constructor']",
    'constructor.name',
    'a.toString()',
    'a.at(0)',
    "a.normalize('NFC')",
    'globalThis.process',
    "process.env['HOME']",
    "require('fs')",
    "eval('1')",
    'cel.constructor',
    'google.protobuf.constructor',
    '__proto__',
    'prototype',
    'this',
    'all.x.map(x, x.constructor)',
    "lookup('__proto__', a)",
    "lookup('constructor', a)",
    "{'a': 1}.constructor",
    '{}.__proto__',
    'bytes(\'{"a": {}}\').json().constructor',
    'bytes(\'{"__proto__": {"evil": 1}}\').json().evil',
    'dyn(a).constructor',
    'dyn(all.x).constructor',
    'dyn(now).constructor',
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
