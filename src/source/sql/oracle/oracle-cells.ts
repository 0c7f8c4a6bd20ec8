import type { Cell } from '../../mapping/values/raw-record.ts';
import { LOCAL, momentOf, UTC } from '../moments.ts';
import { plainText } from '../plain-text.ts';

/** A column of a result, as the driver describes it. */
export interface OracleColumn {
  readonly name: string;
  /** `NUMBER`, `TIMESTAMP WITH TIME ZONE` …; empty where the driver knows no name. */
  readonly type: string;
}

/** What the driver is asked to fetch values of a type as. */
export const FETCHED_AS: Readonly<Record<string, 'text' | 'bytes' | undefined>> = {
  NUMBER: 'text',
  CLOB: 'text',
  NCLOB: 'text',
  LONG: 'text',
  XMLTYPE: 'text',
  BLOB: 'bytes',
};

/** The driver takes days and times without a zone for those of this process. */
const WITHOUT_ZONE: ReadonlySet<string> = new Set(['DATE', 'TIMESTAMP']);
const NOT_VALUES: ReadonlySet<string> = new Set(['CURSOR', 'OBJECT', 'BFILE']);

/**
 * Returns how the values of a column become text.
 *
 * @throws Error for a column whose values are several
 */
export function cellReader({ name, type }: OracleColumn): (value: unknown) => Cell {
  if (NOT_VALUES.has(type)) {
    throw new Error(`the column ${name} is of type ${type}, which has no text; select its parts`);
  }
  const ofDate = WITHOUT_ZONE.has(type)
    ? (date: Date): string => momentOf(date, LOCAL)
    : (date: Date): string => `${momentOf(date, UTC)}+00`;
  return (value) => {
    if (value === null || value === undefined) return undefined;
    return value instanceof Date ? ofDate(value) : plainText(value);
  };
}
