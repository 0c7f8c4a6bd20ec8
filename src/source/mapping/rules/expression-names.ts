import type { ASTNode } from '@marcbachmann/cel-js';

import { patternProblem } from './pattern.ts';

/** What an expression reads from a record. */
export interface ExpressionNames {
  /** Attributes or columns read by their name. */
  readonly firsts: ReadonlySet<string>;
  /** Attributes or columns read as a list, by `all.NAME`. */
  readonly lists: ReadonlySet<string>;
  /** Whether `matches()` is applied to values, which must then be short. */
  readonly matches: boolean;
}

/** Something in an expression that is refused; its message is for the author of the configuration. */
export class ExpressionProblem extends Error {}

const MACROS_THAT_BIND: ReadonlySet<string> = new Set([
  'all',
  'exists',
  'exists_one',
  'map',
  'filter',
  'bind',
]);

interface Found {
  readonly firsts: Set<string>;
  readonly lists: Set<string>;
  matches: boolean;
}

/** Returns the names that an expression reads. Throws an {@link ExpressionProblem}. */
export function namesIn(ast: ASTNode): ExpressionNames {
  const found: Found = { firsts: new Set(), lists: new Set(), matches: false };
  visit(ast, new Set(['cel']), found);
  return found;
}

function visit(node: ASTNode, bound: ReadonlySet<string>, found: Found): void {
  const list = listName(node);
  if (list !== null) return void found.lists.add(list);
  if (node.op === 'id') return visitName(node.args, bound, found);
  if (node.op === 'call' && node.args[0] === 'matches') checkMatches(node.args[1][1], found);
  if (node.op === 'rcall') return visitMethod(node.args, bound, found);
  for (const child of children(node)) visit(child, bound, found);
}

function visitName(name: string, bound: ReadonlySet<string>, found: Found): void {
  if (bound.has(name)) return;
  if (name === 'all') throw new ExpressionProblem('`all` is used as all.NAME or all["NAME"]');
  found.firsts.add(name);
}

type MethodCall = readonly [name: string, receiver: ASTNode, args: readonly ASTNode[]];

function visitMethod([name, receiver, args]: MethodCall, bound: ReadonlySet<string>, found: Found): void {
  if (name === 'matches') checkMatches(args[0], found);
  visit(receiver, bound, found);
  const variable = MACROS_THAT_BIND.has(name) && args[0]?.op === 'id' ? args[0].args : null;
  const inner = variable === null ? bound : new Set([...bound, variable]);
  for (const arg of args) visit(arg, inner, found);
}

function checkMatches(pattern: ASTNode | undefined, found: Found): void {
  if (pattern?.op !== 'value' || typeof pattern.args !== 'string') {
    throw new ExpressionProblem('matches() takes its pattern as a text written here, not from a value');
  }
  const problem = patternProblem(pattern.args);
  if (problem !== null) throw new ExpressionProblem(`the pattern ${JSON.stringify(pattern.args)} ${problem}`);
  found.matches = true;
}

/** Returns the name in `all.NAME` or `all["NAME"]`. */
function listName(node: ASTNode): string | null {
  if (node.op === '.') return isAll(node.args[0]) ? node.args[1] : null;
  if (node.op !== '[]' || !isAll(node.args[0])) return null;
  const key = node.args[1];
  if (key.op === 'value' && typeof key.args === 'string') return key.args;
  throw new ExpressionProblem('all[…] takes a name in quotes');
}

function isAll(node: ASTNode): boolean {
  return node.op === 'id' && node.args === 'all';
}

/** Returns every node directly below, whatever the shape of the operator's arguments. */
function children(node: ASTNode): readonly ASTNode[] {
  return nodesIn(node.args);
}

function nodesIn(args: unknown): readonly ASTNode[] {
  if (Array.isArray(args)) return args.flatMap((arg) => nodesIn(arg));
  return isNode(args) ? [args] : [];
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}
