import { describe, expect, test } from 'vitest';
import { openSource } from '../../src/source/open-source.ts';
import { load, SERVICE } from '../config/config-file.ts';
import { SYNC } from '../plan/build.ts';
import { scratchDatabase } from '../servers/scratch-database.ts';
import { openWorld, type Ran, type World, type SyncOptions } from './world.ts';

/** Who is missing leaves by the first read. */
const ONE_MISS = { guard: SYNC.guard, leavers: { ...SYNC.leavers, misses: 1 } };
const PEOPLE = 30;
const LEAVERS = "no in ('1', '2', '3', '4')";
const WORKING = PEOPLE - 4;

const UNITS = `units: { query: "select 'u' as id, 'Unit' as name", fields: { id: id, name: name } }`;
const FIELDS = `id: no, username: login, name: login, positions: [{ unit: { const: u } }]`;

const source = (people: string): string => `source:
  type: sql
  url: URL
  ${UNITS}
  people: { query: select * from employee, ${people} }
`;

const active = (rule: string): string => source(`fields: { ${FIELDS}, active: { expr: "${rule}" } }`);
const NOT_LEFT = active("status != 'left'");
const IS_HERE = active("status == 'here'");
const WHERE = source(`where: "status != 'left'", fields: { ${FIELDS} }`);
const BY_LOCK = source(`fields: { ${FIELDS}, active: { expr: "nsAccountLock != 'left'" } }`).replace(
  'select * from employee',
  `"select *, nullif(status, 'here') as nsAccountLock from employee"`,
);
const BY_DATE = active("end == '' || date(end) >= now");

/** Two lists of one company, each as a source of its own. */
const joined = (
  missing: string,
): string => `sources: { ad: { type: sql, url: URL }, hr: { type: sql, url: URL } }
source:
  ${UNITS.replace('{', '{ from: ad,')}
  people:
    from: ad
    query: "select no, login, end from employee"
    join: { from: hr, query: "select no, status from employee where shown = 1", on: { no: no }, missing: ${missing} }
    fields: { ${FIELDS}, active: { expr: "hr.status != 'left'" } }
`;

interface Stage {
  readonly sql: (text: string) => void;
  readonly sync: (approve?: readonly string[], more?: SyncOptions) => Promise<Ran>;
  /** What a run would do now. */
  readonly plan: () => Promise<Ran>;
  readonly world: World;
  /** Writes a rule otherwise. */
  readonly use: (rule: string, instead: string) => void;
  /** Protects others from now on. */
  readonly protect: (who: { readonly where?: string; readonly usernames?: readonly string[] }) => void;
  /** How many accounts work. */
  readonly working: () => number;
}

/** Thirty people in one unit, of whom four have left. */
async function openStage(written: string): Promise<Stage> {
  const { file, sql } = scratchDatabase('unexplained');
  const rows = Array.from({ length: PEOPLE }, (_, index) => `('${index}', 'p${index}', 'here', '', 1)`);
  sql(`create table employee (no text, login text, status text, end text, shown int);
    insert into employee values ${rows.join(', ')};
    create table unit (id text, name text, parent text);
    insert into unit values ('top', 'Top', null), ('u', 'Unit', 'top')`);
  const world = await openWorld({ sync: ONE_MISS });
  let text = `${SERVICE}${written.replaceAll('URL', `sqlite:${file}`)}`;
  let settings = load(text).settings;
  const use: Stage['use'] = (rule, instead) => {
    expect(text).toContain(rule);
    text = text.replace(rule, instead);
    settings = load(text).settings;
  };
  let protectedBy: string | undefined;
  const protect: Stage['protect'] = ({ where, usernames = [] }) => {
    protectedBy = where;
    world.configure({
      ...ONE_MISS,
      protect: { usernames, units: [], ...(where !== undefined && { where }) },
    });
  };
  const from = () =>
    openSource(settings.source, { lookups: settings.lookups, clock: world.clock, protect: protectedBy });
  const sync: Stage['sync'] = async (approve = [], more = {}) => world.sync({ ...more, from, approve });
  const working = (): number => world.sandbox.state.employees().filter(({ locked }) => !locked).length;
  await sync();
  sql(`update employee set status = 'left', end = '2020-01-01' where ${LEAVERS}`);
  const left = await sync();
  expect([left.exitCode, working()]).toEqual([0, WORKING]);
  world.minutes(2 * 24 * 60);
  return { sql, sync, plan: () => world.plan({ from }), use, protect, working, world };
}

