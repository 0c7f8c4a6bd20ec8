import { EvaluationError, type Environment } from '@marcbachmann/cel-js';

/** Texts that CEL takes for a number; cel-js takes the empty text for 0, and `0b11` for 3. */
const NUMERALS = {
  int: /^[+-]?\d+$/u,
  uint: /^\+?\d+$/u,
  double: /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/iu,
} as const;

type Kind = keyof typeof NUMERALS;

export const isConversion = (name: string): name is Kind => Object.hasOwn(NUMERALS, name);

/** Returns the function that checks the argument of a conversion. */
export const checkOf = (kind: Kind): string => `${kind}Numeral`;

/**
 * Registers the functions that check texts before they are converted: a text that is no number fails (CEL,
 * Language Definition, "Type Conversions"), so `int(status) == 1` is unknown where nobody has set the status,
 * not false.
 */
export function registerNumerals(environment: Environment): void {
  for (const [kind, pattern] of Object.entries(NUMERALS)) {
    environment.registerFunction(`${kind}Numeral(A): A`, (value: unknown) => {
      if (typeof value !== 'string' || pattern.test(value)) return value;
      throw new EvaluationError(`${kind}() type error: cannot convert to ${kind}`);
    });
  }
}
