import { SourceError } from '../../domain/errors.ts';
import { parseLossless } from '../../lib/parse-lossless.ts';
import type { Cell } from '../mapping/values/raw-record.ts';

/** For each wanted name, the keys that lead to its value within the JSON of its column; `null`: the whole column. */
export type JsonKeys = readonly (readonly string[] | null)[];

/** Takes values out of their JSON; rows whose columns are all whole stay as they are. */
export function withinJson(
  rows: readonly (readonly Cell[])[],
  keys: JsonKeys,
  placeOf: (row: number, slot: number) => string,
): readonly (readonly Cell[])[] {
  if (keys.every((each) => each === null)) return rows;
  return rows.map((cells, row) =>
    cells.map((cell, slot) => {
      const path = keys[slot] ?? null;
      if (path === null || typeof cell !== 'string' || cell.trim() === '') return cell;
      return cellAt(
        parsed(cell, () => placeOf(row, slot)),
        path,
      );
    }),
  );
}

function parsed(text: string, place: () => string): unknown {
  try {
    return parseLossless(text);
  } catch (cause) {
    throw new SourceError(
      `${place()}: the column has no JSON there, so it has no keys; correct the value, or map the whole column.`,
      { cause },
    );
  }
}

function cellAt(json: unknown, path: readonly string[]): Cell {
  const value = path.reduce<unknown>((at, key) => {
    const has = typeof at === 'object' && at !== null && Object.hasOwn(at, key);
    return has ? (at as Readonly<Record<string, unknown>>)[key] : undefined;
  }, json);
  return Array.isArray(value) ? value.flatMap((each) => textOf(each) ?? []) : textOf(value);
}

function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
