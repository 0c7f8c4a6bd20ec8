import { afterEach, beforeEach, expect, test } from 'vitest';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { boundTo } from '../source/directory-settings.ts';
import { groupDn, GROUPS, PEOPLE, person, personDn, PLACES } from '../source/ldap/group-world.ts';
import { ldif } from '../source/ldap/changes/staff.ts';
import { openGroupStage, type GroupStage } from './group-stage.ts';

const NAMES = Array.from({ length: 14 }, (_, at) => `p${String(at).padStart(2, '0')}`);
const [LEFT, ONE, TWO] = ['left', 'one', 'two'].map(groupDn) as [string, string, string];
let gid = 0;
const posix = (name: string, memberUid: readonly string[]): LdifEntry => [
  groupDn(name),
  { objectClass: 'posixGroup', cn: name, gidNumber: String((gid += 1)), memberUid },
];

let server: Slapd;
beforeEach(async () => {
  if (!hasServer('slapd')) return;
  const groups = [
    posix('staff', NAMES.slice(0, 10)),
    posix('some', NAMES.slice(10)),
    posix('left', NAMES.slice(0, 3)),
    posix('one', NAMES.slice(0, 10)),
    posix('two', NAMES.slice(10)),
  ];
  server = await startSlapd({
    head: 'include /etc/ldap/schema/nis.schema',
    access:
      'access to filter=(description=hidden) attrs=memberUid by * none\naccess to filter=(description=gone) by * none',
    ldif: toLdif([...PLACES, ...NAMES.map((name) => person(name)), ...groups]),
  });
});
afterEach(async () => server?.stop());

async function openStage(people: object, protect?: string): Promise<GroupStage> {
  const { fields = {}, ...rest } = people as { readonly fields?: object };
  const source = {
    ...boundTo(server),
    units: {
      base: GROUPS,
      filter: '(&(objectClass=posixGroup)(!(cn=one))(!(cn=two)))',
      members: { by: 'memberUid', nested: 'none' },
      fields: { id: 'cn', name: 'cn' },
    },
    people: {
      base: PEOPLE,
      filter: '(objectClass=inetOrgPerson)',
      fields: { id: 'entryUUID', username: 'uid', name: 'cn', ...fields },
      ...rest,
    },
  };
  return openGroupStage(source, { misses: 2, protect });
}

const inGroup = (name: string): string => `all.unit_groups.exists(g, g.startsWith('cn=${name},'))`;

test.skipIf(!hasServer('slapd')).each([
  [{ fields: { active: { expr: `!${inGroup('left')}` } } }, LEFT, 3, 'hidden'],
  [{ fields: { active: { expr: `!${inGroup('left')}` } } }, LEFT, 3, 'gone'],
])(
  'a group that a rule reads and that shows nobody any more lets several in, or out, only when that is approved: %j %s %i %s',
  async (people, dn, several, how) => {
    const { sync, count } = await openStage(people);
    expect((await sync()).exitCode).toBe(0);
    const before = count();
    server.modify(ldif.set(dn, 'description', how));
    let ran = await sync();
    for (let run = 0; run < 3; run += 1) {
      ran = await sync();
      expect([ran.exitCode, ran.changing, count()]).toEqual([3, [], before]);
    }
    expect(ran.plan?.held).toMatchObject([{ guard: 'unexplained', count: several, limit: 1 }]);
    expect(ran.plan?.held[0]?.about).toContain(`members of ${dn}: this read brought none`);
    server.modify(ldif.set(dn, 'description', 'x'));
    const back = await sync();
    // The group is a unit as well.
    const made = how === 'gone' ? ['importOrganizations'] : [];
    expect([back.exitCode, back.changing, count()]).toEqual([0, made, before]);
  },
);

test.skipIf(!hasServer('slapd'))(
  'one of several groups of the scope may become empty: who was in it leaves when that is approved',
  async () => {
    const { sync, count } = await openStage({ memberOf: [ONE, TWO] });
    expect([(await sync()).exitCode, count()]).toEqual([0, 14]);
    server.modify(`dn: ${TWO}\nchangetype: modify\ndelete: memberUid\n`);
    await sync();
    const held = await sync();
    expect([held.exitCode, held.changing, count()]).toEqual([3, [], 14]);
    expect((await sync(held.plan?.held.map(({ hash }) => hash))).exitCode).toBe(0);
    expect(count()).toBe(10);
    expect((await sync()).exitCode).toBe(0);
    server.modify(`dn: ${ONE}\nchangetype: modify\ndelete: memberUid\n`);
    const none = await sync();
    expect([none.exitCode, count()]).toEqual([1, 10]);
    expect(none.error).toMatch(
      /memberOf\[0\]: .*, .*memberOf\[1\]: .* have no member, so no person would be in scope/u,
    );
  },
);

test.skipIf(!hasServer('slapd')).each([['is hidden as a whole', 'gone']])(
  'whoever a group protected stays so, with every place, while the group %s, and goes on when it is back',
  async (_, how) => {
    const { sync, count } = await openStage(
      { fields: { active: { expr: "description != 'left'" } } },
      inGroup('left'),
    );
    expect([(await sync()).exitCode, count()]).toEqual([0, 14]);
    server.modify(ldif.set(LEFT, 'description', how));
    await sync();
    for (let run = 0; run < 3; run += 1) {
      const ran = await sync();
      expect([ran.changing.includes('importEmployees'), count()]).toEqual([false, 14]);
    }
    server.modify(
      NAMES.slice(0, 3)
        .map((name) => ldif.set(personDn(name), 'description', 'left'))
        .join(''),
    );
    for (let run = 0; run < 3; run += 1) expect([(await sync()).changing, count()]).toEqual([[], 14]);
    server.modify(
      ldif.set(LEFT, 'description', 'x') +
        NAMES.slice(0, 3)
          .map((name) => ldif.set(personDn(name), 'description', 'back'))
          .join(''),
    );
    await sync();
    expect([(await sync()).exitCode, count()]).toEqual([0, 14]);
  },
);
