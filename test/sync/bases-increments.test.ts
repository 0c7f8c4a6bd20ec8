import { afterEach, describe, expect, test } from 'vitest';
import { openSource } from '../../src/source/open-source.ts';
import { hasServer } from '../servers/install.ts';
import { toLdif } from '../servers/ldif.ts';
import { startSlapd, type Slapd, type SlapdOptions } from '../servers/slapd.ts';
import { ldif, person, STAFF, staffSettings, BASE } from '../source/ldap/changes/staff.ts';
import type { Told } from './said.ts';
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
  /** Makes a run, and expects how it reads too. */
  readonly run: (how: string | null, expected: Partial<Told>) => Promise<Ran>;
}

/** @param exclude what is out of scope, by filters */
async function openStage(exclude: readonly string[] = []): Promise<Stage> {
  const directory = await startSlapd({ ...SYNCED, ldif: toLdif(ENTRIES), access: ACCESS });
  server = directory;
  const settings = staffSettings(directory);
  const people = { ...settings.people, bases: [A, C], exclude };
  const units = { ...settings.units, rules: { ...settings.units.rules, id: 'ou', fields: { name: 'ou' } } };
  const world = await openWorld({ from: () => openSource({ ...settings, units, people }) });
  return {
    directory,
    run: async (how, expected) => {
      const ran = await world.run({ later: 15 }, expected);
      const read = ran.lines.map(({ fields }) => fields).find(({ event }) => event === 'source.read');
      const shown = read?.['how'] ?? read?.['read'];
      expect(shown).toBe(how ?? shown);
      return ran;
    },
  };
}

describe.skipIf(!hasServer('slapd'))('increments of two bases', () => {
  test('come to the same as full reads, whoever has changed below which of them', async () => {
    const { directory, run } = await openStage();
    await run('full', {});
    await run('syncrepl', { planned: '' });
    directory.modify(ldif.set(`cn=p1,${A}`, 'displayName', 'Another'));
    await run('syncrepl', { planned: 'update p1' });
    directory.modify(ldif.remove(`cn=p6,${C}`));
    await run(null, {});
    await run('syncrepl', { planned: 'disable p6' });
  });

  test('are not read while nobody of a base is in scope, so that each run names the base', async () => {
    const { run } = await openStage(['(|(cn=p4)(cn=p6)(cn=p7)(cn=p8))']);
    for (let times = 1; times <= 3; times += 1) {
      const { report } = await run('full', { exit: 4 });
      expect(JSON.stringify(report)).toContain(`${C.toLowerCase()} has no people below it`);
    }
  });

  test('put nobody out where nobody of a base is shown any more', async () => {
    const { directory, run } = await openStage();
    for (let times = 1; times <= 2; times += 1) await run(null, {});
    directory.modify(
      ['p4', 'p6', 'p7', 'p8'].map((id) => ldif.set(`cn=${id},${C}`, 'title', 'hidden')).join(''),
    );
    for (let times = 1; times <= 3; times += 1)
      await run(null, { exit: 1, error: 'read-lost-part', planned: '' });
  });
});
