import { openSource } from '../../../src/source/open-source.ts';
import { directorySettings } from '../directory-settings.ts';
import { IDS, place, same, type Fault, type Wire } from '../wire.ts';
import { serveSearches } from './fake-ldap.ts';
import { entryMessage, referenceMessage, resultOf, type GivenEntry } from './wire/messages.ts';

const BASE = 'dc=example,dc=com';
const PAGE = 7;
/** Entries of later pages: a server may send fewer than it is asked for. */
const LATER = 5;
const endOf = (from: number): number => from + (from === 0 ? PAGE : LATER);
/** Values of `member` that come together. */
const TOGETHER = 2;
/** Result codes: limits, other servers, rights, busy, broken. */
const CODES = [1, 2, 3, 4, 8, 10, 11, 12, 32, 49, 50, 51, 52, 53, 80];

const valuesOf = (id: string): readonly string[] =>
  Number(id) % 4 === 0 ? ['a', 'b', 'c', 'd', 'e'].map((value) => `${value}${id}`) : [];
const spelled = (id: string): string => `${id} ${valuesOf(id).join(' ')}`;
const ANSWERS =
  1 + Math.ceil((IDS.length - PAGE) / LATER) + 2 * IDS.filter((id) => valuesOf(id).length > 0).length;

/** An entry with its list of values from a place on, as Active Directory sends it. */
function entryOf(id: string, from: number, count = TOGETHER): GivenEntry {
  const all = valuesOf(id);
  const [values, end] = [all.slice(from, from + count), from + TOGETHER];
  const type = `member;range=${from}-${end < all.length ? end - 1 : '*'}`;
  // Such servers also send the attribute without values, next to its part.
  const first = { uid: [id], Member: [] };
  const named = { ...(from === 0 && first), ...(values.length > 0 && { [type]: values }) };
  const attributes = Object.entries(named).map(([name, texts]) => ({
    type: name,
    values: texts.map((text) => Buffer.from(text)),
  }));
  return { dn: `cn=${id},${BASE}`, attributes };
}

interface Asked {
  readonly id: number;
  /** Place of the first entry of a page, or of the first value of one entry. */
  readonly from: number;
  /** The entry of which more values are wanted; `undefined`: a page is. */
  readonly one: string | undefined;
}

function askedIn(id: number, request: Buffer): Asked | null {
  const text = request.toString('latin1');
  const range = /cn=(?<one>\d+),dc=.*;range=(?<from>\d+)-/su.exec(text)?.groups;
  if (range !== undefined) return { id, from: Number(range['from']), one: range['one'] };
  return text.includes(BASE)
    ? { id, from: Number(/c(?<at>\d+)$/u.exec(text)?.groups?.['at'] ?? 0), one: undefined }
    : null;
}

/** Returns the entry that is removed just before the answer. */
const goneFrom = ({ from, one }: Pick<Asked, 'from' | 'one'>): string | undefined =>
  one ?? IDS[endOf(from) - 1];

/** Returns the bytes that answer, with the fault, if it is one of this answer. */
function answer(
  { id, from, one }: Asked,
  { is, at }: { readonly is: Fault['is'] | null; readonly at: number },
): Buffer {
  const isRest = one !== undefined;
  const start = is === 'repeated' ? Math.max(0, from - (isRest ? TOGETHER : LATER)) : from;
  const gone = is === 'changed' ? goneFrom({ from, one }) : undefined;
  const wanted = isRest ? [one] : IDS.slice(start, endOf(from));
  const entries = wanted
    .filter((each) => each !== gone)
    .map((each) => entryOf(each, isRest ? start : 0, is === 'hidden' && isRest ? TOGETHER - 1 : TOGETHER));
  const next = is !== 'refused' && endOf(from) < IDS.length ? `c${endOf(from)}` : '';
  const isBare = isRest || is === 'unproved';
  const code = is === 'refused' ? CODES[place(at, CODES.length)] : 0;
  const bytes = Buffer.concat([
    ...entries.map((entry) => entryMessage(entry, id)),
    ...(is === 'elsewhere' ? [referenceMessage(['ldap://elsewhere/dc=x'], id)] : []),
    resultOf(id, { code, cookie: isBare ? null : Buffer.from(next) }),
  ]);
  return is === 'cut' ? bytes.subarray(0, place(at, bytes.length)) : bytes;
}

/** A directory with pages of 7, in which every fourth entry has more values than come at once. */
export async function ldapWire(): Promise<Wire> {
  let fault: Fault = { is: 'cut', at: 1 };
  let given = 0;
  let gone: string | undefined;
  const server = await serveSearches((socket, id, request) => {
    const asked = askedIn(id, request);
    if (asked === null) {
      socket.write(resultOf(id));
      return;
    }
    const isHere = given === place(fault.at, ANSWERS);
    given += 1;
    if (isHere) gone = goneFrom(asked);
    socket.write(answer(asked, { is: isHere ? fault.is : null, at: (fault.at * ANSWERS) % 1 }));
    if (isHere && fault.is === 'cut') socket.end();
  });
  const fields = { id: 'uid', username: 'uid', name: 'uid', sn: { expr: "join(all.member, ' ')" } };
  const search = { base: BASE, filter: '(uid=*)' };
  const settings = directorySettings({
    url: server.url,
    units: { ...search, fields: { id: 'ou', name: 'ou' } },
    people: { ...search, fields: { ...fields, positions: [{ unit: 'parentDn' }] } },
  });
  return {
    disturbed: (next) => {
      [fault, given, gone] = [next, 0, undefined];
      return { source: openSource({ ...settings, pageSize: PAGE }) };
    },
    isWhole: (people) => {
      const found = people.map(({ id, fields: { sn } }) => `${id} ${typeof sn === 'string' ? sn : ''}`);
      return [IDS, IDS.filter((id) => id !== gone)].some((ids) => same(found, ids.map(spelled)));
    },
    stop: () => server.stop(),
  };
}
