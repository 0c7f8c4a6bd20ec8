import { spellIdentity } from '../../domain/reading/source-identity.ts';
import type { Sample, Source, SourceRules } from '../../domain/reading/source.ts';
import type { Person, Reading, Unit } from '../../domain/records/records.ts';
import type { SourceSettings } from '../../domain/source-settings.ts';
import { CombinedRead } from './combined-read.ts';
import { loadPartners } from './load-partners.ts';
import { membersOf, spelledPerson, spelledUnit, type Member, type OpenOne } from './members.ts';
import type { SourceContext } from '../records/source-context.ts';

/**
 * Returns several sources as one: units, people and positions of each, one source after the other, and people of one
 * completed by records of another. It is read to its end if each of them is.
 */
export function combinedSource(settings: SourceSettings, openOne: OpenOne, context: SourceContext): Source {
  const members = membersOf(settings, openOne, context);
  const separator = settings.distinct === undefined ? '' : JSON.stringify(settings.distinct);
  const all = (tell: (member: Member) => string): string =>
    JSON.stringify([...members.map((member) => [member.name, member.idPrefix, tell(member)]), separator]);
  const asks = (part: keyof Source['asks']): string => all(({ source }) => source.asks[part]);
  return {
    fingerprint: all(({ source, joins }) =>
      JSON.stringify([source.fingerprint, joins.map((join) => join.text)]),
    ),
    alsoDecides: settings.distinct === undefined ? context.expressions.alsoDecides : null,
    asks: { units: asks('units'), people: asks('people'), positions: asks('positions') },
    identity: identityOf(members),
    hasPositions: members.some(({ source }) => source.hasPositions),
    rules: merged(members),
    async open(signal) {
      return CombinedRead.open(members, settings.distinct ?? null, signal);
    },
    find: (subject, texts, signal) => findIn(members, { subject, texts }, signal),
    async findPositions(person, signal) {
      const found = [];
      for (const { source, idPrefix } of members)
        if (person.startsWith(idPrefix))
          found.push(...(await source.findPositions(person.slice(idPrefix.length), signal)));
      return found;
    },
  };
}

/** Returns the identity: what each source is, under its name. */
function identityOf(members: readonly Member[]): string {
  const known = members.map(({ name, source }) => ({ name, ...(JSON.parse(source.identity) as Identity) }));
  const [only, ...others] = known;
  if (only !== undefined && others.length === 0) {
    const { name: _, ...identity } = only;
    return spellIdentity(identity);
  }
  const list = (tell: (one: Identity) => string): string =>
    known.map((one) => `${one.name ?? ''}: ${tell(one)}`).join(', ');
  return spellIdentity({
    kind: 'combined',
    place: list(({ kind, place }) => `${kind} ${[place].flat().join(' ')}`),
    unitId: list(({ unitId }) => unitId),
    personId: list(({ personId }) => personId),
  });
}

type Identity = Parameters<typeof spellIdentity>[0];

/** Returns the rules of all members; of a field that several map, each under the name of its source. */
function merged(members: readonly Member[]): SourceRules {
  const part = (of: keyof SourceRules): Readonly<Record<string, string>> => {
    const texts: Record<string, string> = {};
    for (const { source } of members)
      for (const [field, text] of Object.entries(source.rules[of]))
        texts[field] =
          texts[field] === undefined || texts[field] === text ? text : `${texts[field]} | ${text}`;
    return texts;
  };
  return { unit: part('unit'), person: part('person'), position: part('position') };
}

interface CombinedParts {
  readonly subject: Sample['subject'];
  readonly texts: readonly string[];
}

/** Finds records in all sources; ids are given and returned with the prefixes of their sources. */
async function findIn(
  members: readonly Member[],
  { subject, texts }: CombinedParts,
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
