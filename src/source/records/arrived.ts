import type { RecordKey } from '../../domain/reading/increment.ts';
import type { Print } from '../../domain/records/records.ts';
import { digest } from '../../lib/digest.ts';
import type { Mapper } from '../mapping/mapper.ts';
import type { RawRecord } from '../mapping/values/raw-record.ts';
import { lazily, type Mapped } from './mapped.ts';
import { showingNobody } from './refused-person.ts';

/** A record as it came from the source. */
export interface Arrived<T> {
  /** Tells equal records of one part from others; `null`: not all that decides about the record is in it. */
  print(): Print | null;
  /** See `Placed.broughtBy`. */
  readonly broughtBy?: string | undefined;
  /** Tells the record from all others, where increments are wanted; `null`: it has no key. */
  readonly key?: (() => RecordKey | null) | undefined;
  /** Decodes and maps the record. */
  take(): Mapped<T>;
}

/**
 * Returns records that came decoded, to be mapped one by one.
 *
 * @param keyOf returns the key of a record, where increments are wanted
 */
export function arrivedRecords<T>(
  records: Iterable<RawRecord>,
  mapper: Mapper<T>,
  keyOf?: (raw: RawRecord) => RecordKey | null,
): Iterable<Arrived<T>> {
  return lazily(records, (raw) => ({
    print: () => printOf(raw),
    take: () => {
      const reading = mapper.map(raw);
      return { raw, reading: raw.showsNobody === true ? showingNobody(reading) : reading };
    },
    ...(keyOf !== undefined && { key: () => keyOf(raw) }),
  }));
}

function printOf({ cells, unknown, garbled, problem }: RawRecord): Print | null {
  const isPlain = unknown === undefined && garbled === undefined && problem === undefined;
  return isPlain ? digest(JSON.stringify(cells)) : null;
}
