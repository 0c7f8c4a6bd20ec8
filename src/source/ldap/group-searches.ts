import { FilterParser, PresenceFilter, type SearchEntry } from 'ldapts';

import { SourceError } from '../../domain/errors.ts';
import type { SourcePart } from '../../domain/reading/source-part.ts';
import type { Unit } from '../../domain/records/records.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Plan, Plans } from '../records/planned-read.ts';
import { restOf, pageSizeOf, searchesOf, type Course, type ReachAsk } from './read/course.ts';
import { EntryReader } from './read/entry-reader.ts';
import type { Groups, GroupsAsked } from './groups/groups.ts';
import { GROUP_CLASSES, readGroups, type GroupSearches } from './groups/read-groups.ts';
import { allBases } from './read/reach.ts';
import { searchAll } from './read/search-all.ts';
import { isBelow, isWithin } from './wire/dn.ts';
import { UnansweredError } from './wire/ldap-error.ts';
import { newProgress, type PagedSearch } from './wire/paged-search.ts';
import { readWhole } from './wire/whole-values.ts';

/** Entries in a page of groups: each may have a hundred thousand members. */
const GROUPS_IN_A_PAGE = 10;

/** An index on `objectClass` is everywhere. */
const ANY_GROUP = FilterParser.parseString(
  `(|${GROUP_CLASSES.map((name) => `(objectClass=${name})`).join('')})`,
);

/** Reads the groups that matter to a read; `null`: none do. */
export async function groupsOf(
  { units }: Plans<ReachAsk>,
  course: Course,
  part: SourcePart['part'],
): Promise<Groups | null> {
  const { settings } = course;
  const asked: GroupsAsked = {
    members: settings.units?.members ?? null,
    memberOf: settings.people?.memberOf ?? [],
  };
  if (part === 'partners' || (asked.members === null && asked.memberOf.length === 0)) return null;
  return readGroups(asked, searchesFor(units, course));
}

function searchesFor(units: Plans<ReachAsk>['units'], course: Course): GroupSearches {
  return {
    units: (attributes) => (units === null ? nothing() : unitGroups(units, course, attributes)),
    all: () => entriesOf(allGroups(course), course),
    one: async (dn, path, attributes) =>
      oneGroup({ ...plainSearch(course), path, base: dn, scope: 'base', attributes }, course),
  };
}

/** Returns the group of a base. Throws a SourceError if the server does not give it. */
async function oneGroup(search: PagedSearch, course: Course): Promise<SearchEntry> {
  let cause: unknown;
  try {
    for await (const [entry] of entriesOf([search], course)) if (entry !== undefined) return entry;
  } catch (error) {
    if (!(error instanceof SourceError) || error instanceof UnansweredError) throw error;
    cause = error;
  }
  throw new SourceError(
    `${search.path}: the group ${printable(search.base)} does not exist, or source.bindDn may not read it; the read is ` +
      `incomplete and nothing of it is used. Give source.bindDn the right to read it; if it was deleted for good, ${letGo(search)}.`,
    { cause },
  );
}

/** Says what to do about a group that is gone. */
function letGo({ path }: PagedSearch): string {
  return path.startsWith('source.people.memberOf')
    ? 'take it out of source.people.memberOf, or write there the group that has its place'
    : 'take it out of the groups that name it as a member';
}

async function* nothing(): AsyncGenerator<readonly SearchEntry[]> {}

/** Yields the groups that are units; those that `source.units.where` leaves out are none. */
async function* unitGroups(
  plan: Plan<ReachAsk, Unit>,
  course: Course,
  attributes: readonly string[],
): AsyncGenerator<readonly SearchEntry[]> {
  const { reach, mapper } = plan;
  const reader = new EntryReader(mapper.columns, course.directory.attributes, course.at);
  const pageSize = Math.min(pageSizeOf(course), GROUPS_IN_A_PAGE);
  const searches = searchesOf(plan, course, attributes).map((search) => ({ ...search, pageSize }));
  for await (const { entries, search } of listed(searches, course)) {
    yield entries.filter((entry) => {
      if (!reach.keeps(entry.name, search)) return false;
      const reading = mapper.map(reader.read(entry));
      return !reading.ok || reading.record.outOfScope === undefined;
    });
  }
}

async function* entriesOf(
  searches: readonly PagedSearch[],
  course: Course,
): AsyncGenerator<readonly SearchEntry[]> {
  for await (const { entries } of listed(searches, course)) yield entries;
}

async function* listed(
  searches: readonly PagedSearch[],
  course: Course,
): AsyncGenerator<{ readonly entries: SearchEntry[]; readonly search: number }> {
  const connection = await course.side.get('list');
  for await (const { entries: raw, search } of searchAll(connection, searches, newProgress())) {
    const entries = raw.map((entry) => entry.decode());
    await readWhole(entries, restOf(searches[search]?.path ?? 'source', course));
    yield { entries, search };
  }
}

function plainSearch({ settings, directory }: Course): Omit<PagedSearch, 'base' | 'scope' | 'attributes'> {
  return {
    path: 'source.units',
    filter: new PresenceFilter({ attribute: 'objectClass' }),
    pageSize: pageSizeOf({ settings }),
    timeLimitSeconds: Math.ceil(settings.timeoutSeconds),
    referrals: settings.referrals,
    partitions: directory.partitions,
  };
}

/** Returns searches for all groups: groups that are members may stand anywhere in the directory. */
function allGroups(course: Course): readonly PagedSearch[] {
  const { settings, directory } = course;
  const bases = [...allBases(settings.units), ...allBases(settings.people)];
  const contexts = directory.root('namingContexts');
  const holding = contexts.filter((context) => bases.some(({ base }) => isWithin(base, context)));
  const tops = holding.length > 0 ? holding : bases.map(({ base }) => base);
  const outer = tops.filter((top) => !tops.some((other) => isBelow(top, other)));
  // Groups on other servers are not followed.
  const search = { ...plainSearch(course), filter: ANY_GROUP, referrals: 'ignore', scope: 'sub' } as const;
  return [...new Set(outer)].map((base) => ({ ...search, base, attributes: ['1.1'] }));
}
