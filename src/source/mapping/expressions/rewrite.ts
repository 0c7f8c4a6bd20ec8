import { EvaluationError, type ASTNode, type Environment } from '@marcbachmann/cel-js';
import { EmptyInput } from './function-spec.ts';

/** One change of the text of an expression; none overlaps another. */
interface Edit {
  readonly at: number;
  readonly removed: number;
  readonly added: string;
}

/** An expression as it is evaluated, in place of the one that was written. */
interface Rewritten {
  readonly text: string;
  /** Returns where an offset of this text is in the one that was written. */
  readonly originOf: (offset: number) => number;
}

/** What is called in place of CEL's method `matches`: its patterns would be those of JavaScript, which backtrack. */
export const MATCHES = 'strictMatches';

/** Methods that give a part of a moment, in UTC or in the zone that they are given. */
const PARTS: ReadonlySet<string> = new Set([
  'getFullYear',
  'getMonth',
  'getDate',
  'getDayOfMonth',
  'getDayOfWeek',
  'getDayOfYear',
  'getHours',
  'getMinutes',
  'getSeconds',
  'getMilliseconds',
]);

/**
 * Rewrites an expression so that conversions are strict, and patterns are those of RE2; a value of `all.NAME` that is not
 * there is `''`. It edits the text, so that errors have their place. Parts of moments are those in `zone`, if they are
 * asked without one.
 */
export function rewritten(ast: ASTNode, zone: string): Rewritten {
  const edits: Edit[] = [];
  collect(ast, edits, zone);
  const ordered = edits.toSorted((a, b) => a.at - b.at);
  let text = '';
  let from = 0;
  for (const { at, removed, added } of ordered) {
    text += ast.input.slice(from, at) + added;
    from = at + removed;
  }
  text += ast.input.slice(from);
  return { text, originOf: (offset) => originOf(offset, ordered) };
}

function originOf(offset: number, edits: readonly Edit[]): number {
  let shift = 0;
  for (const { at, removed, added } of edits) {
    const begin = at + shift;
    if (offset < begin) break;
    if (offset < begin + added.length) return at;
    shift += added.length - removed;
  }
  return offset - shift;
}

function collect(node: ASTNode, edits: Edit[], zone: string): void {
  // Inner edits come first: if two end at the same place, so do their texts.
  for (const child of childrenOf(node)) collect(child, edits, zone);
  if (node.op === '[]' && isListOfAll(node.args[0])) {
    edits.push({ at: nextSign(node.input, node.args[0].end, '[') + 1, removed: 0, added: '?' });
    edits.push({ at: node.end, removed: 0, added: ".orValue('')" });
  }
  if (node.op === 'call' && isConversion(node.args[0])) {
    const open = nextSign(node.input, node.start + node.args[0].length, '(');
    edits.push({ at: open + 1, removed: 0, added: `${checkOf(node.args[0])}(` });
    edits.push({ at: node.end - 1, removed: 0, added: ')' });
  }
  if (node.op === 'rcall') {
    const [name, receiver, args] = node.args;
    if (name === 'matches') {
      const at = skipBlanks(node.input, nextSign(node.input, receiver.end, '.') + 1);
      edits.push({ at, removed: name.length, added: MATCHES });
    }
    if (PARTS.has(name) && args.length === 0)
      edits.push({ at: node.end - 1, removed: 0, added: JSON.stringify(zone) });
  }
}

/** Returns where a sign comes next behind a node: between them are only brackets, blanks and comments. */
function nextSign(input: string, from: number, sign: string): number {
  let at = skipBlanks(input, from);
  while (at < input.length && input[at] !== sign) at = skipBlanks(input, at + 1);
  return at;
}

function skipBlanks(input: string, from: number): number {
  return from + (/^(?:\s|\/\/[^\n]*)*/u.exec(input.slice(from))?.[0].length ?? 0);
}

/** Returns all nodes directly below. The operator's arguments may have any shape. */
export function childrenOf(node: ASTNode): readonly ASTNode[] {
  return nodesIn(node.args);
}

function nodesIn(args: unknown): readonly ASTNode[] {
  if (Array.isArray(args)) return args.flatMap((arg) => nodesIn(arg));
  return isNode(args) ? [args] : [];
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}

/** Texts that CEL takes for a number; cel-js takes the empty text for 0, and `0b11` for 3. */
const NUMERALS = {
  int: /^[+-]?\d+$/u,
  uint: /^\+?\d+$/u,
  double: /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu,
} as const;

type NumeralKind = keyof typeof NUMERALS;

const isConversion = (name: string): name is NumeralKind => Object.hasOwn(NUMERALS, name);

/** Returns the function that checks the argument of a conversion. */
const checkOf = (kind: NumeralKind): string => `${kind}Numeral`;

/**
 * Registers the functions that check texts before they are converted. A text that is no number fails (CEL,
 * Language Definition, "Type Conversions"). So `int(status) == 1` is unknown, not false, if the status is not
 * set.
 */
export function registerNumerals(environment: Environment): void {
  for (const [kind, pattern] of Object.entries(NUMERALS)) {
    environment.registerFunction(`${kind}Numeral(A): A`, (value: unknown) => {
      if (typeof value !== 'string' || pattern.test(value)) return value;
      if (value.trim() === '') throw new EmptyInput(`${kind}()`);
      throw new EvaluationError(`${kind}() type error: cannot convert to ${kind}`);
    });
  }
}

/** Returns whether a node, of an expression that passed the checks, is `all.NAME` or `all["NAME"]`. */
const isListOfAll = (node: ASTNode): boolean => (node.op === '.' || node.op === '[]') && isAll(node.args[0]);

export const isAll = (node: ASTNode): boolean => node.op === 'id' && node.args === 'all';
