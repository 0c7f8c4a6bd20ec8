import { describe, expect, onTestFinished, test } from 'vitest';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startSlapd, type Slapd, type SlapdOptions } from '../servers/slapd.ts';
import { boundTo } from '../source/directory-settings.ts';
import { ldif } from '../source/ldap/changes/staff.ts';
import {
  added,
  group,
  groupDn,
  GROUPS,
  PEOPLE,
  person,
  personDn,
  PLACES,
  SUFFIX,
} from '../source/ldap/group-world.ts';
import { openGroupStage, type GroupStage } from './group-stage.ts';

const NAMES = ['ann', 'bob', 'cyd', 'dan', 'eve', 'fay', 'gus', 'hal', 'ivy', 'jon'];
const [SCOPE, TEAM, DESK, LEFT] = ['messenger', 'team', 'desk', 'left'].map(groupDn) as [
  string,
  string,
  string,
  string,
];
const COMPANY = `ou=company,${SUFFIX}`;
const ouDn = (name: string): string => `ou=${name},${COMPANY}`;
let gid = 0;
const posix = (name: string, memberUid: readonly string[]): LdifEntry => [
  groupDn(name),
  { objectClass: 'posixGroup', cn: name, gidNumber: String((gid += 1)), memberUid },
];
const team = group('team', NAMES.slice(0, 3).map(personDn));

/** The scope names three people, a group of three and one of four; ann, bob and cyd are in the group of leavers. */
const ENTRIES: readonly LdifEntry[] = [
  ...PLACES,
  ...NAMES.map((name) => person(name)),
  [COMPANY, { objectClass: 'organizationalUnit', ou: 'company', postalCode: 'in' }],
  ...['sales', 'empty', 'gone'].map((name): LdifEntry => [
    ouDn(name),
    { objectClass: 'organizationalUnit', ou: name, postalCode: 'in' },
  ]),
  group('messenger', [...NAMES.slice(7).map(personDn), TEAM, DESK]),
  team,
  group('everybody', NAMES.map(personDn)),
  posix('desk', NAMES.slice(3, 7)),
  posix('left', NAMES.slice(0, 3)),
  posix('one', NAMES.slice(0, 5)),
  posix('two', NAMES.slice(5)),
];

/** An entry hides what its description says. */
const ACCESS = [
  ...['uid', 'memberUid', 'postalCode'].map(
    (name) => `access to filter=(description=no-${name}) attrs=${name} by * none`,
  ),
  'access to filter=(description=nameless) attrs=entryUUID,ou by * none',
  'access to filter=(description=gone) by * none',
].join('\n');

async function start(options: SlapdOptions = {}): Promise<Slapd> {
  const server = await startSlapd({
    ldif: toLdif(ENTRIES),
    access: ACCESS,
    ...options,
    head: `include /etc/ldap/schema/nis.schema\n${options.head ?? ''}`,
  });
  onTestFinished(async () => server.stop());
  return server;
}

const described = (dns: readonly string[], text: string): string =>
  dns.map((dn) => ldif.set(dn, 'description', text)).join('');
const modified = (dn: string, how: string, values: string): string =>
  `dn: ${dn}\nchangetype: modify\n${how}\n${values}\n`;

const UNIT_OF_ALL = { base: SUFFIX, filter: '(ou=people)', fields: { id: 'ou', name: 'ou' } };
const OF_COMPANY = {
  base: COMPANY,
  filter: '(objectClass=organizationalUnit)',
  fields: { id: 'ou', name: 'ou' },
};
const OF_GROUPS = { base: GROUPS, filter: '(objectClass=groupOfNames)', fields: { id: 'cn', name: 'cn' } };
const OF_LOGINS = {
  base: GROUPS,
  filter: '(objectClass=posixGroup)',
  members: { by: 'memberUid', nested: 'none' },
  fields: { id: 'cn', name: 'cn' },
};
const people = (fields: object = {}, more: object = {}): object => ({
  base: PEOPLE,
  filter: '(objectClass=inetOrgPerson)',
  fields: { id: 'employeeNumber', username: 'uid', name: 'cn', ...fields },
  ...more,
});
const inParent = { positions: [{ unit: 'parentDn' }] };
const inGroup = (name: string): string => `all.unit_groups.exists(g, g.startsWith('cn=${name},'))`;

interface Hiding {
  readonly units: object;
  readonly people: object;
  readonly hide: string;
  readonly show: string;
  readonly count: number;
  readonly about: string;
}

