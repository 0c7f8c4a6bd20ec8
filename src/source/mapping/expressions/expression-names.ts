import type { ASTNode } from '@marcbachmann/cel-js';

import type { Tools } from './function-spec.ts';
import { FUNCTIONS } from './functions.ts';
import { childrenOf } from './rewrite.ts';

/** The clock of the run, in expressions. */
export const NOW = 'now';

/** What an expression reads from a record. */
export interface ExpressionNames {
  /** Attributes or columns read by their name. */
  readonly firsts: ReadonlySet<string>;
  /** Attributes or columns read as a list, by `all.NAME`. */
  readonly lists: ReadonlySet<string>;
  /** Attributes or columns of joined sources, by the name of the source. */
  readonly joined: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Something in an expression that is refused; its message is for the author of the configuration. */
export class ExpressionProblem extends Error {
  /** Offset in the expression. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

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
  readonly joined: Map<string, Set<string>>;
  readonly tools: Tools;
}

/**
 * Returns the names that an expression reads. Throws an {@link ExpressionProblem}, also where a pattern, a
 * table or the like cannot be used.
 */
export function namesIn(ast: ASTNode, tools: Tools): ExpressionNames {
  const found: Found = { firsts: new Set(), lists: new Set(), joined: new Map(), tools };
  visit(ast, new Set(['cel', NOW]), found);
  return found;
}

function visit(node: ASTNode, bound: ReadonlySet<string>, found: Found): void {
  const list = listName(node);
  if (list !== null) return void found.lists.add(list);
  if (node.op === '.' && isJoined(node.args[0], bound, found)) {
    const source = node.args[0].args;
    found.joined.set(source, (found.joined.get(source) ?? new Set()).add(node.args[1]));
    return;
  }
  if (node.op === 'id') return visitName(node, bound, found);
  if (node.op === 'call') checkWritten(node.args[0], node.args[1], found.tools);
  if (node.op === 'rcall') return visitMethod(node.args, bound, found);
  for (const child of childrenOf(node)) visit(child, bound, found);
}

function visitName(node: ASTNode & { readonly op: 'id' }, bound: ReadonlySet<string>, found: Found): void {
  const name = node.args;
  if (bound.has(name)) return;
  if (name === 'all') throw new ExpressionProblem('`all` is used as all.NAME or all["NAME"]', node.start);
  if (found.tools.joined.has(name))
    throw new ExpressionProblem(`\`${name}\` is a source, and is used as ${name}.NAME`, node.start);
  found.firsts.add(name);
}

type IdNode = ASTNode & { readonly op: 'id' };

function isJoined(node: ASTNode, bound: ReadonlySet<string>, { tools }: Found): node is IdNode {
  return node.op === 'id' && tools.joined.has(node.args) && !bound.has(node.args);
}

type MethodCall = readonly [name: string, receiver: ASTNode, args: readonly ASTNode[]];

function visitMethod([name, receiver, args]: MethodCall, bound: ReadonlySet<string>, found: Found): void {
  checkWritten(name, [receiver, ...args], found.tools);
  visit(receiver, bound, found);
  const variable = MACROS_THAT_BIND.has(name) && args[0]?.op === 'id' ? args[0].args : null;
  const inner = variable === null ? bound : new Set([...bound, variable]);
  for (const arg of args) visit(arg, inner, found);
}

/** Checks the arguments of a function that have to be texts written in the expression: a pattern, a table. */
function checkWritten(name: string, args: readonly ASTNode[], tools: Tools): void {
  const spec = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  for (const [index, check] of Object.entries(spec?.written ?? {})) {
    const arg = args[Number(index)];
    if (arg === undefined) continue;
    if (arg.op !== 'value' || typeof arg.args !== 'string') {
      const which = ['first', 'second', 'third'][Number(index)] ?? 'next';
      const message = `${name}() takes its ${which} argument as a text written here, not from a value`;
      throw new ExpressionProblem(message, arg.start);
    }
    const problem = check(arg.args, tools);
    if (problem !== null) throw new ExpressionProblem(problem, arg.start);
  }
}

/** Returns the name in `all.NAME` or `all["NAME"]`. */
function listName(node: ASTNode): string | null {
  if (node.op === '.') return isAll(node.args[0]) ? node.args[1] : null;
  if (node.op !== '[]' || !isAll(node.args[0])) return null;
  const key = node.args[1];
  if (key.op === 'value' && typeof key.args === 'string') return key.args;
  throw new ExpressionProblem('all[…] takes a name in quotes', key.start);
}

function isAll(node: ASTNode): boolean {
  return node.op === 'id' && node.args === 'all';
}
