import { describe, expect, test } from 'vitest';

import { LdapConnection } from '../../src/source/ldap/wire/connection.ts';
import { readWhole } from '../../src/source/ldap/wire/whole-values.ts';
import { openSource } from '../../src/source/open-source.ts';
import type { Source } from '../../src/domain/reading/source.ts';
import { startDs389, type Ds389 } from '../servers/ds389.ts';
import { hasServer } from '../servers/install.ts';
import type { LdifEntry } from '../servers/ldif.ts';
import { startSamba, type Samba } from '../servers/samba.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { throughout } from '../servers/throughout.ts';
import { boundTo, directorySettings } from './directory-settings.ts';
import { added, placesOf, treeOf } from './ldap/group-world.ts';
import { problem } from './problem.ts';
import { never, readAll } from './source-contract.ts';

interface Kind {
  readonly start: () => Promise<Slapd | Samba | Ds389>;
  readonly vendor: string;
  readonly suffix: string;
  readonly by: string;
  readonly login: string;
  readonly person: LdifEntry[1];
  readonly group: LdifEntry[1];
}

const KINDS = {
  slapd: {
    start: () => startSlapd({ head: 'include /etc/ldap/schema/nis.schema' }),
    vendor: 'openldap',
    suffix: 'dc=example,dc=com',
    by: 'member',
    login: 'uid',
    person: { objectClass: 'inetOrgPerson', sn: 'x' },
    group: { objectClass: 'groupOfNames' },
  },
  samba: {
    start: startSamba,
    vendor: 'activeDirectory',
    suffix: 'DC=corp,DC=example,DC=com',
    by: 'member',
    login: 'sAMAccountName',
    person: { objectClass: 'user', userAccountControl: '544' },
    group: { objectClass: 'group' },
  },
  ds389: {
    start: startDs389,
    vendor: '389',
    suffix: 'dc=example,dc=com',
    by: 'uniqueMember',
    login: 'uid',
    person: { objectClass: 'inetOrgPerson', sn: 'x' },
    group: { objectClass: 'groupOfUniqueNames' },
  },
} satisfies Readonly<Record<string, Kind>>;

/** The same groups in any kind of directory. */
class GroupWorld {
  readonly groups: string;
  readonly people: string;
  readonly roles: string;
  readonly helpers: string;
  readonly #kind: Kind;
  readonly #server: Pick<Slapd, 'url' | 'bindDn' | 'password' | 'modify'>;

  constructor(kind: Kind, server: Pick<Slapd, 'url' | 'bindDn' | 'password' | 'modify'>) {
    const { suffix } = kind;
    [this.groups, this.people, this.roles] = [
      `ou=groups,${suffix}`,
      `ou=people,${suffix}`,
      `ou=roles,${suffix}`,
    ];
    this.helpers = `cn=helpers,${this.roles}`;
    this.#kind = kind;
    this.#server = server;
  }

  /** Adds the groups: `helpers` stands elsewhere, and a computer is no person. */
  load(): void {
    const [ann, bob, cyd, dan] = ['ann', 'bob', String.raw`Cyd\, the 1st`, 'dan'].map((name) =>
      this.dn(name),
    );
    const computer: LdifEntry = [`cn=printer,${this.groups}`, { objectClass: 'device', cn: 'printer' }];
    this.#server.modify(
      added([
        ...[this.groups, this.people, this.roles].map((dn): LdifEntry => [
          dn,
          { objectClass: 'organizationalUnit' },
        ]),
        this.person('ann', { title: 'Boss' }),
        this.person('bob'),
        [String(cyd), { ...this.person('cyd')[1], cn: 'Cyd, the 1st' }],
        this.person('dan'),
        computer,
        this.group('helpers', [String(dan)], this.helpers),
        this.group('lab', [this.helpers, String(ann)]),
        this.group('emea', [String(bob), String(cyd)]),
        this.group('sales', [String(bob).replace('cn=bob', 'CN=BOB'), this.groupDn('emea'), computer[0]]),
        this.group('company', [this.groupDn('sales'), this.groupDn('lab'), String(ann)]),
        this.group('machines', [computer[0]], `cn=machines,${this.roles}`),
      ]),
    );
  }

  dn(name: string): string {
    return `cn=${name},${this.people}`;
  }

  groupDn(name: string): string {
    return `cn=${name},${this.groups}`;
  }

  person(name: string, more: LdifEntry[1] = {}): LdifEntry {
    const { person, login } = this.#kind;
    return [this.dn(name), { ...person, cn: name, [login]: name, ...more }];
  }

  group(name: string, members: readonly string[], dn = this.groupDn(name)): LdifEntry {
    const { group, by, vendor } = this.#kind;
    const login = vendor === 'activeDirectory' ? { sAMAccountName: name } : {};
    return [dn, { ...group, ...login, cn: name, [by]: members }];
  }

  add(...entries: readonly LdifEntry[]): void {
    this.#server.modify(added(entries));
  }

  remove(...dns: readonly string[]): void {
    this.#server.modify(dns.map((dn) => `dn: ${dn}\nchangetype: delete\n`).join('\n'));
  }

  source(units: object = {}, people: object = {}): Source {
    const { vendor, by } = this.#kind;
    const settings = directorySettings({
      ...boundTo(this.#server),
      vendor,
      units: { base: this.groups, members: by, fields: { id: 'cn', name: 'cn' }, ...units },
      people: { base: this.people, ...people },
    });
    return openSource(settings);
  }

  /** Returns the logins of people who are in scope. */
  async inScope(memberOf: unknown, units: object = {}): Promise<readonly string[]> {
    const { people } = await readAll(this.source(units, { memberOf }));
    return people.map(({ username }) => username).toSorted();
  }
}

