import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../src/domain/settings.ts';
import type { SqlSettings } from '../../src/source/sql/kind.ts';
import type { FieldRule } from '../../src/domain/source-settings.ts';
import { openSource } from '../../src/source/open-source.ts';
import { SYNC } from '../plan/build.ts';
import { codesOf } from './said.ts';
import { openWorld, workingIn, type World } from './world.ts';

/** Conditions and tables, which a test may change between two runs. */
interface Config {
  readonly people?: string;
  readonly units?: string;
  readonly protect?: string;
  readonly lookups?: Settings['lookups'];
  /** Rules of further fields of people. */
  readonly fields?: Readonly<Record<string, FieldRule>>;
}

interface WhereWorld extends World {
  readonly hr: (sql: string) => void;
  /** Runs with these conditions from now on. */
  readonly use: (config: Config) => void;
}

const HR = `
  create table department (id text, parent text, name text, kind text);
  create table employee (emp_no text, login text, name text, dept text, title text, level text, expires text);
  insert into department values ('u1', null, 'Head', 'real'), ('u2', 'u1', 'Lab', 'real'), ('u3', 'u1', 'Old', 'real');
  insert into employee values ('1', 'l1', 'Ann', 'u1', 'Boss', '9', '2030-01-01'), ('2', 'l2', 'Bob', 'u2', 'Dev', '3', ''),
    ('3', 'l3', 'Cid', 'u2', 'Dev', '4', ''), ('4', 'l4', 'Dan', 'u3', 'Clerk', '5', '');
`;

/** A real database of four people in three units as the source, on the clock of the world. */
async function opened(first: Config = {}): Promise<WhereWorld> {
  let config = first;
  const world: World = await openWorld({
    from: () => {
      const { lookups = {}, protect } = config;
      return openSource(settingsOf(file, config), { clock: world.clock, lookups, protect });
    },
  });
  const file = join(dirname(world.ledgerFile), 'hr.db');
  const hr = (sql: string): void => {
    const db = new Database(file);
    db.exec(sql);
    db.close();
  };
  hr(HR);
  const use = (next: Config): void => {
    config = next;
    world.configure({ protect: { ...SYNC.protect, where: next.protect } });
  };
  use(first);
  return { ...world, hr, use };
}

function settingsOf(file: string, { people, units, fields = {} }: Config): SqlSettings {
  return {
    type: 'sql',
    url: `sqlite:${file}`,
    tls: { insecure: false },
    timeoutSeconds: 20,
    units: {
      query: 'select * from department',
      where: units,
      rules: { id: 'id', parent: 'parent', fields: { name: 'name' } },
    },
    people: {
      query: 'select * from employee',
      where: people,
      rules: {
        id: 'emp_no',
        username: 'login',
        fields: { name: 'name', ...fields },
        properties: {},
        tag_names: {},
        source_identifiers: {},
        positions: [{ unit: 'dept', job_title: 'title' }],
      },
    },
  };
}

async function loaded(config: Config = {}): Promise<WhereWorld> {
  const world = await opened(config);
  await world.run({});
  return world;
}

/** Runs far enough apart for each to count as a miss. */
async function twice(world: WhereWorld, planned: string, exit = 0): Promise<readonly string[]> {
  await world.sync();
  return codesOf(await world.run({ later: 11 }, { exit, planned }));
}

const label = (world: WhereWorld, login: string) => world.employee(login).profile['label'];

describe('people.where', () => {
  test('who leaves the scope is a leaver like any other: missed, then disabled, and back again', async () => {
    const world = await loaded();
    world.use({ people: 'int(level) >= 4' });
    await world.run({}, { planned: '' });
    const { changes } = await world.run({ later: 11 }, { planned: 'disable 2' });
    expect(changes[0]?.why).toEqual({ code: 'missed', values: { how: 'outOfScope', reads: 2 } });
    world.hr("update employee set level = '4' where emp_no = '2'");
    await world.run({}, { planned: 'enable 2' });
  });

  test('one that is false for everybody is an incomplete read', async () => {
    const world = await loaded();
    world.use({ people: "title == 'Nobody'" });
    const { error } = await world.run({}, { exit: 1, error: 'read-lost-all' });
    expect(error).toMatch(/source\.people\.where .*: 4 /u);
  });

  test('that fails on a record is unknown: neither created, changed nor removed, and listed', async () => {
    const world = await opened({ people: 'int(level) >= 4' });
    world.hr("update employee set level = 'x' where emp_no = '4'");
    const { listed } = await world.run({}, { exit: 4 });
    expect([listed.join().slice(0, 9), workingIn(world)]).toEqual(['4: where:', ['l1', 'l3']]);
    world.hr("update employee set level = '4' where emp_no = '4'");
    await world.run({});
    world.hr("update employee set level = '', name = 'Other' where emp_no in ('3', '4')");
    const ran = await world.runs({ later: 11 }, { exit: 4, sent: '' }, [true, true, true]);
    expect([ran.listed.length, workingIn(world)]).toEqual([2, ['l1', 'l3', 'l4']]);
  });

  test('by the clock of the run: an account that expires leaves without any change of its record', async () => {
    const world = await loaded({ people: "expires == '' || date(expires) > now" });
    await twice(world, '');
    world.clock.set(Date.parse('2030-01-02T00:00:00Z'));
    await twice(world, 'disable 1');
  });
});

