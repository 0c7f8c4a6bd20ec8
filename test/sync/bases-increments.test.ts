import { afterEach, describe, expect, test } from 'vitest';
import { hasServer } from '../servers/install.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { Stage, SYNCED } from '../source/ldap/changes/stage.ts';
import type { Told } from './said.ts';
import { openWorld, type Ran } from './world.ts';

const C = 'ou=c,ou=company,dc=example,dc=com';
/** The last access rule lets all read. */
const ACCESS = `access to dn.subtree="${C}" filter=(title=hidden) by * none`;

let server: Slapd | undefined;
afterEach(async () => server?.stop());

interface Staged {
  readonly directory: Slapd;
  readonly stage: Stage;
  /** Makes a run, and expects how it reads too. */
  readonly run: (how: string | null, expected: Partial<Told>) => Promise<Ran>;
}

/** @param exclude what is out of scope, by filters */
async function openStage(exclude: readonly string[] = []): Promise<Staged> {
  const directory = await startSlapd({ ...SYNCED, access: ACCESS });
  server = directory;
  const stage = new Stage('slapd', directory);
  const { a, c } = stage;
  directory.modify(stage.add(['p6', c], ['p7', c], ['p8', c]));
  const world = await openWorld({ from: () => stage.source({ base: [a, c], exclude }) });
  return {
    directory,
    stage,
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
    const { directory, stage, run } = await openStage();
    await run('full', {});
    await run('syncrepl', { planned: '' });
    directory.modify(stage.set('p1', stage.a, 'Another'));
    await run('syncrepl', { planned: 'update p1' });
    directory.modify(stage.remove('p6', C));
    await run(null, {});
    await run('syncrepl', { planned: 'disable p6' });
  });

  test('are not read while nobody of a base is in scope, so that each run names the base', async () => {
    const { run } = await openStage(['(|(cn=p4)(cn=p6)(cn=p7)(cn=p8))']);
    for (let times = 1; times <= 3; times += 1) {
      const { report } = await run('full', { exit: 4 });
      expect(report.end.unknown).toEqual([
        expect.stringContaining(`source.people.base: ${C.toLowerCase()} `),
      ]);
    }
  });

  test('put nobody out where nobody of a base is shown any more', async () => {
    const { directory, stage, run } = await openStage();
    for (let times = 1; times <= 2; times += 1) await run(null, {});
    directory.modify(['p4', 'p6', 'p7', 'p8'].map((id) => stage.set(id, C, 'hidden', 'title')).join(''));
    for (let times = 1; times <= 3; times += 1)
      await run(null, { exit: 1, error: 'read-lost-part', planned: '' });
  });
});
