import { describe, expect, test } from 'vitest';

import { showValue } from '../../src/domain/ports/service.ts';
import type { Unit } from '../../src/domain/records/records.ts';
import { openSource } from '../../src/source/open-source.ts';
import { startDs389 } from '../servers/ds389.ts';
import { hasServer } from '../servers/install.ts';
import { added, modified, moved, toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startSlapd } from '../servers/slapd.ts';
import { startSamba } from '../servers/samba.ts';
import { throughout } from '../servers/throughout.ts';
import { boundTo, directorySettings } from './directory-settings.ts';
import { problem } from './problem.ts';
import { never, readAll, type ReadResult } from './source-contract.ts';

const BASE = 'OU=Company,DC=corp,DC=example,DC=com';

const YEAR_MS = 365 * 86_400_000;
const fileTime = (ms: number): string => String((BigInt(ms) + 11_644_473_600_000n) * 10_000n);

function user(name: string, ou: string, more: Record<string, string>): LdifEntry {
  return [
    `CN=${name},OU=${ou},${BASE}`,
    { objectClass: 'user', sAMAccountName: name, userAccountControl: '544', ...more },
  ];
}

const namesOf = (units: readonly Unit[]): readonly string[] =>
  units.map(({ fields }) => showValue(fields['name'])).toSorted();

const PEOPLE: readonly LdifEntry[] = [
  user('ann', 'Sales', { displayName: 'Ann Arbor', mail: 'ann@corp.example.com', title: 'Seller' }),
  user('bob', 'Sales', { userAccountControl: '546' }),
  user('expired', 'Lab', { accountExpires: fileTime(Date.now() - YEAR_MS) }),
  user('temp', 'Lab', { accountExpires: fileTime(Date.now() + YEAR_MS) }),
  user('never', 'Lab', { accountExpires: '0' }),
];

/** How a domain controller renames one of two entries that were made at once. */
const copyOf = (name: string): string => String.raw`${name}\0ACNF:d3b07384-d9a0-4c9b-8f0e-1a2b3c4d5e6f`;

const ENTRIES: readonly LdifEntry[] = [
  [BASE, { objectClass: 'organizationalUnit' }],
  [`OU=Sales,${BASE}`, { objectClass: 'organizationalUnit' }],
  [`OU=Lab,${BASE}`, { objectClass: 'organizationalUnit' }],
  ...PEOPLE,
  [
    `CN=printer,OU=Lab,${BASE}`,
    { objectClass: 'computer', sAMAccountName: 'PRINTER$', userAccountControl: '4096' },
  ],
  [`CN=guide,OU=Lab,${BASE}`, { objectClass: 'contact' }],
  [`OU=${copyOf('Lab')},${BASE}`, { objectClass: 'organizationalUnit' }],
  user(copyOf('ann'), 'Sales', { displayName: 'Ann Arbor', sAMAccountName: '$DUPLICATE-4d2' }),
  // Another person of the same name, with an account of their own.
  user(copyOf('Ann Arbor'), 'Sales', { displayName: 'Ann Arbor', sAMAccountName: 'ann2' }),
];

const ACCOUNTS = ['ann true', 'ann2 true', 'bob false', 'expired false', 'never true', 'temp true'];

