import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSource } from '../../src/source/open-source.ts';
import { SYNC } from '../plan/build.ts';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { boundTo, directorySettings } from '../source/directory-settings.ts';
import { group, groupDn, GROUPS, person, personDn, PLACES, SUFFIX } from '../source/ldap/group-world.ts';
import { ldif } from '../source/ldap/changes/staff.ts';
import { openWorld, type Ran } from './world.ts';

const [SALES, EMEA, NORTH, OTHER] = ['sales', 'emea', 'north', 'other'].map(groupDn) as [
  string,
  string,
  string,
  string,
];
const ENTRIES: readonly LdifEntry[] = [
  ...PLACES,
  ...['dan', 'eve', 'fay', 'gus'].map((name) => person(name)),
  group('sales', [personDn('dan'), EMEA]),
  group('emea', [personDn('eve'), personDn('fay'), NORTH]),
  group('north', [personDn('gus')]),
  group('other', [personDn('dan'), personDn('fay')]),
  [groupDn('few'), { objectClass: 'anyGroup', cn: 'few', member: [personDn('dan'), personDn('gus')] }],
];
/** A group that may be empty. */
const ANY_GROUP = `objectclass ( 1.3.6.1.4.1.99999.2.9 NAME 'anyGroup' SUP top STRUCTURAL
  MUST cn MAY ( member $ description ) )`;
const ACCESS =
  'access to filter=(description=hidden) by * none\naccess to filter=(description=masked) attrs=entryUUID,member by * none';

const withoutMember = (holder: string, member: string): string =>
  `dn: ${holder}\nchangetype: modify\ndelete: member\nmember: ${member}\n\n`;
let server: Slapd;
beforeEach(async () => {
  if (hasServer('slapd'))
    server = await startSlapd({ ldif: toLdif(ENTRIES), access: ACCESS, head: ANY_GROUP });
});
afterEach(async () => server?.stop());

interface Stage {
  readonly sync: () => Promise<Ran>;
  /** `unit below unit: id of its node`, of all units. */
  readonly tree: () => readonly string[];
  /** `person: units`, the primary one first. */
  readonly places: () => readonly string[];
}

async function openStage(nested: 'units' | 'people'): Promise<Stage> {
  const world = await openWorld({ sync: { guard: SYNC.guard } });
  const settings = {
    ...boundTo(server),
    units: {
      base: GROUPS,
      filter: '(|(objectClass=groupOfNames)(objectClass=anyGroup))',
      members: { by: 'member', nested },
      fields: { id: 'entryUUID', name: 'cn' },
    },
    people: {
      base: `ou=people,${SUFFIX}`,
      filter: '(objectClass=inetOrgPerson)',
      fields: { id: 'employeeNumber', username: 'uid', name: 'sn' },
    },
  };
  const { state } = world.sandbox;
  const nameOf = (id: string | null | undefined): string => state.organization(id ?? '')?.name ?? '-';
  return {
    sync: () => world.sync({ from: () => openSource(directorySettings(settings)) }),
    tree: () =>
      state.organizations().map(({ name, id, parentId }) => `${name} below ${nameOf(parentId)}: ${id}`),
    places: () =>
      state
        .employees()
        .map(
          ({ username, positions }) =>
            `${username}: ${positions.map(({ orgId }) => nameOf(orgId)).join(' ')}`,
        )
        .toSorted(),
  };
}

describe.skipIf(!hasServer('slapd')).each(['units', 'people'] as const)(
  'a unit in a group that still names it, and that is not found any more (nested: %s)',
  (nested) => {
    test('stays where it is, with what is below it and who is in it', async () => {
      const { sync, tree, places } = await openStage(nested);
      expect((await sync()).exitCode).toBe(0);
      const [nodes, people] = [tree(), places()];
      server.modify(ldif.set(EMEA, 'description', 'hidden') + ldif.set(personDn('dan'), 'sn', 'Other'));
      for (const planned of [['update person dan'], [], []]) {
        const ran = await sync();
        expect([ran.exitCode, ran.planned]).toEqual([4, planned]);
        expect(ran.listed.join('\n')).toContain(
          `the group ${SALES} has the member ${EMEA}, which was a unit`,
        );
        expect([tree(), places()]).toEqual([nodes, people]);
      }
      server.modify(ldif.set(EMEA, 'description', 'x'));
      expect([(await sync()).exitCode, tree(), places()]).toEqual([0, nodes, people]);
    });

    test('goes where nobody names it any more', async () => {
      const { sync, tree } = await openStage(nested);
      await sync();
      server.modify(ldif.remove(EMEA) + withoutMember(SALES, EMEA));
      const { planned } = await sync();
      expect(planned).toContainEqual(expect.stringMatching(/^remove unit/u));
      expect(tree().join()).toContain('emea');
    });

    test('is named where it has another name by now', async () => {
      const { sync, places } = await openStage(nested);
      await sync();
      const before = places();
      server.modify(ldif.rename(EMEA, 'cn=europe'));
      const { exitCode, listed } = await sync();
      expect(exitCode).toBe(4);
      expect(listed.join('\n')).toContain(`take the old name out of the members of ${SALES}`);
      expect(places()).toEqual(before.map((line) => line.replace('emea', 'europe')));
    });
  },
);

test.skipIf(!hasServer('slapd'))('a group that is there and no unit any more is not lost', async () => {
  const { sync } = await openStage('units');
  await sync();
  server.modify(ldif.remove(OTHER));
  server.modify(
    `dn: ${EMEA}\nchangetype: delete\n\ndn: ${EMEA}\nchangetype: add\nobjectClass: organizationalRole\ncn: emea\n\n`,
  );
  expect((await sync()).listed.join('\n')).not.toContain('is not found any more');
});

test.skipIf(!hasServer('slapd'))(
  'a unit that shows neither id nor members, and has another name, takes its position from nobody',
  async () => {
    const { sync, places } = await openStage('people');
    expect((await sync()).exitCode).toBe(0);
    const before = places();
    const few = groupDn('few');
    server.modify(ldif.set(few, 'description', 'masked') + ldif.rename(few, 'cn=elsewhere'));
    for (let run = 1; run <= 2; run += 1) {
      const ran = await sync();
      expect([ran.exitCode, ran.changing, places()]).toEqual([4, [], before]);
      expect(ran.listed.join('\n')).toContain(
        'a group of which no id can be read shows no member, and may be this one',
      );
    }
  },
);
