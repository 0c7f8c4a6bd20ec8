import { afterEach, describe, expect, test } from 'vitest';

import type { Person, Reading } from '../../../src/domain/records/records.ts';
import type { LdapSettings } from '../../../src/source/ldap/settings/ldap-settings.ts';
import type { SourceEvidence } from '../../../src/domain/reading/source.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { directorySettings } from '../directory-settings.ts';
import { collect, never } from '../source-contract.ts';
import type { Whole } from '../world.ts';
import { startFakeLdap, type FakeLdap, type FakePage } from './fake-ldap.ts';

const BASE = 'dc=example,dc=com';

function settings(url: string): Whole<LdapSettings> {
  const search = { base: BASE, filter: '(objectClass=*)' };
  const fields = { id: 'dn', username: 'dn', name: 'dn', sn: 'member' };
  const source = directorySettings({
    url,
    units: { ...search, fields: { id: 'objectGUID', name: 'dn' } },
    people: { ...search, fields: { ...fields, positions: [{ unit: 'parentDn' }] } },
  });
  return { ...source, pageSize: 2, seconds: 1 };
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

const page = (cookie: string, more: Partial<FakePage>, ...names: readonly string[]): FakePage => ({
  dns: names.map((name) => `cn=${name},${BASE}`),
  cookie,
  ...more,
});

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

  test.each<readonly [string, readonly FakePage[]]>([
    ['ldap-limit', [page('c1', {}, 'a'), page('', { code: 4 }, 'c')]],
    ['ldap-elsewhere', [page('', { code: 10, referral: 'ldap://elsewhere' })]],
    ['ldap-twice', [page('c1', {}, 'a', 'b'), page('', {}, 'b', 'c')]],
    ['ldap-empty-pages', Array.from({ length: 1_100 }, () => page('c1', {}))],
    ['ldap-no-proof', [page('', { bare: true }, 'a', 'b')]],
    ['ldap-range', [page('', { attributes: { 'member;range=0-0': ['a'] } }, 'a'), page('', {})]],
  ])('that is incomplete says why: %s', async (code, pages) => {
    const isPassing = code === 'ldap-twice';
    await expect(readPeople(pages)).rejects.toMatchObject({ problem: code, isPassing });
  });

  test.each([[['a']], [['a', 'b', 'c']]])('is whole if the server has no pages: %j', async (names) => {
    expect((await readPeople([page('', { bare: true }, ...names)])).people).toHaveLength(names.length);
  });

  test('loses texts whose bytes are no UTF-8 where no schema can be read, and takes an id of bytes', async () => {
    const attributes = {
      cn: [Buffer.from('Jörg', 'latin1')],
      sn: ['J'],
      ident: [Buffer.from('ff00', 'hex')],
    };
    const open = async (fields: Readonly<Record<string, string>>) => {
      server = await startFakeLdap([{ dns: [`cn=a,${BASE}`], attributes, cookie: '' }]);
      const { people, ...rest } = settings(server.url);
      const rules = { ...people.rules, id: 'ident', username: 'sn', fields };
      const read = await openSource({ ...rest, people: { ...people, rules } }).open(never);
      const [reading] = await collect(read.people());
      await read.close();
      server.stop();
      return reading;
    };
    const reason = expect.stringMatching(/^cn .*UTF-8/u) as string;
    expect(await open({ name: 'sn', mobile: 'cn' })).toMatchObject({
      ok: true,
      record: { id: '/wA=', fields: { name: 'J' }, losses: [{ field: 'mobile', reason }] },
    });
    expect(await open({ name: 'cn' })).toMatchObject({ ok: false, refusal: { field: 'name', reason } });
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
