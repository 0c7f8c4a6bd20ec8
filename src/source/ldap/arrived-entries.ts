import type { SearchEntry } from 'ldapts';

import type { RecordProblem } from '../mapping/values/raw-record.ts';
import type { Arrived } from '../records/arrived.ts';
import { drained, lazily } from '../records/mapped.ts';
import type { Plan } from '../records/planned-read.ts';
import { judged } from '../records/refused-person.ts';
import { restOf, searchesOf, type Course, type ReachAsk } from './course.ts';
import { EntryReader } from './entry-reader.ts';
import { SingleValues, type Tally } from './evidence.ts';
import type { Groups, Membership } from './groups/groups.ts';
import { searchAll } from './search-all.ts';
import type { LdapConnection } from './wire/ldap-connection.ts';
import { readWhole } from './wire/whole-values.ts';

/** One part of a read, under way. */
export interface PartCourse extends Course {
  readonly connection: LdapConnection;
  readonly tally: Tally;
  /** `null`: no group matters. */
  readonly groups: Groups | null;
}

interface Found {
  readonly entry: SearchEntry;
  /** `null`: it is no person, or groups do not matter. */
  readonly membership: Membership | null;
}

/** Yields every entry of the part; the connection is closed at the end, however it ends. */
export async function* arrivedEntries<T>(
  plan: Plan<ReachAsk, T>,
  course: PartCourse,
): AsyncGenerator<Iterable<Arrived<T>>> {
  const { connection, directory, at, signal, tally, groups } = course;
  const { reach, mapper } = plan;
  const ofPeople = reach.part === 'people' ? groups : null;
  const reader = new EntryReader(mapper, directory.attributes, at);
  const single = new SingleValues(mapper, tally);
  ofPeople?.begin();
  try {
    const from = { server: directory.server, connection };
    const searches = searchesOf(plan, course, ofPeople?.wanted);
    for await (const { entries: raw, search } of searchAll(from, searches, {
      progress: tally.progress,
      signal,
    })) {
      const entries = raw.map((entry) => entry.decode());
      await readWhole(entries, restOf(reach.path, course));
      const kept = entries.filter(({ name }) => reach.keeps(name, search));
      tally.count(search, kept.length);
      const wanted = kept
        .map((entry): Found => ({ entry, membership: ofPeople?.membershipOf(entry) ?? null }))
        .filter(({ membership }) => membership?.isInScope !== false);
      yield lazily(drained(wanted), ({ entry, membership }) => {
        const raw = reader.read(entry, {
          unitGroups: membership?.units,
          parentGroup: reach.part === 'units' ? groups?.parentOf(entry.name) : undefined,
          problem: problemOf(membership),
        });
        single.look(raw);
        return { print: null, take: () => ({ raw, reading: judged(mapper.map(raw), raw) }) };
      });
    }
    ofPeople?.end();
  } finally {
    await connection.close();
  }
}

/** Returns why nobody knows whether a group means this person. */
function problemOf(membership: Membership | null): RecordProblem | undefined {
  const uid = membership?.sharedUid ?? null;
  if (uid === null) return undefined;
  const reason =
    `several people have the uid ${JSON.stringify(uid)}, by which a group names its member (memberUid): nobody knows ` +
    'who is meant; give each of them one of its own';
  return { field: 'positions', reason };
}
