import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSource } from '../../src/source/open-source.ts';
import { SYNC } from '../plan/build.ts';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { boundTo, directorySettings } from '../source/directory-settings.ts';
import {
  added,
  group,
  groupDn,
  PEOPLE,
  person,
  personDn,
  PLACES,
  SUFFIX,
} from '../source/ldap/group-world.ts';
import { openWorld, type Ran } from './world.ts';

const NAMES = ['ann', 'bob', 'cyd', 'dan', 'eve', 'fay', 'gus', 'hal', 'ivy', 'jon'];
const DELETED = personDn('deleted');
const [SCOPE, TEAM, INNER] = [groupDn('messenger'), groupDn('team'), groupDn('inner')];

const ROLES: readonly LdifEntry[] = [
  group('messenger', [...NAMES.slice(4).map(personDn), TEAM, DELETED]),
  group('team', [...NAMES.slice(2, 4).map(personDn), INNER]),
  group('inner', NAMES.slice(0, 2).map(personDn)),
];

const gone = (dn: string): string => `dn: ${dn}\nchangetype: delete\n`;
const without = (holder: string, member: string): string =>
  `dn: ${holder}\nchangetype: modify\ndelete: member\nmember: ${member}\n`;

// Whether an entry may not be read or is not there looks the same from outside.
let server: Slapd;
beforeEach(async () => {
  if (!hasServer('slapd')) return;
  const entries = [...PLACES, ...NAMES.map((name) => person(name)), ...ROLES];
  server = await startSlapd({ head: 'include /etc/ldap/schema/nis.schema', ldif: toLdif(entries) });
});
afterEach(async () => server?.stop());

interface More {
  readonly members?: string;
  readonly exclude?: readonly string[];
  readonly approve?: readonly string[];
}

interface Stage {
  readonly sync: (more?: More) => Promise<Ran>;
  readonly working: () => number;
}

async function openStage(misses = 1): Promise<Stage> {
  const leavers = { ...SYNC.leavers, misses, missEveryMinutes: 0 };
  const world = await openWorld({ sync: { guard: SYNC.guard, leavers } });
  const connection = { ...boundTo(server) };
  return {
    sync: ({ members, exclude, approve = [] } = {}) => {
      const units = { base: SUFFIX, filter: '(cn=messenger)', members, fields: { id: 'cn', name: 'cn' } };
      const tree = { base: SUFFIX, filter: '(ou=people)', fields: { id: 'ou', name: 'ou' } };
      const fields = { id: 'employeeNumber', username: 'uid', name: 'cn' };
      const placed = members === undefined ? { ...fields, positions: [{ unit: 'parentDn' }] } : fields;
      const people = { base: PEOPLE, filter: '(objectClass=inetOrgPerson)', fields: placed, exclude };
      const settings = {
        ...connection,
        units: members === undefined ? tree : units,
        people: { ...people, memberOf: SCOPE },
      };
      return world.sync({ from: () => openSource(directorySettings(settings)), approve });
    },
    working: () => world.sandbox.state.employees().filter(({ locked }) => !locked).length,
  };
}

test.skipIf(!hasServer('slapd'))(
  'a group in the group of those in scope that is still a member and is not found puts nobody out',
  async () => {
    const { sync, working } = await openStage();
    expect([(await sync()).exitCode, working()]).toEqual([0, 10]);
    server.modify(gone(INNER));
    for (let run = 1; run <= 3; run += 1) {
      const { exitCode, error } = await sync();
      expect([exitCode, working()]).toEqual([1, 10]);
      expect(error).toContain(`the group ${TEAM} has the member ${INNER}, which was a group in the last`);
      expect(error).toContain(
        `take it out of the members of ${TEAM}, or write its DN below source.people.exclude`,
      );
    }
    server.modify(added(ROLES.slice(2)));
    expect([(await sync()).exitCode, working()]).toEqual([0, 10]);
  },
);

test.skipIf(!hasServer('slapd'))(
  'nor does the only group there is beside the one of those in scope',
  async () => {
    const { sync, working } = await openStage();
    server.modify(`${without(TEAM, INNER)}\n${gone(INNER)}\n${without(SCOPE, DELETED)}`);
    expect([(await sync()).exitCode, working()]).toEqual([0, 8]);
    server.modify(gone(TEAM));
    expect([(await sync()).exitCode, working()]).toEqual([1, 8]);
  },
);

test.skipIf(!hasServer('slapd'))('one that was deleted is let go once nobody names it any more', async () => {
  const { sync, working } = await openStage();
  await sync();
  server.modify(gone(INNER));
  expect((await sync()).exitCode).toBe(1);
  server.modify(without(TEAM, INNER));
  expect([(await sync()).exitCode, working()]).toEqual([0, 8]);
  server.modify(`${added(ROLES.slice(2))}\n${without(TEAM, INNER).replace('delete:', 'add:')}`);
  expect([(await sync()).exitCode, working()]).toEqual([0, 10]);
});

