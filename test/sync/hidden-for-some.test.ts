import { expect, test } from 'vitest';
import { openSource } from '../../src/source/open-source.ts';
import { load, SERVICE } from '../config/config-file.ts';
import { SYNC } from '../plan/build.ts';
import { scratchDatabase } from '../servers/scratch-database.ts';
import { openWorld, type Ran, type SyncOptions, type World } from './world.ts';

const PEOPLE = 30;
const isLeaver = "no in ('1', '2', '3', '4')";

/** What says who has left; a column that is hidden from the reading account looks empty. */
interface Says {
  /** Configuration of `source`, with the database. */
  readonly source: (url: string) => string;
  /** Empties what says so of these people. */
  readonly hide: (of: string) => string;
}

const POSITIONS = 'positions: [{ unit: { const: u } }]';
const UNITS = `units: { query: "select 'u' as id, 'Unit' as name", fields: { id: id, name: name } }`;
const FIELDS = `id: no, username: login, name: login, ${POSITIONS}`;
const asStatus = (of: string): string => `update employee set status = null where ${of}`;

const leave = (of: string): string => `update employee set status = 'left' where no in (${of})`;

const STATUS: Says = {
  source: (url) => `source:
  type: sql
  url: ${url}
  ${UNITS}
  people: { query: select * from employee, fields: { ${FIELDS}, active: { expr: "status != 'left'" } } }
`,
  hide: asStatus,
};

const WHERE: Says = {
  source: (url) => `source:
  type: sql
  url: ${url}
  ${UNITS}
  people: { query: select * from employee, where: "status != 'left'", fields: { ${FIELDS} } }
`,
  hide: asStatus,
};

/** Two lists of one company, each as a source of its own. */
const joined = (
  url: string,
): string => `sources: { ad: { type: sql, url: ${url} }, hr: { type: sql, url: ${url} } }
source:
  ${UNITS.replace('{', '{ from: ad,')}
  people:
    from: ad
    query: "select no, login from employee"
    join: { from: hr, query: "select no, status from employee where no is not null and shown = 1", on: { no: no }, missing: empty }
    fields: { ${FIELDS}, active: { expr: "hr.status != 'left'" } }
`;

const PARTNER_VALUE: Says = { source: joined, hide: asStatus };
const BLOCKING: Says = {
  source: (url) => joined(url).replace('missing: empty', 'missing: block'),
  hide: (of) => `update employee set shown = 0 where ${of}`,
};
const PARTNER: Says = { source: joined, hide: (of) => `update employee set shown = 0 where ${of}` };

interface Stage {
  readonly sql: (text: string) => void;
  readonly sync: (approve?: readonly string[], more?: SyncOptions) => Promise<Ran>;
  /** The run that disabled the four. */
  readonly disabling: string;
  readonly plan: (more: SyncOptions) => Promise<Ran>;
  readonly world: World;
  /** Writes a rule otherwise. */
  readonly use: (rule: string, instead: string) => void;
  /** How many accounts work. */
  readonly working: () => number;
}

/** Thirty people in one unit, of whom four have left. */
async function openStage({ source: written }: Says, readings: readonly string[] = []): Promise<Stage> {
  const { file, sql } = scratchDatabase('some');
  const rows = Array.from({ length: PEOPLE }, (_, index) => `('${index}', 'p${index}', 'here', 1)`);
  sql(`create table employee (no text, login text, status text, shown int);
    insert into employee values ${rows.join(', ')}`);
  const world = await openWorld({
    readings,
    sync: { guard: SYNC.guard, leavers: { ...SYNC.leavers, misses: 1 } },
  });
  let text = `${SERVICE}${written(`sqlite:${file}`)}`;
  let { settings } = load(text);
  const plan: Stage['plan'] = async (more) =>
    world.plan({ ...more, from: () => openSource(settings.source) });
  const use = (rule: string, instead: string): void => {
    text = text.replace(rule, instead);
    ({ settings } = load(text));
  };
  const sync: Stage['sync'] = async (approve = [], more = {}) =>
    world.sync({ ...more, from: () => openSource(settings.source), approve });
  const working = (): number => world.sandbox.state.employees().filter(({ locked }) => !locked).length;
  await sync();
  sql(`update employee set status = 'left' where ${isLeaver}`);
  const left = await sync();
  expect([left.exitCode, working()]).toEqual([0, PEOPLE - 4]);
  const disabling = left.report.run;
  return { sql, sync, plan, use, working, world, disabling };
}

const ABSENT = '4 people would come back, and a value that decides about them is absent';

