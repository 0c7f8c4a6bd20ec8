import { SearchRequest, type SearchEntry } from 'ldapts';

import { cellOf, decoderOf } from '../../ldap/read/attributes.ts';
import { canonicalDn, parentDn } from '../../ldap/terms/dn.ts';
import type { LdapConnection } from '../../ldap/wire/ldap-connection.ts';
import { refusedBy } from '../../ldap/wire/ldap-error.ts';
import { parseFilter } from '../../ldap/wire/parse-filter.ts';
import type { EntryFacts } from '../../../domain/survey/directory-facts.ts';

export interface Look {
  readonly base: string;
  readonly scope: 'base' | 'one' | 'sub';
  readonly filter: string;
  readonly attributes?: readonly string[];
  readonly atMost: number;
  /** Whether only the names of attributes are asked for. */
  readonly namesOnly?: boolean;
}

const LOOK_SECONDS = 20;
/** No attribute (RFC 4511, section 4.5.1.8). */
const NONE = ['1.1'];
/** Result codes of a search that a limit ended: what came until then is a sample (RFC 4511, appendix A). */
const LIMITED: ReadonlySet<number> = new Set([0, 3, 4, 11]);
const NO_SUCH_OBJECT = 32;
const REFERRAL = 10;

export interface Looked {
  readonly entries: readonly SearchEntry[];
  /** Whether no limit ended the search: these are all. */
  readonly isWhole: boolean;
}

export async function look(connection: LdapConnection, asked: Look): Promise<readonly SearchEntry[]> {
  return (await lookAt(connection, asked)).entries;
}

/**
 * Returns the first entries that a search finds. A limit of the server ends it early, and that is no error: a
 * sample is all that is asked for.
 */
export async function lookAt(connection: LdapConnection, asked: Look): Promise<Looked> {
  const { base, scope, filter, attributes = NONE, atMost, namesOnly = false } = asked;
  const request = new SearchRequest({
    messageId: -1,
    baseDN: base,
    scope,
    filter: parseFilter('filter', filter),
    attributes: [...attributes],
    sizeLimit: atMost,
    timeLimit: LOOK_SECONDS,
    returnAttributeValues: !namesOnly,
  });
  const task = { server: connection.server, path: 'source', doing: `looking below ${base}`, base };
  const answer = await connection.ask(request, task);
  const { code, entries } = answer;
  if (LIMITED.has(code)) return { entries, isWhole: code === 0 };
  if (scope === 'base' || (code !== NO_SUCH_OBJECT && code !== REFERRAL)) throw refusedBy(answer, task);
  return { entries: [], isWhole: false };
}

/** Returns whether a search finds anything. */
export async function finds(connection: LdapConnection, asked: Omit<Look, 'atMost'>): Promise<boolean> {
  return (await look(connection, { ...asked, atMost: 1 })).length > 0;
}

/** Returns an entry as facts, with values as the rules of a configuration would read them. */
export function factsOf({ name, attributes }: SearchEntry): EntryFacts {
  const values = attributes.map((attribute) => {
    const cell = cellOf(attribute, decoderOf(attribute.type)) ?? [];
    return [attribute.type.toLowerCase(), [cell].flat()] as const;
  });
  return { dn: name, parent: canonicalDn(parentDn(name) ?? '') ?? '', values: new Map(values) };
}
