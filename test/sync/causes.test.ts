import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { Person, Unit } from '../../src/domain/records/records.ts';
import { SYNC } from '../plan/build.ts';
import { at, loadedWorld, person, unit, type Ran, type World } from './world.ts';

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
const isJunior = ({ fields }: Person): boolean => fields['employee_rank_name'] === 'Junior';
const company = (units = UNITS, people = PEOPLE): Promise<World> =>
  loadedWorld({
    units,
    people,
    sync: { guard: { ...SYNC.guard, emptied: SYNC.guard.leavers } },
  });

/** The source without some of its people, read as often as it takes for them to leave. */
async function afterLosing(world: World, isGone: (one: Person) => boolean, units = UNITS): Promise<Ran> {
  await world.syncAfter(() => ({ units, people: PEOPLE.filter((one) => !isGone(one)) }), { later: 15 });
  world.minutes(15);
  return world.sync({ describe: true });
}

const causesOf = ({ plan }: Ran): readonly (readonly [string, string | null])[] =>
  (plan?.held ?? []).map(({ guard, cause }) => [guard, cause] as const);

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
    const held = `SELECT value ->> '$[0].guard', value ->> '$[0].cause' FROM fact WHERE name = 'held'`;
    expect(ledger.prepare(held).raw().get()).toEqual(['leavers', WORDS]);
    ledger.exec(
      `UPDATE fact SET value = json_set(value, '$[0].cause', 'as it was found') WHERE name = 'held'`,
    );
    ledger.close();
    const again = await world.sync();
    expect(causesOf(again)).toEqual([['leavers', 'as it was found']]);
    expect(again.plan?.held[0]?.hash).toBe(ran.plan?.held[0]?.hash);
  });
});