const SCOPED = { units: UNIT_OF_ALL, people: people(inParent, { memberOf: SCOPE }) };
const HIDINGS: readonly (readonly [string, Hiding])[] = [
  [
    'a group that a rule reads shows nobody',
    {
      units: OF_LOGINS,
      people: people({ active: { expr: `!${inGroup('left')}` } }),
      hide: described([LEFT], 'no-memberUid'),
      show: described([LEFT], 'x'),
      count: 3,
      about: `members of ${LEFT}: this read brought none`,
    },
  ],
  [
    'a group in the group of the scope has no members',
    {
      ...SCOPED,
      hide: modified(DESK, 'delete: memberUid', ''),
      show: modified(
        DESK,
        'add: memberUid',
        NAMES.slice(3, 7)
          .map((name) => `memberUid: ${name}\n`)
          .join(''),
      ),
      count: 4,
      about: `members of ${DESK}`,
    },
  ],
  [
    'such a group is not found, though it is named',
    { ...SCOPED, hide: ldif.remove(TEAM), show: added([team]), count: 3, about: `members of ${TEAM}` },
  ],
  [
    'a unit in a group is not found, though it is named',
    {
      units: { ...OF_GROUPS, members: { by: 'member', nested: 'units' } },
      people: people(),
      hide: described([TEAM], 'gone'),
      show: described([TEAM], 'x'),
      count: 3,
      about: `members of ${TEAM}`,
    },
  ],
  [
    'a unit lacks the value that had it in scope',
    {
      units: { ...OF_COMPANY, where: "postalCode == 'in'" },
      people: people({ positions: [{ unit: { const: 'sales' } }] }),
      hide: described([ouDn('empty')], 'no-postalCode'),
      show: described([ouDn('empty')], 'x'),
      count: 1,
      about: '1 record would change only because of missing values (postalCode)',
    },
  ],
];

async function loaded(server: Slapd, source: object, options = {}): Promise<GroupStage> {
  const stage = await openGroupStage({ ...boundTo(server), ...source }, options);
  expect((await stage.sync()).exitCode).toBe(0);
  return stage;
}

