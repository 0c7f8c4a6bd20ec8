import { stringify } from 'yaml';

import type { LdapSettings } from '../../src/source/ldap/settings/ldap-settings.ts';
import { load, onlySource } from '../config/config-file.ts';
import type { Slapd } from '../servers/slapd.ts';
import type { Whole } from './world.ts';

/** Returns the settings of a file with this directory as its source. */
export function directorySettings(source: object): Whole<LdapSettings> {
  const service = { baseUrl: 'http://localhost', domainId: 'd', orgCode: 'o', token: 't' };
  const { settings } = load(stringify({ service, source: { type: 'ldap', ...source } }));
  return onlySource(settings) as Whole<LdapSettings>;
}

/** Returns where a server is, and the account that reads it, as in a file. */
export const boundTo = ({ url, bindDn, password }: Pick<Slapd, 'url' | 'bindDn' | 'password'>) => ({
  url,
  bindDn,
  bindPassword: password,
});