const inParis = ({ world }: Stage): void => world.configure({ timezone: 'Europe/Paris' });
const withMore = ({ use }: Stage): void => use("status != 'left'", "status != 'left' && status != 'gone'");

const hide = (of: string): string => `update employee set status = null where ${of}`;
const newcomers = (...statuses: readonly (string | null)[]): string =>
  `insert into employee values ${statuses
    .map((status, n) => `('9${n}', 'n${n}', ${status === null ? 'null' : `'${status}'`}, '', 1)`)
    .join(', ')}`;

/** Expects that so many changes are held since nothing explains them, that these words say why, and that nothing is sent. */
function expectHeld(ran: Ran, count: number, about: string, limit = 1): string {
  const held = ran.plan?.held.find(({ guard }) => guard === 'unexplained');
  expect([ran.exitCode, ran.changing, held?.count, held?.limit]).toEqual([3, [], count, limit]);
  expect(held?.about).toContain(about);
  return held?.hash ?? '';
}

describe('what nothing in the record explains', () => {
  test.each<readonly [string, string, string, number, string]>([
    [
      'hidden for all, where leavers say so',
      NOT_LEFT,
      hide('1 = 1'),
      4,
      '4 records would change only because of missing values (status)',
    ],
    [
      'hidden for all, where workers say so',
      IS_HERE,
      hide('1 = 1'),
      26,
      '26 records would change only because of missing values (status)',
    ],
    [
      'hidden for all, by source.people.where',
      WHERE,
      hide('1 = 1'),
      4,
      '4 records would change only because of missing values (status)',
    ],
    [
      'an end date that is emptied for several',
      BY_DATE,
      "update employee set end = ''",
      4,
      'because of missing values (end)',
    ],
    [
      'a column of the partner',
      joined('empty'),
      hide('1 = 1'),
      4,
      '4 records would change only because of missing values (hr.status)',
    ],
  ])('%s is held until it is approved, and done once', async (...[, rules, sql, count, about]) => {
    const stage = await openStage(rules);
    const before = stage.working();
    stage.sql(sql);
    await stage.sync();
    const held = await stage.sync();
    const hash = expectHeld(held, count, about);
    expect(stage.working()).toBe(before);
    const others = (held.plan?.held ?? []).map((one) => one.hash);
    expect((await stage.sync([hash, ...others])).exitCode).toBe(0);
    expect(Math.abs(stage.working() - before)).toBe(count);
    const after = await stage.sync();
    expect([after.exitCode, after.changing]).toEqual([0, []]);
  });

  test('is no lock that is gone while others are locked; if nobody shows one, it is', async () => {
    const { sql, sync, working } = await openStage(BY_LOCK);
    const unlock = (of: string): void => sql(`update employee set status = 'here' where ${of}`);
    unlock("no in ('1', '2')");
    expect([(await sync()).exitCode, working()]).toEqual([0, WORKING + 2]);
    unlock("no in ('3', '4')");
    expectHeld(await sync(), 2, 'because of missing values (nsAccountLock)');
    sql("update employee set status = 'left' where no = '5'");
    expect([(await sync()).exitCode, working()]).toEqual([0, PEOPLE - 1]);
  });

  test('holds newcomers too, where nobody has a value any more', async () => {
    const { sql, sync, working } = await openStage(NOT_LEFT);
    sql(hide('1 = 1'));
    sql(newcomers(null, null));
    expectHeld(await sync(), 6, 'status is missing everywhere, and 2 records are new');
    expect(working()).toBe(WORKING);
  });

  test('passes for one in 24 hours', async () => {
    const { sql, sync, working, world } = await openStage(NOT_LEFT);
    sql(hide("no = '1'"));
    expect([(await sync()).exitCode, working()]).toEqual([0, WORKING + 1]);
    sql(hide("no = '2'"));
    expectHeld(await sync(), 1, '1 more in the last 24 hours');
    expect(working()).toBe(WORKING + 1);
    world.minutes(25 * 60);
    expect([(await sync()).exitCode, working()]).toEqual([0, WORKING + 2]);
  });

  test('is an edited rule, until it is edited back', async () => {
    const { sync, use, working } = await openStage(NOT_LEFT);
    use("status != 'left'", "status != 'LEFT'");
    expectHeld(await sync(), 4, 'a rule, query, filter or table was edited: 4 records');
    use("status != 'LEFT'", "status != 'left'");
    const back = await sync();
    expect([back.exitCode, back.changing, working()]).toEqual([0, [], WORKING]);
  });
});

