import { SourceError } from '../../../domain/errors.ts';
import { parseLossless } from '../../../lib/parse-lossless.ts';
import { suggest } from '../../../lib/suggest.ts';
import { columnsNamed, type Cell } from '../../mapping/values/raw-record.ts';

/** Which columns of a result are read. */
interface ColumnChoice {
  /** Position of the column of each wanted name. */
  readonly picks: readonly number[];
  readonly keys: JsonKeys;
}

/**
 * Chooses the wanted columns: by exact name, else in any case. `name.en_US`, where there is no such column, is the key
 * `en_US` of the JSON in the column `name`. Checked before the first row.
 */
export function chooseColumns(
  wanted: readonly string[],
  columns: readonly string[],
  part: { readonly path: string; readonly places: readonly (readonly string[])[] },
): ColumnChoice {
  const chosen = wanted.map((name, slot) => {
    const place = part.places[slot]?.join(', ') ?? `${part.path}.fields`;
    const own = columnOf(name, columns, place);
    if (own !== null) return { pick: own, keys: null };
    const [column = '', ...keys] = name.split('.');
    const whole = keys.length === 0 || keys.includes('') ? null : columnOf(column, columns, place);
    if (whole === null) throw missing(name, columns, place);
    return { pick: whole, keys };
  });
  return { picks: chosen.map(({ pick }) => pick), keys: chosen.map(({ keys }) => keys) };
}

function columnOf(name: string, columns: readonly string[], place: string): number | null {
  const [found, another] = columnsNamed(name, columns);
  if (another === undefined) return found ?? null;
  throw new SourceError(`${place}: the query's result has several columns ${name}; name one with AS.`);
}

function missing(name: string, columns: readonly string[], place: string): SourceError {
  const meant = suggest(name, columns);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  const has = columns.length === 0 ? 'it has no columns' : `it has: ${columns.join(', ')}`;
  return new SourceError(`${place}: the query's result has no column ${name}${hint}; ${has}.`);
}

/** For each wanted name, the keys that lead to its value within the JSON of its column; `null`: the whole column. */
export type JsonKeys = readonly (readonly string[] | null)[];

/** The values of one row; `garbled`: slots whose column has no JSON there, though a key of it is wanted. */
interface RowCells {
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
