import { describe, expect, test } from 'vitest';
import { openSource } from '../../src/source/open-source.ts';
import { load, SERVICE } from '../config/config-file.ts';
import { SYNC } from '../plan/build.ts';
import { scratchDatabase } from '../servers/scratch-database.ts';
import type { Told } from './said.ts';
import { openWorld, type Ran, type SyncOptions, type World } from './world.ts';

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
  readonly world: World;
  readonly sql: (text: string) => void;
  /** Runs, expects this, and that so many accounts work, if that is told. */
  readonly run: (how: SyncOptions, expected: Partial<Told>, working?: number) => Promise<Ran>;
  /** What a run would do now. */
  readonly plan: () => Promise<Ran>;
  /** Expects that so many changes are held since nothing explains them, and why; returns its hash. */
  readonly holds: (count: number, why: string, limit?: number) => Promise<string>;
  /** Writes a rule otherwise. */
  readonly use: (rule: string, instead: string) => void;
  /** Protects others from now on. */
  readonly protect: (who: { readonly where?: string; readonly usernames?: readonly string[] }) => void;
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
  let { settings } = load(text);
  let where: string | undefined;
  const from = () =>
    openSource(settings.source, { lookups: settings.lookups, clock: world.clock, protect: where });
  const run: Stage['run'] = async (how, expected, working) => {
    const ran = await world.run({ ...how, from }, expected);
    const names = world.sandbox.state
      .employees()
      .flatMap(({ username, locked }) => (locked ? [] : [username]));
    expect(names).toHaveLength(working ?? names.length);
    return ran;
  };
  await run({}, {});
  sql(`update employee set status = 'left', end = '2020-01-01' where ${LEAVERS}`);
  await run({}, {}, WORKING);
  world.minutes(2 * 24 * 60);
  return {
    sql,
    run,
    world,
    plan: () => world.plan({ from }),
    holds: async (count, why, limit = 1) => {
      const ran = await world.run({ from }, { exit: 3, sent: '' });
      const held = ran.plan?.held.find(({ guard }) => guard === 'unexplained');
      expect([held?.count, held?.limit, whyOf(held?.about)]).toEqual([count, limit, why]);
      return held?.hash ?? '';
    },
    use: (rule, instead) => {
      expect(text).toContain(rule);
      text = text.replace(rule, instead);
      settings = load(text).settings;
    },
    protect: ({ usernames = [], ...who }) => {
      ({ where } = { where: undefined, ...who });
      world.configure({ ...ONE_MISS, protect: { usernames, units: [], ...who } });
    },
  };
}

/** `absent NAMES`, or in one word why nothing explains the changes. */
function whyOf(about = ''): string {
  const absent = /only because of missing values \((?<names>[^)]*)\)/u.exec(about)?.groups?.['names'];
  if (absent !== undefined) return `absent ${absent}`;
  if (about.includes('sync.protect was edited')) return 'protect';
  if (about.includes('was edited')) return 'edited';
  return about.includes('is missing everywhere') ? 'vanished' : about;
}

const withMore = ({ use }: Stage): void => use("status != 'left'", "status != 'left' && status != 'gone'");
const hide = (of: string): string => `update employee set status = null where ${of}`;
/** Shows of five people who work their ids alone. */
const STUBS = "update employee set status = null, login = null where no in ('10', '11', '12', '13', '14')";
const TWICE =
  "insert into employee select no, login, status, end || '1', shown from employee where login is null";
const newcomers = (...statuses: readonly (string | null)[]): string =>
  `insert into employee values ${statuses
    .map((status, n) => `('9${n}', 'n${n}', ${status === null ? 'null' : `'${status}'`}, '', 1)`)
    .join(', ')}`;

