import { FilterParser } from 'ldapts';
import { fingerprint } from '../../src/source/ldap/wire/fingerprint.ts';
import { LdapConnection } from '../../src/source/ldap/wire/ldap-connection.ts';
import { newProgress, searchPages } from '../../src/source/ldap/wire/paged-search.ts';
import { ATTRIBUTES, BASE } from './company.ts';

/** The same entries as `plain-read.ts` by our own reader: each fingerprinted, and decoded where `decode` is given. */
const [url = '', bindDn = '', bindPassword = '', what = ''] = process.argv.slice(2);
const settings = { url, startTls: false, bindDn, bindPassword, tls: { insecure: false }, timeoutSeconds: 60 };
const connection = await LdapConnection.open(settings, new AbortController().signal);
const search = {
  path: 'source.people',
  base: BASE,
  scope: 'sub',
  filter: FilterParser.parseString('(objectClass=inetOrgPerson)'),
  attributes: ATTRIBUTES,
  pageSize: 500,
  timeLimitSeconds: 0,
  referrals: 'fail',
  derefAliases: 'never',
  partitions: new Set<string>(),
} as const;
const salt = Buffer.from('salt');
let entries = 0;
let bytes = 0;
for await (const page of searchPages(connection, search, newProgress())) {
  for (const entry of page) {
    bytes += what === 'decode' ? entry.decode().attributes.length : fingerprint(entry, salt).length;
    entries += 1;
  }
}
await connection.close();
process.stdout.write(`${entries} ${bytes}\n`);
