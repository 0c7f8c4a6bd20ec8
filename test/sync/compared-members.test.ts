import { afterEach, describe, expect, test } from 'vitest';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { boundTo } from '../source/directory-settings.ts';
import { groupDn, GROUPS, PEOPLE, person, PLACES } from '../source/ldap/group-world.ts';
import { openGroupStage } from './group-stage.ts';

let server: Slapd | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const NAMES = ['ann', 'bob'];

/** A directory whose groups name their members by another attribute than `uid`: `description`. */
async function open(members: object) {
  const posix: LdifEntry = [
    groupDn('staff'),
    { objectClass: 'posixGroup', cn: 'staff', gidNumber: '1', memberUid: NAMES.map((name) => `X-${name}`) },
  ];
  server = await startSlapd({
    head: 'include /etc/ldap/schema/nis.schema',
    ldif: toLdif([...PLACES, ...NAMES.map((name) => person(name, { description: `X-${name}` })), posix]),
  });
  return openGroupStage({
    ...boundTo(server),
    units: { base: GROUPS, filter: '(objectClass=posixGroup)', members, fields: { id: 'cn', name: 'cn' } },
    people: {
      base: PEOPLE,
      filter: '(objectClass=inetOrgPerson)',
      fields: { id: 'uid', username: 'uid', name: 'cn' },
    },
  });
}

describe.skipIf(!hasServer('slapd'))('values of memberUid that are no uid', () => {
  test('end the read, with what to do', async () => {
    const { sync } = await open({ by: 'memberUid' });
    const { exitCode, error } = await sync();
    expect(exitCode).toBe(1);
    expect(error).toContain('compared with uid of people');
    expect(error).toContain('members: { by: memberUid, compare: NAME }');
  });

  test('are compared with the attribute that is chosen', async () => {
    const { sync, world } = await open({ by: 'memberUid', compare: 'description' });
    expect((await sync()).exitCode).toBe(0);
    const node = world.organization('staff');
    const places = world.sandbox.state
      .employees()
      .flatMap(({ positions }) => positions.map(({ orgId }) => orgId));
    expect(places).toEqual([node.id, node.id]);
  });
});
