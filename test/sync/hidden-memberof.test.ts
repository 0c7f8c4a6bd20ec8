import { afterEach, beforeEach, expect, test } from 'vitest';
import { hasServer } from '../servers/install.ts';
import { toLdif } from '../servers/ldif.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { boundTo } from '../source/directory-settings.ts';
import {
  added,
  group,
  groupDn,
  GROUPS,
  PEOPLE,
  person,
  personDn,
  PLACES,
} from '../source/ldap/group-world.ts';
import { ldif } from '../source/ldap/changes/staff.ts';
import { openGroupStage, type GroupStage } from './group-stage.ts';

const NAMES = ['ann', 'bob', 'cyd', 'dan', 'eve', 'fay'];
const [ONE, OTHER, SCOPE] = ['one', 'other', 'messenger'].map(groupDn) as [string, string, string];

let server: Slapd;
beforeEach(async () => {
  if (!hasServer('slapd')) return;
  server = await startSlapd({
    head: 'moduleload memberof',
    config: 'overlay memberof\nmemberof-refint true\nmemberof-dangling ignore',
    access: 'access to filter=(description=hidden) attrs=memberOf by * none',
    ldif: toLdif([...PLACES, ...NAMES.map((name) => person(name))]),
  });
  // The overlay keeps memberOf of what is changed while the server runs.
  server.modify(
    added([
      group('one', NAMES.slice(0, 3).map(personDn)),
      group('other', NAMES.slice(2).map(personDn)),
      group('messenger', [ONE, OTHER]),
    ]),
  );
});
afterEach(async () => server?.stop());

const describeAs = (names: readonly string[], text: string): void =>
  server.modify(names.map((name) => ldif.set(personDn(name), 'description', text)).join(''));

interface Stage extends Pick<GroupStage, 'sync'> {
  /** `person: number of places`, of those who work. */
  readonly places: () => readonly string[];
}

async function openStage(memberOf: string): Promise<Stage> {
  const { world, sync, working } = await openGroupStage({
    ...boundTo(server),
    units: {
      base: GROUPS,
      filter: '(&(objectClass=groupOfNames)(!(cn=messenger)))',
      members: { by: 'memberOf', nested: 'none' },
      fields: { id: 'cn', name: 'cn' },
    },
    people: {
      base: PEOPLE,
      filter: '(objectClass=inetOrgPerson)',
      fields: { id: 'entryUUID', username: 'uid', name: 'cn' },
      memberOf,
    },
  });
  const places = (): readonly string[] =>
    working().map((username) => `${username}: ${world.employee(username).positions.length}`);
  return { sync, places };
}

const ALL = ['ann: 1', 'bob: 1', 'cyd: 2', 'dan: 1', 'eve: 1', 'fay: 1'];

test.skipIf(!hasServer('slapd'))(
  'who shows no memberOf is in scope, and in the units, by the groups that name them',
  async () => {
    const { sync, places } = await openStage(SCOPE);
    expect([(await sync()).exitCode, places()]).toEqual([0, ALL]);
    for (const hidden of [['ann', 'cyd'], NAMES]) {
      describeAs(hidden, 'hidden');
      for (let run = 1; run <= 2; run += 1) {
        const ran = await sync();
        expect([ran.exitCode, ran.changing, places()]).toEqual([0, [], ALL]);
      }
    }
    describeAs(NAMES, 'x');
    server.modify(`dn: ${OTHER}\nchangetype: modify\ndelete: member\nmember: ${personDn('fay')}\n`);
    expect([(await sync()).exitCode, places()]).toEqual([0, ALL.slice(0, 5)]);
  },
);
