import { ExpressionCompiler } from '../../../../src/source/mapping/expressions/expression.ts';
import type { LookupTables } from '../../../../src/source/mapping/expressions/function-spec.ts';
import { Columns, type Cell } from '../../../../src/source/mapping/values/raw-record.ts';
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
  const columns = new Columns();
  const expression = new ExpressionCompiler(TABLES, new Set(), undefined, timezone).compile(expr, columns);
  return (record: Readonly<Record<string, Cell>> = {}, at = NOW): readonly string[] => {
    return expression.evaluate({ values: new Map(Object.entries(record)), place: 'here', at });
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
