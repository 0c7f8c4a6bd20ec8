import { types, type CustomTypesConfig } from 'pg';

import type { Cell } from '../mapping/values/raw-record.ts';

/** OIDs from src/include/catalog/pg_type.dat. */
const BOOL = 16;
const BYTEA = 17;
/** OID of `text[]`; the driver's own list has no arrays. */
const TEXT_ARRAY: number = 1009;
const ARRAYS: ReadonlySet<number> = new Set([
  1000, 1002, 1005, 1007, 1009, 1014, 1015, 1016, 1021, 1022, 1115, 1182, 1185, 1231, 2951,
]);

type Parser = (text: string) => Cell;

/**
 * Reads every value as the text that PostgreSQL writes: no digits are lost, no dates move between zones.
 * Arrays become lists.
 */
export const POSTGRES_TYPES: CustomTypesConfig = { getTypeParser: parserOf };

function parserOf(oid: number): Parser {
  if (oid === BOOL) return (text) => (text === 't' ? 'true' : 'false');
  if (oid === BYTEA) return (text) => Buffer.from(text.slice(2), 'hex').toString('base64');
  return ARRAYS.has(oid) ? arrayCell : (text) => text;
}

type ArrayParser = (text: string) => readonly unknown[];
const parserById: (oid: number) => unknown = types.getTypeParser;
const parseArray = parserById(TEXT_ARRAY) as ArrayParser;

function arrayCell(text: string): Cell {
  return parseArray(text)
    .flat(6)
    .filter((value): value is string => typeof value === 'string');
}
