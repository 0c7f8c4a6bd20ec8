import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { openSource } from '../../src/source/open-source.ts';
import { SYNC } from '../plan/build.ts';
import { hasServer } from '../servers/install.ts';
import { toLdif, type LdifEntry } from '../servers/ldif.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { load } from '../config/config-file.ts';
import { stringify } from 'yaml';
import { boundTo, directorySettings } from '../source/directory-settings.ts';
import { group, groupDn, GROUPS, PEOPLE, person, PLACES, SUFFIX } from '../source/ldap/group-world.ts';
import { ldif } from '../source/ldap/changes/stage.ts';
import type { Told } from './said.ts';
import { loadedWorld, workingIn } from './world.ts';

const LARGE = Array.from({ length: 190 }, (_, at) => `a${at}`);
const SMALL = Array.from({ length: 10 }, (_, at) => `b${at}`);
const BRANCH = `ou=branch,${SUFFIX}`;

let server: Slapd | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** A company of which a small part comes from a place of its own. */
interface Company {
  readonly source: () => ReturnType<typeof openSource>;
  /** Makes these people of the small part leavers; nobody else. */
  readonly lose: (names: readonly string[]) => void;
}

function database(part: readonly string[], file: string): Database.Database {
  const db = new Database(file);
  db.exec('create table staff (id text, active integer)');
  const insert = db.prepare('insert into staff values (?, 1)');
  for (const name of part) insert.run(name);
  return db;
}

/** Two databases; who leaves is missing, or inactive, in the small one. */
function databases(how: string): Company {
  const folder = scratchFolder('parts');
  const [large, small] = [database(LARGE, join(folder, 'a.db')), database(SMALL, join(folder, 'b.db'))];
  onTestFinished(() => {
    for (const db of [large, small]) db.close();
    removeFolder(folder);
  });
  const fields = { id: 'id', username: 'id', name: 'id', active: 'active' };
  const people = (from: string) => ({ from, query: 'select * from staff', fields });
  const { settings } = load(
    stringify({
      service: { baseUrl: 'http://localhost', domainId: 'd', orgCode: 'o', token: 't' },
      sources: {
        a: { type: 'sql', url: `sqlite:${join(folder, 'a.db')}` },
        b: { type: 'sql', url: `sqlite:${join(folder, 'b.db')}` },
      },
      source: {
        units: { from: 'a', query: `select 'u' as id`, fields: { id: 'id', name: 'id' } },
        people: ['a', 'b'].map((from) => ({
          ...people(from),
          fields: { ...fields, positions: [{ unit: { const: 'u' } }] },
        })),
      },
    }),
  );
  return {
    source: () => openSource(settings.source),
    lose: (names) => {
      small.exec(`delete from staff; update staff set active = 1`);
      for (const name of SMALL) {
        const leaves = names.includes(name);
        if (leaves && how === 'missing') continue;
        small.prepare('insert into staff values (?, ?)').run(name, leaves ? 0 : 1);
      }
    },
  };
}

/** One directory with the small part below a base, or in a group of the scope, of its own. */
async function directory(how: 'base' | 'group'): Promise<Company> {
  const branch: LdifEntry = [BRANCH, { objectClass: 'organizationalUnit', ou: 'branch' }];
  const at = (name: string): string => (how === 'base' && SMALL.includes(name) ? BRANCH : PEOPLE);
  const placed = (name: string): LdifEntry => [`uid=${name},${at(name)}`, person(name)[1]];
  const dns = (names: readonly string[]): readonly string[] => names.map((name) => placed(name)[0]);
  const groups = [group('large', dns(LARGE)), group('small', dns(SMALL))];
  const started = await startSlapd({
    ldif: toLdif([...PLACES, branch, ...[...LARGE, ...SMALL].map(placed), ...groups]),
  });
  server = started;
  const where =
    how === 'base'
      ? { base: [PEOPLE, BRANCH] }
      : { base: PEOPLE, memberOf: [groupDn('large'), groupDn('small')] };
  const settings = directorySettings({
    ...boundTo(started),
    units: { base: GROUPS, filter: '(cn=large)', fields: { id: 'cn', name: 'cn' } },
    people: {
      ...where,
      filter: '(&(objectClass=inetOrgPerson)(!(title=gone)))',
      fields: { id: 'uid', username: 'uid', name: 'cn', positions: [{ unit: { const: 'large' } }] },
    },
  });
  let gone: readonly string[] = [];
  return {
    source: () => openSource(settings),
    lose: (names) => {
      if (how === 'group') {
        const members = dns(SMALL.filter((name) => !names.includes(name))).map((dn) => `member: ${dn}`);
        started.modify(
          `dn: ${groupDn('small')}\nchangetype: modify\nreplace: member\n${members.join('\n')}\n\n`,
        );
        return;
      }
      for (const name of gone) started.modify(ldif.set(placed(name)[0], 'title', 'here'));
      for (const name of names) started.modify(ldif.set(placed(name)[0], 'title', 'gone'));
      gone = names;
    },
  };
}

const KINDS: readonly (readonly [string, string, () => Company | Promise<Company>])[] = [
  ['one of two databases, where they are missing', 'sources.b', () => databases('missing')],
  ['one of two bases', BRANCH, () => directory('base')],
  ['one of two groups that are the scope', groupDn('small'), () => directory('group')],
];

describe.skipIf(!hasServer('slapd'))('of a small part of the people', () => {
  test.each(KINDS)('more than half of %s is held, also in small steps', async (_, part, open) => {
    const company = await open();
    const leavers = { ...SYNC.leavers, misses: 1 };
    const world = await loadedWorld({ from: company.source, sync: { guard: SYNC.guard, leavers } });
    const losing = async (lost: number, expected: Partial<Told>, working: number) => {
      company.lose(SMALL.slice(0, lost));
      const ran = await world.run({ later: 20 }, expected);
      expect([lost, workingIn(world).length]).toEqual([lost, working]);
      return ran;
    };
    await losing(0, {}, 200);
    await losing(3, {}, 197);
    const { plan } = await losing(6, { exit: 3 }, 197);
    expect(plan?.held.map(({ guard, about }) => `${guard}: ${about}`)).toEqual([
      `leavers: 3 of 7 people who come from ${part} would leave, 3 more in the last 24 hours`,
    ]);
    await losing(5, {}, 195);
  });
});
