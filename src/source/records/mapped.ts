import type { RecordKey } from '../../domain/reading/increment.ts';
import type { Sample } from '../../domain/reading/source.ts';
import type { Person, Print, Reading, Refusal } from '../../domain/records/records.ts';
import { digest } from '../../lib/digest.ts';
import type { Mapper } from '../mapping/mapper.ts';
import { FieldProblem, refuse } from '../mapping/rules/rule.ts';
import { allValues, firstValue, Row, type RawRecord, type Value } from '../mapping/values/raw-record.ts';
import { showReference } from '../pictures/picture-reader.ts';

/** A raw record and its reading. */
export interface Mapped<T> {
  readonly raw: RawRecord;
  readonly reading: Reading<T>;
}

/** Maps a batch record by record while it is read: no result is kept longer than it is used. */
export function* lazily<A, B>(items: Iterable<A>, map: (item: A) => B): Iterable<B> {
  for (const item of items) yield map(item);
}

export function sampleOf(
  subject: Sample['subject'],
  { raw, reading }: { readonly raw: RawRecord; readonly reading: Sample['reading'] },
  mapper: Mapper<unknown>,
): Sample {
  return { subject, place: raw.place, raw: shown(raw, mapper), reading };
}

/** Returns the raw values that may be shown, by name; those of other sources that complete the record come last. */
export function shown(raw: RawRecord, mapper: Mapper<unknown>): Sample['raw'] {
  const { values } = mapper.widened?.(raw) ?? raw;
  const open = [...values].filter(([name]) => !mapper.secretNames.has(name));
  return Object.fromEntries(open.map(([name, value]) => [name, allValues(value).map(showReference)]));
}

/** Returns a refusal of the record under everything that it is known by: its person is left as it is. */
export function refusedPerson(
  reading: Reading<Person>,
  problem: FieldProblem,
  raw: RawRecord,
): Reading<Person> {
  if (!reading.ok)
    return { ok: false, refusal: { ...reading.refusal, field: problem.field, reason: problem.reason } };
  const { id, username, active, outOfScope } = reading.record;
  if (outOfScope !== undefined) return reading;
  return refuse(problem, { subject: 'person', id, label: username, active, raw });
}

/** Returns the reading, or a refusal if the raw record cannot be used. Only a person's has a problem. */
export function judged<T>(reading: Reading<T>, raw: RawRecord): Reading<T> {
  if (raw.problem === undefined) return reading;
  const { field, reason } = raw.problem;
  return refusedPerson(reading as Reading<Person>, new FieldProblem(field, reason), raw) as Reading<T>;
}

/** Returns the reading with marks on its refusal; as it is if there is none. */
export const marked = <T>(reading: Reading<T>, marks: Partial<Refusal>): Reading<T> =>
  reading.ok ? reading : { ...reading, refusal: { ...reading.refusal, ...marks } };

/** Notes of a group that its record shows no member, whether it can be used or not. */
export const showingNoMember = <T>(reading: Reading<T>): Reading<T> =>
  reading.ok ? { ...reading, showsNoMember: true } : marked(reading, { showsNoMember: true });

/** A record as it came from the source. */
export interface IncomingRecord<T> {
  /** Tells equal records of one part from others; `null`: not all that decides about the record is in it. */
  print(): Print | null;
  /** See `Placed.broughtBy`. */
  readonly broughtBy?: string | undefined;
  /** Tells the record from all others, if increments are wanted; `null`: it has no key. */
  readonly key?: (() => RecordKey | null) | undefined;
  /** Decodes and maps the record. */
  take(): Mapped<T>;
}

/** A record that came decoded: the values of the columns that were asked for, in their order. */
export interface Decoded extends Pick<RawRecord, 'at' | 'place' | 'showsNoMember'> {
  readonly cells: readonly Value[];
}

/**
 * Returns records that came decoded, to be mapped one by one.
 *
 * @param keyed whether the key of each record was asked for, as one more column
 */
export function incomingRecords<T>(
  records: Iterable<Decoded>,
  mapper: Mapper<T>,
  keyed = false,
): Iterable<IncomingRecord<T>> {
  const places = new Map(mapper.columns.map(({ name }, at) => [name, at]));
  return lazily(records, (record) => {
    const { cells, at, place, showsNoMember } = record;
    return {
      print: () => digest(JSON.stringify(cells)),
      take: () => {
        const raw = { values: new Row(cells, places), at, place, showsNoMember };
        const reading = mapper.map(raw);
        return { raw, reading: showsNoMember === true ? showingNoMember(reading) : reading };
      },
      // A key is asked for as the last column.
      ...(keyed && { key: () => firstValue(cells[places.size]) ?? null }),
    };
  });
}
