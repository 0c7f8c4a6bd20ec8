import { afterEach, describe, expect, test } from 'vitest';
import { openSource } from '../../src/source/open-source.ts';
import { hasServer } from '../servers/install.ts';
import { toLdif } from '../servers/ldif.ts';
import { startSlapd, type Slapd, type SlapdOptions } from '../servers/slapd.ts';
import { ldif, person, STAFF, staffSettings, BASE } from '../source/ldap/changes/staff.ts';
import { openWorld, type Ran } from './world.ts';

const [A, C] = [`ou=a,${BASE}`, `ou=c,${BASE}`];
const ENTRIES = [...STAFF, ...['p6', 'p7', 'p8'].map((id) => person(id, C))];
/** The last access rule lets all read. */
const ACCESS = `access to dn.subtree="${C}" filter=(title=hidden) by * none`;
const SYNCED: SlapdOptions = {
  head: 'moduleload syncprov',
  config: 'index entryCSN,entryUUID eq\noverlay syncprov\nsyncprov-sessionlog 1000',
};

let server: Slapd | undefined;
afterEach(async () => server?.stop());

interface Stage {
  readonly directory: Slapd;
  /** Makes a run; returns how it read too. */
  readonly sync: () => Promise<Ran & { readonly how: string | undefined }>;
}

/** @param exclude what is out of scope, by filters */
async function openStage(exclude: readonly string[] = []): Promise<Stage> {
  const directory = await startSlapd({ ...SYNCED, ldif: toLdif(ENTRIES), access: ACCESS });
  server = directory;
  const settings = staffSettings(directory);
  const people = { ...settings.people, bases: [A, C], exclude };
  const units = { ...settings.units, rules: { ...settings.units.rules, id: 'ou', fields: { name: 'ou' } } };
  const world = await openWorld();
  return {
    directory,
    sync: async () => {
      const ran = await world.sync({ later: 15, from: () => openSource({ ...settings, units, people }) });
      const read = ran.lines.map(({ fields }) => fields).find(({ event }) => event === 'source.read');
      return { ...ran, how: String(read?.['how'] ?? read?.['read']) };
    },
  };
}

describe.skipIf(!hasServer('slapd'))('increments of two bases', () => {
  const how = 'syncrepl';
  test('come to the same as full reads, whoever has changed below which of them', async () => {
    const { directory, sync } = await openStage();
    expect(await sync()).toMatchObject({ exitCode: 0, how: 'full' });
    expect(await sync()).toMatchObject({ exitCode: 0, how, planned: [] });
    directory.modify(ldif.set(`cn=p1,${A}`, 'displayName', 'Another'));
    expect(await sync()).toMatchObject({ exitCode: 0, how, planned: ['update person p1'] });
    directory.modify(ldif.remove(`cn=p6,${C}`));
    expect((await sync()).exitCode).toBe(0);
    expect(await sync()).toMatchObject({ exitCode: 0, how, planned: ['disable person p6'] });
  });

  test('are not read while nobody of a base is in scope, so that each run names the base', async () => {
    const { sync } = await openStage(['(|(cn=p4)(cn=p6)(cn=p7)(cn=p8))']);
    for (let run = 1; run <= 3; run += 1) {
      const { exitCode, how: readHow, report } = await sync();
      expect([exitCode, readHow]).toEqual([4, 'full']);
      expect(JSON.stringify(report)).toContain(`${C.toLowerCase()} has no people below it`);
    }
  });

  test('put nobody out where nobody of a base is shown any more', async () => {
    const { directory, sync } = await openStage();
    await sync();
    await sync();
    directory.modify(
      ['p4', 'p6', 'p7', 'p8'].map((id) => ldif.set(`cn=${id},${C}`, 'title', 'hidden')).join(''),
    );
    for (let run = 1; run <= 3; run += 1) {
      const { exitCode, error, planned } = await sync();
      expect([exitCode, planned]).toEqual([1, []]);
      expect(error).toContain(`source.people.base: ${C.toLowerCase()} brought no record of people`);
    }
  });
});
