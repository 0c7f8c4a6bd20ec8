import { forPlace, membersOf, type Reading } from '../../../domain/records/records.ts';
import type { RecordProblem } from '../../mapping/values/raw-record.ts';
import { judged, marked, showingNoMember, type IncomingRecord, type Mapped } from '../../records/mapped.ts';
import type { Plan } from '../../records/planned-read.ts';
import type { Groups, Membership } from '../groups/groups.ts';
import { PRIMARY_GROUP } from '../groups/primary-groups.ts';
import type { Entry, RawEntry } from '../wire/entry.ts';
import { searchAll } from '../wire/paged-search.ts';
import { readWhole } from '../wire/whole-values.ts';
import type { EntryKeys } from './attributes.ts';
import { searchesOf, type Course, type ReachAsk } from './course.ts';
import { EntryReader } from './entry-reader.ts';
import type { Tally } from './evidence.ts';

/** One part of a read, under way. */
interface PartCourse extends Course {
  readonly tally: Tally;
  /** `null`: no group matters. */
  readonly groups: Groups | null;
}

/** Yields every entry of the part. */
export async function* entriesBy<T>(
  plan: Plan<ReachAsk, T>,
  course: PartCourse,
): AsyncGenerator<Iterable<IncomingRecord<T>>> {
  const { directory, tally, look } = course;
  const taker = new EntryTaker(plan, course);
  const { groups } = taker;
  groups?.begin();
  const searches = searchesOf(plan, course, taker.more);
  for await (const { entries, search } of searchAll(directory.connection, searches, tally.progress)) {
    const { leftOutBy } = plan.reach;
    const own = leftOutBy === null ? entries : entries.filter(({ dn }) => tally.keeps(leftOutBy(dn)));
    const whole = new Map<RawEntry, Entry>();
    // Groups have to know all of them.
    for (const raw of groups === null ? own.filter(({ isPartial }) => isPartial) : own)
      whole.set(raw, await readWhole(raw.decode(), look));
    tally.count(search, own.length);
    yield taker.inScope(own, search, whole);
  }
  groups?.end();
}

/** Decodes and maps the entries of one part. */
class EntryTaker<T> {
  /** Those that matter to people; `null`: none do. */
  readonly groups: Groups | null;
  /** Attributes that are read in addition to those of the rules. */
  readonly more: readonly string[];
  readonly #plan: Plan<ReachAsk, T>;
  readonly #reader: EntryReader;
  readonly #ofUnits: Groups | null;
  readonly #keys: EntryKeys | null;
  readonly #isPlain: boolean;

  constructor(plan: Plan<ReachAsk, T>, { directory, at, groups }: PartCourse) {
    const { part } = plan.reach;
    this.groups = part === 'people' ? groups : null;
    this.#ofUnits = part === 'units' ? groups : null;
    this.#keys = part === 'people' ? directory.keys : null;
    this.#isPlain = groups === null;
    this.#plan = plan;
    this.#reader = new EntryReader(plan.mapper.columns, directory.attributes, at);
    this.more = [...(this.groups?.wanted ?? []), ...(this.#keys === null ? [] : [this.#keys.attribute])];
  }

  /**
   * Yields entries that the groups have in scope.
   * @param whole those that were decoded, with whole lists of values
   */
  *inScope(
    entries: readonly RawEntry[],
    search: number,
    whole: ReadonlyMap<RawEntry, Entry>,
  ): Iterable<IncomingRecord<T>> {
    const { bases } = this.#plan.reach;
    const base = bases.length > 1 ? bases[search] : undefined;
    const salt = Buffer.from(JSON.stringify([search, base, this.#reader.decides]));
    for (const raw of entries) {
      const entry = whole.get(raw);
      const membership = this.groups?.membershipOf(entry ?? raw.decode()) ?? null;
      if (membership?.isInScope === false && membership.unknown === undefined) continue;
      yield {
        broughtBy: partOf(base, membership?.scope),
        key: () => this.#keys?.of(raw) ?? null,
        print: () => (this.#isPlain && entry === undefined ? raw.fingerprint(salt) : null),
        take: () => this.#take(entry ?? raw.decode(), membership),
      };
    }
  }

  #take(entry: Entry, membership: Membership | null): Mapped<T> {
    const raw = this.#reader.read(entry, {
      unitGroups: membership?.units,
      parentGroup: this.#ofUnits?.parentOf(entry.dn),
      problem: problemOf(membership),
    });
    const reading = ofMember(judged(this.#plan.mapper.map(raw), raw), membership);
    return { raw, reading: this.#ofUnits?.isSilent(entry.dn) === true ? showingNoMember(reading) : reading };
  }
}

/** Returns the base and the group of the scope that bring an entry, as far as there are several. */
const partOf = (base: string | undefined, scope: string | undefined): string | undefined =>
  base === undefined || scope === undefined ? (base ?? scope) : `${base} and ${scope}`;

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