const ALL = ['company', 'emea', 'lab', 'sales'];

describe.each(Object.entries(KINDS))('groups of %s', (name, kind: Kind) => {
  describe.skipIf(!hasServer(name as keyof typeof KINDS))('are', () => {
    const server = throughout(kind.start, (started) => new GroupWorld(kind, started).load());
    const world = new GroupWorld(kind, server);
    const { by } = kind;

    test.each<readonly [string, object, readonly string[], readonly string[]]>([
      [
        'with the groups in them below',
        {},
        ['company', 'emea in sales', 'lab in company', 'sales in company'],
        ['ann: company lab', 'bob: emea sales', 'cyd: emea', 'dan: lab'],
      ],
      [
        'with the people of the groups in them',
        { members: { by, nested: 'people' } },
        ALL,
        ['ann: company lab', 'bob: company emea sales', 'cyd: company emea sales', 'dan: company lab'],
      ],
      [
        'but for those that where leaves out, whose people count for the group above',
        { where: "cn != 'emea'" },
        ['company', 'emea', 'lab in company', 'sales in company'],
        ['ann: company lab', 'bob: sales', 'cyd: sales', 'dan: lab'],
      ],
    ])('units, %s', async (_, units, ...[tree, places]) => {
      const found = await readAll(world.source(units));
      expect([found.refusals, treeOf(found), placesOf(found)]).toEqual([[], tree, places]);
      const ann = found.people.find(({ username }) => username === 'ann');
      expect(ann?.positions.map(({ fields }) => fields)).toEqual([
        { job_title: 'Boss' },
        { job_title: 'Boss' },
      ]);
      const members = found.evidence.parts.find(({ part }) => part === 'members');
      expect(members).toMatchObject({ pages: 1, end: 'cookie empty' });
    });

    test('the scope of people, also of those in a group in the group', async () => {
      expect(await world.inScope(world.groupDn('emea'))).toEqual(['bob', 'cyd']);
      expect(await world.inScope(`CN=LAB, ${world.groups}`)).toEqual(['ann', 'dan']);
      expect(await world.inScope([world.groupDn('emea'), world.helpers])).toEqual(['bob', 'cyd', 'dan']);
      const own = { base: world.roles, filter: '(ou=roles)', members: undefined };
      expect(await world.inScope(world.groupDn('lab'), own)).toEqual(['ann', 'dan']);
      const { evidence } = await readAll(world.source({}, { memberOf: world.groupDn('lab') }));
      expect(evidence.notes).toContainEqual(expect.stringMatching(/^source\.people\.memberOf: 2 of 4 /u));
    });

    test.each<readonly [string, object, object]>([
      [
        // Accounts of Active Directory may name such a group as their primary one.
        name === 'samba' ? 'ldap-nobody' : 'ldap-no-members',
        { members: 'memberUid', filter: '(cn=lab)' },
        {},
      ],
      ['ldap-nobody', {}, { base: world.roles, filter: '(ou=roles)', fields: { id: 'ou', username: 'ou' } }],
      ['ldap-no-group', {}, { memberOf: `cn=gone,${world.roles}` }],
      ['ldap-nobody', {}, { memberOf: `cn=machines,${world.roles}` }],
    ])('a read that fails with %s: %j %j', async (code, units, people) => {
      await expect(readAll(world.source(units, people))).rejects.toThrow(problem(code));
    });

    test('shown with a person or a group that is explained', async () => {
      const [[ann], [emea]] = [
        await world.source().find('person', ['ann'], never),
        await world.source().find('unit', ['emea'], never),
      ];
      const spelled = ann?.raw['unit_groups']?.map((dn) => dn.toLowerCase());
      expect(spelled).toEqual(['company', 'lab'].map((one) => world.groupDn(one).toLowerCase()));
      expect(JSON.stringify(emea?.raw).toLowerCase()).toContain(world.groupDn('sales').toLowerCase());
    });

    test('below the nearest of several', async () => {
      world.add(
        world.group(
          'all',
          ['company', 'sales', 'lab'].map((one) => world.groupDn(one)),
        ),
      );
      const tree = ['all', 'company in all', 'emea in sales', 'lab in company', 'sales in company'];
      expect(treeOf(await readAll(world.source()))).toEqual(tree);
      world.remove(world.groupDn('all'));
    });

    test('too deep to be followed through more than ten others', async () => {
      const chain = Array.from({ length: 11 }, (_, level) => `level${level}`);
      world.add(...chain.map((one, at) => world.group(one, [world.groupDn(chain[at - 1] ?? 'emea')])));
      const nested = { members: { by, nested: 'people' } };
      await expect(readAll(world.source(nested))).rejects.toThrow(problem('ldap-deep'));
      world.remove(...chain.map((one) => world.groupDn(one)));
    });
  });
});

