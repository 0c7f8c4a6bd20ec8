import { afterEach, describe, expect, test } from 'vitest';

import type { Person, Reading } from '../../../src/domain/records/records.ts';
import type { LdapSettings } from '../../../src/domain/source-settings.ts';
import type { SourceEvidence } from '../../../src/domain/records/source.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { collect, never } from '../source-contract.ts';
import { startFakeLdap, type FakeLdap, type FakePage } from './fake-ldap.ts';

const BASE = 'dc=example,dc=com';

function settings(url: string): LdapSettings {
  const search = { base: BASE, scope: 'sub', filter: '(objectClass=*)' } as const;
  const maps = { properties: {}, tag_names: {}, source_identifiers: {}, positions: [] };
  return {
    type: 'ldap',
    url,
    startTls: false,
    tls: { insecure: false },
    pageSize: 2,
    referrals: 'fail',
    timeoutSeconds: 1,
    units: { ...search, rules: { id: 'objectGUID', fields: { name: 'dn' } } },
    people: { ...search, rules: { id: 'dn', username: 'dn', fields: { name: 'dn', sn: 'member' }, ...maps } },
  };
}

interface Outcome {
  readonly people: readonly Reading<Person>[];
  readonly evidence: SourceEvidence;
}

let server: FakeLdap | null = null;
afterEach(() => server?.stop());

async function readPeople(pages: readonly FakePage[]): Promise<Outcome> {
  server = await startFakeLdap(pages);
  const read = await openSource(settings(server.url)).open(never);
  try {
    return { people: await collect(read.people()), evidence: read.evidence() };
  } finally {
    await read.close();
  }
}

describe('a paged search', () => {
  test('goes on after an empty page whose cookie says that there is more', async () => {
    const { people, evidence } = await readPeople([
      { dns: [`cn=a,${BASE}`, `cn=b,${BASE}`], cookie: 'c1' },
      { dns: [], cookie: 'c2' },
      { dns: [`cn=c,${BASE}`], cookie: '' },
    ]);
    expect(people).toHaveLength(3);
    expect(evidence.parts).toEqual([{ part: 'people', records: 3, pages: 3, end: 'cookie empty' }]);
    expect(server?.cookies).toEqual(['', 'c1', 'c2']);
  });

  test.each([
    ['sizeLimitExceeded', { dns: [`cn=c,${BASE}`], cookie: '', code: 4 }],
    ['timeLimitExceeded', { dns: [`cn=c,${BASE}`], cookie: '', code: 3 }],
    ['adminLimitExceeded', { dns: [], cookie: '', code: 11 }],
    ['closed the connection|before message response', { dns: [`cn=c,${BASE}`], cookie: '', hangUp: true }],
    ['no answer in time', { dns: [`cn=c,${BASE}`], cookie: '', silent: true }],
  ] as const)('that ends with %s is incomplete', async (words, last) => {
    const pages = [{ dns: [`cn=a,${BASE}`], cookie: 'c1' }, last];
    await expect(readPeople(pages)).rejects.toThrow(new RegExp(`(?:${words}).*incomplete`));
  });

  test('that gives empty pages for ever is given up', async () => {
    const empty = Array.from({ length: 1_100 }, () => ({ dns: [], cookie: 'c1' }));
    await expect(readPeople(empty)).rejects.toThrow(/empty pages: incomplete/);
  });

  test('refuses a record of whose values Active Directory sent a part', async () => {
    const attributes = { 'member;range=0-1499': ['one', 'two'] };
    const { people } = await readPeople([{ dns: [`cn=a,${BASE}`], attributes, cookie: '' }]);
    expect(people).toMatchObject([{ ok: false, refusal: { field: 'member', id: `cn=a,${BASE}` } }]);
  });

  test('reads objectGUID in Microsoft’s order, whatever its name’s case', async () => {
    const guid = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
    server = await startFakeLdap([{ dns: [`cn=a,${BASE}`], attributes: { OBJECTguid: [guid] }, cookie: '' }]);
    const read = await openSource(settings(server.url)).open(never);
    expect(await collect(read.units())).toMatchObject([
      { record: { id: '33221100-5544-7766-8899-aabbccddeeff', parent: null } },
    ]);
    await read.close();
  });
});
