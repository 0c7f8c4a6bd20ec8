import type { Person, Reading } from '../../domain/records/records.ts';
import type { RowsRead } from '../records/rows-read.ts';
import type { Joined } from './members.ts';

/** Yields the people of one source, completed by their partners. */
export async function* completedPeople(
  joins: readonly Joined[],
  read: RowsRead,
): AsyncGenerator<Iterable<Reading<Person>>> {
  for (const { join } of joins) join.count();
  if (joins.some(({ join }) => join.settings.shared === 'block')) await countSharing(joins, read);
  yield* read.people();
}

/** Reads all people, to know who shares a partner before the first of them is used. */
export async function countSharing(joins: readonly Joined[], read: RowsRead): Promise<void> {
  for await (const batch of read.people()) for (const _ of batch) continue;
  for (const { join } of joins) join.judge();
}
