import { AndFilter, EqualityFilter, NotFilter, OrFilter, SearchRequest } from 'ldapts';

import type { RootValues } from '../../../domain/directories/vendors.ts';
import { SourceError } from '../../../domain/errors.ts';
import type { LdapConnection } from './ldap-connection.ts';

/** Ports of the global catalog, which has all entries of a forest with a part of their attributes. */
const PORTS: ReadonlySet<string> = new Set(['3268', '3269']);

export function isGlobalCatalog(url: string): boolean {
  return PORTS.has(new URL(url).port);
}

const LOOK_SECONDS = 10;

/**
 * Returns which of these attributes a global catalog does not hold, in lower case, as the schema of the
 * forest tells; `null`: it may not be read.
 */
export async function notInCatalog(
  connection: LdapConnection,
  root: RootValues,
  names: readonly string[],
): Promise<ReadonlySet<string> | null> {
  const [base] = root('schemaNamingContext');
  if (names.length === 0) return new Set();
  if (base === undefined) return null;
  const request = new SearchRequest({
    messageId: -1,
    baseDN: base,
    scope: 'one',
    filter: filterOf(names),
    attributes: ['lDAPDisplayName'],
    timeLimit: LOOK_SECONDS,
  });
  const task = { server: connection.server, path: 'source', doing: 'looking at the schema of the forest' };
  try {
    const { entries } = await connection.ask(request, task);
    const found = entries.flatMap(({ attributes }) =>
      attributes.flatMap(({ values }) => values.map((name) => String(name).toLowerCase())),
    );
    return new Set(found);
  } catch (error) {
    if (error instanceof SourceError && connection.isAlive) return null;
    throw error;
  }
}

function filterOf(names: readonly string[]): AndFilter {
  const isHeld = new EqualityFilter({ attribute: 'isMemberOfPartialAttributeSet', value: 'TRUE' });
  const named = names.map((value) => new EqualityFilter({ attribute: 'lDAPDisplayName', value }));
  return new AndFilter({ filters: [new OrFilter({ filters: named }), new NotFilter({ filter: isHeld })] });
}
