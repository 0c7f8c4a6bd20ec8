import { afterEach, beforeEach, expect, test } from 'vitest';
import { hasServer } from '../servers/install.ts';
import { toLdif } from '../servers/ldif.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { boundTo } from '../source/directory-settings.ts';
import {
  group,
  groupDn,
  GROUPS,
  PEOPLE,
  person,
  personDn,
  PLACES,
  SUFFIX,
} from '../source/ldap/group-world.ts';
import { ldif } from '../source/ldap/changes/staff.ts';
import { openGroupStage, type GroupStage } from './group-stage.ts';

const NAMES = ['ann', 'bob', 'cyd', 'dan', 'eve', 'fay', 'gus', 'hal'];
const SCOPE = groupDn('messenger');

// A server without referential integrity: groups name old DNs until somebody corrects them.
let server: Slapd;
beforeEach(async () => {
  if (!hasServer('slapd')) return;
  const entries = [
    ...PLACES,
    ...NAMES.map((name) => person(name)),
    group('messenger', NAMES.slice(0, 7).map(personDn)),
    group('sales', NAMES.map(personDn)),
  ];
  server = await startSlapd({ ldif: toLdif(entries) });
});
afterEach(async () => server?.stop());

async function openStage(isByGroup = false): Promise<GroupStage> {
  const tree = { base: SUFFIX, filter: '(ou=people)', fields: { id: 'ou', name: 'ou' } };
  const groups = { base: GROUPS, filter: '(cn=sales)', members: 'member', fields: { id: 'cn', name: 'cn' } };
  const fields = { id: 'entryUUID', username: 'employeeNumber', name: 'cn' };
  const source = {
    ...boundTo(server),
    units: isByGroup ? groups : tree,
    people: {
      base: PEOPLE,
      filter: '(objectClass=inetOrgPerson)',
      fields: isByGroup ? fields : { ...fields, positions: [{ unit: 'parentDn' }] },
      memberOf: SCOPE,
    },
  };
  return openGroupStage(source, { misses: 2 });
}

const named = (old: string, now: string): string =>
  `dn: ${SCOPE}\nchangetype: modify\ndelete: member\nmember: ${personDn(old)}\n-\nadd: member\nmember: ${personDn(now)}\n`;

test.skipIf(!hasServer('slapd'))(
  'whoever has another DN than the group of the scope names is left as they are until that is corrected',
  async () => {
    const { sync, working } = await openStage();
    expect([(await sync()).exitCode, working()]).toEqual([0, NAMES.slice(0, 7)]);
    server.modify(ldif.rename(personDn('ann'), 'uid=anna') + ldif.rename(personDn('hal'), 'uid=harold'));
    for (let run = 1; run <= 4; run += 1) {
      const ran = await sync();
      expect([ran.exitCode, ran.changing, working()]).toEqual([4, [], NAMES.slice(0, 7)]);
      expect(ran.listed).toEqual([
        expect.stringMatching(
          /has another DN, or uid, than in the last complete read, and a group of source.people.memberOf/u,
        ),
      ]);
    }
    server.modify(named('ann', 'anna'));
    const after = await sync();
    expect([after.exitCode, after.changing, working()]).toEqual([0, [], NAMES.slice(0, 7)]);
  },
);

test.skipIf(!hasServer('slapd'))(
  'whoever is deleted leaves, also where the group goes on naming them',
  async () => {
    const { sync, working } = await openStage();
    await sync();
    server.modify(ldif.remove(personDn('bob')));
    expect([(await sync()).exitCode, working()]).toEqual([0, NAMES.slice(0, 7)]);
    const after = await sync();
    expect([after.exitCode, after.planned]).toEqual([
      0,
      ['disable person ' + String(after.planned[0]?.split(' ')[2])],
    ]);
    expect(working()).not.toContain('bob');
  },
);

test.skipIf(!hasServer('slapd'))(
  'whoever is taken out of the group leaves, though others are looked for',
  async () => {
    const { sync, working } = await openStage();
    await sync();
    server.modify(ldif.rename(personDn('ann'), 'uid=anna'));
    server.modify(`dn: ${SCOPE}\nchangetype: modify\ndelete: member\nmember: ${personDn('cyd')}\n`);
    for (let run = 1; run <= 2; run += 1) expect((await sync()).exitCode).toBe(4);
    expect(working()).toEqual(NAMES.slice(0, 7).filter((name) => name !== 'cyd'));
  },
);

test.skipIf(!hasServer('slapd'))(
  'whoever is taken out of the scope leaves, though a unit goes on naming them',
  async () => {
    const { sync, working } = await openStage(true);
    expect([(await sync()).exitCode, working()]).toEqual([0, NAMES.slice(0, 7)]);
    server.modify(
      `dn: ${SCOPE}\nchangetype: modify\ndelete: member\nmember: ${personDn('ann')}\nmember: ${personDn('cyd')}\n`,
    );
    for (let run = 1; run <= 2; run += 1) expect((await sync()).exitCode).toBe(0);
    expect(working()).toEqual(NAMES.slice(0, 7).filter((name) => name !== 'ann' && name !== 'cyd'));
  },
);

test.skipIf(!hasServer('slapd'))(
  'whoever is in the scope by no group any more leaves, though the unit names an old DN of theirs',
  async () => {
    const { sync, working } = await openStage(true);
    await sync();
    server.modify(ldif.rename(personDn('ann'), 'uid=anna'));
    server.modify(`dn: ${SCOPE}\nchangetype: modify\ndelete: member\nmember: ${personDn('ann')}\n`);
    for (let run = 1; run <= 2; run += 1) expect((await sync()).exitCode).toBe(0);
    expect(working()).toEqual(NAMES.slice(1, 7));
  },
);
