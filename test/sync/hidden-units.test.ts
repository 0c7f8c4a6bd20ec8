import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { boundTo } from '../source/directory-settings.ts';
import {
  added,
  group,
  groupDn,
  GROUPS,
  PLACES,
  person,
  personDn,
  SUFFIX,
} from '../source/ldap/group-world.ts';
import { ldif } from '../source/ldap/changes/staff.ts';
import { openGroupStage } from './group-stage.ts';

const COMPANY = `ou=company,${SUFFIX}`;
const ouDn = (name: string, above = COMPANY): string => `ou=${name},${above}`;
const ou = (name: string, above = COMPANY): LdifEntry => [
  ouDn(name, above),
  { objectClass: 'organizationalUnit', ou: name, postalCode: 'in' },
];
const inUnit = (name: string, above: string): LdifEntry => [
  `uid=${name},${above}`,
  { objectClass: 'inetOrgPerson', uid: name, cn: name, sn: 'x', employeeNumber: name },
];

const SALES = ouDn('sales');
const ENTRIES: readonly LdifEntry[] = [
  [COMPANY, { objectClass: 'organizationalUnit', ou: 'company' }],
  ...['sales', 'empty', 'idle', 'gone'].map((name) => ou(name)),
  ou('emea', SALES),
  inUnit('ann', SALES),
  inUnit('bob', ouDn('emea', SALES)),
  inUnit('cyd', ouDn('idle')),
  ...PLACES,
  ...['dan', 'eve'].map((name) => person(name)),
  group('red', [personDn('dan')]),
  group('blue', [personDn('eve')]),
];

/** What is hidden of an entry, by what its description says. */
const ACCESS = [
  'access to filter=(description=hidden) attrs=entryUUID,ou,cn,postalCode by * none',
  'access to filter=(description=nameless) attrs=ou by * none',
  'access to filter=(description=idless) attrs=entryUUID by * none',
  'access to filter=(description=untold) attrs=postalCode by * none',
].join('\n');

let server: Slapd;
beforeEach(async () => {
  if (!hasServer('slapd')) return;
  server = await startSlapd({ ldif: toLdif(ENTRIES), access: ACCESS });
});
afterEach(async () => server?.stop());

const hide = (dns: readonly string[], how = 'hidden'): void =>
  server.modify(dns.map((dn) => ldif.set(dn, 'description', how)).join(''));

async function openStage(units: object = {}, people: object = {}) {
  const { world, sync } = await openGroupStage({
    ...boundTo(server),
    units: {
      base: COMPANY,
      filter: '(objectClass=organizationalUnit)',
      fields: { id: 'entryUUID', name: 'ou' },
      ...units,
    },
    people: {
      base: COMPANY,
      filter: '(objectClass=inetOrgPerson)',
      fields: { id: 'employeeNumber', username: 'uid', name: 'cn', positions: [{ unit: 'parentDn' }] },
      ...people,
    },
  });
  return {
    sync,
    /** `name: id of its node` of all units. */
    nodes: () => world.sandbox.state.organizations().map(({ name, id }) => `${name}: ${id}`),
  };
}

const HELD = [
  {
    guard: 'unexplained',
    count: 1,
    limit: 0,
    about: expect.stringContaining('1 record would change only because of missing values (postalCode)'),
  },
];

describe.skipIf(!hasServer('slapd'))('an entry of a unit', () => {
  test('that shows neither id nor name keeps those that are missing', async () => {
    const { sync, nodes } = await openStage();
    await sync();
    const before = nodes();
    hide([ouDn('empty')]);
    server.modify(`dn: ${ouDn('empty')}\nchangetype: modrdn\nnewrdn: ou=blank\ndeleteoldrdn: 1\n\n`);
    server.modify(ldif.remove(ouDn('gone')));
    const { exitCode, planned, listed } = await sync();
    expect([exitCode, planned, nodes()]).toEqual([4, [], before]);
    expect(listed.join()).toContain('no id can be read of one record of units, which may be this one');
    hide([ouDn('blank')], 'x');
    const last = await sync();
    expect([last.exitCode, last.planned.toSorted()]).toMatchObject([
      0,
      [expect.stringMatching(/^remove unit/u), expect.stringMatching(/^update unit/u)],
    ]);
  });

  test('that source.units.where leaves out since a value is absent that was there is asked about, each of them', async () => {
    const { sync, nodes } = await openStage({ where: "postalCode == 'in'" });
    await sync();
    const before = nodes();
    hide([ouDn('empty')], 'untold');
    const first = await sync();
    expect([first.exitCode, first.changing, nodes()]).toEqual([3, [], before]);
    expect(first.plan?.held).toMatchObject(HELD);
    // As long as it is absent, with another one whose value says that it has left.
    server.modify(ldif.set(ouDn('gone'), 'postalCode', 'out'));
    const second = await sync();
    expect([second.exitCode, second.changing]).toEqual([3, ['deleteOrganization']]);
    expect(nodes()).toEqual(before.filter((node) => !node.startsWith('gone')));
    const third = await sync((second.plan?.held ?? []).map(({ hash }) => hash));
    expect([third.exitCode, third.changing]).toEqual([0, ['deleteOrganization']]);
    expect(nodes()).toEqual(before.filter((node) => !/^(?:gone|empty)/u.test(node)));
  });

  test('that is a group is left as it is, with its members', async () => {
    const { sync, nodes } = await openStage(
      {
        base: GROUPS,
        filter: '(objectClass=groupOfNames)',
        members: 'member',
        fields: { id: 'entryUUID', name: 'cn' },
      },
      {
        base: `ou=people,${SUFFIX}`,
        fields: { id: 'employeeNumber', username: 'uid', name: 'sn' },
      },
    );
    expect((await sync()).exitCode).toBe(0);
    const before = nodes();
    hide([groupDn('red')]);
    server.modify(ldif.set(personDn('dan'), 'sn', 'Other') + added([person('fay')]));
    const { exitCode, planned, listed } = await sync();
    expect([exitCode, planned, nodes()]).toEqual([4, [], before]);
    expect(listed).toContainEqual(expect.stringMatching(/^dan: unit .* is skipped/u));
  });
});
