import type { Sample } from '../../domain/reading/source.ts';
import type { Joined, Member } from './members.ts';
import { countSharing } from './completed-people.ts';
import { loadPartners } from './load-partners.ts';
import { spelledPerson, spelledUnit } from './prefixed.ts';
import type { Person, Reading, Unit } from '../../domain/records/records.ts';

interface Wanted {
  readonly subject: Sample['subject'];
  readonly texts: readonly string[];
}

/** Finds records in all sources; ids are given and returned with the prefixes of their sources. */
export async function findIn(
  members: readonly Member[],
  { subject, texts }: Wanted,
  signal: AbortSignal,
): Promise<readonly Sample[]> {
  const partners = await loadPartners(subject === 'person' ? members : [], signal);
  try {
    const found: Sample[] = [];
    for (const { source, idPrefix, spelling, name, joins } of members) {
      if (subject === 'person') await countFirst(source, joins, signal);
      const bare = texts.flatMap((text) =>
        idPrefix !== '' && text.startsWith(idPrefix) ? [text, text.slice(idPrefix.length)] : [text],
      );
      for (const sample of await source.find(subject, bare, signal)) {
        const { reading, place } = sample;
        const spelled =
          subject === 'unit'
            ? spelledUnit(reading as Reading<Unit>, spelling)
            : spelledPerson(reading as Reading<Person>, spelling);
        found.push({ ...sample, place: name === null ? place : `${name}: ${place}`, reading: spelled });
      }
    }
    return found;
  } finally {
    partners.close();
  }
}

/** Reads all people where it matters who shares a partner. */
async function countFirst(
  source: Member['source'],
  joins: readonly Joined[],
  signal: AbortSignal,
): Promise<void> {
  if (joins.every(({ join }) => join.settings.shared === 'allow')) return;
  for (const { join } of joins) join.count();
  const read = await source.open(signal);
  try {
    await countSharing(joins, read);
  } finally {
    await read.close();
  }
}
