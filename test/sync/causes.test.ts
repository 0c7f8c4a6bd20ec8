import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import type { Person, Unit } from '../../src/domain/records/records.ts';
import { SYNC } from '../plan/build.ts';
import { at, openWorld, person, unit, type Ran, type World } from './world.ts';

const TEAMS = ['sales', 'north', 'south', 'tech', 'lab', 'staff'] as const;
const LEVELS = ['Junior', 'Senior', 'Lead', 'Expert'];
const UNITS: readonly Unit[] = [
  unit('sales', null, { name: 'Sales' }),
  unit('north', 'sales', { name: 'North' }),
  unit('south', 'sales', { name: 'South' }),
  unit('tech', null, { name: 'Tech' }),
  unit('lab', 'tech', { name: 'Lab' }),
  unit('staff', null, { name: 'Staff' }),
];

/** Twenty in each team; levels, genders and mail domains are spread evenly over the teams. */
const PEOPLE: readonly Person[] = TEAMS.flatMap((team, place) =>
  Array.from({ length: 20 }, (_, index) => {
    const n = place * 20 + index;
    const fields = {
      email: `p${n}@${n % 3 === 0 ? 'old' : 'corp'}.example`,
      mobile: `+49 30 ${1_000_000 + n}`,
      gender: n % 2 === 0 ? 'F' : 'M',
      employee_rank_name: LEVELS[(n + place) % LEVELS.length] ?? null,
    };
    const id = String((n * 37) % 120).padStart(3, '0');
    return person(id, { username: `${'abcdefghij'[n % 10]}${n}`, fields, positions: [at(team)] });
  }),
);

const teamOf = ({ positions }: Person): string => positions[0]?.unit ?? '';
const isIn =
  (...teams: readonly string[]) =>
  (one: Person): boolean =>
    teams.includes(teamOf(one));
const mailOf = ({ fields }: Person): string => (typeof fields['email'] === 'string' ? fields['email'] : '');
/** Some who have nothing in common: every sixth or so, by a fixed rule. */
const isAnybody = ({ id }: Person): boolean => (Number(id) * 53) % 120 < 20;
const isInLabOrOne = (one: Person): boolean => isIn('lab')(one) || one === PEOPLE[3];
const isOneOfThree = (one: Person): boolean => PEOPLE.slice(0, 3).includes(one);
const isJunior = ({ fields }: Person): boolean => fields['employee_rank_name'] === 'Junior';
async function company(units = UNITS, people = PEOPLE): Promise<World> {
  const world = await openWorld({
    units,
    people,
    sync: { guard: { ...SYNC.guard, emptied: SYNC.guard.leavers } },
  });
  expect((await world.sync()).exitCode).toBe(0);
  return world;
}

/** The source without some of its people, read as often as it takes for them to leave. */
async function afterLosing(world: World, isGone: (one: Person) => boolean, units = UNITS): Promise<Ran> {
  world.change(() => ({ units, people: PEOPLE.filter((one) => !isGone(one)) }));
  world.minutes(15);
  await world.sync();
  world.minutes(15);
  return world.sync({ describe: true });
}

const causesOf = ({ plan }: Ran): readonly (readonly [string, string | null])[] =>
  (plan?.held ?? []).map(({ guard, cause }) => [guard, cause] as const);

async function changed(change: (one: Person) => Person): Promise<Ran> {
  const world = await company();
  world.change(() => ({ people: PEOPLE.map(change) }));
  return world.sync();
}
const withFields = (one: Person, fields: Person['fields']): Person => ({
  ...one,
  fields: { ...one.fields, ...fields },
});

test('a lost right: the people of a unit vanish, and the unit stays', async () => {
  const ran = await afterLosing(await company(), isIn('lab'));
  expect(causesOf(ran)).toEqual([['leavers', 'All 20, and none of the 100 others: in Lab']]);
});

test('who was disabled before is none of the others', async () => {
  const world = await company();
  await afterLosing(world, isOneOfThree);
  const ran = await afterLosing(world, (one) => isOneOfThree(one) || isIn('lab')(one));
  expect(causesOf(ran)).toEqual([['leavers', 'All 20, and none of the 97 others: in Lab']]);
});

test('people who join: compared with those who do not', async () => {
  const world = await company();
  const unguarded = { ...SYNC.guard, leavers: { percent: 100, count: 1_000 } };
  world.configure({ guard: unguarded });
  await afterLosing(world, isIn('lab', 'staff'));
  world.configure({ guard: SYNC.guard });
  world.minutes(60 * 24 * 8);
  const joiners = Array.from({ length: 45 }, (_, index) =>
    person(`x${index}`, {
      username: `ext-${'klm'[index % 3]}${index}`,
      positions: [at(TEAMS[index % 6] ?? '')],
    }),
  );
  world.change(({ people }) => ({ people: [...people, ...joiners] }));
  expect(causesOf(await world.sync())).toEqual([['joiners', 'All 45: new in the source']]);
});

test('a closed department: a unit, the units below it and their people are gone', async () => {
  const units = UNITS.filter(({ id, parent }) => id !== 'sales' && parent !== 'sales');
  const ran = await afterLosing(await company(), isIn('sales', 'north', 'south'), units);
  expect(causesOf(ran)).toEqual([
    ['leavers', 'All 60, and none of the 60 others: in Sales, which is gone as well'],
  ]);
});

