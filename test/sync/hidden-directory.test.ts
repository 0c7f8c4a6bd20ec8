import { describe, expect, onTestFinished, test } from 'vitest';
import { openSource } from '../../src/source/open-source.ts';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startSlapd, type Slapd, type SlapdOptions } from '../servers/slapd.ts';
import { SYNC } from '../plan/build.ts';
import { boundTo, directorySettings } from '../source/directory-settings.ts';
import { ldif } from '../source/ldap/changes/stage.ts';
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
import { codesOf, type Told } from './said.ts';
import { loadedWorld, workingIn, type SyncOptions } from './world.ts';

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
  members: 'memberUid',
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

/** A world that reads this in each run, with the usual guards; `protect`: `sync.protect.where`. */
async function loaded(
  server: Slapd,
  source: object,
  { misses = 1, protect = undefined as string | undefined } = {},
) {
  const settings = directorySettings({ ...boundTo(server), ...source });
  const world = await loadedWorld({
    from: () => openSource(settings, { protect }),
    sync: {
      guard: SYNC.guard,
      leavers: { ...SYNC.leavers, misses },
      protect: { ...SYNC.protect, where: protect },
    },
  });
  const run = (expected: Partial<Told>, how: SyncOptions = {}) => world.run({ later: 10, ...how }, expected);
  return { world, run, count: () => workingIn(world).length };
}