describe('units.where', () => {
  test('drops a unit: its people and children are as with any unknown unit', async () => {
    const world = await loaded();
    world.use({ units: "id != 'u2'" });
    const first = codesOf(await world.run({}, { exit: 4 }));
    expect(first).toEqual(expect.arrayContaining(['2 unitOutside', '3 unitOutside']));
    world.hr("update department set parent = 'u2' where id = 'u3'");
    expect(codesOf(await world.sync())).toContain('u3 parentOutside');
  });

  test('a unit out of scope is not created, and one that left the scope is removed like any other', async () => {
    const world = await loaded({ units: "id != 'u2'", people: "dept != 'u2'" });
    expect(world.state().units.join()).not.toContain('Lab');
    world.hr("update employee set dept = 'u1'");
    world.use({ units: "id == 'u1'" });
    const ran = await world.run({});
    expect(ran.changes.find(({ id }) => id === 'u3')).toMatchObject({
      kind: 'remove',
      why: { code: 'unitOutOfScope' },
    });
    expect(world.state().units).toEqual(['/Root #', '/Root/Head #u1']);
  });
});

describe('protect.where', () => {
  test('a person for whom it holds is never disabled, as long as their last record said so', async () => {
    const world = await loaded({ protect: "title == 'Boss'" });
    world.hr("delete from employee where emp_no in ('1', '2')");
    expect(await twice(world, 'disable 2', 4)).toEqual(['1 protected']);
    await world.run({ later: 11 }, { exit: 4, planned: '' });
    world.use({ protect: "title == 'Boss' && emp_no != '1'" });
    await world.run({}, { planned: 'disable 1' });
  });

  test('whoever fulfilled it is protected where what said so is absent, and no longer once it says otherwise', async () => {
    const world = await loaded({ protect: "title == 'Boss'", people: "level != '0'" });
    world.hr("update employee set title = null where emp_no = '1'");
    for (let run = 0; run < 2; run += 1) await world.run({});
    world.hr("update employee set level = '0' where emp_no = '1'");
    for (const full of [false, true, false])
      expect((await world.sync({ later: 15, full })).changing).toEqual([]);
    await world.run({}, { exit: 4, inside: '1 protected' });
    world.hr("update employee set title = 'Clerk' where emp_no = '1'");
    await world.run({}, { planned: 'disable 1' });
  });
});

describe('what an expression gives reaches everybody at the next run', () => {
  test('where only the clock has moved', async () => {
    const expr = "expires != '' && daysBetween(now, date(expires)) < 30 ? 'leaves soon' : 'stays'";
    const world = await loaded({ fields: { label: { expr } } });
    await world.run({}, { sent: '' });
    world.clock.set(Date.parse('2029-12-20T00:00:00Z'));
    await world.run({}, { planned: 'update 1' });
    expect([label(world, 'l1'), label(world, 'l2')]).toEqual(['leaves soon', 'stays']);
  });

  test.each(['values', 'file'])('where only the table of %s has changed', async (kind) => {
    const world = await opened();
    const file = join(dirname(world.ledgerFile), 'titles.csv');
    const table = (dev: string) => {
      const values = { Boss: 'Chief', Dev: dev, Clerk: 'Clerk' };
      const rows = Object.entries(values).map(([key, value]) => `${key},${value}`);
      writeFileSync(file, ['code,title', ...rows].join('\r\n'));
      const titles = kind === 'values' ? { values } : { file, key: 'code', value: 'title' };
      world.use({ lookups: { titles }, fields: { label: { expr: "lookup('titles', title)" } } });
    };
    table('Engineer');
    await world.run({});
    await world.run({}, { sent: '' });
    table('Developer');
    await world.run({}, { planned: 'update 2, update 3' });
    expect(label(world, 'l3')).toBe('Developer');
  });
});
