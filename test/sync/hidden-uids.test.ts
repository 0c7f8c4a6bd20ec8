import { afterEach, beforeEach, expect, test } from 'vitest';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { boundTo } from '../source/directory-settings.ts';
import { added, groupDn, PEOPLE, person, personDn, PLACES, SUFFIX } from '../source/ldap/group-world.ts';
import { ldif } from '../source/ldap/changes/staff.ts';
import { openGroupStage, type GroupStage } from './group-stage.ts';

const NAMES = ['ann', 'bob', 'cyd', 'dan', 'eve', 'fay'];
const SCOPE = groupDn('messenger');
const scope: LdifEntry = [
  SCOPE,
  { objectClass: 'posixGroup', cn: 'messenger', gidNumber: '1', memberUid: NAMES.slice(0, 5) },
];

/** As Active Directory has it: accounts name their primary group by the last number of its SID. */
const PRIMARY = `attributetype ( 1.1.1 NAME 'primaryGroupID' SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE )
attributetype ( 1.1.2 NAME 'objectSid' SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
objectclass ( 1.1.3 NAME 'user' SUP top AUXILIARY MAY ( primaryGroupID $ objectSid ) )`;

let server: Slapd;
beforeEach(async () => {
  if (!hasServer('slapd')) return;
  server = await startSlapd({
    head: `include /etc/ldap/schema/nis.schema\n${PRIMARY}`,
    access: ['uid', 'primaryGroupID']
      .map((name) => `access to filter=(description=no-${name}) attrs=${name} by * none`)
      .join('\n'),
    ldif: toLdif([...PLACES, ...NAMES.map((name) => person(name)), scope]),
  });
});
afterEach(async () => server?.stop());

const describeAs = (names: readonly string[], text: string): void =>
  server.modify(names.map((name) => ldif.set(personDn(name), 'description', text)).join(''));

async function openStage(username: string): Promise<GroupStage> {
  return openGroupStage({
    ...boundTo(server),
    units: { base: SUFFIX, filter: '(ou=people)', fields: { id: 'ou', name: 'ou' } },
    people: {
      base: PEOPLE,
      filter: '(objectClass=inetOrgPerson)',
      fields: { id: 'entryUUID', username, name: 'cn', positions: [{ unit: 'parentDn' }] },
      memberOf: SCOPE,
    },
  });
}

// Nobody ours is 'fay': she is in no group, with or without a uid.
test.skipIf(!hasServer('slapd')).each(['uid', 'cn'])(
  'who shows no uid, by which the group of the scope names them, is left as they are (username: %s)',
  async (username) => {
    const { sync, count } = await openStage(username);
    expect([(await sync()).exitCode, count()]).toEqual([0, 5]);
    describeAs(['ann', 'bob', 'fay'], 'no-uid');
    for (let run = 1; run <= 3; run += 1) {
      const { exitCode, planned, listed } = await sync();
      expect([exitCode, planned, count()]).toEqual([4, [], 5]);
      expect(listed).toHaveLength(2);
      expect(listed[0]).toContain('shows no uid, by which groups name their members (memberUid)');
    }
    describeAs(['ann', 'bob', 'fay'], 'x');
    server.modify(`dn: ${SCOPE}\nchangetype: modify\ndelete: memberUid\nmemberUid: ann\n`);
    expect([(await sync()).exitCode, count()]).toEqual([0, 4]);
    server.modify(added([person('gus')]));
    expect([(await sync()).exitCode, count()]).toEqual([0, 4]);
  },
);
