import { FilterParser, type Filter } from 'ldapts';

import { filterError } from './ldap-error.ts';

/**
 * Parses a filter. Blanks and line breaks between conditions, as YAML folds them, are removed: RFC 4515 has
 * none. ldapts accepts missing parentheses, and may then ask for something that was not meant, so they are
 * counted. In values they are `\28`, `\29`.
 *
 * @param place of the filter in the configuration
 */
export function parseFilter(place: string, filter: string): Filter {
  const dense = filter.trim().replaceAll(/(?<=[()]|\([&|!])\s+(?=[()])/g, '');
  try {
    const count = (paren: string): number => dense.split(paren).length;
    if (count('(') !== count(')')) throw new Error('its parentheses do not match');
    return FilterParser.parseString(dense);
  } catch (error) {
    throw filterError(place, filter, error);
  }
}
