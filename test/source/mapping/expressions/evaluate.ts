import { ExpressionCompiler } from '../../../../src/source/mapping/expressions/expression.ts';
import type { LookupTables } from '../../../../src/source/mapping/expressions/function-spec.ts';
import { Slots, type Cell } from '../../../../src/source/mapping/values/raw-record.ts';
import { NOW } from '../map-records.ts';

export const TABLES: LookupTables = new Map([['cities', new Map([['B', 'Berlin']])]]);

/** Evaluates an expression on a raw record, given by its names. */
export function evaluated(
  expr: string,
  record: Readonly<Record<string, Cell>> = {},
  at = NOW,
  timezone = 'UTC',
): readonly string[] {
  return evaluator(expr, timezone)(record, at);
}

/** Compiles an expression once. */
export function evaluator(expr: string, timezone = 'UTC') {
  const slots = new Slots((name) => name);
  const expression = new ExpressionCompiler(TABLES, new Set(), undefined, timezone).compile(expr, slots);
  return (record: Readonly<Record<string, Cell>> = {}, at = NOW): readonly string[] => {
    const cells = slots.names.map((name) => (Object.hasOwn(record, name) ? record[name] : undefined));
    return expression.evaluate({ cells, place: 'here', at });
  };
}

/** Returns what an expression gives on a record without any values; `null`: it fails. */
export function emptied(expr: string): readonly string[] | null {
  const evaluate = evaluator(expr);
  try {
    return evaluate();
  } catch {
    return null;
  }
}
