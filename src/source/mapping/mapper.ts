import type { Reading } from '../../domain/records/records.ts';
import type { RawRecord } from './rules/raw-record.ts';

/** The compiled rules of one part: which attributes or columns they need, and how they map a raw record. */
export interface Mapper<T> {
  /** Names to be delivered in `RawRecord.cells`, in this order. */
  readonly names: readonly string[];
  /** Places of each name in the configuration. */
  readonly places: readonly (readonly string[])[];
  /** Names whose values are secrets: never shown. */
  readonly secretNames: ReadonlySet<string>;
  map(raw: RawRecord): Reading<T>;
}