test.each([
  ['a column', STATUS, 'status'],
  ['a condition of people', WHERE, 'status'],
  ['a value of a partner', PARTNER_VALUE, 'hr.status'],
])(
  '%s that is hidden for leavers alone brings them back only when that is approved',
  async (_, says, names) => {
    const { sql, sync, working } = await openStage(says);
    sql(says.hide(isLeaver));
    let held = await sync();
    held = await sync();
    expect([held.exitCode, held.changing, working()]).toEqual([3, [], PEOPLE - 4]);
    expect(held.plan?.held).toMatchObject([{ guard: 'joiners', count: 4, limit: 2, about: ABSENT }]);
    expect(held.plan?.held[0]?.cause).toContain(`absent now for 4 of them, and there before: ${names};`);
    expect((await sync([held.plan?.held[0]?.hash ?? ''])).exitCode).toBe(0);
    expect(working()).toBe(PEOPLE);
    expect((await sync()).exitCode).toBe(0);
  },
);

test('nor does one that is hidden for all but one', async () => {
  const { sql, sync, working } = await openStage(STATUS);
  sql("update employee set status = null where no <> '29'");
  expect([(await sync()).exitCode, working()]).toEqual([3, PEOPLE - 4]);
});

test('a value of a partner that is hidden for all is told as such', async () => {
  const { sql, sync, working } = await openStage(PARTNER_VALUE);
  sql(`update employee set status = 'here' where not (${isLeaver})`);
  expect((await sync()).exitCode).toBe(0);
  sql(asStatus('1 = 1'));
  const { exitCode, listed } = await sync();
  expect([exitCode, working()]).toEqual([4, PEOPLE - 4]);
  expect(listed[0]).toMatch(
    /reads hr\.status, which most had in the last complete read, and nobody has now: have it filled in/u,
  );
});

test('whoever was disabled by a partner stays so when it is gone, until there is one again', async () => {
  const { sql, sync, plan, working, world, disabling } = await openStage(PARTNER);
  sql(PARTNER.hide(isLeaver));
  for (const full of [false, true, false]) {
    const ran = await sync([], { full });
    expect([ran.exitCode, ran.changing, ran.inside, working()]).toEqual([0, [], [], PEOPLE - 4]);
  }
  sql("update employee set shown = 1, status = 'here' where no = '1'");
  expect([(await sync()).exitCode, working()]).toEqual([0, PEOPLE - 3]);
  world.minutes(15);
  // By hand: what was done to one of them is taken back.
  const left = world.sandbox.state.employees().filter(({ locked }) => locked);
  expect(left.map(({ username }) => username).toSorted()).toEqual(['p2', 'p3', 'p4']);
  const request = { run: disabling, holdDays: 0, only: { subject: 'person', id: '2' } } as const;
  const back = await plan({ revert: request });
  await sync([back.plan?.hash ?? ''], { revert: request });
  for (let run = 0; run < 3; run += 1) {
    world.minutes(24 * 60);
    const ran = await sync();
    expect([ran.exitCode, ran.changing, working()]).toEqual([0, [], PEOPLE - 2]);
  }
});

test('whoever was disabled needs no partner any more; who works does', async () => {
  const { sql, sync, working } = await openStage(BLOCKING);
  sql(BLOCKING.hide(isLeaver));
  for (const full of [false, true]) {
    const ran = await sync([], { full });
    expect([ran.exitCode, ran.changing, ran.listed, working()]).toEqual([0, [], [], PEOPLE - 4]);
  }
  sql(BLOCKING.hide("no = '7'"));
  const ran = await sync();
  expect([ran.exitCode, ran.changing, ran.listed.length]).toEqual([4, [], 1]);
  expect(ran.listed[0]).toContain('no record of hr belongs to it');
});

test('leavers whose column is emptied are told as such where they are held', async () => {
  const stage = await openStage(STATUS);
  const { sql, sync, use } = stage;
  use("status != 'left'", "status == 'here'");
  sql("update employee set status = 'here' where status is null");
  expect((await sync()).exitCode).toBe(0);
  sql(asStatus("no in ('11', '12', '13', '14', '15', '16', '17')"));
  sql(leave("'18'"));
  const held = await sync();
  expect(held.plan?.held).toMatchObject([{ guard: 'leavers', count: 8 }]);
  expect(held.plan?.held[0]?.cause).toContain(
    'absent now, and most of those in scope had it in the last complete read: status (in 7 of the 8 records); look',
  );
});

