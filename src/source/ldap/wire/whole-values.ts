import { Attribute, type SearchEntry } from 'ldapts';

import { SourceError } from '../../../domain/errors.ts';
import type { LdapConnection } from './ldap-connection.ts';

/** Where the rest of a list of values is asked for. */
export interface RestOf {
  /** Returns a connection that no paged search occupies. */
  connect(): Promise<LdapConnection>;
  /** Place in the configuration, e.g. `source.units`. */
  readonly path: string;
  readonly timeLimitSeconds: number;
}

/** `member;range=0-1499`: the first and the last place of the values that came; `null`: they are the last ones. */
interface Range {
  readonly name: string;
  readonly low: number;
  readonly high: number | null;
}

const RANGE = /^(?<name>.+);range=(?<low>\d+)-(?<high>\d+|\*)$/iu;

function rangeOf(type: string): Range | null {
  const groups = RANGE.exec(type)?.groups;
  if (groups === undefined) return null;
  const { name = '', low, high } = groups;
  return { name, low: Number(low), high: high === '*' ? null : Number(high) };
}

/**
 * Reads lists of values to their ends of which the server sent a part (Active Directory's `range=`, [MS-ADTS],
 * 3.1.1.3.1.3.3), and puts them in place of the parts. Throws a `SourceError` if the rest does not come.
 */
export async function readWhole(entries: readonly SearchEntry[], rest: RestOf): Promise<void> {
  for (const entry of entries) {
    if (!entry.attributes.some(({ type }) => rangeOf(type) !== null)) continue;
    const whole: Attribute[] = [];
    for (const attribute of entry.attributes) {
      const range = rangeOf(attribute.type);
      if (range !== null) whole.push(await wholeOf(attribute, { entry, range, rest }));
    }
    // Such servers also send the attribute without values, next to its part.
    const named = new Set(whole.map(({ type }) => type.toLowerCase()));
    const others = entry.attributes.filter(
      ({ type }) => rangeOf(type) === null && !named.has(type.toLowerCase()),
    );
    entry.attributes = [...others, ...whole];
  }
}

interface ValueRange {
  readonly entry: SearchEntry;
  readonly range: Range;
  readonly rest: RestOf;
}

async function wholeOf(first: Attribute, { entry, range: start, rest }: ValueRange): Promise<Attribute> {
  const whole = new Attribute({ type: start.name });
  let [part, range] = [first, start];
  let count = take(whole, part, { entry, range });
  while (range.high !== null) {
    [part, range] = await fetchFrom(count, { entry, range, rest });
    count += take(whole, part, { entry, range });
  }
  return whole;
}

/** Adds the values of a part; returns how many they are, which has to be what its range says. */
function take(
  whole: Attribute,
  part: Attribute,
  { entry, range: { name, low, high } }: Omit<ValueRange, 'rest'>,
): number {
  const count = part.values.length;
  if (count === 0 || (high !== null && high - low + 1 !== count)) {
    throw unread(entry, name, `the part ${part.type} has ${count} values`);
  }
  for (const value of part.values) (whole.values as (string | Buffer)[]).push(value);
  for (const bytes of part.parsedBuffers) whole.parsedBuffers.push(bytes);
  return count;
}

async function fetchFrom(
  from: number,
  { entry, range: { name }, rest }: ValueRange,
): Promise<[part: Attribute, range: Range]> {
  const asked = `${name};range=${from}-*`;
  const connection = await rest.connect();
  const { entries } = await connection.look({
    base: entry.name,
    attributes: [asked],
    seconds: rest.timeLimitSeconds,
    path: rest.path,
    doing: `reading the rest of ${name} of ${entry.name}`,
  });
  for (const part of entries.flatMap(({ attributes }) => attributes)) {
    const range = rangeOf(part.type);
    if (range?.name.toLowerCase() === name.toLowerCase() && range.low === from) return [part, range];
  }
  throw unread(entry, name, `the server sent the first ${from.toLocaleString('en')} and then no more`);
}

function unread({ name: dn }: SearchEntry, attribute: string, what: string): SourceError {
  return new SourceError(
    `source: the values of ${attribute} of ${dn} did not come to their end: ${what} (range=); the read is ` +
      'incomplete and nothing of it is used. It is read again at the next run.',
  );
}