const TWO_COLUMNS = active("status != 'left' && (end == '' || date(end) >= now)");
const BY_COLUMN = source(
  `fields: { ${FIELDS.replace('{ const: u }', 'status')}, active: { expr: "end == ''" } }`,
);

describe('what has happened before', () => {
  test('a value that was hidden without an effect is missed later', async () => {
    const { sql, sync } = await openStage(TWO_COLUMNS);
    sql(hide('1 = 1'));
    expect((await sync()).changing).toEqual([]);
    sql(`update employee set end = '2099-12-31' where ${LEAVERS}`);
    expectHeld(await sync(), 4, '4 records would change only because of missing values (status)');
  });

  test('an edited rule waits, whatever else the record says later', async () => {
    const { sql, sync, use, working } = await openStage(TWO_COLUMNS);
    sql(`update employee set end = '' where ${LEAVERS}`);
    await sync();
    use("status != 'left'", "status != 'LEFT'");
    expectHeld(await sync(), 4, 'edited');
    sql(`update employee set end = '2099-12-31' where ${LEAVERS}`);
    expectHeld(await sync(), 4, 'edited');
    expect(working()).toBe(WORKING);
  });

  test('an edited query holds who is gone by it', async () => {
    const { sync, use, working } = await openStage(NOT_LEFT);
    use('select * from employee', "select * from employee where no < '20' or no > '22'");
    expectHeld(await sync(), 3, 'query');
    expect(working()).toBe(WORKING);
  });
});

const FIVE = "no in ('10', '11', '12', '13', '14')";

describe('what the record said while something else waited', () => {
  test('is known, where it was blocked', async () => {
    const { sql, sync } = await openStage(
      active("status != 'left' && !(end == '' && status == 'S2')")
        .replace('{ const: u }', 'shown')
        .replace("'u' as id", "'1' as id"),
    );
    sql(`update employee set shown = null where ${FIVE}`);
    expect((await sync()).exitCode).toBe(4);
    sql(`update employee set end = 'x', status = 'S2' where ${FIVE}`);
    expect((await sync()).exitCode).toBe(4);
    sql(`update employee set end = '' where ${FIVE}`);
    expectHeld(await sync(), 5, '5 records would change only because of missing values (end)');
  });

  test('is known, where it was held, once a rule is edited', async () => {
    const { sql, sync, use } = await openStage(active("status == 'here' || status == 'ok'"));
    sql(hide(FIVE));
    expectHeld(await sync(), 5, 'because of missing values (status)');
    sql(`update employee set status = 'ok' where ${FIVE}`);
    for (let run = 0; run < 2; run += 1) expect((await sync()).exitCode).toBe(0);
    use(" || status == 'ok'", '');
    expectHeld(await sync(), 5, 'edited');
  });
});

describe('settings that decide', () => {
  test.each<readonly [string, { readonly usernames?: readonly string[]; readonly where?: string }]>([
    ['a name', { usernames: ['p10'] }],
    ['an expression', { where: "login == 'p10'" }],
  ])('one person who is protected no more by %s waits until that is approved', async (_, rule) => {
    const { sql, sync, working, protect } = await openStage(NOT_LEFT);
    protect(rule);
    await sync();
    sql("update employee set status = 'left' where no = '10'");
    for (let run = 0; run < 2; run += 1) expect([(await sync()).exitCode, working()]).toEqual([4, WORKING]);
    protect({});
    expectHeld(await sync(), 1, 'sync.protect was edited', 0);
    const hash = expectHeld(await sync(), 1, 'sync.protect was edited', 0);
    protect(rule);
    expect([(await sync()).exitCode, working()]).toEqual([4, WORKING]);
    protect({});
    expect(expectHeld(await sync(), 1, 'sync.protect was edited', 0)).toBe(hash);
    expect([(await sync([hash])).exitCode, working()]).toEqual([0, WORKING - 1]);
    expect((await sync()).exitCode).toBe(0);
  });
});

