import { describe, expect, test } from 'vitest';

import { openSource } from '../../src/source/open-source.ts';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startSlapd } from '../servers/slapd.ts';
import { throughout } from '../servers/throughout.ts';
import { boundTo, directorySettings } from './directory-settings.ts';
import {
  added,
  group,
  groupDn,
  GROUPS,
  PEOPLE,
  person,
  personDn,
  PLACES,
  placesOf,
  SUFFIX,
  treeOf,
} from './ldap/group-world.ts';
import { problem } from './problem.ts';
import { never, readAll, type ReadResult } from './source-contract.ts';

const CYD = 'Cyd, the 1st';

const remove = (...dns: readonly string[]): string =>
  dns.map((dn) => `dn: ${dn}\nchangetype: delete\n`).join('\n');

const posix = (name: string, gid: string, memberUid: readonly string[]): LdifEntry => [
  groupDn(name),
  { objectClass: 'posixGroup', cn: name, gidNumber: gid, memberUid },
];

describe.skipIf(!hasServer('slapd'))('groups of OpenLDAP', () => {
  const server = throughout(() =>
    startSlapd({
      head: 'include /etc/ldap/schema/nis.schema',
      ldif: toLdif([
        ...PLACES,
        person('ann', { title: 'Boss' }),
        person('bob'),
        person('Cyd\\2C the 1st', { uid: CYD, cn: CYD }),
        person('dan'),
        [`ou=roles,${SUFFIX}`, { objectClass: 'organizationalUnit', ou: 'roles' }],
        [
          `cn=helpers,ou=roles,${SUFFIX}`,
          { objectClass: 'groupOfNames', cn: 'helpers', member: personDn('dan') },
        ],
        group('lab', [`cn=helpers,ou=roles,${SUFFIX}`, personDn('ann')]),
        group('emea', [personDn('bob'), personDn('Cyd\\2C the 1st')]),
        group('sales', [`UID=BOB,  OU=people, ${SUFFIX}`, groupDn('emea'), `cn=computer,${SUFFIX}`]),
        group('company', [groupDn('sales'), groupDn('lab'), personDn('ann')]),
      ]),
    }),
  );

  const settings = (members: unknown, more: { units?: object; people?: object } = {}): object => ({
    ...boundTo(server),
    units: {
      base: GROUPS,
      filter: '(objectClass=groupOfNames)',
      members,
      fields: { id: 'cn', name: 'cn' },
      ...more.units,
    },
    people: {
      base: PEOPLE,
      filter: '(objectClass=inetOrgPerson)',
      fields: { id: 'employeeNumber', username: 'uid', name: 'cn' },
      ...more.people,
    },
  });
  const read = async (members: unknown, more = {}): Promise<ReadResult> =>
    readAll(openSource(directorySettings(settings(members, more))));

  const inScope = async (memberOf: unknown, members?: string): Promise<readonly string[]> => {
    const fields = { id: 'employeeNumber', username: 'uid', name: 'cn', positions: [{ unit: 'parentDn' }] };
    const own = members === undefined ? { people: { memberOf, fields } } : { people: { memberOf } };
    const { people } = await read(members, own);
    return people.map(({ username }) => username).toSorted();
  };

  test.each<readonly [string, unknown, object, readonly string[], readonly string[]]>([
    [
      'with the groups in them below',
      'member',
      {},
      ['company', 'emea in sales', 'lab in company', 'sales in company'],
      ['Cyd, the 1st: emea', 'ann: company lab', 'bob: emea sales', 'dan: lab'],
    ],
    [
      'with the people of the groups in them',
      { by: 'member', nested: 'people' },
      {},
      ['company', 'emea', 'lab', 'sales'],
      ['Cyd, the 1st: company emea sales', 'ann: company lab', 'bob: company emea sales', 'dan: company lab'],
    ],
    [
      'but for those that where leaves out, whose people count for the group above',
      'member',
      { where: "cn != 'emea'" },
      ['company', 'emea', 'lab in company', 'sales in company'],
      ['Cyd, the 1st: sales', 'ann: company lab', 'bob: sales', 'dan: lab'],
    ],
  ])('are units, %s', async (_, members, units, ...[tree, places]) => {
    const found = await read(members, { units });
    expect([found.refusals, treeOf(found), placesOf(found)]).toEqual([[], tree, places]);
  });

  test('are proved by the evidence', async () => {
    const { evidence } = await read('member');
    expect(evidence.parts.find(({ part }) => part === 'members')).toEqual({
      part: 'members',
      records: 11,
      pages: 1,
      end: 'cookie empty',
    });
  });

  test('give their positions what the person’s own record has', async () => {
    const positions = [{ unit: 'unit_groups', job_title: 'title' }];
    const { people } = await read('member', {
      people: { fields: { id: 'employeeNumber', username: 'uid', name: 'cn', positions } },
    });
    const ann = people.find(({ username }) => username === 'ann');
    expect(ann?.positions.map(({ fields }) => fields)).toEqual([
      { job_title: 'Boss' },
      { job_title: 'Boss' },
    ]);
  });

  test('are shown with a person or a group that is explained', async () => {
    const source = openSource(directorySettings(settings('member')));
    const [[ann], [emea]] = [
      await source.find('person', ['ann'], never),
      await source.find('unit', ['emea'], never),
    ];
    expect(ann?.raw['unit_groups']).toEqual([groupDn('company'), groupDn('lab')]);
    expect(JSON.stringify(emea?.raw)).toContain(groupDn('sales'));
  });

  test('in several others hang below the nearest', async () => {
    server.modify(added([group('all', [groupDn('company'), groupDn('sales'), groupDn('lab')])]));
    const found = await read('member');
    expect(treeOf(found)).toEqual([
      'all',
      'company in all',
      'emea in sales',
      'lab in company',
      'sales in company',
    ]);
    server.modify(remove(groupDn('all')));
  });

  test('nested deeper than the limit end the read', async () => {
    const chain = Array.from({ length: 11 }, (_, level) => `level${level}`);
    const holding = chain.map((name, level) => group(name, [groupDn(chain[level - 1] ?? 'emea')]));
    server.modify(added(holding));
    const reading = read({ by: 'member', nested: 'people' });
    await expect(reading).rejects.toThrow(problem('ldap-deep'));
    server.modify(remove(...chain.map(groupDn)));
    expect((await read({ by: 'member', nested: 'people' })).people).toHaveLength(4);
  });

  test.each([
    ['show no member', 'memberUid', {}, 'ldap-no-members'],
    [
      'have nobody of the people',
      'member',
      { people: { base: `ou=roles,${SUFFIX}`, filter: '(ou=roles)' } },
      'ldap-nobody',
    ],
  ])('that %s end the read', async (_, by, more, code) => {
    await expect(read(by, more)).rejects.toThrow(problem(code));
  });

  describe('as the scope of people', () => {
    test('leave everybody out who is no member, also of a group in the group', async () => {
      expect(await inScope(groupDn('emea'))).toEqual(['Cyd, the 1st', 'bob']);
      expect(await inScope(`CN=LAB, ${GROUPS}`)).toEqual(['ann', 'dan']);
      expect(await inScope([groupDn('emea'), groupDn('lab')])).toEqual(['Cyd, the 1st', 'ann', 'bob', 'dan']);
      expect(await inScope(groupDn('lab'), 'member')).toEqual(['ann', 'dan']);
    });

    test('say how many are in scope', async () => {
      const { evidence } = await read('member', { people: { memberOf: groupDn('lab') } });
      expect(evidence.notes).toContain('source.people.memberOf: 2 of 4 people are in scope');
    });

    test.each([
      ['cn=gone', 'ldap-no-group'],
      ['cn=machines', 'ldap-nobody'],
    ])('end the read where they hold nobody: %s', async (name, code) => {
      server.modify(added([group('machines', [`cn=computer,${SUFFIX}`])]));
      await expect(inScope(`${name},${GROUPS}`)).rejects.toThrow(problem(code));
      server.modify(remove(groupDn('machines')));
    });
  });
});

