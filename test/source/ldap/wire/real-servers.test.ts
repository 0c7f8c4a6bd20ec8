import { Client, FilterParser, type Entry } from 'ldapts';
import { afterAll, describe, expect, test } from 'vitest';

import { fingerprint } from '../../../../src/source/ldap/wire/fingerprint.ts';
import { LdapConnection } from '../../../../src/source/ldap/wire/ldap-connection.ts';
import { newProgress, searchPages } from '../../../../src/source/ldap/wire/paged-search.ts';
import type { RawEntry } from '../../../../src/source/ldap/wire/raw-entry.ts';
import { startDs389 } from '../../../servers/ds389.ts';
import { hasServer } from '../../../servers/install.ts';
import { startSamba } from '../../../servers/samba.ts';
import { startSlapd } from '../../../servers/slapd.ts';
import { worldLdif } from '../../ldap-world.ts';
import { never } from '../../source-contract.ts';

interface Server {
  readonly url: string;
  readonly ldapsUrl?: string;
  readonly caFile?: string;
  readonly suffix: string;
  readonly bindDn: string;
  readonly password: string;
  stop(): unknown;
}

type How = 'ldap' | 'startTls' | 'ldaps';

const FILTER = '(objectClass=*)';
const ATTRIBUTES = ['*', 'entryUUID', 'objectGUID', 'nsUniqueId'];

async function byLdapts({ url, suffix, bindDn, password }: Server): Promise<readonly Entry[]> {
  const client = new Client({ url });
  await client.bind(bindDn, password);
  const options = { filter: FILTER, attributes: ATTRIBUTES, timeLimit: 0, paged: { pageSize: 50 } };
  const { searchEntries } = await client.search(suffix, options);
  await client.unbind();
  return searchEntries;
}

async function byOurs(server: Server, how: How): Promise<readonly RawEntry[]> {
  const { suffix, bindDn, password: bindPassword, caFile } = server;
  const url = how === 'ldaps' ? (server.ldapsUrl ?? '') : server.url;
  const settings = { url, startTls: how === 'startTls', bindDn, bindPassword, timeoutSeconds: 30 };
  const connection = await LdapConnection.open({ ...settings, tls: { insecure: false, caFile } }, never);
  const search = {
    path: 'source.people',
    base: suffix,
    scope: 'sub',
    filter: FilterParser.parseString(FILTER),
    attributes: ATTRIBUTES,
    pageSize: 50,
    timeLimitSeconds: 30,
    referrals: 'ignore',
    partitions: new Set<string>(),
  } as const;
  const entries: RawEntry[] = [];
  for await (const page of searchPages(connection, search, newProgress())) entries.push(...page);
  await connection.close();
  return entries;
}

async function filledDs389(): Promise<Server> {
  const server = await startDs389();
  const units = Array.from(
    { length: 60 },
    (_, index) =>
      `dn: ou=unit ${index},${server.suffix}\nchangetype: add\nobjectClass: organizationalUnit\ndescription: b\ndescription: a\n`,
  );
  server.modify(units.join('\n'));
  return server;
}

const SERVERS: readonly (readonly [name: string, start: () => Promise<Server>, hows: readonly How[]])[] = [
  ['slapd', async () => startSlapd({ ldif: worldLdif() }), ['ldap', 'startTls', 'ldaps']],
  ['samba', startSamba, ['ldap', 'startTls', 'ldaps']],
  ['ds389', filledDs389, ['ldap']],
];

describe.each(SERVERS)('all entries of %s', (name, start, hows) => {
  let server: Server | null = null;
  afterAll(async () => server?.stop());

  test.skipIf(!hasServer(name as 'slapd'))('are those that ldapts reads, however they are read', async () => {
    server = await start();
    const wanted = await byLdapts(server);
    expect(wanted.length).toBeGreaterThan(20);
    const prints = new Set<string>();
    for (const how of hows) {
      const entries = await byOurs(server, how);
      expect(entries.map((entry) => entry.decode().toObject(ATTRIBUTES, []))).toEqual(wanted);
      prints.add(entries.map((entry) => fingerprint(entry, Buffer.from(name))).join(' '));
    }
    expect(prints.size).toBe(1);
  });
});