describe('places', () => {
  test('an edited rule for them waits, and does not matter any more once it is edited back', async () => {
    const { sql, sync, use } = await openStage(
      NOT_LEFT.replace('{ const: u } }', '{ const: u } }, { unit: shown }').replace(
        "'Unit' as name",
        "'Unit' as name union all select '1', 'One' union all select '2', 'Two'",
      ),
    );
    const four = "no in ('20', '21', '22', '23')";
    sql(`update employee set shown = 2 where ${four}`);
    await sync();
    await sync();
    const edited = `{ unit: { expr: "shown == '2' ? '' : shown" } }`;
    use('{ unit: shown }', edited);
    expectHeld(await sync(), 4, 'edited');
    use(edited, '{ unit: shown }');
    for (let run = 0; run < 2; run += 1) expect((await sync()).exitCode).toBe(0);
    sql(`update employee set shown = 1 where ${four}`);
    const moved = await sync();
    expect([moved.exitCode, moved.changing]).toEqual([0, ['importEmployees']]);
  });

  test('a hidden column that names the unit takes nobody out of it', async () => {
    const { sql, sync, world } = await openStage(BY_COLUMN.replaceAll("'u' as id", "'here' as id"));
    world.configure({ ...ONE_MISS, orphans: 'root' });
    await sync();
    sql(hide("no in ('20', '21', '22')"));
    expectHeld(await sync(), 3, '3 records would change only because of missing values (status)');
    sql("update employee set status = 'elsewhere' where no in ('20', '21', '22')");
    expect((await sync()).exitCode).toBe(0);
  });

  const BELOW_TOP = NOT_LEFT.replace(
    "select 'u' as id, 'Unit' as name",
    'select id, name, parent from unit',
  ).replace('name: name }', 'name: name, parent: parent }');

  test('an edit of the rule of the parent moves no unit', async () => {
    const { sync, use } = await openStage(BELOW_TOP);
    expect((await sync()).exitCode).toBe(0);
    use('parent: parent }', `parent: { expr: "parent == 'top' ? '' : parent" } }`);
    const ran = await sync();
    expect([ran.exitCode, ran.changing, ran.plan?.held[0]?.guard]).toEqual([3, [], 'unexplained']);
  });

  test('a hidden column that names the parent moves no unit', async () => {
    const { sql, sync } = await openStage(BELOW_TOP);
    expect((await sync()).exitCode).toBe(0);
    sql("update unit set parent = null where id <> 'top'");
    const ran = await sync();
    expect([ran.exitCode, ran.changing]).toEqual([3, []]);
  });

  test('a unit whose parent is gone in the same read moves to the top, and no other one does', async () => {
    const { sql, sync, world } = await openStage(BELOW_TOP);
    sql("insert into unit values ('side', 'Side', null), ('v', 'Below', 'side')");
    expect((await sync()).exitCode).toBe(0);
    sql("update unit set parent = null where id in ('u', 'v'); delete from unit where id = 'top'");
    const ran = await sync();
    expect([ran.exitCode, ran.plan?.held]).toMatchObject([
      3,
      [{ guard: 'unexplained', first: ['Below (v)'] }],
    ]);
    expect(world.sandbox.state.namePath(world.organization('u').id)).not.toContain('Top');
  });
});

describe('what the record explains', () => {
  test.each<readonly [string, string, string, number]>([
    ['another value', NOT_LEFT, `update employee set status = 'here' where ${LEAVERS}`, 4],
    ['the end date of one who returns', BY_DATE, "update employee set end = '' where no = '1'", 1],
    ['who has left by the value', NOT_LEFT, "update employee set status = 'left' where no = '20'", -1],
    ['newcomers', NOT_LEFT, newcomers('here', 'here', 'here'), 3],
  ])('%s is sent', async (_, rules, sql, more) => {
    const stage = await openStage(rules);
    stage.sql(sql);
    await stage.sync();
    expect([(await stage.sync()).exitCode, stage.working()]).toEqual([0, WORKING + more]);
  });

  test('a leaver whose partner is gone stays disabled, and comes back with a new one', async () => {
    const { sql, sync, working } = await openStage(joined('empty'));
    sql(`update employee set shown = 0 where ${LEAVERS}`);
    for (let run = 0; run < 2; run += 1) {
      const ran = await sync();
      expect([ran.exitCode, ran.changing, working()]).toEqual([0, [], WORKING]);
    }
    sql("update employee set shown = 1, status = 'here' where no = '1'");
    expect([(await sync()).exitCode, working()]).toEqual([0, WORKING + 1]);
  });
});

