import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openWhereWorld, type Config, type WhereWorld } from './where-world.ts';

async function loaded(config: Config = {}): Promise<WhereWorld> {
  const world = await openWhereWorld(config);
  expect((await world.sync()).exitCode).toBe(0);
  return world;
}

const people = (world: WhereWorld): readonly string[] =>
  world.state().people.map((person) => person.replace(/ u\d.*$/u, ''));

/** Runs far enough apart for each to count as a miss. */
async function twice(world: WhereWorld) {
  await world.sync();
  world.minutes(11);
  return world.sync();
}

const label = (world: WhereWorld, login: string) => world.employee(login).profile['label'];

describe('people.where', () => {
  test('who leaves the scope is a leaver like any other: missed, then disabled, and back again', async () => {
    const world = await loaded();
    world.use({ people: 'int(level) >= 4' });
    expect((await world.sync()).planned).toEqual([]);
    const ran = await world.sync({ later: 11 });
    expect(ran.planned).toEqual(['disable person 2']);
    expect(ran.changes[0]?.why).toEqual({
      code: 'missed',
      values: { how: 'outOfScope', reads: 2 },
    });
    expect(people(world)).toContain('l2 Bob locked');
    world.hr("update employee set level = '4' where emp_no = '2'");
    await world.sync();
    expect(people(world)).toContain('l2 Bob');
  });

  test('one that is false for everybody is an incomplete read', async () => {
    const world = await loaded();
    world.use({ people: "title == 'Nobody'" });
    const ran = await world.sync();
    expect(ran.exitCode).toEqual(1);
    expect(ran.error).toMatch(
      /no person \(rollcall manages 4\); .* Check source\.people\.where and its fields: 4 records were read, and none of them is in scope/u,
    );
  });

  test('that fails on a record is unknown: neither created, changed nor removed, and listed', async () => {
    const world = await openWhereWorld({ people: 'int(level) >= 4' });
    world.hr("update employee set level = 'x' where emp_no = '4'");
    const first = await world.sync();
    expect([first.exitCode, people(world)]).toEqual([4, ['l1 Ann', 'l3 Cid']]);
    expect(first.listed.join()).toMatch(
      /^4: where: the expression failed at column 5 of source\.people\.where: int\(\)/u,
    );
    world.hr("update employee set level = '4' where emp_no = '4'");
    await world.sync();
    world.hr("update employee set level = '', name = 'Other' where emp_no in ('3', '4')");
    for (let times = 0; times < 3; times += 1) {
      const ran = await world.sync({ later: 11, full: true });
      expect([ran.exitCode, ran.changing, ran.listed.length]).toEqual([4, [], 2]);
    }
    expect(people(world)).toEqual(['l1 Ann', 'l3 Cid', 'l4 Dan']);
  });

  test('by the clock of the run: an account that expires leaves without any change of its record', async () => {
    const where = "expires == '' || date(expires) > now";
    const world = await loaded({ people: where });
    const left = await twice(world);
    expect(left.planned).toEqual([]);
    world.clock.set(Date.parse('2030-01-02T00:00:00Z'));
    expect((await twice(world)).planned).toEqual(['disable person 1']);
  });
});

describe('units.where', () => {
  test('drops a unit: its people and children are as with any unknown unit', async () => {
    const world = await loaded();
    world.use({ units: "id != 'u2'" });
    const ran = await world.sync();
    expect(ran.exitCode).toBe(4);
    expect(ran.listed.filter((one) => /^[23]:/u.test(one))).toEqual([
      '2: unit "u2" is out of scope by source.units.where',
      '3: unit "u2" is out of scope by source.units.where',
    ]);
    world.hr("update department set parent = 'u2' where id = 'u3'");
    expect((await world.sync()).listed.join()).toContain(
      'its parent "u2" is out of scope by source.units.where',
    );
  });

  test('a unit out of scope is not created, and one that left the scope is removed like any other', async () => {
    const world = await loaded({ units: "id != 'u2'", people: "dept != 'u2'" });
    expect(world.state().units.join()).not.toContain('Lab');
    world.hr("update employee set dept = 'u1'");
    world.use({ units: "id == 'u1'" });
    const ran = await world.sync();
    expect([ran.exitCode, ran.planned.includes('remove unit u3')]).toEqual([0, true]);
    expect(ran.changes.find(({ id }) => id === 'u3')?.why).toEqual({ code: 'unitOutOfScope' });
    expect(world.state().units.map((one) => one.split('/').at(-1))).toEqual(['Root #', 'Head #u1']);
  });
});

