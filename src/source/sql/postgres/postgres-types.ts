import { types, type CustomTypesConfig } from 'pg';

import type { Cell } from '../../mapping/values/raw-record.ts';

/** OIDs from src/include/catalog/pg_type.dat. */
const BOOL = 16;
const BYTEA = 17;
/** OID of `text[]`; the driver's own list has no arrays. */
const TEXT_ARRAY: number = 1009;
type Parser = (text: string) => Cell;

/** Query for the types of arrays, also of enums and domains; not those of the rows of tables. */
export const ARRAY_TYPES = `
  SELECT a.oid FROM pg_type a JOIN pg_type e ON e.typarray = a.oid
  WHERE e.typtype <> 'c' AND e.typdelim = ','`;

/**
 * Reads every value as the text that PostgreSQL writes: no digits are lost, no dates move between zones.
 * Arrays become lists.
 *
 * @param arrays OIDs that `ARRAY_TYPES` found
 */
export function postgresTypes(arrays: ReadonlySet<number>): CustomTypesConfig {
  return { getTypeParser: (oid: number) => parserOf(oid, arrays) };
}

function parserOf(oid: number, arrays: ReadonlySet<number>): Parser {
  if (oid === BOOL) return (text) => (text === 't' ? 'true' : 'false');
  if (oid === BYTEA) return (text) => Buffer.from(text.slice(2), 'hex').toString('base64');
  return arrays.has(oid) ? arrayCell : (text) => text;
}

type ArrayParser = (text: string) => readonly unknown[];
const parserById: (oid: number) => unknown = types.getTypeParser;
const parseArray = parserById(TEXT_ARRAY) as ArrayParser;

function arrayCell(text: string): Cell {
  return parseArray(text)
    .flat(6)
    .filter((value): value is string => typeof value === 'string');
}