describe('what a record explained while its change waits', () => {
  const five = "no in ('11', '12', '13', '14', '15')";
  const strict = { ...ONE_MISS, guard: { ...SYNC.guard, leavers: { percent: 0, count: 0 } } };

  test.each<readonly [string, string, (stage: Stage) => void]>([
    ['left, and the time zone', `update employee set status = 'left' where ${five}`, inParis],
    ['left, and the rule', `update employee set status = 'left' where ${five}`, withMore],
    ['gone, and the rule', `delete from employee where ${five}`, withMore],
  ])('stays explained after an edit: %s', async (_, change, edit) => {
    const stage = await openStage(NOT_LEFT);
    const { sql, sync, working, world } = stage;
    world.configure(strict);
    sql(change);
    const [held] = (await sync()).plan?.held ?? [];
    edit(stage);
    const ran = await sync([held?.hash ?? '']);
    expect([ran.exitCode, ran.plan?.held, working()]).toEqual([0, [], WORKING - 5]);
  });

  test('does not explain what only follows from the edit, nor what another value brings', async () => {
    const stage = await openStage(NOT_LEFT);
    const { sql, sync, use, working, world } = stage;
    world.configure(strict);
    sql(`update employee set status = 'left' where ${five}`);
    await sync();
    sql(`update employee set status = 'here' where ${five}`);
    use("status != 'left'", "status == 'left'");
    const ran = await sync();
    expect(ran.plan?.held.find(({ guard }) => guard === 'unexplained')?.count).toBe(25);
    expect([ran.exitCode, ran.changing, working()]).toEqual([3, [], WORKING]);
  });

  test.each([
    ['a run listed it', true],
    ['only a plan showed it', false],
  ])('is sent by its approval, whichever guard trips by an edit since then: %s', async (_, isListed) => {
    const { sql, sync, plan, use, working, world } = await openStage(NOT_LEFT);
    world.configure(strict);
    sql(`update employee set status = 'left', end = '2020-01-01' where ${five}`);
    const [held] = (await (isListed ? sync() : plan())).plan?.held ?? [];
    // What the old rule read, the new one does not.
    use("status != 'left'", "end == ''");
    const ran = await sync([held?.hash ?? '']);
    const guards = ran.plan?.held.map(({ guard }) => guard);
    const sent = [0, [], WORKING - 5];
    expect([ran.exitCode, guards, working()]).toEqual(isListed ? sent : [3, ['unexplained'], WORKING]);
  });

  test('of a unit stays explained too', async () => {
    const { sql, sync, world } = await openStage(
      NOT_LEFT.replace("select 'u' as id, 'Unit' as name", 'select id, name from unit'),
    );
    const none = { ...ONE_MISS, guard: { ...SYNC.guard, unitsRemoved: { percent: 0, count: 0 } } };
    world.configure(none);
    sql("delete from unit where id = 'top'");
    const [held] = (await sync()).plan?.held ?? [];
    expect(held?.guard).toBe('unitsRemoved');
    world.configure({ timezone: 'Europe/Paris' });
    const ran = await sync([held?.hash ?? '']);
    expect([ran.exitCode, ran.changing]).toEqual([0, ['deleteOrganization']]);
  });
});

const SILENT = expect.stringMatching(
  /inactive in the source before, and what said so is absent now: look whether/u,
);

test('who is held as a leaver and says nothing any more stays named', async () => {
  const { sql, sync, plan, working, world } = await openStage(NOT_LEFT);
  world.configure({ ...ONE_MISS, guard: { ...SYNC.guard, leavers: { percent: 0, count: 0 } } });
  const foreseen = async (): Promise<unknown> => (await plan()).plan?.blocked.map(({ reason }) => reason);
  sql("update employee set status = 'left' where no in ('11', '12', '13')");
  expect([(await sync()).exitCode, working()]).toEqual([3, WORKING]);
  sql(hide("no in ('11', '12', '13')"));
  for (let run = 0; run < 2; run += 1) {
    expect(await foreseen()).toEqual([SILENT, SILENT, SILENT]);
    const ran = await sync();
    expect([ran.exitCode, ran.report.end.blocked, ran.inside]).toEqual([4, 3, [SILENT, SILENT, SILENT]]);
  }
  sql("update employee set status = 'here' where no = '11'");
  expect((await sync()).inside).toEqual([SILENT, SILENT]);
  expect((await sync([], { full: true, trigger: 'fullCron' })).inside).toEqual([SILENT, SILENT]);
  // A person who asks for a full run says that the source is right.
  const ran = await sync([], { full: true });
  expect([ran.exitCode, ran.inside, working()]).toEqual([0, [], WORKING]);
  expect([(await sync()).inside, await foreseen()]).toEqual([[], []]);
});