describe('protect.where', () => {
  test('a person for whom it holds is never disabled, as long as their last record said so', async () => {
    const world = await loaded({ protect: "title == 'Boss'" });
    world.hr("delete from employee where emp_no in ('1', '2')");
    const ran = await twice(world);
    expect([ran.exitCode, ran.planned]).toEqual([4, ['disable person 2']]);
    expect(ran.listed).toEqual([
      '1: protected by sync.protect: would disable (missing in the source (2 complete reads))',
    ]);
    expect((await world.sync({ later: 11 })).planned).toEqual([]);
    world.use({ protect: "title == 'Boss' && emp_no != '1'" });
    expect((await world.sync()).planned).toEqual(['disable person 1']);
  });

  test('whoever fulfilled it is protected where what said so is absent, and no longer once it says otherwise', async () => {
    const world = await loaded({ protect: "title == 'Boss'", people: "level != '0'" });
    world.hr("update employee set title = null where emp_no = '1'");
    for (let run = 0; run < 2; run += 1) expect((await world.sync()).exitCode).toBe(0);
    world.hr("update employee set level = '0' where emp_no = '1'");
    for (let run = 0; run < 3; run += 1) {
      const ran = await world.sync({ later: 15, full: run === 1 });
      expect([ran.changing, world.employee('l1').locked]).toEqual([[], false]);
    }
    expect((await world.sync()).inside).toEqual([expect.stringContaining('1: protected by sync.protect')]);
    world.hr("update employee set title = 'Clerk' where emp_no = '1'");
    expect((await world.sync()).planned).toEqual(['disable person 1']);
  });
});

describe('what an expression gives reaches everybody at the next run', () => {
  test('where only the clock has moved', async () => {
    const world = await loaded({
      fields: {
        label: { expr: "expires != '' && daysBetween(now, date(expires)) < 30 ? 'leaves soon' : 'stays'" },
      },
    });
    expect((await world.sync()).changing).toEqual([]);
    world.clock.set(Date.parse('2029-12-20T00:00:00Z'));
    const ran = await world.sync();
    expect([ran.exitCode, ran.planned]).toEqual([0, ['update person 1']]);
    expect([label(world, 'l1'), label(world, 'l2')]).toEqual(['leaves soon', 'stays']);
  });

  test.each(['values', 'file'])('where only the table of %s has changed', async (kind) => {
    const world = await openWhereWorld();
    const file = join(world.folder, 'titles.csv');
    const table = (dev: string) => {
      const values = { Boss: 'Chief', Dev: dev, Clerk: 'Clerk' };
      const rows = Object.entries(values).map(([key, value]) => `${key},${value}`);
      writeFileSync(file, ['code,title', ...rows].join('\r\n'));
      const lookups =
        kind === 'values' ? { titles: { values } } : { titles: { file, key: 'code', value: 'title' } };
      world.use({ lookups, fields: { label: { expr: "lookup('titles', title)" } } });
    };
    table('Engineer');
    expect((await world.sync()).exitCode).toBe(0);
    expect((await world.sync()).changing).toEqual([]);
    table('Developer');
    expect((await world.sync()).planned).toEqual(['update person 2', 'update person 3']);
    expect(label(world, 'l3')).toBe('Developer');
  });
});
