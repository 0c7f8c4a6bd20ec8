import type { Cell } from '../mapping/values/raw-record.ts';
import type { ChooseColumns } from './sql-connection.ts';

export type Row = readonly unknown[];

export interface Column {
  readonly name: string;
  readonly columnType?: number;
}

/** Protocol number of MySQL's type BIT, whose values come as bytes. */
const BIT = 16;

/** Returns the chosen columns of each row. */
export function cellsOf(
  rows: readonly Row[],
  columns: readonly Column[],
  choose: ChooseColumns,
): readonly (readonly Cell[])[] {
  const picks = choose(columns.map((column) => column.name));
  const bits = new Set(picks.filter((index) => columns[index]?.columnType === BIT));
  return rows.map((row) => picks.map((index) => toCell(row[index], bits.has(index))));
}

function toCell(value: unknown, bit: boolean): Cell {
  if (typeof value === 'string') return value.startsWith('0000-00-00') ? undefined : value;
  if (value === null || value === undefined) return undefined;
  if (!Buffer.isBuffer(value)) return JSON.stringify(value);
  return bit ? BigInt(`0x${value.toString('hex')}`).toString() : value.toString('base64');
}