test.each([
  ['active', STATUS],
  ['where', WHERE],
])(
  'whoever would leave by %s since a column that most have is emptied: a few at once, several when that is approved',
  async (_, says) => {
    const { sql, sync, use, working, world } = await openStage(says);
    world.minutes(2 * 24 * 60);
    use("status != 'left'", "status == 'here'");
    sql(`update employee set status = 'here' where not (${isLeaver})`);
    expect((await sync()).exitCode).toBe(0);
    const before = working();
    sql(asStatus("no in ('11', '12', '13')"));
    for (let run = 0; run < 2; run += 1) {
      const held = await sync();
      expect([held.exitCode, held.changing, working()]).toEqual([3, [], before]);
      expect(held.plan?.held).toMatchObject([
        {
          guard: 'leavers',
          count: 3,
          limit: 2,
          about:
            '3 people would leave, and a value that decides about them, and that most of those in scope have, is absent',
        },
      ]);
    }
    sql("update employee set status = 'here' where no = '13'");
    const two = await sync();
    expect([two.exitCode, working()]).toEqual([0, before - 2]);
    sql(asStatus("no in ('13', '14')"));
    const more = await sync();
    expect([more.exitCode, working()]).toEqual([3, before - 2]);
    expect((await sync([more.plan?.held[0]?.hash ?? ''])).exitCode).toBe(0);
    expect(working()).toBe(before - 4);
  },
);

test('also where the condition picks few people of many by what only they have', async () => {
  const { sql, sync, use, working, world } = await openStage(WHERE);
  world.minutes(2 * 24 * 60);
  use("status != 'left'", "status == 'here'");
  const rows = Array.from({ length: 300 }, (_, index) => `('${1000 + index}', 'o${index}', null, 1)`);
  sql(
    `insert into employee values ${rows.join(', ')}; update employee set status = 'here' where length(no) < 4 and status is null`,
  );
  expect([(await sync()).exitCode, working()]).toEqual([0, PEOPLE - 4]);
  sql(asStatus("no in ('11', '12', '13')"));
  for (let run = 0; run < 3; run += 1) {
    const held = await sync();
    expect([held.exitCode, held.changing, working()]).toEqual([3, [], PEOPLE - 4]);
    expect(held.plan?.held[0]?.cause).toContain('status (in 3 of the 3 records)');
  }
});

test('leavers whose column says so are told of nothing that is absent', async () => {
  const { sql, sync } = await openStage(STATUS);
  sql("update employee set status = 'here' where status is null");
  expect((await sync()).exitCode).toBe(0);
  sql(leave("'11', '12', '13', '14', '15', '16', '17', '18'"));
  const held = await sync();
  expect(held.plan?.held).toMatchObject([{ guard: 'leavers', count: 8 }]);
  expect(held.plan?.held[0]?.cause ?? '').not.toContain('absent');
});

test('a few come back at once, and no more on the same day', async () => {
  const { sql, sync, working } = await openStage(STATUS);
  sql("update employee set status = null where no in ('1', '2')");
  expect([(await sync()).exitCode, working()]).toEqual([0, PEOPLE - 2]);
  sql("update employee set status = null where no in ('3', '4')");
  const held = await sync();
  expect([held.exitCode, working()]).toEqual([3, PEOPLE - 2]);
  expect(held.plan?.held[0]?.about).toMatch(/2 more in the last 24 hours/u);
});

test('who has another value than before comes back with all the others', async () => {
  const { sql, sync, working } = await openStage(STATUS);
  sql(`update employee set status = 'here' where ${isLeaver}`);
  expect([(await sync()).exitCode, working()]).toEqual([0, PEOPLE]);
  sql('update employee set status = null');
  expect([(await sync()).exitCode, working()]).toEqual([4, PEOPLE]);
});

test('what is shown again holds nobody any more', async () => {
  const { sql, sync, working } = await openStage(STATUS);
  sql(asStatus(isLeaver));
  expect((await sync()).exitCode).toBe(3);
  sql(
    `update employee set status = 'left' where no in ('1', '2'); update employee set status = 'here' where no in ('3', '4')`,
  );
  expect([(await sync()).exitCode, working()]).toEqual([0, PEOPLE - 2]);
});

test('who has never had an account is made one by a value that is hidden only when that is approved', async () => {
  const { sql, sync, working } = await openStage(STATUS);
  sql(
    "insert into employee values ('41', 'q1', 'left', 1), ('42', 'q2', 'left', 1), ('43', 'q3', 'left', 1)",
  );
  await sync();
  sql(asStatus("no in ('41', '42', '43')"));
  sql("insert into employee values ('50', 'n0', 'here', 1), ('51', 'n1', null, 1)");
  const held = await sync();
  expect([held.exitCode, working()]).toEqual([3, PEOPLE - 4 + 2]);
  expect(held.plan?.held).toMatchObject([{ guard: 'joiners', count: 3, limit: 2 }]);
  expect((await sync([held.plan?.held[0]?.hash ?? ''])).exitCode).toBe(0);
  expect(working()).toBe(PEOPLE - 4 + 5);
});