describe.skipIf(!hasServer('slapd'))('groups that name logins', () => {
  const server = throughout(() =>
    startSlapd({
      head: 'include /etc/ldap/schema/nis.schema',
      ldif: toLdif([
        ...PLACES,
        person('ann', { mail: 'ann@x' }),
        person('bob', { mail: 'bob@x' }),
        [`cn=bob2,${PEOPLE}`, person('BOB', { cn: 'bob2', employeeNumber: '9', mail: 'b2@x' })[1]],
        posix('sales', '1', ['ann', 'gone']),
        posix('lab', '2', ['Ann', 'bob']),
        [
          groupDn('unique'),
          { objectClass: 'groupOfUniqueNames', cn: 'unique', uniqueMember: `${personDn('ann')}#'0101'B` },
        ],
      ]),
    }),
  );

  const read = async (members: string, filter: string): Promise<ReadResult> =>
    readAll(
      openSource(
        directorySettings({
          ...boundTo(server),
          units: { base: GROUPS, filter, members, fields: { id: 'cn', name: 'cn' } },
          people: {
            base: PEOPLE,
            filter: '(objectClass=inetOrgPerson)',
            fields: { id: 'employeeNumber', username: 'mail', name: 'cn' },
          },
        }),
      ),
    );

  test('place everybody who has the uid', async () => {
    const found = await read('memberUid', '(objectClass=posixGroup)');
    expect(treeOf(found)).toEqual(['lab', 'sales']);
    expect(placesOf(found)).toEqual(['ann@x: lab sales', 'b2@x: lab', 'bob@x: lab']);
  });

  test('or unique names, with the bit string that RFC 4517 allows', async () => {
    const found = await read('uniqueMember', '(objectClass=groupOfUniqueNames)');
    expect(placesOf(found)).toContain('ann@x: unique');
  });
});
