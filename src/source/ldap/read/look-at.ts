import { PresenceFilter, SearchRequest, type Filter, type SearchEntry } from 'ldapts';

import type { RootValues } from '../../../domain/directories/vendors.ts';
import type { Course } from './course.ts';
import { refusedBy } from '../wire/ldap-error.ts';

/** A search for few entries. */
export interface Look {
  readonly base: string;
  readonly scope: 'base' | 'one' | 'sub';
  /** Absent: any. */
  readonly filter?: Filter;
  readonly attributes: readonly string[];
}

/** What such a search needs of a read. */
export interface Looking extends Pick<Course, 'settings'> {
  readonly side: Pick<Course['side'], 'get'>;
}

const FEW = 100;

/** Result codes of a search that found more, and of one of an entry that is not there or may not be read. */
const [SIZE_LIMIT, NO_SUCH_OBJECT, NO_ACCESS] = [4, 32, 50];

/**
 * Returns the values of few entries by their attributes, `dn` too, however many more there are; none where the server
 * shows none.
 * Throws a `SourceError`.
 */
export async function lookAt(
  { side, settings }: Looking,
  { base, scope, filter = new PresenceFilter({ attribute: 'objectClass' }), attributes }: Look,
): Promise<readonly RootValues[]> {
  const connection = await side.get('list');
  const request = new SearchRequest({
    messageId: -1,
    baseDN: base,
    scope,
    filter,
    attributes: [...attributes],
    sizeLimit: FEW,
    timeLimit: Math.ceil(settings.timeoutSeconds),
  });
  const doing = base === '' ? 'looking at its root entry' : `looking at ${base}`;
  const task = { server: connection.server, path: 'source.people', doing, base };
  const answer = await connection.ask(request, task);
  const { code, entries } = answer;
  if (code === NO_SUCH_OBJECT || code === NO_ACCESS) return [];
  if (code !== 0 && code !== SIZE_LIMIT) throw refusedBy(answer, task);
  return entries.map(valuesOf);
}

function valuesOf({ name, attributes }: SearchEntry): RootValues {
  const values = new Map(attributes.map(({ type, values: all }) => [type.toLowerCase(), all.map(textOf)]));
  values.set('dn', [name]);
  return (attribute) => values.get(attribute.toLowerCase()) ?? [];
}

/** Bytes that are no text stand as base64. */
const textOf = (value: string | Buffer): string =>
  typeof value === 'string' ? value : value.toString('base64');
