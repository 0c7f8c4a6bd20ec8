import { SourceError } from '../../domain/errors.ts';
import { suggest } from '../../lib/suggest.ts';
import type { JsonKeys } from './json-keys.ts';

/** Which columns of a result are read. */
export interface ColumnChoice {
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
  const exact = positions(columns, (column) => column === name);
  const found =
    exact.length > 0 ? exact : positions(columns, (column) => column.toLowerCase() === name.toLowerCase());
  if (found.length > 1) throw ambiguous(name, place);
  return found[0] ?? null;
}

function positions(columns: readonly string[], matches: (column: string) => boolean): readonly number[] {
  return columns.flatMap((column, index) => (matches(column) ? [index] : []));
}

function missing(name: string, columns: readonly string[], place: string): SourceError {
  const meant = suggest(name, columns);
  const hint = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  const has = columns.length === 0 ? 'it has no columns' : `it has: ${columns.join(', ')}`;
  return new SourceError(`${place}: the query's result has no column ${name}${hint}; ${has}.`);
}

function ambiguous(name: string, place: string): SourceError {
  return new SourceError(`${place}: the query's result has several columns ${name}; name one with AS.`);
}