test('nor is anybody whose disable the service does not show', async () => {
  const { sql, sync, working } = await openStage(STATUS, ['hidesLocked=on']);
  sql(asStatus(isLeaver));
  expect([(await sync()).exitCode, working()]).toEqual([3, PEOPLE - 4]);
});

test('a rule that does not read the column any more holds nobody by it', async () => {
  const { sync, use, working } = await openStage(STATUS);
  use("status != 'left'", "login != 'p9'");
  expect([(await sync()).exitCode, working()]).toEqual([0, PEOPLE - 1]);
});

test.each([
  ['active', STATUS],
  ['where', WHERE],
])('%s: that one person lost the value the day before hides nothing', async (_, says) => {
  const { sql, sync, working } = await openStage(says);
  sql("update employee set status = null where no = '9'");
  await sync();
  sql('update employee set status = null');
  expect([(await sync()).exitCode, working()]).toEqual([4, PEOPLE - 4]);
  expect([(await sync()).exitCode, working()]).toEqual([4, PEOPLE - 4]);
});

test('whoever comes back by an absent value among many joiners is told of', async () => {
  const { sql, sync } = await openStage(STATUS);
  sql(asStatus(isLeaver));
  const joiners = Array.from({ length: 25 }, (_, n) => `('n${n}', 'n${n}', 'here', 1)`);
  sql(`insert into employee values ${joiners.join(', ')}`);
  const { plan } = await sync();
  expect(plan?.held).toMatchObject([{ guard: 'joiners', count: 29 }]);
  expect(plan?.held[0]?.cause).toContain('absent now for 4 of them, and there before: status;');
});

const SILENT = expect.stringMatching(
  /inactive in the source before, and what said so is absent now: look whether/u,
);

test('who is held when the column is hidden for them stays named until it says something, full run or not', async () => {
  const { sql, sync, working, world } = await openStage(STATUS);
  world.configure({
    guard: { ...SYNC.guard, leavers: { percent: 0, count: 0 } },
    leavers: { ...SYNC.leavers, misses: 1 },
  });
  sql(leave("'11', '12', '13'"));
  expect([(await sync()).exitCode, working()]).toEqual([3, PEOPLE - 4]);
  sql(asStatus("no in ('11', '12', '13')"));
  for (const full of [false, false, true, false]) {
    const named = await sync([], { full });
    expect([named.exitCode, named.changing, named.inside.length]).toEqual([4, [], 3]);
    expect(named.inside).toEqual([SILENT, SILENT, SILENT]);
  }
  sql("update employee set status = 'here' where no = '11'");
  expect((await sync()).inside).toEqual([SILENT, SILENT]);
  sql(`update employee set status = 'here' where no = '12'; ${leave("'13'")}`);
  const last = await sync();
  expect([last.exitCode, last.inside]).toEqual([3, [expect.stringMatching(/^13: held/u)]]);
});

test('one who is held and whose column is emptied may well be back', async () => {
  const { sql, sync, world } = await openStage(STATUS);
  world.configure({
    guard: { ...SYNC.guard, leavers: { percent: 0, count: 0 } },
    leavers: { ...SYNC.leavers, misses: 1 },
  });
  sql(leave("'11'"));
  expect((await sync()).exitCode).toBe(3);
  sql(asStatus("no = '11'"));
  const back = await sync();
  expect([back.exitCode, back.inside]).toEqual([0, []]);
});

test('who was put back for some days stays named while that lasts, and after it', async () => {
  const { sql, sync, plan, working, world } = await openStage(STATUS);
  world.minutes(2 * 24 * 60);
  sql(leave("'11', '12'"));
  const bad = await sync();
  expect([bad.exitCode, working()]).toEqual([0, PEOPLE - 6]);
  const request = { run: bad.report.run, holdDays: 1 };
  const back = await plan({ revert: request });
  await sync([back.plan?.hash ?? ''], { revert: request });
  expect(working()).toBe(PEOPLE - 4);
  expect((await sync()).inside).toHaveLength(2);
  sql(asStatus("no in ('11', '12')"));
  expect((await sync()).inside).toEqual([SILENT, SILENT]);
  world.minutes(2 * 24 * 60);
  for (let run = 0; run < 3; run += 1) {
    const named = await sync();
    expect([named.exitCode, named.inside]).toEqual([4, [SILENT, SILENT]]);
  }
  expect(working()).toBe(PEOPLE - 4);
});
