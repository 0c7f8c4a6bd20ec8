import type { Reading } from '../../domain/records/records.ts';
import type { RawRecord } from './rules/raw-record.ts';

/** The compiled rules of one part: which attributes or columns they need, and raw record → reading. */
export interface Mapper<T> {
  /** To be delivered in `RawRecord.cells`, in this order. */
  readonly names: readonly string[];
  /** Where the configuration has each of them. */
  readonly places: readonly (readonly string[])[];
  /** Names whose values are secrets: never shown. */
  readonly secretNames: ReadonlySet<string>;
  map(raw: RawRecord): Reading<T>;
}
