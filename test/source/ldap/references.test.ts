import { afterEach, describe, expect, test } from 'vitest';

import { openSource } from '../../../src/source/open-source.ts';
import { directorySettings } from '../directory-settings.ts';
import { problem } from '../problem.ts';
import { readAll, type ReadResult } from '../source-contract.ts';
import { startFakeLdap, type FakeLdap } from './fake-ldap.ts';

const CHILD = 'DC=eu,DC=corp,DC=example';
const FOREST = 'DC=corp,DC=example';
const DSE: Readonly<Record<string, readonly string[]>> = {
  supportedCapabilities: ['1.2.840.113556.1.4.800'],
  defaultNamingContext: [CHILD],
  rootDomainNamingContext: [FOREST],
  configurationNamingContext: [`CN=Configuration,${FOREST}`],
  schemaNamingContext: [`CN=Schema,CN=Configuration,${FOREST}`],
};
describe('a domain controller asked from the top', () => {
  let server: FakeLdap | null = null;
  afterEach(() => server?.stop());

  const KNOWN = [
    `ldap://DomainDnsZones.eu.corp.example/DC=DomainDnsZones,${CHILD}`,
    `ldap://ForestDnsZones.corp.example/DC=ForestDnsZones,${FOREST}`,
    `ldap://corp.example/CN=Configuration,${FOREST}`,
  ];

  async function read(references: readonly string[]): Promise<ReadResult> {
    const page = { dns: [], cookie: '', references };
    server = await startFakeLdap([page, page], DSE);
    const search = { base: CHILD };
    const settings = { url: server.url, vendor: 'activeDirectory', units: search, people: search };
    return readAll(openSource(directorySettings(settings)));
  }

  test('is complete without its zones and configuration', async () => {
    const { evidence } = await read(KNOWN);
    expect(evidence.parts).toMatchObject([{ end: 'cookie empty' }, { end: 'cookie empty' }]);
    expect(evidence.notes?.join('\n')).toMatch(
      /: dc=domaindnszones,dc=eu.*dc=forestdnszones.*cn=configuration/u,
    );
  });

  test.each([
    `ldap://far.eu.corp.example/DC=far,${CHILD}`,
    `ldap://corp.example/DC=DomainDnsZones,DC=other,${CHILD}`,
  ])('is not complete without %s', async (uri) => {
    await expect(read([...KNOWN, uri])).rejects.toThrow(problem('ldap-elsewhere'));
  });
});