describe.skipIf(!hasServer('slapd'))('a directory that hides something', () => {
  test.each(HIDINGS)('%s: nothing follows before it is approved', async (_, { hide, show, ...one }) => {
    const server = await start();
    const { sync, world } = await loaded(server, { units: one.units, people: one.people });
    const before = world.state();
    server.modify(hide);
    for (let run = 1; run <= 2; run += 1) {
      const { exitCode, plan } = await sync();
      expect([exitCode, world.state()]).toEqual([3, before]);
      expect(plan?.held).toMatchObject([
        { guard: 'unexplained', count: one.count, about: expect.stringContaining(one.about) },
      ]);
    }
    server.modify(show);
    expect([(await sync()).exitCode, world.state()]).toEqual([0, before]);
    server.modify(hide);
    await sync();
    const { plan } = await sync();
    expect((await sync(plan?.held.map(({ hash }) => hash))).exitCode).toBe(0);
    expect(world.state()).not.toEqual(before);
  });

  test('a unit that shows neither id nor name keeps those that are missing', async () => {
    const server = await start();
    const { sync, world } = await loaded(server, {
      units: { ...OF_COMPANY, fields: { id: 'entryUUID', name: 'ou' } },
      people: people({ positions: [{ unit: { const: ouDn('sales') } }] }),
    });
    const before = world.state();
    const renamed = `dn: ${ouDn('empty')}\nchangetype: modrdn\nnewrdn: ou=blank\ndeleteoldrdn: 1\n\n`;
    server.modify(described([ouDn('empty')], 'nameless') + renamed + ldif.remove(ouDn('gone')));
    const { exitCode, planned, listed } = await sync();
    expect([exitCode, planned, world.state()]).toEqual([4, [], before]);
    expect(listed.join()).toContain('no id can be read of 1 record of units, which may be this one');
    server.modify(described([ouDn('blank')], 'x'));
    const shown = await sync();
    expect([shown.exitCode, shown.planned.map((words) => words.split(' ', 2).join(' '))]).toEqual([
      0,
      ['update unit', 'remove unit'],
    ]);
  });

  test('one of the groups of the scope may become empty; if none has a member, the read is incomplete', async () => {
    const server = await start();
    const [one, two] = ['one', 'two'].map(groupDn) as [string, string];
    const { sync, count } = await loaded(server, {
      units: UNIT_OF_ALL,
      people: people(inParent, { memberOf: [one, two] }),
    });
    server.modify(modified(two, 'delete: memberUid', ''));
    const held = await sync();
    expect([held.exitCode, held.changing, count()]).toEqual([3, [], 10]);
    expect((await sync(held.plan?.held.map(({ hash }) => hash))).exitCode).toBe(0);
    expect(count()).toBe(5);
    server.modify(modified(one, 'delete: memberUid', ''));
    const none = await sync();
    expect([none.exitCode, count()]).toEqual([1, 5]);
    expect(none.error).toMatch(/memberOf\[0\]: .*memberOf\[1\]: .* have no member/u);
  });

  test('whoever a group protected stays so while it shows no members', async () => {
    const server = await start();
    const source = { units: OF_LOGINS, people: people({ active: { expr: "description != 'left'" } }) };
    const { sync, count } = await loaded(server, source, { misses: 2, protect: inGroup('left') });
    server.modify(described([LEFT], 'no-memberUid'));
    await sync();
    server.modify(described(NAMES.slice(0, 3).map(personDn), 'left'));
    for (let run = 0; run < 3; run += 1) expect([(await sync()).changing, count()]).toEqual([[], 10]);
    server.modify(described([LEFT], 'x') + described(NAMES.slice(0, 3).map(personDn), 'back'));
    await sync();
    expect([(await sync()).exitCode, count()]).toEqual([0, 10]);
  });

  test('who shows no memberOf is in scope, and in the units, by the groups that name them', async () => {
    const server = await start({
      ldif: toLdif([...PLACES, ...NAMES.map((name) => person(name))]),
      head: 'moduleload memberof',
      config: 'overlay memberof\nmemberof-refint true\nmemberof-dangling ignore',
      access: 'access to filter=(description=hidden) attrs=memberOf by * none',
    });
    // The overlay keeps memberOf of what is changed while the server runs.
    const groups = [team, group('other', NAMES.slice(2).map(personDn))];
    server.modify(added([...groups, group('messenger', [TEAM, groupDn('other')])]));
    const { sync, world } = await loaded(server, {
      units: { ...OF_GROUPS, filter: '(|(cn=team)(cn=other))', members: { by: 'memberOf', nested: 'none' } },
      people: people({}, { memberOf: SCOPE }),
    });
    const before = world.state();
    for (const hidden of [['ann', 'cyd'], NAMES]) {
      server.modify(described(hidden.map(personDn), 'hidden'));
      expect(await sync()).toMatchObject({ exitCode: 0, changing: [] });
      expect(world.state()).toEqual(before);
    }
    server.modify(described(NAMES.map(personDn), 'x'));
    server.modify(modified(groupDn('other'), 'delete: member', `member: ${personDn('jon')}\n`));
    expect(await sync()).toMatchObject({ exitCode: 0, planned: ['disable person jon'] });
  });

  test('who shows no uid, by which a group of the scope names them, is left as they are', async () => {
    const server = await start();
    const { sync, count } = await loaded(server, {
      units: UNIT_OF_ALL,
      people: people({ ...inParent, id: 'entryUUID' }, { memberOf: groupDn('one') }),
    });
    const dns = ['ann', 'bob', 'jon'].map(personDn);
    server.modify(described(dns, 'no-uid'));
    for (let run = 1; run <= 2; run += 1) {
      const { exitCode, planned, listed } = await sync();
      expect([exitCode, planned, count(), listed.length]).toEqual([4, [], 5, 2]);
      expect(listed[0]).toContain('shows no uid, by which groups name their members (memberUid)');
    }
    server.modify(described(dns, 'x'));
    server.modify(modified(groupDn('one'), 'delete: memberUid', 'memberUid: ann\n'));
    expect([(await sync()).exitCode, count()]).toEqual([0, 4]);
  });

  test('a second value of a single-valued field takes nothing over from the value that was sent', async () => {
    const server = await start();
    const [dn, lab] = [personDn('ann'), `ou=people,${SUFFIX}`];
    const first = 'mobile: +8613900000009\n-\nadd: title\ntitle: Head\n';
    server.modify(modified(dn, 'add: mobile', first) + modified(lab, 'add: postalCode', 'postalCode: 5\n'));
    const { sync, world } = await loaded(server, {
      units: { ...UNIT_OF_ALL, fields: { id: 'ou', name: 'ou', tel: 'postalCode' } },
      people: people({
        name: { expr: "cn + ''" },
        mobile: 'mobile',
        positions: [{ unit: 'parentDn', job_title: 'title' }],
      }),
    });
    const second = 'mobile: +8613900000001\n-\nadd: title\ntitle: Aide\n-\nadd: cn\ncn: Aaa Alias\n';
    server.modify(
      `${modified(dn, 'add: mobile', second)}${modified(lab, 'add: postalCode', 'postalCode: 1\n')}`,
    );
    server.modify(
      modified(dn, 'add: uid', 'uid: aaa\n') + added([person('zoe', { uid: ['zoE', 'abe', 'bob'] })]),
    );
    const ran = await sync();
    expect([ran.exitCode, ran.planned]).toEqual([0, ['create person zoe']]);
    expect(ran.lines.flatMap(({ fields }) => fields['warning'] ?? [])).toEqual(
      [
        'units.fields.tel',
        ...['username', 'name', 'mobile', 'positions.job_title'].map((one) => `people.fields.${one}`),
      ].map((field) => expect.stringContaining(field) as string),
    );
    // Of somebody new the one that the RDN names.
    expect(world.employee('zoE').name).toBe('zoe');
    server.modify(modified(dn, 'delete: cn', 'cn: ann\n'));
    expect((await sync()).planned).toEqual(['update person ann']);
    expect(world.employee('ann').name).toBe('Aaa Alias');
  });
});
