import { describe, expect, test } from 'vitest';

import { LdapConnection } from '../../src/source/ldap/wire/connection.ts';
import { readWhole } from '../../src/source/ldap/wire/whole-values.ts';
import { openSource } from '../../src/source/open-source.ts';
import { startDs389 } from '../servers/ds389.ts';
import { hasServer } from '../servers/install.ts';
import type { LdifEntry } from '../servers/ldif.ts';
import { startSamba } from '../servers/samba.ts';
import { throughout } from '../servers/throughout.ts';
import { boundTo, directorySettings } from './directory-settings.ts';
import {
  added,
  person,
  personDn,
  GROUPS,
  groupDn,
  PEOPLE,
  PLACES,
  placesOf,
  treeOf,
} from './ldap/group-world.ts';
import { problem } from './problem.ts';
import { never, readAll, type ReadResult } from './source-contract.ts';

const OU = 'OU=Company,DC=corp,DC=example,DC=com';
const dnOf = (name: string): string => `CN=${name},${OU}`;

const user = (name: string, more: LdifEntry[1] = {}): LdifEntry => [
  dnOf(name),
  { objectClass: 'user', sAMAccountName: name, userAccountControl: '544', ...more },
];
const team = (name: string, member: readonly string[]): LdifEntry => [
  dnOf(name),
  { objectClass: 'group', sAMAccountName: name, member: member.map((one) => dnOf(one)) },
];

const unique = (name: string, uniqueMember: readonly string[]): LdifEntry => [
  groupDn(name),
  { objectClass: 'groupOfUniqueNames', cn: name, uniqueMember },
];

describe.skipIf(!hasServer('samba'))('groups of Samba’s Active Directory', () => {
  const server = throughout(startSamba, (started) =>
    started.modify(
      added([
        [OU, { objectClass: 'organizationalUnit' }],
        user('ann', { title: 'Boss' }),
        user('bob'),
        user('cyd'),
        [dnOf('printer'), { objectClass: 'computer', sAMAccountName: 'P$', userAccountControl: '4096' }],
        [`OU=Roles,DC=corp,DC=example,DC=com`, { objectClass: 'organizationalUnit' }],
        [
          'CN=helpers,OU=Roles,DC=corp,DC=example,DC=com',
          { objectClass: 'group', sAMAccountName: 'helpers', member: dnOf('cyd') },
        ],
        team('EMEA', ['bob']),
        team('Sales', ['ann', 'EMEA', 'printer']),
        [
          dnOf('Lab'),
          {
            objectClass: 'group',
            sAMAccountName: 'Lab',
            member: [dnOf('ann'), 'CN=helpers,OU=Roles,DC=corp,DC=example,DC=com'],
          },
        ],
      ]),
    ),
  );

  const read = async (members: unknown, more: object = {}): Promise<ReadResult> =>
    readAll(
      openSource(
        directorySettings({
          ...boundTo(server),
          vendor: 'activeDirectory',
          units: { base: OU, members, fields: { id: 'cn' } },
          people: { base: OU, ...more },
        }),
      ),
    );

  const inScope = async (memberOf: unknown): Promise<readonly string[]> =>
    (await read('member', { memberOf })).people.map(({ username }) => username).toSorted();

  test('need no more than their base, and nest', async () => {
    const found = await read('member');
    expect(treeOf(found)).toEqual(['EMEA in Sales', 'Lab', 'Sales']);
    expect(placesOf(found)).toEqual(['ann: Lab Sales', 'bob: EMEA', 'cyd: Lab']);
    const ann = found.people.find(({ username }) => username === 'ann');
    expect(ann?.positions[0]?.fields).toEqual({ job_title: 'Boss' });
  });

  test('are the scope of people, also by a group elsewhere', async () => {
    expect(await inScope(dnOf('Lab'))).toEqual(['ann', 'cyd']);
    expect(await inScope('cn=helpers,ou=roles,dc=corp,dc=example,dc=com')).toEqual(['cyd']);
  });

  test('have the accounts that name them as their primary group, which they do not name themselves', async () => {
    server.modify(added([user('dee'), team('Plant', ['dee'])]));
    server.tool('user', 'setprimarygroup', 'dee', 'Plant');
    expect(placesOf(await read('member'))).toContain('dee: Plant');
    expect(await inScope(dnOf('Plant'))).toEqual(['dee']);
    expect(await inScope([dnOf('Lab'), dnOf('Plant')])).toEqual(['ann', 'cyd', 'dee']);
    server.modify(`dn: ${dnOf('Lab')}\nchangetype: modify\nadd: member\nmember: ${dnOf('Plant')}\n`);
    expect(await inScope(dnOf('Lab'))).toEqual(['ann', 'cyd', 'dee']);
    const everybody = 'CN=Domain Users,CN=Users,DC=corp,DC=example,DC=com';
    expect(await inScope(everybody)).toEqual(['ann', 'bob', 'cyd', 'dee']);
    const nobody = 'CN=nobody,OU=Roles,DC=corp,DC=example,DC=com';
    server.modify(added([[nobody, { objectClass: 'group', sAMAccountName: 'nobody' }]]));
    await expect(inScope(nobody)).rejects.toThrow(problem('ldap-nobody'));
  });

  test('give the rest of a list of members as it is asked for', async () => {
    const { url, bindDn, password: bindPassword } = server;
    const settings = { url, bindDn, bindPassword, tls: { insecure: false } };
    const connection = await LdapConnection.open(settings, never);
    const first = { type: 'member;range=0-0', values: [Buffer.from('the first')] };
    const entry = { dn: dnOf('Sales'), attributes: [first] };
    const { attributes } = await readWhole(entry, async () => connection);
    expect(attributes.map(({ type, values }) => [type, values.length, String(values[0])])).toEqual([
      ['member', 3, 'the first'],
    ]);
    await connection.close();
  });
});

describe.skipIf(!hasServer('ds389'))('groups of 389 Directory Server', () => {
  const server = throughout(startDs389, (started) =>
    started.modify(
      added([
        ...PLACES,
        person('ann'),
        person('bob'),
        unique('emea', [personDn('bob')]),
        unique('sales', [personDn('ann'), groupDn('emea')]),
        [groupDn('empty'), { objectClass: 'groupOfUniqueNames', cn: 'empty' }],
      ]),
    ),
  );

  test('are units with unique names; one may be empty there', async () => {
    const found = await readAll(
      openSource(
        directorySettings({
          ...boundTo(server),
          vendor: '389',
          units: { base: GROUPS, members: 'uniqueMember', fields: { id: 'cn' } },
          people: { base: PEOPLE },
        }),
      ),
    );
    expect(treeOf(found)).toEqual(['emea in sales', 'empty', 'sales']);
    expect(placesOf(found)).toEqual(['ann: sales', 'bob: emea']);
  });
});
