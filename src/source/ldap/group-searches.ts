import { FilterParser, type Filter } from 'ldapts';
import { SourceError } from '../../domain/errors.ts';
import type { Unit } from '../../domain/records/records.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Plan, Plans } from '../records/planned-read.ts';
import { pageSizeOf, searchesOf, type Course, type ReachAsk } from './read/course.ts';
import { EntryReader } from './read/entry-reader.ts';
import { isBelow, isWithin } from './wire/dn.ts';
import type { Entry } from './wire/entry.ts';
import { ldapProblem, UnansweredError } from './wire/ldap-problems.ts';
import { newProgress, searchAll, type PagedSearch } from './wire/paged-search.ts';
import { readWhole } from './wire/whole-values.ts';
import type { Groups, GroupsAsked } from './groups/groups.ts';
import { readGroups, type GroupSearches } from './groups/read-groups.ts';

/** Entries in a page of groups: each may have a hundred thousand members. */
const GROUPS_IN_A_PAGE = 10;

/** Holds for the groups of the vendors. An index on `objectClass` is everywhere. */
const ANY_GROUP: Filter = FilterParser.parseString(
  `(|${'groupOfNames groupOfUniqueNames groupOfMembers groupOfEntries posixGroup group'
    .split(' ')
    .map((name) => `(objectClass=${name})`)
    .join('')})`,
);

/** Reads the groups that matter to a read; `null`: none do. */
export async function groupsOf({ units }: Plans<ReachAsk>, course: Course): Promise<Groups | null> {
  const { settings } = course;
  const asked: GroupsAsked = {
    members: settings.units?.members ?? null,
    memberOf: settings.people?.memberOf ?? [],
  };
  if (asked.members === null && asked.memberOf.length === 0) return null;
  const searches: GroupSearches = {
    units: (attributes) => (units === null ? nothing() : unitGroups(units, course, attributes)),
    all: () => entriesOf(allGroups(course), course),
    one: async (dn, path, attributes) =>
      oneGroup({ ...searchIn(course), path, base: dn, attributes }, course),
  };
  return readGroups(asked, searches);
}

async function* nothing(): AsyncGenerator<readonly Entry[]> {}

/** Returns the group of a base. Throws a SourceError if the server does not give it. */
async function oneGroup(search: PagedSearch, course: Course): Promise<Entry> {
  let cause: unknown;
  try {
    for await (const [entry] of entriesOf([search], course)) if (entry !== undefined) return entry;
  } catch (error) {
    if (!(error instanceof SourceError) || error instanceof UnansweredError) throw error;
    cause = error;
  }
  throw ldapProblem('ldap-no-group', { path: search.path, dn: printable(search.base) }, { cause });
}

/** Yields the groups that are units; those that `source.units.where` leaves out are none. */
async function* unitGroups(
  plan: Plan<ReachAsk, Unit>,
  course: Course,
  attributes: readonly string[],
): AsyncGenerator<readonly Entry[]> {
  const { reach, mapper } = plan;
  const reader = new EntryReader(mapper.columns, course.directory.attributes, course.at);
  const searches = searchesOf(plan, course, attributes).map((search) => ({
    ...search,
    pageSize: Math.min(search.pageSize, GROUPS_IN_A_PAGE),
  }));
  for await (const entries of entriesOf(searches, course)) {
    yield entries.filter((entry) => {
      if ((reach.leftOutBy?.(entry.dn) ?? null) !== null) return false;
      const reading = mapper.map(reader.read(entry));
      return !reading.ok || reading.record.outOfScope === undefined;
    });
  }
}

async function* entriesOf(
  searches: readonly PagedSearch[],
  course: Course,
): AsyncGenerator<readonly Entry[]> {
  for await (const { entries } of searchAll(course.directory.connection, searches, newProgress())) {
    const whole: Entry[] = [];
    for (const entry of entries) whole.push(await readWhole(entry.decode(), course.look));
    yield whole;
  }
}

const searchIn = ({ settings, directory }: Course): Omit<PagedSearch, 'base' | 'attributes'> => ({
  path: 'source.units',
  scope: 'base',
  pageSize: pageSizeOf(settings),
  partitions: directory.partitions,
});

/** Returns searches for all groups: groups that are members may stand anywhere in the directory. */
function allGroups(course: Course): readonly PagedSearch[] {
  const { settings, directory } = course;
  const bases = [settings.units, settings.people].flatMap((search) => search?.bases ?? []);
  const contexts = directory.root('namingContexts');
  const holding = contexts.filter((context) => bases.some((base) => isWithin(base, context)));
  const tops = holding.length > 0 ? holding : bases;
  const outer = new Set(tops.filter((top) => !tops.some((other) => isBelow(top, other))));
  // Groups on other servers are not followed.
  const search = { ...searchIn(course), filter: ANY_GROUP, scope: 'sub', stays: true } as const;
  return [...outer].map((base) => ({ ...search, base, attributes: ['1.1'] }));
}
