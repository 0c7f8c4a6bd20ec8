import { serialize, type ASTNode, type Environment } from '@marcbachmann/cel-js';

/** Texts that CEL takes for a number; cel-js takes the empty text for 0, and `0b11` for 3. */
const NUMERALS = {
  int: /^[+-]?\d+$/u,
  uint: /^\+?\d+$/u,
  double: /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu,
} as const;

type Kind = keyof typeof NUMERALS;

const isKind = (name: unknown): name is Kind => typeof name === 'string' && Object.hasOwn(NUMERALS, name);

/**
 * Returns the same expression, but a text that is no number fails to convert (CEL, Language Definition, "Type
 * Conversions"): `int(status) == 1` is unknown where nobody has set the status, not false.
 */
export function withStrictNumbers(ast: ASTNode): string {
  return serialize(copied(ast) as ASTNode);
}

/** Registers the functions that such an expression calls. */
export function registerNumerals(environment: Environment): void {
  for (const [kind, pattern] of Object.entries(NUMERALS)) {
    environment.registerFunction(`${kind}Numeral(dyn): dyn`, (value: unknown) => {
      if (typeof value !== 'string' || pattern.test(value)) return value;
      throw new Error(`${kind}() type error: cannot convert to ${kind}`);
    });
  }
}

function copied(node: unknown): unknown {
  if (Array.isArray(node)) return node.map((each) => copied(each));
  if (typeof node !== 'object' || node === null || !('op' in node) || !('args' in node)) return node;
  const { op } = node;
  const args = copied(node.args);
  if (op !== 'call' || !Array.isArray(args) || !isKind(args[0])) return { op, args };
  const inner: unknown = args[1];
  const checked = { op, args: [`${args[0]}Numeral`, inner] };
  return { op, args: [args[0], [checked]] };
}
