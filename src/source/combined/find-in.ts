import type { Sample } from '../../domain/reading/source.ts';
import type { Member } from './members.ts';
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
    for (const member of members) {
      const { source, idPrefix, name } = member;
      const bare = texts.flatMap((text) =>
        idPrefix !== '' && text.startsWith(idPrefix) ? [text, text.slice(idPrefix.length)] : [text],
      );
      for (const sample of await source.find(subject, bare, signal)) {
        const { reading, place } = sample;
        const spelled =
          subject === 'unit'
            ? spelledUnit(reading as Reading<Unit>, member)
            : spelledPerson(reading as Reading<Person>, member);
        found.push({ ...sample, place: name === null ? place : `${name}: ${place}`, reading: spelled });
      }
    }
    return found;
  } finally {
    partners.close();
  }
}
