import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSource } from '../../src/source/open-source.ts';
import { SYNC } from '../plan/build.ts';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { boundTo, directorySettings } from '../source/directory-settings.ts';
import { added, PEOPLE, PLACES, SUFFIX } from '../source/ldap/group-world.ts';
import { openWorld, type Ran } from './world.ts';

const NAMES = ['Ann', 'Bob', 'Cyd', 'Dan', 'Eve', 'Fay', 'Gus', 'Hal', 'Ivy', 'Jon'];
const ELSEWHERE = `ou=elsewhere,${SUFFIX}`;
const COULD_NOT = 'it could not be read: it is where the record of this person was in the last complete read';

const dnOf = (name: string, above = PEOPLE): string => `cn=${name},${above}`;
const named = (name: string, login = name.toLowerCase()): LdifEntry => [
  dnOf(name),
  {
    objectClass: 'inetOrgPerson',
    cn: name,
    sn: 'x',
    uid: login,
    employeeNumber: login,
    employeeType: 'staff',
  },
];
const set = (name: string, attribute: string, value: string, above = PEOPLE): string =>
  `dn: ${dnOf(name, above)}\nchangetype: modify\nreplace: ${attribute}\n${attribute}: ${value}\n\n`;
const gone = (name: string): string => `dn: ${dnOf(name)}\nchangetype: delete\n\n`;
const moved = (name: string): string =>
  `dn: ${dnOf(name)}\nchangetype: modrdn\nnewrdn: cn=${name}\ndeleteoldrdn: 1\nnewsuperior: ${ELSEWHERE}\n\n`;

let server: Slapd;
beforeEach(async () => {
  if (!hasServer('slapd')) return;
  const entries: readonly LdifEntry[] = [
    ...PLACES,
    [ELSEWHERE, { objectClass: 'organizationalUnit', ou: 'elsewhere' }],
    ...NAMES.map((name) => named(name)),
  ];
  server = await startSlapd({
    ldif: toLdif(entries),
    access: 'access to filter=(description=hidden) attrs=uid,employeeNumber,employeeType by * none',
  });
});
afterEach(async () => server?.stop());

const hide = (names: readonly string[], above = PEOPLE): void =>
  server.modify(names.map((name) => set(name, 'description', 'hidden', above)).join(''));

interface Stage {
  readonly sync: () => Promise<Ran>;
  /** Usernames of the accounts that work, of these. */
  readonly working: (...names: readonly string[]) => readonly string[];
}

async function openStage(active = "employeeType != 'left'"): Promise<Stage> {
  const leavers = { ...SYNC.leavers, misses: 1 };
  const world = await openWorld({ sync: { guard: SYNC.guard, leavers } });
  const settings = {
    ...boundTo(server),
    units: { base: SUFFIX, filter: '(objectClass=organizationalUnit)', fields: { id: 'ou', name: 'ou' } },
    people: {
      base: SUFFIX,
      filter: '(objectClass=inetOrgPerson)',
      fields: {
        id: 'employeeNumber',
        username: 'uid',
        name: 'cn',
        active: { expr: active },
        positions: [{ unit: 'parentDn' }],
      },
    },
  };
  return {
    sync: () => world.sync({ from: () => openSource(directorySettings(settings)) }),
    working: (...names) => names.filter((name) => !world.employee(name).locked),
  };
}

describe.skipIf(!hasServer('slapd'))('an entry that shows neither id nor username any more', () => {
  test('leaves its person as they are, who is listed, and keeps nobody else inside', async () => {
    const { sync, working } = await openStage();
    await sync();
    // They are recognized, and nothing of them is decoded.
    expect((await sync()).exitCode).toBe(0);
    hide(['Ann', 'Bob', 'Cyd']);
    server.modify(gone('Dan'));
    for (let run = 1; run <= 3; run += 1) {
      const { exitCode, listed } = await sync();
      expect([exitCode, working('ann', 'bob', 'cyd', 'dan')]).toEqual([4, ['ann', 'bob', 'cyd']]);
      expect(listed.filter((line) => line.includes(COULD_NOT))).toHaveLength(3);
      expect(listed).toContainEqual(expect.stringMatching(/^ann: id: is empty/u));
    }
    server.modify(set('Ann', 'description', 'x') + set('Bob', 'description', 'x') + gone('Cyd'));
    expect([(await sync()).exitCode, working('ann', 'bob', 'cyd')]).toEqual([0, ['ann', 'bob']]);
  });

  test('is known by the place it moved to', async () => {
    const { sync, working } = await openStage();
    await sync();
    server.modify(moved('Ann'));
    await sync();
    hide(['Ann'], ELSEWHERE);
    expect([(await sync()).exitCode, working('ann')]).toEqual([4, ['ann']]);
  });

  test.each([
    ['ann.new', () => server.modify(added([named('Jon', 'ann.new')]))],
    ['ann', () => server.modify(`dn: ${dnOf('Ann')}\nchangetype: modrdn\nnewrdn: cn=Jon\ndeleteoldrdn: 1\n`)],
  ])(
    'is of %s, who was there last, not of somebody who is gone and was there before',
    async (login, comes) => {
      const { sync, working } = await openStage();
      await sync();
      server.modify(gone('Jon'));
      await sync();
      comes();
      await sync();
      expect(working('jon', login)).toEqual([login]);
      hide(['Jon']);
      expect([(await sync()).exitCode, working('jon', login)]).toEqual([4, [login]]);
    },
  );

  test('keeps nobody inside whom it shows as a leaver', async () => {
    const { sync, working } = await openStage("description != 'hidden' || title != 'left'");
    await sync();
    hide(['Ann', 'Bob']);
    server.modify(set('Bob', 'title', 'left'));
    await sync();
    expect(working('ann', 'bob')).toEqual(['ann']);
  });

  test('tells nothing by a value that it does not show', async () => {
    const { sync, working } = await openStage("employeeType == 'staff'");
    await sync();
    hide(['Ann', 'Bob', 'Cyd']);
    expect([(await sync()).exitCode, working('ann', 'bob', 'cyd')]).toEqual([4, ['ann', 'bob', 'cyd']]);
  });
});
