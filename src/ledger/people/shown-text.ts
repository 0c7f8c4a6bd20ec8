import type { Fields } from '../../domain/records/fields.ts';
import type { Shown } from '../../domain/ports/shown.ts';
import { json, number, type Database, type Row } from '../database/database.ts';

/**
 * How an account is kept, as JSON: the names of its fields stand once for all accounts that have the same ones, in
 * `shown_names`, and the values follow in their order. Equal texts mean equal accounts. `others` is there where the
 * service showed more than fields and positions.
 */
type Packed = readonly [names: number, positions: readonly PackedPosition[], ...values: unknown[]];
type PackedPosition = readonly [names: number, orgId: string, ...values: unknown[]];

/** Where the values of a packed account or position begin. */
const FIRST_VALUE = 2;

export function shownText(db: Database, { fields, positions, ...others }: Shown): string {
  const places = positions.map(({ orgId, fields: its }) => [numberOf(db, its), orgId, ...Object.values(its)]);
  const more = Object.keys(others).length === 0 ? [] : [others];
  return JSON.stringify([numberOf(db, fields), places, ...Object.values(fields), ...more]);
}

/** Returns the account that a column keeps. */
export function shownIn(db: Database, row: Row, column: string): Shown {
  const [names, positions, ...values] = json<Packed>(row, column);
  const known = namesOf(db, names);
  return {
    fields: fieldsOf(known, values),
    positions: positions.map(([its, orgId, ...own]) => ({ orgId, fields: fieldsOf(namesOf(db, its), own) })),
    ...(values[known.length] as Omit<Shown, 'fields' | 'positions'> | undefined),
  };
}

function fieldsOf(names: readonly string[], values: readonly unknown[]): Fields {
  return Object.fromEntries(names.map((name, at) => [name, values[at]])) as Fields;
}

/** Returns the number of the names of these fields, which they get with the first account that has them. */
function numberOf(db: Database, fields: Fields): number {
  const names = JSON.stringify(Object.keys(fields));
  return db.remembered(`number ${names}`, () => {
    db.sql('INSERT OR IGNORE INTO shown_names (names) VALUES (?)').run(names);
    return number(db.sql('SELECT n FROM shown_names WHERE names = ?').get(names) ?? {}, 'n');
  });
}

const namesOf = (db: Database, n: number): readonly string[] =>
  db.remembered(`names ${n}`, () =>
    json<readonly string[]>(db.sql('SELECT names FROM shown_names WHERE n = ?').get(n) ?? {}, 'names'),
  );

/** Whether an account, a column with such a text, shows the field `?`, with a value that fulfils `condition`. */
export const showsField = (column: string, condition: (value: string) => string): string => `EXISTS (
  SELECT 1 FROM shown_names s, json_each(s.names) f WHERE s.n = json_extract(${column}, '$[0]') AND f.value = ?
    AND ${condition(`json_extract(${column}, '$[' || (f.key + ${FIRST_VALUE}) || ']')`)})`;

/** Where the positions of such a text are, and the organization id of each. */
export const SHOWN_PATHS = { positions: '$[1]', orgId: '$[1]' } as const;
