import { readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { writtenMark } from '../../src/domain/reading/source-part.ts';
import { openSource } from '../../src/source/open-source.ts';
import { load, SERVICE } from '../config/config-file.ts';
import { smallExport } from '../source/csv/small.ts';
import { BASE, ldif, OUTSIDE, staffLdif, staffSettings } from '../source/ldap/changes/staff.ts';
import { hasServer } from '../servers/install.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { openTwins } from './twin-world.ts';
import { openWorld, type Ran, type SyncOptions } from './world.ts';

type Sync = (options?: SyncOptions) => Promise<Ran>;

/** Nobody waits for the end of a file that is so old. */
const A_DAY_AGO = new Date(Date.now() - 86_400_000);

/** The read is refused each time, a full one of the schedule too, until a person says that it is right. */
async function expectRefused(sync: Sync, why: string): Promise<void> {
  for (const options of [{}, { full: true, trigger: 'fullCron' }, {}] as const) {
    const ran = await sync(options);
    expect([ran.exitCode, ran.changing, ran.error]).toEqual([1, [], expect.stringContaining(why)]);
    expect(ran.error).toMatch(/if this state is right, run: rollcall sync --full$/u);
  }
}

/** Returns how the next two runs end, the first of them a full one that a person asks for. */
const taken = async (sync: Sync): Promise<readonly number[]> => [
  (await sync({ full: true })).exitCode,
  (await sync()).exitCode,
];

describe('a database that is read in increments', () => {
  test('and was set back to an earlier state', async () => {
    const { alone, sql, backup } = await openTwins();
    await alone();
    const restore = backup();
    sql(`UPDATE employee SET status = 'left' WHERE no = 3`);
    await alone();
    restore();
    await expectRefused(alone, 'the database is in an earlier state than at the last read');
    expect(await taken(alone)).toEqual([0, 0]);
  });
});

test('a directory that lacks the number of a server whose changes were read is behind', async () => {
  const world = await openWorld();
  const sync = async (servers: readonly string[], options: SyncOptions = {}): Promise<Ran> => {
    const marks = async () =>
      ['', ...servers].map((server) => ({
        name: `csn ${server}`,
        value: server,
        group: 'csn ',
        behind: 'it is behind',
      }));
    const from: SyncOptions['from'] = (source) => ({
      ...source,
      open: async (signal) => Object.assign(await source.open(signal), { marks }),
    });
    return world.sync({ ...options, from });
  };
  expect((await sync(['0'])).exitCode).toBe(0);
  expect((await sync(['0', '1'])).exitCode).toBe(0);
  await expectRefused(async (options) => sync(['0'], options), 'it is behind');
  await expectRefused(async (options) => sync([], options), 'it is behind');
  expect((await sync(['0'], { full: true })).exitCode).toBe(0);
});

test('a file that is newer than before, and than a clock that went back, is not behind', async () => {
  const world = await openWorld();
  const sync = async (writtenAt: number, readAt: number): Promise<number> => {
    const marks = async () => [writtenMark('the file', new Date(writtenAt), new Date(readAt))];
    const from: SyncOptions['from'] = (source) => ({
      ...source,
      open: async (signal) => Object.assign(await source.open(signal), { marks }),
    });
    return (await world.sync({ from })).exitCode;
  };
  expect(await sync(3_000, 9_000)).toBe(0);
  expect(await sync(4_000, 2_000)).toBe(0);
  expect(await sync(1_000, 9_000)).toBe(1);
});

describe('a file of an export', () => {
  test('that is older than the one before, or has lost its last line break', async () => {
    const { folder, write } = smallExport();
    write('units.csv', 'id,parent_id,name,logo\nu1,,Company,\nu2,u1,Sales,\n');
    const watched = 'people.csv';
    const config = `source:
  type: csv
  units: { file: ${folder}/units.csv, fields: { id: id, parent: parent_id, name: name, logo: logo } }
  people: { file: ${folder}/people.csv, fields: { id: id, username: login, name: name, positions: [{ unit: unit }] } }`;
    const source = openSource(load(`${SERVICE}${config}`).settings.source);
    const date = (name: string, at: Date): void => utimesSync(join(folder, name), new Date(0), at);
    for (const name of ['units.csv', watched]) date(name, A_DAY_AGO);
    const world = await openWorld();
    const sync: Sync = async (options = {}) => world.sync({ ...options, from: () => source });
    expect((await sync()).error).toBe('');
    date(watched, new Date(1_000_000_000_000));
    await expectRefused(sync, `${watched} is older than at the last read`);
    const whole = readFileSync(join(folder, watched), 'utf8');
    write(watched, whole.slice(0, -2));
    date(watched, A_DAY_AGO);
    await expectRefused(sync, `${watched} does not end with a line break`);
    write(watched, whole);
    date(watched, A_DAY_AGO);
    expect((await sync()).error).toBe('');
  });
});

describe.skipIf(!hasServer('slapd'))('a directory', () => {
  test.each(['auto', 'off'] as const)('that is behind, with changes: %s', async (changes) => {
    const overlay = 'index entryCSN,entryUUID eq\noverlay syncprov\nsyncprov-sessionlog 1000';
    const start = async (): Promise<Slapd> => {
      const server = await startSlapd({ ldif: staffLdif(), head: 'moduleload syncprov', config: overlay });
      onTestFinished(async () => server.stop());
      return server;
    };
    const server = await start();
    const world = await openWorld();
    const settings = staffSettings(server, { changes });
    const source = openSource(settings);
    const sync: Sync = async (options = {}) => world.sync({ ...options, from: () => source });
    await sync();
    const restore = await server.backup();
    server.modify(ldif.set(`cn=p1,ou=a,${BASE}`, 'displayName', 'Lost'));
    expect((await sync()).error).toBe('');
    await restore();
    const why = `is behind the last read (contextCSN of dc=example,dc=com)`;
    await expectRefused(sync, why);
    const listed = openSource({ ...settings, otherUrls: ['ldap://127.0.0.1:9'] });
    await expectRefused(async (options) => world.sync({ ...options, from: () => listed }), why);
    for (const full of [true, false]) expect((await sync({ full })).error).toBe('');
  });

  test.each(['auto', 'off'] as const)('that hides its change numbers, with changes: %s', async (changes) => {
    const readers = `cn=readers,${OUTSIDE}`;
    const server = await startSlapd({
      ldif: staffLdif(),
      head: 'moduleload syncprov',
      config: 'index entryCSN,entryUUID eq\noverlay syncprov\nsyncprov-sessionlog 1000',
      access: `access to attrs=contextCSN by group="${readers}" read by * none`,
    });
    onTestFinished(async () => server.stop());
    server.modify(ldif.add([readers, { objectClass: 'groupOfNames', member: [server.bindDn, 'cn=nobody'] }]));
    const world = await openWorld();
    const source = openSource(staffSettings(server, { changes }));
    const sync: Sync = async (options = {}) => world.sync({ ...options, from: () => source });
    expect((await sync()).error).toBe('');
    server.modify(`dn: ${readers}\nchangetype: modify\ndelete: member\nmember: ${server.bindDn}\n\n`);
    await expectRefused(sync, 'shows no contextCSN of dc=example,dc=com any more');
    for (const full of [true, false]) expect((await sync({ full })).error).toBe('');
  });
});
