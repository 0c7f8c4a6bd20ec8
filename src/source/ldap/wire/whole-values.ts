import type { LdapConnection } from './connection.ts';
import type { Attribute, Entry } from './entry.ts';
import { ldapProblem } from './ldap-problems.ts';

/** Returns a connection that no paged search occupies. */
type Look = () => Promise<LdapConnection>;

/** `member;range=0-1499`: the first and the last place of the values that came; `null`: they are the last ones. */
interface Range {
  readonly name: string;
  readonly low: number;
  readonly high: number | null;
}

const RANGE = /^(?<name>.+);range=(?<low>\d+)-(?<high>\d+|\*)$/iu;

function rangeOf(type: string): Range | null {
  const { name, low, high } = RANGE.exec(type)?.groups ?? {};
  return name === undefined ? null : { name, low: Number(low), high: high === '*' ? null : Number(high) };
}

/**
 * Reads lists of values to their ends of which the server sent a part (Active Directory's `range=`, [MS-ADTS],
 * 3.1.1.3.1.3.3). Returns the entry with whole lists. Throws a `SourceError` if the rest does not come.
 */
export async function readWhole(entry: Entry, look: Look): Promise<Entry> {
  const whole: Attribute[] = [];
  for (const attribute of entry.attributes)
    if (rangeOf(attribute.type) !== null) whole.push(await wholeOf(attribute, entry, look));
  if (whole.length === 0) return entry;
  // Such servers also send the attribute without values, next to its part.
  const named = new Set(whole.map(({ type }) => type.toLowerCase()));
  const others = entry.attributes.filter(
    ({ type }) => rangeOf(type) === null && !named.has(type.toLowerCase()),
  );
  return { dn: entry.dn, attributes: [...others, ...whole] };
}

async function wholeOf(first: Attribute, { dn }: Entry, look: Look): Promise<Attribute> {
  const values: Buffer[] = [];
  const type = rangeOf(first.type)?.name ?? first.type;
  let part: Attribute | undefined = first;
  for (;;) {
    const range = wholeRange(part);
    if (part === undefined || range === null) throw ldapProblem('ldap-range', { attribute: type, dn });
    for (const value of part.values) values.push(value);
    if (range.high === null) return { type, values };
    part = await partFrom(values.length, type, dn, look);
  }
}

/** Returns the range of a part; `null`: it has other values than its range says, or none. */
function wholeRange(part: Attribute | undefined): Range | null {
  const range = rangeOf(part?.type ?? '');
  const count = part?.values.length ?? 0;
  if (range === null || count === 0) return null;
  return range.high === null || range.high - range.low + 1 === count ? range : null;
}

/** Returns the part of a list that begins at a place; `undefined`: it does not come. */
async function partFrom(from: number, name: string, dn: string, look: Look): Promise<Attribute | undefined> {
  const connection = await look();
  const doing = `reading the rest of ${name} of ${dn}`;
  const { entries } = await connection.look({ base: dn, attributes: [`${name};range=${from}-*`], doing });
  return entries
    .flatMap(({ attributes }) => attributes)
    .find(({ type }) => {
      const range = rangeOf(type);
      return range?.name.toLowerCase() === name.toLowerCase() && range.low === from;
    });
}