describe('what nothing in the record explains', () => {
  test.each<readonly [string, string, string, number, string]>([
    ['hidden for all, where leavers say so', NOT_LEFT, hide('1 = 1'), 4, 'absent status'],
    ['hidden for all, where workers say so', IS_HERE, hide('1 = 1'), 26, 'absent status'],
    ['hidden for all, by source.people.where', WHERE, hide('1 = 1'), 4, 'absent status'],
    ['an end date that is emptied for several', BY_DATE, "update employee set end = ''", 4, 'absent end'],
    ['a column of the partner', joined('empty'), hide('1 = 1'), 4, 'absent hr.status'],
  ])('%s is held until it is approved, and done once', async (...[, rules, sql, count, why]) => {
    const { run, holds, ...stage } = await openStage(rules);
    stage.sql(sql);
    await run({}, { exit: 3 }, WORKING);
    await holds(count, why);
    const held = await run({}, { exit: 3 }, WORKING);
    await run({ approve: held }, {}, count > WORKING - 1 ? 0 : WORKING + count);
    await run({}, { sent: '' });
  });

  test.each([
    ['', ''],
    [' and twice', `; ${TWICE}`],
  ])('is held also where records show nothing but an id%s', async (_, more) => {
    const { sql, run, holds } = await openStage(IS_HERE);
    sql(STUBS + more);
    await run({}, { exit: 3 }, WORKING);
    await holds(5, 'absent status');
    await run({ approve: await run({}, { exit: 3 }) }, {}, WORKING - 5);
  });

  test('holds newcomers too, where nobody has a value any more', async () => {
    const { sql, run, holds } = await openStage(NOT_LEFT);
    sql(hide('1 = 1'));
    sql(newcomers(null, null));
    await holds(6, 'absent status');
    const { plan } = await run({}, { exit: 3 }, WORKING);
    expect(plan?.held[0]?.about).toMatch(/; status .*\beverywhere\b.* 2 /u);
  });

  test('passes for one in 24 hours', async () => {
    const { sql, run, holds, world } = await openStage(NOT_LEFT);
    sql(hide("no = '1'"));
    await run({}, {}, WORKING + 1);
    sql(hide("no = '2'"));
    await holds(1, 'absent status');
    await run({ later: 25 * 60 }, {}, WORKING + 2);
    expect(world.employee('p2').locked).toBe(false);
  });

  test('is an edited rule, until it is edited back', async () => {
    const { run, holds, use } = await openStage(NOT_LEFT);
    use("status != 'left'", "status != 'LEFT'");
    await holds(4, 'edited');
    use("status != 'LEFT'", "status != 'left'");
    await run({}, { sent: '' }, WORKING);
  });
});

const TWO_COLUMNS = active("status != 'left' && (end == '' || date(end) >= now)");
const BY_COLUMN = source(
  `fields: { ${FIELDS.replace('{ const: u }', 'status')}, active: { expr: "end == ''" } }`,
);
const FIVE = "no in ('10', '11', '12', '13', '14')";

describe('what has happened before', () => {
  test('a value that was hidden without an effect is missed later', async () => {
    const { sql, run, holds } = await openStage(TWO_COLUMNS);
    sql(hide('1 = 1'));
    await run({}, { sent: '' });
    sql(`update employee set end = '2099-12-31' where ${LEAVERS}`);
    await holds(4, 'absent status');
  });

  test('an edited rule waits, whatever else the record says later', async () => {
    const { sql, run, holds, use } = await openStage(TWO_COLUMNS);
    sql(`update employee set end = '' where ${LEAVERS}`);
    await run({}, {});
    use("status != 'left'", "status != 'LEFT'");
    await holds(4, 'edited');
    sql(`update employee set end = '2099-12-31' where ${LEAVERS}`);
    await holds(4, 'edited');
    await run({}, { exit: 3 }, WORKING);
  });

  test('an edited query holds who is gone by it', async () => {
    const { run, holds, use } = await openStage(NOT_LEFT);
    use('select * from employee', "select * from employee where no < '20' or no > '22'");
    await holds(3, 'edited');
    await run({}, { exit: 3 }, WORKING);
  });

  test('is known of records that were blocked', async () => {
    const { sql, run, holds } = await openStage(
      active("status != 'left' && !(end == '' && status == 'S2')")
        .replace('{ const: u }', 'shown')
        .replace("'u' as id", "'1' as id"),
    );
    for (const set of ['shown = null', "end = 'x', status = 'S2'"]) {
      sql(`update employee set ${set} where ${FIVE}`);
      await run({}, { exit: 4 });
    }
    sql(`update employee set end = '' where ${FIVE}`);
    await holds(5, 'absent end');
  });

  test('is known of records that were held, once a rule is edited', async () => {
    const { sql, run, holds, use } = await openStage(active("status == 'here' || status == 'ok'"));
    sql(hide(FIVE));
    await holds(5, 'absent status');
    sql(`update employee set status = 'ok' where ${FIVE}`);
    for (let times = 0; times < 2; times += 1) await run({}, {});
    use(" || status == 'ok'", '');
    await holds(5, 'edited');
  });
});

