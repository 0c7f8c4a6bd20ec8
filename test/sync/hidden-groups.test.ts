import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { boundTo } from '../source/directory-settings.ts';
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
import { ldif } from '../source/ldap/changes/staff.ts';
import { openGroupStage } from './group-stage.ts';

const NAMES = ['ann', 'bob', 'cyd', 'dan', 'eve', 'fay', 'gus', 'hal', 'ivy', 'jon'];
const [SCOPE, TEAM] = [groupDn('messenger'), groupDn('team')];

const ROLES: readonly LdifEntry[] = [
  group('messenger', [...NAMES.slice(4).map(personDn), TEAM]),
  group('team', NAMES.slice(0, 4).map(personDn)),
];

// Whether an entry may not be read or is not there looks the same from outside.
let server: Slapd;
beforeEach(async () => {
  if (!hasServer('slapd')) return;
  const entries = [...PLACES, ...NAMES.map((name) => person(name)), ...ROLES];
  server = await startSlapd({ head: 'include /etc/ldap/schema/nis.schema', ldif: toLdif(entries) });
});
afterEach(async () => server?.stop());

const source = (): object => ({
  ...boundTo(server),
  units: { base: SUFFIX, filter: '(ou=people)', fields: { id: 'ou', name: 'ou' } },
  people: {
    base: PEOPLE,
    filter: '(objectClass=inetOrgPerson)',
    fields: { id: 'employeeNumber', username: 'uid', name: 'cn', positions: [{ unit: 'parentDn' }] },
    memberOf: SCOPE,
  },
});

/** A group that need not have members, as all groups of an Active Directory. */
const desk = (...members: readonly string[]): LdifEntry => [
  groupDn('desk'),
  { objectClass: 'posixGroup', cn: 'desk', gidNumber: '1', memberUid: members },
];
const AT_DESK = ['kim', 'lea', 'mia'];
async function openDesk(misses: number) {
  server.modify(added([...AT_DESK.map((name) => person(name)), desk(...AT_DESK)]));
  server.modify(`dn: ${SCOPE}\nchangetype: modify\nadd: member\nmember: ${groupDn('desk')}\n`);
  const stage = await openGroupStage(source(), { misses });
  expect([(await stage.sync()).exitCode, stage.count()]).toEqual([0, 13]);
  return stage;
}

describe.skipIf(!hasServer('slapd'))('a group in a group', () => {
  test.each([1, 2])(
    'that shows no members any more puts several out when that is approved (misses: %i)',
    async (misses) => {
      const { sync, count } = await openDesk(misses);
      server.modify(`dn: ${groupDn('desk')}\nchangetype: modify\ndelete: memberUid\n`);
      let held = await sync();
      for (let run = 1; run <= misses; run += 1) held = await sync();
      expect([held.exitCode, count(), held.plan?.held]).toMatchObject([
        3,
        13,
        [{ guard: 'unexplained', count: 3, limit: 1 }],
      ]);
      expect(held.plan?.held[0]?.about).toContain(`members of ${groupDn('desk')}`);
      expect((await sync([held.plan?.held[0]?.hash ?? ''])).exitCode).toBe(0);
      expect([(await sync()).exitCode, count()]).toEqual([0, 10]);
    },
  );

  test('that is not found any more though it is named puts nobody out, and is as before when it is back', async () => {
    const { sync, count } = await openDesk(1);
    server.modify(ldif.remove(TEAM));
    const { exitCode, plan } = await sync();
    expect([exitCode, count(), plan?.held]).toMatchObject([3, 13, [{ guard: 'unexplained', count: 4 }]]);
    expect(plan?.held[0]?.about).toContain(`members of ${TEAM}`);
    server.modify(added(ROLES.slice(1)));
    expect([(await sync()).exitCode, count()]).toEqual([0, 13]);
  });
});
