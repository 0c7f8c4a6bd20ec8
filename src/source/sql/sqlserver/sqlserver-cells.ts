import type { Cell } from '../../mapping/values/raw-record.ts';
import { dayOf, momentOf, timeOf, UTC } from '../moments.ts';
import { plainText } from '../plain-text.ts';

/** A column of a result, as the driver describes it. */
export interface SqlServerColumn {
  readonly name: string;
  /** `bigint`, `datetime2` …; empty where the driver knows no name. */
  readonly type: string;
  readonly scale: number | undefined;
}

type ToText = (value: unknown) => string;

/**
 * Returns how the values of a column become text.
 *
 * @throws Error for a number of which the driver has lost digits
 */
export function cellReader(column: SqlServerColumn): (value: unknown) => Cell {
  const toText = readerOf(column);
  return (value) => (value === null || value === undefined ? undefined : toText(value));
}

function readerOf(column: SqlServerColumn): ToText {
  const { type, scale = 0 } = column;
  if (type === 'decimal' || type === 'numeric') return exactly(column, scale);
  return type === 'money' || type === 'smallmoney' ? exactly(column, 4) : (READERS[type] ?? byValue);
}

const ofDate =
  (spell: (value: Date) => string): ToText =>
  (value) =>
    value instanceof Date ? spell(value) : byValue(value);

/** The driver is told that days and times without a zone are those of UTC, so that none of them moves. */
const READERS: Readonly<Record<string, ToText>> = {
  date: ofDate((value) => dayOf(value, UTC)),
  time: ofDate((value) => timeOf(value, UTC)),
  datetime: ofDate((value) => momentOf(value, UTC)),
  datetime2: ofDate((value) => momentOf(value, UTC)),
  smalldatetime: ofDate((value) => momentOf(value, UTC)),
  datetimeoffset: ofDate((value) => `${momentOf(value, UTC)}+00`),
  real: (value) => (typeof value === 'number' ? shortest(value) : byValue(value)),
};

function byValue(value: unknown): string {
  return value instanceof Date ? momentOf(value, UTC) : plainText(value);
}

/**
 * The driver divides a decimal's digits by 10^scale as a JavaScript number. All digits are back as long as they
 * make an integer of at most 2^53.
 */
function exactly({ name }: SqlServerColumn, scale: number): ToText {
  return (value) => {
    if (typeof value !== 'number') return byValue(value);
    if (Math.abs(value) * 10 ** scale <= Number.MAX_SAFE_INTEGER) return value.toFixed(scale);
    throw new Error(
      `the column ${name} has a number with more digits than the driver keeps (near ${value}); read it as text: CAST(${name} AS varchar(40)) AS ${name}`,
    );
  };
}

/** Returns the shortest decimal that is this 32-bit number. */
function shortest(value: number): string {
  const short = [6, 7, 8]
    .map((digits) => Number(value.toPrecision(digits)))
    .find((each) => Math.fround(each) === value);
  return String(short ?? value);
}