describe.skipIf(!hasServer('samba'))('groups of Active Directory', () => {
  const server = throughout(startSamba, (started) => new GroupWorld(KINDS.samba, started).load());
  const world = new GroupWorld(KINDS.samba, server);

  test('have the accounts that name them as their primary group, which they do not name themselves', async () => {
    const plant = world.groupDn('plant');
    world.add(world.person('dee'), world.group('plant', [world.dn('dee')]));
    server.tool('user', 'setprimarygroup', 'dee', 'plant');
    expect(placesOf(await readAll(world.source()))).toContain('dee: plant');
    expect(await world.inScope(plant)).toEqual(['dee']);
    server.modify(`dn: ${world.helpers}\nchangetype: modify\nadd: member\nmember: ${plant}\n`);
    expect(await world.inScope([world.helpers, plant])).toEqual(['dan', 'dee']);
    expect(await world.inScope(world.groupDn('lab'))).toEqual(['ann', 'dan', 'dee']);
    const everybody = `CN=Domain Users,CN=Users,${server.suffix}`;
    expect(await world.inScope(everybody)).toEqual(['ann', 'bob', 'cyd', 'dan', 'dee']);
  });

  test('give the rest of a list of members as it is asked for', async () => {
    const { url, bindDn, password: bindPassword } = server;
    const connection = await LdapConnection.open(
      { url, bindDn, bindPassword, tls: { insecure: false } },
      never,
    );
    const first = { type: 'member;range=0-0', values: [Buffer.from('the first')] };
    const entry = { dn: world.groupDn('sales'), attributes: [first] };
    const { attributes } = await readWhole(entry, async () => connection);
    expect(attributes.map(({ values }) => [values.length, String(values[0])])).toEqual([[3, 'the first']]);
    await connection.close();
  });
});

describe.skipIf(!hasServer('slapd'))('groups', () => {
  const server = throughout(KINDS.slapd.start, (started) => new GroupWorld(KINDS.slapd, started).load());
  const world = new GroupWorld(KINDS.slapd, server);
  const people = { fields: { id: 'cn', username: 'cn' } };

  test('that name logins place all who have the uid', async () => {
    const posix = (name: string, gidNumber: string, memberUid: readonly string[]): LdifEntry => [
      `cn=${name},${world.roles}`,
      { objectClass: 'posixGroup', cn: name, gidNumber, memberUid },
    ];
    world.add(
      world.person('bob2', { uid: 'BOB' }),
      posix('tools', '1', ['ann', 'gone']),
      posix('rooms', '2', ['Ann', 'bob']),
    );
    const units = { base: world.roles, filter: '(objectClass=posixGroup)', members: 'memberUid' };
    const found = await readAll(world.source(units, people));
    expect(treeOf(found)).toEqual(['rooms', 'tools']);
    expect(placesOf(found).filter((place) => place.endsWith('s'))).toEqual([
      'ann: rooms tools',
      'bob2: rooms',
      'bob: rooms',
    ]);
  });

  test('that have unique names may have the bit string that RFC 4517 allows', async () => {
    const uniqueMember = `${world.dn('ann')}#'0101'B`;
    world.add([
      `cn=unique,${world.roles}`,
      { objectClass: 'groupOfUniqueNames', cn: 'unique', uniqueMember },
    ]);
    const units = { base: world.roles, filter: '(cn=unique)', members: 'uniqueMember' };
    expect(placesOf(await readAll(world.source(units, people)))).toContain('ann: unique');
  });
});

describe.skipIf(!hasServer('ds389'))('groups of 389', () => {
  const server = throughout(startDs389, (started) => new GroupWorld(KINDS.ds389, started).load());

  test('may be empty', async () => {
    const world = new GroupWorld(KINDS.ds389, server);
    world.add(world.group('empty', []));
    expect(treeOf(await readAll(world.source()))).toContain('empty');
  });
});