describe.skipIf(!hasServer('slapd'))('a directory that hides something', () => {
  test.each(HIDINGS)('%s: nothing follows before it is approved', async (_, { hide, show, ...one }) => {
    const server = await start();
    const { run, world } = await loaded(server, { units: one.units, people: one.people });
    const before = world.state();
    const held = { exit: 3, held: `unexplained ${one.count}/${one.count > 1 ? 1 : 0}` };
    server.modify(hide);
    for (let times = 1; times <= 2; times += 1)
      expect((await run(held)).plan?.held[0]?.about).toContain(one.about);
    expect(world.state()).toEqual(before);
    server.modify(show);
    await run({});
    expect(world.state()).toEqual(before);
    server.modify(hide);
    await run(held);
    await run({}, { approve: await run(held) });
    expect(world.state()).not.toEqual(before);
  });

  test('a unit that shows neither id nor name keeps those that are missing', async () => {
    const server = await start();
    const { run } = await loaded(server, {
      units: { ...OF_COMPANY, fields: { id: 'entryUUID', name: 'ou' } },
      people: people({ positions: [{ unit: { const: ouDn('sales') } }] }),
    });
    const renamed = `dn: ${ouDn('empty')}\nchangetype: modrdn\nnewrdn: ou=blank\ndeleteoldrdn: 1\n\n`;
    server.modify(described([ouDn('empty')], 'nameless') + renamed + ldif.remove(ouDn('gone')));
    const ran = await run({ exit: 4, planned: '' });
    expect(codesOf(ran).filter((one) => one.endsWith(' idsUnread'))).not.toEqual([]);
    server.modify(described([ouDn('blank')], 'x'));
    const { planned } = await run({});
    expect(planned.map((words) => words.split(' ', 2).join(' '))).toEqual(['update unit', 'remove unit']);
  });

  test('one of the groups of the scope may become empty; if none has a member, the read is incomplete', async () => {
    const server = await start();
    const [one, two] = ['one', 'two'].map(groupDn) as [string, string];
    const scope = people(inParent, { memberOf: [one, two] });
    const { run, count } = await loaded(server, { units: UNIT_OF_ALL, people: scope });
    server.modify(modified(two, 'delete: memberUid', ''));
    const held = await run({ exit: 3, sent: '' });
    await run({}, { approve: held });
    expect(count()).toBe(5);
    server.modify(modified(one, 'delete: memberUid', ''));
    await run({ exit: 1, error: 'ldap-no-members' });
    expect(count()).toBe(5);
  });

  test('whoever a group protected stays so while it shows no members', async () => {
    const server = await start();
    const source = { units: OF_LOGINS, people: people({ active: { expr: "description != 'left'" } }) };
    const { run, world, count } = await loaded(server, source, { misses: 2, protect: inGroup('left') });
    server.modify(described([LEFT], 'no-memberUid'));
    await world.sync();
    server.modify(described(NAMES.slice(0, 3).map(personDn), 'left'));
    for (let times = 0; times < 3; times += 1) expect((await world.sync({ later: 10 })).changing).toEqual([]);
    server.modify(described([LEFT], 'x') + described(NAMES.slice(0, 3).map(personDn), 'back'));
    await world.sync();
    await run({});
    expect(count()).toBe(10);
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
    const { run, world } = await loaded(server, {
      units: { ...OF_GROUPS, filter: '(|(cn=team)(cn=other))', members: 'member' },
      people: people({}, { memberOf: SCOPE }),
    });
    const before = world.state();
    for (const hidden of [['ann', 'cyd'], NAMES]) {
      server.modify(described(hidden.map(personDn), 'hidden'));
      await run({ sent: '' });
    }
    expect(world.state()).toEqual(before);
    server.modify(described(NAMES.map(personDn), 'x'));
    server.modify(modified(groupDn('other'), 'delete: member', `member: ${personDn('jon')}\n`));
    await run({ planned: 'disable jon' });
  });

  test('who shows no uid, by which a group of the scope names them, is left as they are', async () => {
    const server = await start();
    const scope = people({ ...inParent, id: 'entryUUID' }, { memberOf: groupDn('one') });
    const { run, count } = await loaded(server, { units: UNIT_OF_ALL, people: scope });
    const dns = ['ann', 'bob', 'jon'].map(personDn);
    server.modify(described(dns, 'no-uid'));
    for (let times = 1; times <= 2; times += 1)
      expect((await run({ exit: 4, planned: '' })).listed).toHaveLength(2);
    expect(count()).toBe(5);
    server.modify(described(dns, 'x'));
    server.modify(modified(groupDn('one'), 'delete: memberUid', 'memberUid: ann\n'));
    await run({});
    expect(count()).toBe(4);
  });

  test('a second value of a single-valued field takes nothing over from the value that was sent', async () => {
    const server = await start();
    const [dn, lab] = [personDn('ann'), `ou=people,${SUFFIX}`];
    const first = 'mobile: +8613900000009\n-\nadd: title\ntitle: Head\n';
    server.modify(modified(dn, 'add: mobile', first) + modified(lab, 'add: postalCode', 'postalCode: 5\n'));
    const positions = [{ unit: 'parentDn', job_title: 'title' }];
    const { run, world } = await loaded(server, {
      units: { ...UNIT_OF_ALL, fields: { id: 'ou', name: 'ou', tel: 'postalCode' } },
      people: people({ name: { expr: "cn + ''" }, mobile: 'mobile', positions }),
    });
    const second = 'mobile: +8613900000001\n-\nadd: title\ntitle: Aide\n-\nadd: cn\ncn: Aaa Alias\n';
    server.modify(
      `${modified(dn, 'add: mobile', second)}${modified(lab, 'add: postalCode', 'postalCode: 1\n')}`,
    );
    server.modify(
      modified(dn, 'add: uid', 'uid: aaa\n') + added([person('zoe', { uid: ['zoE', 'abe', 'bob'] })]),
    );
    const ran = await run({ planned: 'create zoe' });
    const of = ['username', 'name', 'mobile', 'positions.job_title'].map((one) => `people.fields.${one}`);
    expect(ran.lines.flatMap(({ fields }) => fields['warning'] ?? [])).toEqual(
      ['units.fields.tel', ...of].map((field) => expect.stringContaining(field) as string),
    );
    // Of somebody new the one that the RDN names.
    expect(world.employee('zoE').name).toBe('zoe');
    server.modify(modified(dn, 'delete: cn', 'cn: ann\n'));
    await run({ planned: 'update ann' });
    expect(world.employee('ann').name).toBe('Aaa Alias');
  });
});
