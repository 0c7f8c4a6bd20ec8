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
const [SCOPE, TEAM] = [groupDn('messenger'), groupDn('team')];

const ROLES: readonly LdifEntry[] = [
  group('messenger', [...NAMES.slice(4).map(personDn), TEAM]),
  group('team', NAMES.slice(0, 4).map(personDn)),
];

const gone = (dn: string): string => `dn: ${dn}\nchangetype: delete\n\n`;
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
    sync: ({ approve = [] } = {}) => {
      const units = { base: SUFFIX, filter: '(ou=people)', fields: { id: 'ou', name: 'ou' } };
      const positions = [{ unit: 'parentDn' }];
      const fields = { id: 'employeeNumber', username: 'uid', name: 'cn', positions };
      const people = { base: PEOPLE, filter: '(objectClass=inetOrgPerson)', fields, memberOf: SCOPE };
      const settings = { ...connection, units, people };
      return world.sync({ from: () => openSource(directorySettings(settings)), approve });
    },
    working: () => world.sandbox.state.employees().filter(({ locked }) => !locked).length,
  };
}

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

  test('nor one that is not found any more though it is named', async () => {
    const { sync, working } = await openDesk(1);
    server.modify(gone(TEAM));
    const { exitCode, plan } = await sync();
    expect([exitCode, working(), plan?.held]).toMatchObject([3, 13, [{ guard: 'unexplained', count: 4 }]]);
    expect(plan?.held[0]?.about).toContain(`members of ${TEAM}`);
    server.modify(added(ROLES.slice(1)));
    expect([(await sync()).exitCode, working()]).toEqual([0, 13]);
  });
});