test.skipIf(!hasServer('slapd'))(
  'one that was deleted is let go where the configuration excludes it',
  async () => {
    const { sync, working } = await openStage();
    await sync();
    server.modify(gone(INNER));
    expect((await sync()).exitCode).toBe(1);
    const held = await sync({ exclude: [INNER] });
    expect([held.exitCode, working()]).toEqual([3, 10]);
    const approve = (held.plan?.held ?? []).map(({ hash }) => hash);
    expect([(await sync({ exclude: [INNER], approve })).exitCode, working()]).toEqual([0, 8]);
  },
);

test.skipIf(!hasServer('slapd'))(
  'a place that somebody else has by now is no group that is hidden',
  async () => {
    const { sync } = await openStage();
    await sync();
    const other = { objectClass: 'inetOrgPerson', cn: 'inner', sn: 'x', employeeNumber: 'inner' };
    server.modify(`${gone(INNER)}\n${added([[INNER, other]])}`);
    expect((await sync()).exitCode).toBe(0);
  },
);

test.skipIf(!hasServer('slapd'))(
  'a group in a unit that is still a member and is not found moves nobody',
  async () => {
    const { sync, working } = await openStage();
    expect([(await sync({ members: 'member' })).exitCode, working()]).toEqual([0, 10]);
    server.modify(gone(INNER));
    expect((await sync({ members: 'member' })).error).toContain(`the group ${TEAM} has the member ${INNER}`);
  },
);

/** A group that need not have members, as all groups of an Active Directory. */
const desk = (...members: readonly string[]): LdifEntry => [
  groupDn('desk'),
  { objectClass: 'posixGroup', cn: 'desk', gidNumber: '1', memberUid: members },
];
const AT_DESK = ['kim', 'lea', 'mia'];
const shows = (...members: readonly string[]): string => {
  const values = members.map((name) => `memberUid: ${name}\n`).join('');
  return `dn: ${groupDn('desk')}\nchangetype: modify\nreplace: memberUid\n${values}`;
};
const into = (holder: string, member: string): string => without(holder, member).replace('delete:', 'add:');

async function openDesk(misses: number): Promise<Stage> {
  server.modify(added([...AT_DESK.map((name) => person(name)), desk(...AT_DESK)]));
  server.modify(into(SCOPE, groupDn('desk')));
  const stage = await openStage(misses);
  expect([(await stage.sync()).exitCode, stage.working()]).toEqual([0, 13]);
  return stage;
}

describe.skipIf(!hasServer('slapd'))('a group in a group that shows no members any more', () => {
  const NOTHING = `members of ${groupDn('desk')}`;

  test.each([1, 2])('puts one person out, and several when that is approved (misses: %i)', async (misses) => {
    const { sync, working } = await openDesk(misses);
    server.modify(shows());
    let held: Ran | null = null;
    for (let run = 1; run <= misses + 1; run += 1) {
      held = await sync();
      expect(working()).toBe(13);
    }
    expect([held?.exitCode, held?.plan?.held]).toMatchObject([
      3,
      [{ guard: 'unexplained', count: 3, limit: 1 }],
    ]);
    expect(held?.plan?.held[0]?.about).toContain(NOTHING);
    expect((await sync({ approve: [held?.plan?.held[0]?.hash ?? ''] })).exitCode).toBe(0);
    expect(working()).toBe(10);
    expect((await sync()).exitCode).toBe(0);
  });

  test('nor one that has another DN by now', async () => {
    const { sync, working } = await openDesk(1);
    server.modify(shows());
    server.modify(`dn: ${groupDn('desk')}\nchangetype: modrdn\nnewrdn: cn=counter\ndeleteoldrdn: 1\n\n`);
    server.modify(`${without(SCOPE, groupDn('desk'))}\n${into(SCOPE, groupDn('counter'))}`);
    expect([(await sync()).exitCode, working()]).toEqual([3, 13]);
  });

  test('holds nobody whom it shows again, nor others who leave', async () => {
    const { sync, working } = await openDesk(1);
    server.modify(shows());
    expect([(await sync()).exitCode, working()]).toEqual([3, 13]);
    server.modify(shows('kim', 'lea'));
    expect([(await sync()).exitCode, working()]).toEqual([0, 12]);
    server.modify(`${without(SCOPE, personDn('ivy'))}\n${without(SCOPE, personDn('jon'))}`);
    expect([(await sync()).exitCode, working()]).toEqual([0, 10]);
  });

  test('and had one person alone puts that one out', async () => {
    const { sync, working } = await openDesk(1);
    server.modify(shows('kim'));
    expect([(await sync()).exitCode, working()]).toEqual([0, 11]);
    server.modify(shows());
    expect([(await sync()).exitCode, working()]).toEqual([0, 10]);
  });
});