test('a department that was closed, with one who left elsewhere', async () => {
  const units = UNITS.filter(({ id }) => id !== 'lab');
  expect(causesOf(await afterLosing(await company(), isInLabOrOne, units))).toEqual([
    ['leavers', '20 of the 21, and none of the 99 others: in Lab, which is gone as well'],
  ]);
});

test('a join that fails for one unit: a field turns empty', async () => {
  const ran = await changed((one) => (isIn('south')(one) ? withFields(one, { email: null }) : one));
  expect(causesOf(ran)).toEqual([['emptied', 'All 20, and none of the 100 others: in South']]);
});

test('what turns empty explains no other change of the same records, nor another field that does', async () => {
  const ran = await changed((one) => withFields(one, { email: null, mobile: null, gender: 'X' }));
  const told = (ran.plan?.held ?? []).map(({ guard, about, cause }) => [guard, about, cause ?? ''] as const);
  expect(told.map(([guard]) => guard).toSorted()).toEqual(['emptied', 'emptied', 'updates']);
  for (const [guard, about, cause] of told) {
    const field = guard === 'updates' ? null : /\b(email|mobile)\b/u.exec(about)?.[0];
    expect(cause).not.toMatch(
      field === 'email' ? /mobile/u : field === 'mobile' ? /email/u : /email|mobile/u,
    );
  }
});

test('another mail domain', async () => {
  const ran = await changed((one) =>
    withFields(one, { email: mailOf(one).replace('old.example', 'new.example') }),
  );
  expect(causesOf(ran)).toEqual([
    ['updates', 'All 40, and none of the 80 others: with an email at old.example'],
  ]);
});

test('who has nothing else in common is told by the reason of the change', async () => {
  const ran = await afterLosing(await company(), isAnybody);
  expect(causesOf(ran)).toEqual([['leavers', 'All 20: missing in the source']]);
});

test('a query that was changed is named, until a day has passed', async () => {
  const world = await company();
  world.source.asks = { ...world.source.asks, people: 'select * from employee where level <> 1' };
  const ran = await afterLosing(world, isJunior);
  const shared = 'All 30: missing in the source';
  expect(causesOf(ran)).toEqual([
    [
      'leavers',
      expect.stringMatching(
        new RegExp(
          `^The query, filter or mapping of people is another one since [-0-9]+ [0-9:]+ UTC. ${shared}$`,
          'u',
        ),
      ),
    ],
  ]);
  const later = await company();
  later.source.asks = { ...later.source.asks, people: 'another' };
  await later.sync();
  later.minutes(25 * 60);
  expect(causesOf(await afterLosing(later, isJunior))).toEqual([['leavers', shared]]);
});

describe('a cause', () => {
  const WORDS = 'All 20, and none of the 100 others: in Lab';

  test('stands in plan, ledger and log, and the same changes keep it', async () => {
    const world = await company();
    const ran = await afterLosing(world, isIn('lab'));
    expect(ran.text).toContain(`  Likely cause: ${WORDS}.`);
    expect(ran.lines.map(({ fields }) => fields).filter(({ event }) => event === 'guard.held')).toMatchObject(
      [{ cause: WORDS }],
    );
    const planned = await world.plan({ describe: true });
    expect([causesOf(planned), planned.text.includes(`  Likely cause: ${WORDS}.`)]).toEqual([
      [['leavers', WORDS]],
      true,
    ]);
    const ledger = new Sqlite(world.ledgerFile);
    expect(ledger.prepare('SELECT guard, cause FROM held').all()).toEqual([
      { guard: 'leavers', cause: WORDS },
    ]);
    ledger.exec(`UPDATE held SET cause = 'as it was found'`);
    ledger.close();
    const again = await world.sync();
    expect(causesOf(again)).toEqual([['leavers', 'as it was found']]);
    expect(again.plan?.held[0]?.hash).toBe(ran.plan?.held[0]?.hash);
  });

  test('is no part of any hash', async () => {
    const world = await company();
    const ran = await afterLosing(world, isIn('lab'));
    const ledger = new Sqlite(world.ledgerFile);
    ledger.exec(`UPDATE held SET cause = 'something else'`);
    ledger.close();
    const again = await world.plan();
    expect([again.plan?.hash, again.plan?.held[0]?.hash]).toEqual([ran.plan?.hash, ran.plan?.held[0]?.hash]);
  });

  test('is looked for only where something is held', async () => {
    const world = await company();
    const looks: string[] = [];
    const wrap = (ledger: Ledger): Ledger => {
      const { plan } = ledger;
      const [samples, everybody] = [plan.samples.bind(plan), plan.everybody.bind(plan)];
      Object.assign(plan, {
        samples: (buckets: readonly string[], atMost: number) => {
          looks.push('samples');
          return samples(buckets, atMost);
        },
        everybody: () => {
          looks.push('everybody');
          return everybody();
        },
      });
      return ledger;
    };
    world.change(() => ({ people: PEOPLE.slice(3) }));
    await world.sync({ wrap });
    world.minutes(15);
    expect((await world.sync({ wrap })).exitCode).toBe(0);
    expect(looks).toEqual([]);
    world.change(() => ({ people: PEOPLE.filter((one) => !isIn('lab')(one)) }));
    world.minutes(15);
    await world.sync({ wrap });
    world.minutes(15);
    expect((await world.sync({ wrap })).exitCode).toBe(3);
    expect(looks).toEqual(['samples', 'everybody']);
    await world.sync({ wrap });
    expect(looks).toHaveLength(2);
  });
});
