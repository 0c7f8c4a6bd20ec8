import { Environment, type ASTNode } from '@marcbachmann/cel-js';
import type { FunctionSpec, Tools } from './function-spec.ts';
import { FUNCTIONS } from './functions.ts';
import { childrenOf, isAll, MATCHES, registerNumerals } from './rewrite.ts';
import { TEXT_FUNCTIONS } from './text-functions.ts';

/** Options of cel-js. Mixed lists are allowed, since all inputs are texts. */
export const OPTIONS = {
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 2_000, maxDepth: 100, maxListElements: 1_000, maxMapEntries: 1_000 },
} as const;

/** Returns what an expression may call and read as it is written: nothing but the record, and the clock of the run. */
export function writtenEnvironment(names: ExpressionNames, tools: Tools, options = {}): Environment {
  const environment = new Environment({ ...OPTIONS, unlistedVariablesAreDyn: false, ...options });
  for (const [name, spec] of Object.entries(FUNCTIONS)) registerFunction(environment, { name, spec, tools });
  environment.registerVariable('all', 'map<string, list<string>>');
  environment.registerVariable(NOW, 'google.protobuf.Timestamp');
  for (const source of names.joined.keys()) environment.registerVariable(source, 'map<string, string>');
  for (const name of names.firsts) {
    if (!environment.hasVariable(name)) environment.registerVariable(name, 'string');
  }
  return environment;
}

/** Returns the environment of the rewritten expression, see `rewritten`. */
export function runEnvironment(names: ExpressionNames, tools: Tools): Environment {
  const environment = writtenEnvironment(names, tools, { enableOptionalTypes: true });
  registerNumerals(environment);
  // Parts of moments are asked with a zone; those of a duration have none.
  for (const name of ['getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'] as const)
    environment.registerFunction(
      `google.protobuf.Duration.${name}(string): int`,
      (span: Readonly<Record<typeof name, () => bigint>>) => span[name](),
    );
  environment.registerFunction(`string.${MATCHES}(string): bool`, TEXT_FUNCTIONS.matches.make());
  return environment;
}

function registerFunction(
  environment: Environment,
  { name, spec, tools }: { readonly name: string; readonly spec: FunctionSpec; readonly tools: Tools },
): void {
  const handler = spec.make(tools);
  for (const takes of spec.takes) {
    environment.registerFunction(`${name}(${takes.join(', ')}): ${spec.gives}`, handler);
    const [receiver = '', ...rest] = takes;
    if (spec.method === true)
      environment.registerFunction(`${receiver}.${name}(${rest.join(', ')}): ${spec.gives}`, handler);
  }
}

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

interface FoundName {
  readonly firsts: Set<string>;
  readonly lists: Set<string>;
  readonly joined: Map<string, Set<string>>;
  readonly tools: Tools;
}

/**
 * Returns the names that an expression reads. Throws an {@link ExpressionProblem}, also if a pattern, a
 * table or the like cannot be used.
 */
export function namesIn(ast: ASTNode, tools: Tools): ExpressionNames {
  const found: FoundName = { firsts: new Set(), lists: new Set(), joined: new Map(), tools };
  visit(ast, new Set(['cel', NOW]), found);
  return found;
}

function visit(node: ASTNode, bound: ReadonlySet<string>, found: FoundName): void {
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

function visitName(
  node: ASTNode & { readonly op: 'id' },
  bound: ReadonlySet<string>,
  found: FoundName,
): void {
  const name = node.args;
  if (bound.has(name)) return;
  if (name === 'all') throw new ExpressionProblem('`all` is used as all.NAME or all["NAME"]', node.start);
  if (found.tools.joined.has(name))
    throw new ExpressionProblem(`\`${name}\` is a source, and is used as ${name}.NAME`, node.start);
  found.firsts.add(name);
}

type IdNode = ASTNode & { readonly op: 'id' };

function isJoined(node: ASTNode, bound: ReadonlySet<string>, { tools }: FoundName): node is IdNode {
  return node.op === 'id' && tools.joined.has(node.args) && !bound.has(node.args);
}

type MethodCall = readonly [name: string, receiver: ASTNode, args: readonly ASTNode[]];

function visitMethod([name, receiver, args]: MethodCall, bound: ReadonlySet<string>, found: FoundName): void {
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
