import type { SearchEntry } from 'ldapts';

import type { RecordKey } from '../../../domain/reading/increment.ts';
import { forPlace, membersOf, type Reading } from '../../../domain/records/records.ts';
import type { RecordProblem } from '../../mapping/values/raw-record.ts';
import { judged, marked, showingNoMember, type IncomingRecord, type Mapped } from '../../records/mapped.ts';
import type { Plan } from '../../records/planned-read.ts';
import type { EntryKeys } from './attributes.ts';
import { restOf, searchesOf, type Course, type ReachAsk } from './course.ts';
import { EntryReader } from './entry-reader.ts';
import type { Tally } from './evidence.ts';
import type { Groups, Membership } from '../groups/groups.ts';
import { PRIMARY_GROUP } from '../groups/primary-groups.ts';
import { searchAll } from './search-all.ts';
import type { LdapConnection } from '../wire/ldap-connection.ts';
import { fingerprint } from '../wire/fingerprint.ts';
import type { RawEntry } from '../wire/raw-entry.ts';
import { readWhole, type RestOf } from '../wire/whole-values.ts';

/** One part of a read, under way. */
interface PartCourse extends Course {
  readonly connection: LdapConnection;
  readonly tally: Tally;
  /** `null`: no group matters. */
  readonly groups: Groups | null;
}

/** Yields every entry of the part; the connection is closed at the end, however it ends. */
export async function* incomingEntries<T>(
  plan: Plan<ReachAsk, T>,
  course: PartCourse,
): AsyncGenerator<Iterable<IncomingRecord<T>>> {
  try {
    yield* entriesBy(course.connection, plan, course);
  } finally {
    await course.connection.close();
  }
}

/** Yields every entry of the part, and leaves the connection open. */
export async function* entriesBy<T>(
  connection: LdapConnection,
  plan: Plan<ReachAsk, T>,
  course: Omit<PartCourse, 'connection'>,
): AsyncGenerator<Iterable<IncomingRecord<T>>> {
  const { directory, tally, groups } = course;
  const { reach } = plan;
  const ofPeople = reach.part === 'people' ? groups : null;
  const taker = new EntryTaker(plan, course, ofPeople);
  const keys = reach.part === 'people' ? directory.keys : null;
  const rest = restOf(reach.path, course);
  ofPeople?.begin();
  const searches = searchesOf(plan, course, [...(ofPeople?.wanted ?? []), ...namesOf(keys)]);
  for await (const { entries, search } of searchAll(connection, searches, tally.progress)) {
    const whole = await wholeEntries(entries, { all: ofPeople !== null, keys, rest });
    const wanted = whole.filter(({ dn }) => reach.keeps(dn, search));
    tally.count(search, wanted.length);
    yield taker.inScope(wanted, search);
  }
  ofPeople?.end();
}

/** An entry, which is decoded when it is asked for. */
interface Entry {
  readonly dn: string;
  /** As it came; `null`: values came on their own, or groups have to know it. */
  readonly raw: RawEntry | null;
  /** `null`: the entry has none, or keys are not wanted. */
  readonly key: RecordKey | null;
  decode(): SearchEntry;
}

/** How the entries of a page are completed. */
interface Completing {
  /** Groups have to know all of them. */
  readonly all: boolean;
  readonly keys: EntryKeys | null;
  readonly rest: RestOf;
}

/** Returns the entries of a page, those with lists of which a part came read to the end of these. */
async function wholeEntries(
  entries: readonly RawEntry[],
  { all, keys, rest }: Completing,
): Promise<readonly Entry[]> {
  const whole: Entry[] = [];
  for (const raw of entries) {
    const key = keys?.of(raw) ?? null;
    if (!raw.isPartial && !all) {
      whole.push({ dn: raw.dn, raw, key, decode: () => raw.decode() });
      continue;
    }
    const entry = raw.decode();
    await readWhole([entry], rest);
    whole.push({ dn: entry.name, raw: null, key, decode: () => entry });
  }
  return whole;
}

/** Returns the attributes that tell keys. */
const namesOf = (keys: EntryKeys | null): readonly string[] => (keys === null ? [] : [keys.attribute]);

/** Decodes and maps the entries of one part. */
class EntryTaker<T> {
  readonly #plan: Plan<ReachAsk, T>;
  readonly #reader: EntryReader;
  readonly #groups: Groups | null;
  readonly #ofPeople: Groups | null;

  constructor(
    plan: Plan<ReachAsk, T>,
    { directory, at, groups }: Omit<PartCourse, 'connection' | 'tally'>,
    ofPeople: Groups | null,
  ) {
    this.#plan = plan;
    this.#reader = new EntryReader(plan.mapper.columns, directory.attributes, at);
    this.#groups = groups;
    this.#ofPeople = ofPeople;
  }

  /** Yields entries that the groups have in scope. */
  *inScope(entries: readonly Entry[], search: number): Iterable<IncomingRecord<T>> {
    const { bases } = this.#plan.reach;
    const base = bases.length > 1 ? bases[search]?.base : undefined;
    const salt = Buffer.from(JSON.stringify([search, base, this.#reader.decides]));
    for (const entry of entries) {
      const membership = this.#ofPeople?.membershipOf(entry.decode()) ?? null;
      if (membership?.isInScope === false && membership.unknown === undefined) continue;
      yield {
        broughtBy: partOf(base, membership),
        key: () => entry.key,
        print: () => (entry.raw === null || this.#groups !== null ? null : fingerprint(entry.raw, salt)),
        take: () => this.#take(entry.decode(), membership),
      };
    }
  }

  #take(entry: SearchEntry, membership: Membership | null): Mapped<T> {
    const { reach, mapper } = this.#plan;
    const raw = this.#reader.read(entry, {
      unitGroups: membership?.units,
      parentGroup: reach.part === 'units' ? this.#groups?.parentOf(entry.name) : undefined,
      problem: problemOf(membership),
    });
    const reading = ofMember(judged(mapper.map(raw), raw), membership);
    const isSilent = reach.part === 'units' && this.#groups?.isSilent(entry.name) === true;
    return { raw, reading: isSilent ? showingNoMember(reading) : reading };
  }
}

/** Returns the base and the group of the scope that bring an entry, as far as there are several. */
function partOf(base: string | undefined, membership: Membership | null): string | undefined {
  const parts = [base, membership?.scope].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' and ');
}

const UNKNOWN: Readonly<Record<NonNullable<Membership['unknown']>, string>> = {
  uid: 'shows no uid, by which groups name their members (memberUid)',
  primaryGroupID: 'shows no primaryGroupID, by which accounts name their primary group',
};

/**
 * Adds the groups that name a person to what decides about them: if such a group shows no members any more,
 * its members may be hidden. If it is unknown whether the person is in scope, the record counts only if the
 * person is ours.
 */
function ofMember<T>(reading: Reading<T>, membership: Membership | null): Reading<T> {
  if (membership === null) return reading;
  if (membership.unknown !== undefined) return marked(reading, { ifOurs: true });
  const named = Object.fromEntries(membership.groups.map((dn) => [membersOf(dn), '']));
  const { primary } = membership;
  const own = primary === undefined ? {} : { [forPlace(PRIMARY_GROUP)]: primary };
  return { ...reading, has: { ...reading.has, ...named, ...own } };
}

/** Returns why it is unknown whether a group means this person. */
function problemOf(membership: Membership | null): RecordProblem | undefined {
  if (membership?.unknown === undefined) return undefined;
  const why = UNKNOWN[membership.unknown];
  const reason = `${why}, so source.people.memberOf cannot be checked; give the reading account the right to read it`;
  return { field: 'positions', reason };
}
