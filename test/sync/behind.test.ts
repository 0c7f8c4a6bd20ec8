import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { writtenMark } from '../../src/domain/reading/source-part.ts';
import type { Source } from '../../src/domain/reading/source.ts';
import { openSource } from '../../src/source/open-source.ts';
import { load, SERVICE } from '../config/config-file.ts';
import { smallExport } from '../source/csv/small.ts';
import { ldif, Stage, SYNCED } from '../source/ldap/changes/stage.ts';
import { hasServer } from '../servers/install.ts';
import { startSlapd, type Slapd, type SlapdOptions } from '../servers/slapd.ts';
import { openTwins } from './twin-world.ts';
import { openWorld, type Ran, type SyncOptions } from './world.ts';

type Sync = (options?: SyncOptions) => Promise<Ran>;

/** Nobody waits for the end of a file that is so old. */
const A_DAY_AGO = new Date(Date.now() - 86_400_000);

/** The read is refused each time, a full one of the schedule too, until a person says that it is right. */
async function expectRefused(sync: Sync, why: string): Promise<void> {
  for (const options of [{}, { full: true, trigger: 'fullCron' }, {}] as const) {
    const ran = await sync(options);
    expect([ran.exitCode, ran.changing, ran.problem]).toEqual([1, [], 'read-behind']);
    expect(ran.error).toContain(why);
  }
}

/** A full read that a person asks for is taken, and the ones after it. */
async function expectTaken(sync: Sync): Promise<void> {
  for (const full of [true, false]) expect((await sync({ full })).error).toBe('');
}

test('a database that is read in increments and was set back to an earlier state is behind', async () => {
  const { alone, sql, backup } = await openTwins();
  await alone();
  const restore = backup();
  sql(`UPDATE employee SET status = 'left' WHERE no = 3`);
  await alone();
  restore();
  await expectRefused(alone, 'the database is in an earlier state than at the last read');
  await expectTaken(alone);
});

/** A source that tells with each read how far it is. */
const marking = (marks: Awaited<ReturnType<Awaited<ReturnType<Source['open']>>['marks']>>): SyncOptions => ({
  from: (source) => ({
    ...source,
    open: async (signal) => Object.assign(await source.open(signal), { marks: async () => marks }),
  }),
});

test('a directory that lacks the number of a server whose changes were read is behind', async () => {
  const world = await openWorld();
  const of = (...servers: readonly string[]): SyncOptions =>
    marking(
      ['', ...servers].map((value) => ({
        name: `csn ${value}`,
        value,
        group: 'csn ',
        behind: 'it is behind',
      })),
    );
  for (const servers of [['0'], ['0', '1']]) await world.run(of(...servers));
  for (const servers of [['0'], []])
    await expectRefused((options) => world.sync({ ...options, ...of(...servers) }), 'it is behind');
  await world.run({ ...of('0'), full: true });
});

test('a file that is newer than before, and than a clock that went back, is not behind', async () => {
  const world = await openWorld();
  for (const [writtenAt, readAt, exit] of [
    [3_000, 9_000, 0],
    [4_000, 2_000, 0],
    [1_000, 9_000, 1],
  ] as const) {
    const mark = writtenMark('the file', new Date(writtenAt), new Date(readAt));
    const ran = await world.sync(marking([mark]));
    expect([writtenAt, ran.exitCode]).toEqual([writtenAt, exit]);
  }
});

test('a file of an export that is older than the one before, or has lost its last line break, is behind', async () => {
  const { folder, write } = smallExport();
  write('units.csv', 'id,parent_id,name,logo\nu1,,Company,\nu2,u1,Sales,\n');
  const config = `source:
  type: csv
  units: { file: ${folder}/units.csv, fields: { id: id, parent: parent_id, name: name, logo: logo } }
  people: { file: ${folder}/people.csv, fields: { id: id, username: login, name: name, positions: [{ unit: unit }] } }`;
  const { source } = load(`${SERVICE}${config}`).settings;
  const { sync } = await openWorld({ from: () => openSource(source) });
  const people = join(folder, 'people.csv');
  const date = (name: string, at: Date): void => utimesSync(name, new Date(0), at);
  for (const name of [join(folder, 'units.csv'), people]) date(name, A_DAY_AGO);
  expect((await sync()).error).toBe('');
  date(people, new Date(1_000_000_000_000));
  await expectRefused(sync, 'people.csv is older than at the last read');
  const whole = readFileSync(people, 'utf8');
  const put = (text: string): void => {
    write('people.csv', text);
    date(people, A_DAY_AGO);
  };
  put(whole.slice(0, -2));
  await expectRefused(sync, 'people.csv does not end with a line break');
  put(whole);
  expect((await sync()).error).toBe('');
});

describe.skipIf(!hasServer('slapd'))('a directory', () => {
  const start = async (options: SlapdOptions = {}): Promise<Slapd> => {
    const server = await startSlapd({ ...SYNCED, ...options });
    onTestFinished(async () => server.stop());
    return server;
  };

  test.each(['auto', 'off'] as const)(
    'that was set back is behind, from whichever server of a list it is read (changes: %s)',
    async (changes) => {
      const server = await start();
      const stage = new Stage('slapd', server);
      const { sync } = await openWorld({ from: () => stage.source({}, { changes }) });
      await sync();
      const restore = await server.backup();
      server.modify(stage.set('p1', stage.a, 'Lost'));
      expect((await sync()).error).toBe('');
      await restore();
      const why = `is behind the last read (contextCSN of dc=example,dc=com)`;
      await expectRefused(sync, why);
      const listed = stage.source({}, { changes, url: [server.url, 'ldap://127.0.0.1:9'] });
      await expectRefused(async (options) => sync({ ...options, from: () => listed }), why);
      await expectTaken(sync);
    },
  );

  test('that hides its change numbers is behind', async () => {
    const readers = 'cn=readers,dc=example,dc=com';
    const server = await start({
      access: `access to attrs=contextCSN by group="${readers}" read by * none`,
    });
    const member = [server.bindDn, 'cn=nobody'];
    server.modify(ldif.add([readers, { objectClass: 'groupOfNames', member }]));
    const stage = new Stage('slapd', server);
    const { sync } = await openWorld({ from: () => stage.source() });
    expect((await sync()).error).toBe('');
    server.modify(`dn: ${readers}\nchangetype: modify\ndelete: member\nmember: ${server.bindDn}\n\n`);
    await expectRefused(sync, 'shows no contextCSN of dc=example,dc=com any more');
    await expectTaken(sync);
  });
});
