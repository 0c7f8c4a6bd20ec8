import { parseLossless } from '../../lib/parse-lossless.ts';
import type { Cell } from '../mapping/values/raw-record.ts';

/** For each wanted name, the keys that lead to its value within the JSON of its column; `null`: the whole column. */
export type JsonKeys = readonly (readonly string[] | null)[];

/** The values of one row; `garbled`: slots whose column has no JSON there, though a key of it is wanted. */
export interface RowCells {
  readonly cells: readonly Cell[];
  readonly garbled?: ReadonlySet<number>;
}

/** Returns what takes the values of a row out of their JSON; where all columns are whole they stay as they are. */
export function withinJson(keys: JsonKeys): (cells: readonly Cell[]) => RowCells {
  if (keys.every((each) => each === null)) return (cells) => ({ cells });
  return (cells) => {
    const garbled = new Set<number>();
    const within = cells.map((cell, slot) => {
      const path = keys[slot] ?? null;
      if (path === null || typeof cell !== 'string' || cell.trim() === '') return cell;
      const json = parsed(cell);
      if (json === undefined) garbled.add(slot);
      return cellAt(json, path);
    });
    return garbled.size === 0 ? { cells: within } : { cells: within, garbled };
  };
}

/** Returns `undefined` where the text is no JSON. */
function parsed(text: string): unknown {
  try {
    return parseLossless(text);
  } catch {
    return undefined;
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
