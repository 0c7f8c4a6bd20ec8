import { FilterParser, PresenceFilter, SearchRequest, type Filter, type SearchEntry } from 'ldapts';

import { VENDORS, type RootValues } from '../../../domain/directories/vendors.ts';
import { SourceError } from '../../../domain/errors.ts';
import type { LdapBase } from '../../../domain/source-settings.ts';
import type { LdapConnection } from './ldap-connection.ts';
import { classesRequiring, parseSchema, UNREAD_SCHEMA, type DirectorySchema } from '../terms/schema.ts';

interface Look {
  readonly base: string;
  readonly scope: 'base' | 'sub' | 'one';
  readonly filter: Filter;
  readonly attribute: string;
}

const LOOK_SECONDS = 10;

/**
 * Reads the server's schema from the place that its root entry names (RFC 4512, section 4.4). A server may
 * hide it: then nothing is concluded.
 */
export async function readSchema(connection: LdapConnection, root: RootValues): Promise<DirectorySchema> {
  const [place] = root('subschemaSubentry');
  if (place === undefined) return UNREAD_SCHEMA;
  const filter = FilterParser.parseString('(objectClass=subschema)');
  const schema = { base: place, scope: 'base', filter, attribute: 'attributeTypes' } as const;
  return parseSchema(valuesOf(await look(connection, schema), 'attributetypes')) ?? UNREAD_SCHEMA;
}

/** Classes that have to have an attribute by the standard (RFC 4519, section 3); 389 Directory Server lets them be empty. */
const BY_STANDARD: ReadonlyMap<string, string> = new Map([
  ['member', 'groupofnames'],
  ['uniquemember', 'groupofuniquenames'],
]);

/**
 * Returns the classes whose entries have to have an attribute, in lower case; those of the standard where the server
 * hides its schema.
 */
export async function classesWith(
  connection: LdapConnection,
  root: RootValues,
  attribute: string,
): Promise<ReadonlySet<string>> {
  const [place] = root('subschemaSubentry');
  if (place === undefined) return standardClasses(root, attribute);
  const filter = FilterParser.parseString('(objectClass=subschema)');
  const classes = { base: place, scope: 'base', filter, attribute: 'objectClasses' } as const;
  const descriptions = valuesOf(await look(connection, classes), 'objectclasses');
  return descriptions.length === 0
    ? standardClasses(root, attribute)
    : classesRequiring(descriptions, attribute);
}

function standardClasses(root: RootValues, attribute: string): ReadonlySet<string> {
  const name = BY_STANDARD.get(attribute.toLowerCase());
  return new Set(name === undefined || VENDORS['389'].isOne(root) ? [] : [name]);
}

/** Returns whether any entry has this attribute: a schema need not be complete, as those of proxies are not. */
export async function isAnywhere(
  connection: LdapConnection,
  attribute: string,
  bases: readonly LdapBase[],
): Promise<boolean> {
  const filter = new PresenceFilter({ attribute });
  for (const { base, scope } of bases) {
    const entries = await look(connection, { base, scope, filter, attribute });
    if (entries.some(({ attributes }) => attributes.length > 0)) return true;
  }
  return false;
}

/** Returns what one search shows, however it ends; nothing where the server refuses it. */
async function look(
  connection: LdapConnection,
  { base, scope, filter, attribute }: Look,
): Promise<readonly SearchEntry[]> {
  const request = new SearchRequest({
    messageId: -1,
    baseDN: base,
    scope,
    filter,
    attributes: [attribute],
    sizeLimit: 1,
    timeLimit: LOOK_SECONDS,
  });
  const task = { server: connection.server, path: 'source', doing: 'looking at its schema' };
  try {
    return (await connection.ask(request, task)).entries;
  } catch (error) {
    if (error instanceof SourceError && connection.isAlive) return [];
    throw error;
  }
}

function valuesOf(entries: readonly SearchEntry[], type: string): readonly string[] {
  return entries
    .flatMap(({ attributes }) => attributes)
    .filter((attribute) => attribute.type.toLowerCase() === type)
    .flatMap(({ values }) => values.map(String));
}