test.each<readonly [string, { readonly usernames?: readonly string[]; readonly where?: string }]>([
  ['a name', { usernames: ['p10'] }],
  ['an expression', { where: "login == 'p10'" }],
])('one person who is protected no more by %s waits until that is approved', async (_, rule) => {
  const { sql, run, holds, protect } = await openStage(NOT_LEFT);
  protect(rule);
  await run({}, {});
  sql("update employee set status = 'left' where no = '10'");
  for (let times = 0; times < 2; times += 1) await run({}, { exit: 4 }, WORKING);
  protect({});
  await holds(1, 'protect', 0);
  const hash = await holds(1, 'protect', 0);
  protect(rule);
  await run({}, { exit: 4 }, WORKING);
  protect({});
  expect(await holds(1, 'protect', 0)).toBe(hash);
  await run({ approve: [hash] }, {}, WORKING - 1);
  await run({}, { sent: '' });
});

describe('places', () => {
  const BELOW_TOP = NOT_LEFT.replace(
    "select 'u' as id, 'Unit' as name",
    'select id, name, parent from unit',
  ).replace('name: name }', 'name: name, parent: parent }');

  test('an edited rule for them waits, and does not matter any more once it is edited back', async () => {
    const { sql, run, holds, use } = await openStage(
      NOT_LEFT.replace('{ const: u } }', '{ const: u } }, { unit: shown }').replace(
        "'Unit' as name",
        "'Unit' as name union all select '1', 'One' union all select '2', 'Two'",
      ),
    );
    const four = "no in ('20', '21', '22', '23')";
    sql(`update employee set shown = 2 where ${four}`);
    for (let times = 0; times < 2; times += 1) await run({}, {});
    const edited = `{ unit: { expr: "shown == '2' ? '' : shown" } }`;
    use('{ unit: shown }', edited);
    await holds(4, 'edited');
    use(edited, '{ unit: shown }');
    for (let times = 0; times < 2; times += 1) await run({}, {});
    sql(`update employee set shown = 1 where ${four}`);
    await run({}, { sent: 'importEmployees' });
  });

  test('a hidden column that names the unit takes nobody out of it', async () => {
    const { sql, run, holds, world } = await openStage(BY_COLUMN.replaceAll("'u' as id", "'here' as id"));
    world.configure({ ...ONE_MISS, orphans: 'root' });
    await run({}, {});
    sql(hide("no in ('20', '21', '22')"));
    await holds(3, 'absent status');
    sql("update employee set status = 'elsewhere' where no in ('20', '21', '22')");
    await run({}, {});
  });

  test.each<readonly [string, (stage: Stage) => void]>([
    [
      'an edit of the rule of',
      ({ use }) => use('parent: parent }', `parent: { expr: "parent == 'top' ? '' : parent" } }`),
    ],
    ['a hidden column that names', ({ sql }) => sql("update unit set parent = null where id <> 'top'")],
  ])('%s the parent moves no unit', async (_, change) => {
    const stage = await openStage(BELOW_TOP);
    await stage.run({}, {});
    change(stage);
    const { plan } = await stage.run({}, { exit: 3, sent: '' });
    expect(plan?.held.map(({ guard }) => guard)).toEqual(['unexplained']);
  });

  test('a unit whose parent is gone in the same read moves to the top, and no other one does', async () => {
    const { sql, run, world } = await openStage(BELOW_TOP);
    sql("insert into unit values ('side', 'Side', null), ('v', 'Below', 'side')");
    await run({}, {});
    sql("update unit set parent = null where id in ('u', 'v'); delete from unit where id = 'top'");
    const { plan } = await run({}, { exit: 3 });
    expect(plan?.held).toMatchObject([{ guard: 'unexplained', first: ['Below (v)'] }]);
    expect(world.state().units).toContain('/Root/Unit #u');
  });
});

describe('what the record explains', () => {
  test.each<readonly [string, string, string, number]>([
    ['another value', NOT_LEFT, `update employee set status = 'here' where ${LEAVERS}`, 4],
    ['newcomers', NOT_LEFT, newcomers('here', 'here', 'here'), 3],
  ])('%s is sent', async (_, rules, sql, more) => {
    const stage = await openStage(rules);
    stage.sql(sql);
    for (let times = 0; times < 2; times += 1) await stage.run({}, {}, WORKING + more);
  });

  test('a leaver whose partner is gone stays disabled, and comes back with a new one', async () => {
    const { sql, run } = await openStage(joined('empty'));
    sql(`update employee set shown = 0 where ${LEAVERS}`);
    for (let times = 0; times < 2; times += 1) await run({}, { sent: '' }, WORKING);
    sql("update employee set shown = 1, status = 'here' where no = '1'");
    await run({}, {}, WORKING + 1);
  });
});

