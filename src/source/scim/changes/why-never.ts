import type { Mapper } from '../../mapping/mapper.ts';

/** Attributes that a server computes from other resources: `meta.lastModified` of a user stays (RFC 7643, section 4). */
const COMPUTED = /(?:^|[^\w.$-])(?:groups|(?:[\w:.-]*[.:])?manager\.displayname)(?![\w$-])/u;

const TEXTS = /"(?:[^"\\]|\\.)*"/gu;

/** Returns why no server could tell what changed, by the settings alone; `null`: it may. */
export function whyNever(
  filter: string | undefined,
  { names }: Pick<Mapper<unknown>, 'names'>,
): string | null {
  const filtered = (filter ?? '').replaceAll(TEXTS, '""').toLowerCase();
  const found = [...names, filtered].map((text) => COMPUTED.exec(text.toLowerCase())?.[0]);
  const computed = found.find((text) => text !== undefined);
  if (computed === undefined) return null;
  const told = 'changes with other resources, and meta.lastModified of people does not';
  return /groups/u.test(computed)
    ? `groups of people ${told}: read them from source.positions instead, with { person: member, unit: id }`
    : `displayName of a manager ${told}`;
}
