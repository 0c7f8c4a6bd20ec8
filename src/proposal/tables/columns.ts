import type { ColumnFacts, ColumnShape, TableShape } from '../../domain/survey/table-facts.ts';
import { foldName } from './column-names.ts';

/** Returns the first column that has one of these names, the best name first; `undefined`: none has. */
export function columnNamed<C extends ColumnShape>(
  columns: readonly C[],
  names: readonly string[],
  isFit: (column: C) => boolean = () => true,
): C | undefined {
  const folded = new Map(columns.toReversed().map((column) => [foldName(column.name), column]));
  for (const name of names) {
    const column = folded.get(foldName(name));
    if (column !== undefined && isFit(column)) return column;
  }
  return undefined;
}

export function hasColumn({ columns }: TableShape, names: readonly string[]): boolean {
  return columnNamed(columns, names) !== undefined;
}

/** Returns the values of a column that has any. */
export function valuesOf({ cells }: ColumnFacts): readonly string[] {
  return cells.filter((cell) => cell !== '');
}

/** Returns whether no two rows have the same value, and every row has one. */
export function isIdentity(column: ColumnFacts): boolean {
  return isDistinct(column) && valuesOf(column).length === column.cells.length;
}

/** Returns whether no two rows have the same value. */
export function isDistinct(column: ColumnFacts): boolean {
  const values = valuesOf(column).map((value) => value.toLowerCase());
  return new Set(values).size === values.length;
}

/** Returns "187 of 200 rows have it". */
export function fillOf(column: ColumnFacts): string {
  return `${valuesOf(column).length} of ${column.cells.length} rows have it`;
}

/** Returns the share of values of one column that another one has. */
export function shareIn(column: ColumnFacts, other: ColumnFacts): number {
  const known = new Set(other.cells);
  const values = valuesOf(column);
  return values.length === 0 ? 0 : values.filter((value) => known.has(value)).length / values.length;
}

/** Names in CEL that are no columns. */
const TAKEN: ReadonlySet<string> = new Set(['in', 'now', 'all', 'true', 'false', 'null', 'type', 'size']);

/** Returns a column as an expression reads it: its text, empty where it is absent. */
export function inExpression({ name }: ColumnShape): string {
  if (/^[A-Za-z_]\w*$/u.test(name) && !TAKEN.has(name)) return name;
  return `join(all[${textInExpression(name)}], '')`;
}

/** Returns a text as CEL writes it. */
export function textInExpression(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