test('a leaver whom two guards hold is named with the hashes of both', async () => {
  const { sql, run } = await openStage(IS_HERE);
  sql(hide('1 = 1'));
  const { inside, plan } = await run({}, { exit: 3 }, WORKING);
  const hashes = plan?.held.map(({ hash }) => hash) ?? [];
  expect(plan?.held.map(({ guard }) => guard).toSorted()).toEqual(['leavers', 'unexplained']);
  const named = inside.map((one) => one.match(/(?<=--approve )[0-9a-f]+/gu)?.toSorted());
  expect(named).toEqual(Array.from({ length: WORKING }, () => hashes.toSorted()));
});

test('a leaver whose own record says active, and who has no partner, is listed and stays disabled', async () => {
  const { sql, run } = await openStage(joined('block').replace("hr.status != 'left'", "end == ''"));
  sql("update employee set shown = 0, end = '' where no = '1'");
  for (let times = 0; times < 2; times += 1)
    await run({}, { exit: 4, sent: '', listed: '1 missed' }, WORKING);
});

describe('what a record explained while its change waits', () => {
  const five = "no in ('11', '12', '13', '14', '15')";
  const strict = { ...ONE_MISS, guard: { ...SYNC.guard, leavers: { percent: 0, count: 0 } } };
  const LEFT = `update employee set status = 'left', end = '2020-01-01' where ${five}`;

  test.each<readonly [string, string, (stage: Stage) => void]>([
    ['left, and the time zone', LEFT, ({ world }) => world.configure({ timezone: 'Europe/Paris' })],
    ['left, and the rule', LEFT, withMore],
    ['gone, and the rule', `delete from employee where ${five}`, withMore],
    // What the old rule read, the new one does not.
    ['left, and what the rule reads', LEFT, ({ use }) => use("status != 'left'", "end == ''")],
  ])('stays explained after an edit: %s', async (_, change, edit) => {
    const stage = await openStage(NOT_LEFT);
    stage.world.configure(strict);
    stage.sql(change);
    const held = await stage.run({}, { exit: 3 });
    edit(stage);
    await stage.run({ approve: held }, { held: '' }, WORKING - 5);
  });

  test('is not remembered where only a plan showed it', async () => {
    const { sql, run, plan, use, world } = await openStage(NOT_LEFT);
    world.configure(strict);
    sql(LEFT);
    const shown = await plan();
    use("status != 'left'", "end == ''");
    const ran = await run({ approve: shown }, { exit: 3 }, WORKING);
    expect(ran.plan?.held.map(({ guard }) => guard)).toEqual(['unexplained']);
  });

  test('does not explain what only follows from the edit, nor what another value brings', async () => {
    const { sql, run, holds, use, world } = await openStage(NOT_LEFT);
    world.configure(strict);
    sql(`update employee set status = 'left' where ${five}`);
    await run({}, { exit: 3 });
    sql(`update employee set status = 'here' where ${five}`);
    use("status != 'left'", "status == 'left'");
    await holds(25, 'edited');
    await run({}, { exit: 3 }, WORKING);
  });

  test('of a unit stays explained too', async () => {
    const { sql, run, world } = await openStage(
      NOT_LEFT.replace("select 'u' as id, 'Unit' as name", 'select id, name from unit'),
    );
    world.configure({ ...ONE_MISS, guard: { ...SYNC.guard, unitsRemoved: { percent: 0, count: 0 } } });
    sql("delete from unit where id = 'top'");
    const held = await run({}, { exit: 3, held: 'unitsRemoved 1/0' });
    world.configure({ timezone: 'Europe/Paris' });
    await run({ approve: held }, { sent: 'deleteOrganization' });
  });

  test('keeps a leaver named who says nothing any more, until a full run is asked for', async () => {
    const { sql, run, plan, world } = await openStage(NOT_LEFT);
    world.configure(strict);
    const blocked = async () => (await plan()).plan?.blocked.length;
    sql("update employee set status = 'left' where no in ('11', '12', '13')");
    await run({}, { exit: 3 }, WORKING);
    sql(hide("no in ('11', '12', '13')"));
    const named = (...ids: readonly string[]) => ids.map((id) => `${id} noLongerSaysLeft`).join(', ');
    for (let times = 0; times < 2; times += 1) {
      expect(await blocked()).toBe(3);
      await run({}, { exit: 4, inside: named('11', '12', '13') });
    }
    sql("update employee set status = 'here' where no = '11'");
    await run({}, { exit: 4, inside: named('12', '13') });
    await run({ full: true, trigger: 'fullCron' }, { exit: 4, inside: named('12', '13') });
    // A person who asks for a full run says that the source is right.
    await run({ full: true }, { inside: '' }, WORKING);
    await run({}, { inside: '' });
    expect(await blocked()).toBe(0);
  });
});
