import { afterEach, describe, expect, test } from 'vitest';

import { SourceError } from '../../../src/domain/errors.ts';
import type { Person, Reading } from '../../../src/domain/records/records.ts';
import type { LdapSettings } from '../../../src/domain/source-settings.ts';
import type { SourceEvidence } from '../../../src/domain/reading/source.ts';
import { openSource } from '../../../src/source/open-source.ts';
import { directorySettings } from '../directory-settings.ts';
import { collect, never } from '../source-contract.ts';
import type { Whole } from '../world.ts';
import { startFakeLdap, type FakeLdap, type FakePage } from './fake-ldap.ts';

const BASE = 'dc=example,dc=com';

function settings(url: string): Whole<LdapSettings> {
  const search = { base: BASE, filter: '(objectClass=*)' };
  const fields = { id: 'dn', username: 'dn', name: 'dn', sn: { expr: "join(all.member, ' ')" } };
  const source = directorySettings({
    url,
    timeoutSeconds: 1,
    units: { ...search, fields: { id: 'objectGUID', name: 'dn' } },
    people: { ...search, fields: { ...fields, positions: [{ unit: 'parentDn' }] } },
  });
  return { ...source, pageSize: 2 };
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

  test('that is refused with a referral says where to', async () => {
    const page = {
      dns: [],
      cookie: '',
      code: 10,
      referral: 'ldap://elsewhere.example.com/dc=example,dc=com',
    };
    await expect(readPeople([page])).rejects.toThrow(
      /referral: source.people.base is on another server; set source.url to that one \(ldap:\/\/elsewhere/u,
    );
  });

  test.each([
    ['an entry comes twice in a page', [{ dns: ['cn=a', 'cn=a'], cookie: '' }], /cn=a.* came twice/u],
    [
      'pages overlap',
      [
        { dns: ['cn=a', 'cn=b'], cookie: 'c1' },
        { dns: ['cn=b', 'cn=c'], cookie: '' },
      ],
      /cn=b.* came twice .*incomplete/u,
    ],
    [
      'the same page comes for ever',
      Array.from({ length: 50 }, () => ({ dns: ['cn=a', 'cn=b'], cookie: 'c1' })),
      /cn=a.* came twice .*incomplete/u,
    ],
    [
      'a later page has no control',
      [
        { dns: ['cn=a', 'cn=b'], cookie: 'c1' },
        { dns: ['cn=c'], cookie: '', bare: true },
      ],
      /without the control of paged results.*incomplete/u,
    ],
    [
      'the first page is full and has no control',
      [{ dns: ['cn=a', 'cn=b'], cookie: '', bare: true }],
      /without the control of paged results.*incomplete/u,
    ],
  ] satisfies readonly (readonly [string, readonly FakePage[], RegExp])[])(
    'is incomplete where %s',
    async (_, pages, sentence) => {
      const named = pages.map((page) => ({ ...page, dns: page.dns.map((dn) => `${dn},${BASE}`) }));
      await expect(readPeople(named)).rejects.toThrow(sentence);
    },
  );

  test.each([[['cn=a']], [['cn=a', 'cn=b', 'cn=c']]])(
    'is whole where the server sends everything at once, without pages: %j',
    async (dns) => {
      const all = dns.map((dn) => `${dn},${BASE}`);
      expect((await readPeople([{ dns: all, cookie: '', bare: true }])).people).toHaveLength(dns.length);
    },
  );

  test('of overlapping pages may well be whole at once after', async () => {
    const pages = [{ dns: [`cn=a,${BASE}`, `cn=a,${BASE}`], cookie: '' }];
    await expect(readPeople(pages)).rejects.toMatchObject({ isPassing: true });
  });

  test('that gives empty pages for ever is given up', async () => {
    const empty = Array.from({ length: 1_100 }, () => ({ dns: [], cookie: 'c1' }));
    await expect(readPeople(empty)).rejects.toThrow(/empty pages: incomplete/);
  });

  describe('of values that come in parts, as Active Directory sends them', () => {
    const part = (range: string, values: readonly string[]): FakePage => {
      return { dns: [`cn=a,${BASE}`], attributes: { [`member;range=${range}`]: values }, cookie: '' };
    };
    const first = { ...part('0-1', ['a', 'b']).attributes, Member: [] };
    const start: FakePage = { dns: [`cn=a,${BASE}`, `cn=b,${BASE}`], attributes: first, cookie: '' };
    const one = { ...start, dns: [`cn=a,${BASE}`] };
    const [rest, other] = [part('2-3', ['c', 'd']), part('2-3', ['y', 'z'])];

    test('reads each list to its end', async () => {
      const { people } = await readPeople([start, rest, part('4-*', ['e']), other, part('4-*', ['f'])]);
      expect(people.map((reading) => (reading.ok ? reading.record.fields['sn'] : reading))).toEqual([
        'a b c d e',
        'a b f y z',
      ]);
    });

    test.each([
      ['no more comes', { dns: [`cn=a,${BASE}`], cookie: '' }, /the first 2 and then no more/u],
      ['the entry is gone', { dns: [], cookie: '' }, /the first 2 and then no more/u],
      ['another part comes', part('3-*', ['d']), /the first 2 and then no more/u],
      ['a part is short', part('2-4', ['c', 'd']), /the part member;range=2-4 has 2 values/u],
      ['a part is empty', part('2-*', []), /the part member;range=2-\* has 0 values/u],
      [
        'it is refused',
        { ...part('2-*', ['c']), code: 50 },
        /reading the rest of member of cn=a.*insufficientAccessRights/u,
      ],
      [
        'the connection breaks',
        { ...part('2-*', ['c']), hangUp: true },
        /reading the rest of member of cn=a/u,
      ],
      ['the server says nothing', { dns: [], cookie: '', silent: true }, /no answer in time/u],
    ] satisfies readonly (readonly [string, FakePage, RegExp])[])(
      'is incomplete where %s',
      async (_, page, sentence) => {
        await expect(readPeople([one, page])).rejects.toThrow(SourceError);
        server?.stop();
        await expect(readPeople([one, page])).rejects.toThrow(sentence);
      },
    );
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
    const reason = expect.stringContaining('cn is no text in UTF-8') as string;
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