describe.skipIf(!hasServer('samba'))('Samba’s Active Directory', () => {
  const server = throughout(startSamba, (started) => started.modify(added(ENTRIES)));

  const read = async (more: object): Promise<ReadResult> =>
    readAll(openSource(directorySettings({ ...boundTo(server), ...more })));

  test('needs no more than its vendor and two bases', async () => {
    const { units, people, refusals, evidence } = await read({
      vendor: 'activeDirectory',
      units: { base: BASE },
      people: { base: BASE },
    });
    expect(refusals).toEqual([]);
    expect(namesOf(units)).toEqual(['Lab', 'Sales']);
    expect(units.map(({ parent }) => parent)).toEqual([null, null]);
    const byName = new Map(people.map((person) => [person.username, person]));
    expect(people.map(({ username, active }) => `${username} ${String(active)}`).toSorted()).toEqual(
      ACCOUNTS,
    );
    const [ann, bob, other] = ['ann', 'bob', 'ann2'].map((name) => byName.get(name));
    const unit = `ou=sales,${BASE.toLowerCase()}`;
    expect(other?.positions).toMatchObject([{ unit }]);
    expect(ann).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u) as string,
      fields: { name: 'Ann Arbor', email: 'ann@corp.example.com' },
      positions: [{ unit, fields: { job_title: 'Seller', primary: true } }],
    });
    expect(bob).toMatchObject({ fields: { name: 'bob', email: null } });
    expect(evidence.notes).toContainEqual(expect.stringMatching(/ Directory, .*source\.vendor$/u));
  });

  test('asked from the top of its domain, leaves out the known parts, and nobody of the system is there', async () => {
    const { people, units, evidence } = await read({
      vendor: 'samba',
      units: { base: server.suffix },
      people: { base: server.suffix },
    });
    expect(people.map(({ username }) => username)).toHaveLength(ACCOUNTS.length);
    expect(namesOf(units)).toEqual(['Company', 'Lab', 'Sales']);
    expect(evidence.notes?.join('\n')).toContain('cn=configuration,dc=corp,dc=example,dc=com');
  });

  test('keeps the id of somebody who moves and gets another name', async () => {
    const search = { vendor: 'activeDirectory', units: { base: BASE }, people: { base: BASE } };
    const idOf = async (name: string): Promise<string | undefined> =>
      (await read(search)).people.find(({ username }) => username === name)?.id;
    const id = await idOf('ann');
    server.modify(moved(`CN=ann,OU=Sales,${BASE}`, `OU=Lab,${BASE}`));
    expect(await idOf('ann')).toBe(id);
    server.modify(moved(`CN=ann,OU=Lab,${BASE}`, `OU=Sales,${BASE}`));
  });

  test('is found out, which changes nothing but what account_active says', async () => {
    const fields = {
      id: 'objectGUID',
      username: 'sAMAccountName',
      name: 'cn',
      positions: [{ unit: 'parentDn' }],
    };
    const search = {
      units: {
        base: BASE,
        filter: '(objectClass=organizationalUnit)',
        fields: { id: 'objectGUID', name: 'ou' },
      },
      people: { base: BASE, filter: '(objectClass=user)', fields },
    };
    const plain = await read(search);
    expect(plain.people.map(({ username }) => username)).toContain('PRINTER$');
    expect(plain.people.every(({ active, fields: values }) => active === true && !('email' in values))).toBe(
      true,
    );
    expect(plain.evidence.notes?.[0]).toMatch(/: Samba, .*: samba /u);
    const active = await read({
      ...search,
      people: { ...search.people, fields: { ...fields, active: { expr: "account_active == 'true'" } } },
    });
    expect(active.people.find(({ username }) => username === 'bob')?.active).toBe(false);
  });

  test('is no OpenLDAP: a wrong vendor is said before anything is read', async () => {
    const wrong = directorySettings({
      ...boundTo(server),
      vendor: 'openldap',
      units: { base: BASE },
      people: { base: BASE },
    });
    await expect(openSource(wrong).open(never)).rejects.toThrow(problem('ldap-other-vendor'));
  });

  test('is not read from its global catalog', () => {
    const people = { base: BASE };
    const settings = { url: server.catalogUrl, vendor: 'activeDirectory', units: { base: BASE }, people };
    expect(() => openSource(directorySettings(settings))).toThrow(problem('ldap-catalog'));
  });
});

const MAX = 'uid=max,ou=Ärzte,ou=company,dc=example,dc=com';

/** People with names beyond ASCII, one of them locked, one with a role's lock. */
const TREE: readonly LdifEntry[] = [
  ['ou=company,dc=example,dc=com', { objectClass: 'organizationalUnit' }],
  ['ou=Ärzte,ou=company,dc=example,dc=com', { objectClass: 'organizationalUnit' }],
  [
    'uid=zoe,ou=Ärzte,ou=company,dc=example,dc=com',
    {
      objectClass: 'inetOrgPerson',
      cn: 'Zoë Müller',
      sn: 'Müller',
      mail: 'zoe@example.com',
    },
  ],
  [MAX, { objectClass: 'inetOrgPerson', cn: 'Max', sn: 'Max', displayName: 'Max M.' }],
];
const actives = ({ people }: ReadResult) => people.map(({ active }) => active);

const COMPANY = { base: 'ou=company,dc=example,dc=com' };

describe.skipIf(!hasServer('ds389'))('389 Directory Server', () => {
  const server = throughout(startDs389, (started) => started.modify(added(TREE)));

  test('needs no more than its vendor and two bases, and a locked account has left', async () => {
    const source = openSource(
      directorySettings({ ...boundTo(server), vendor: 389, units: COMPANY, people: COMPANY }),
    );
    const before = await readAll(source);
    expect(before.refusals).toEqual([]);
    expect(namesOf(before.units)).toEqual(['Ärzte']);
    expect(before.people.map(({ username, fields, active }) => [username, fields['name'], active])).toEqual([
      ['zoe', 'Zoë Müller', true],
      ['max', 'Max M.', true],
    ]);
    expect(before.units[0]?.refs).toContain(before.people[0]?.positions[0]?.unit);
    expect(before.people[0]?.id).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{8}){3}$/u);
    expect(before.evidence.notes).toEqual(['vendor: 389 Directory Server, by source.vendor']);
    server.modify(modified(MAX, { nsAccountLock: 'true' }));
    expect((await readAll(source)).people.map(({ active }) => active)).toEqual([true, false]);
  });
});

describe.skipIf(!hasServer('slapd'))('OpenLDAP', () => {
  const server = throughout(() =>
    startSlapd({ ldif: toLdif(TREE), head: 'moduleload ppolicy', config: 'overlay ppolicy' }),
  );

  const read = async (more: object): Promise<ReadResult> =>
    readAll(openSource(directorySettings({ ...boundTo(server), units: COMPANY, people: COMPANY, ...more })));

  test('needs no more than its vendor and two bases, and only a lock for good has left', async () => {
    expect(actives(await read({ vendor: 'openldap' }))).toEqual([true, true]);
    for (const [time, active] of [
      ['20260101000000Z', true],
      ['000001010000Z', false],
    ] as const) {
      server.modify(modified(MAX, { pwdAccountLockedTime: time }));
      expect(actives(await read({ vendor: 'openldap' }))).toEqual([true, active]);
    }
  });
});
