import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { NO_GUARD } from '../plan/build.ts';
import { at, loadedWorld, person, unit, type Ran, type World } from './world.ts';

const UNITS = [unit('u1'), unit('lab', 'u1', { name: 'Lab' })];
const PEOPLE = Array.from({ length: 24 }, (_, n) =>
  person(String(n + 10), { positions: [at(n < 6 ? 'lab' : 'u1')] }),
);
const company = (): Promise<World> =>
  loadedWorld({
    units: UNITS,
    people: PEOPLE,
    sync: { guard: { ...NO_GUARD, leavers: { percent: 0, count: 0 } } },
  });

/** The source without the people whom these positions in the list have, read as often as it takes for them to leave. */
async function afterLosing(world: World, isGone: (at: number) => boolean): Promise<Ran> {
  await world.syncAfter(() => ({ people: PEOPLE.filter((_, n) => !isGone(n)) }), { later: 15 });
  return world.sync({ later: 15, describe: true });
}

const causesOf = ({ plan }: Ran): readonly unknown[] => (plan?.held ?? []).map(({ cause }) => cause);
const WORDS = 'All 6, and none of the 18 others: in Lab';
const SHARED = 'All 6: missing in the source';

test('a query that was changed is named, until a day has passed', async () => {
  const world = await company();
  world.source.asks = { ...world.source.asks, people: 'select * from employee where level <> 1' };
  expect(causesOf(await afterLosing(world, (n) => n % 4 === 0))).toEqual([
    expect.stringMatching(
      new RegExp(`^The query, filter or mapping of people is another one since .* UTC. ${SHARED}$`, 'u'),
    ),
  ]);
  const later = await company();
  later.source.asks = { ...later.source.asks, people: 'another' };
  await later.sync();
  later.minutes(25 * 60);
  expect(causesOf(await afterLosing(later, (n) => n % 4 === 0))).toEqual([SHARED]);
});

test('a cause stands in plan, ledger and log, and the same changes keep it', async () => {
  const world = await company();
  const ran = await afterLosing(world, (n) => n < 6);
  expect([causesOf(ran), ran.text.includes(`  Likely cause: ${WORDS}.`)]).toEqual([[WORDS], true]);
  const held = ran.lines.map(({ fields }) => fields).filter(({ event }) => event === 'guard.held');
  expect(held).toMatchObject([{ cause: WORDS }]);
  expect(causesOf(await world.plan())).toEqual([WORDS]);
  const ledger = new Sqlite(world.ledgerFile);
  const value = `SELECT value ->> '$[0].cause' FROM fact WHERE name = 'held'`;
  expect(ledger.prepare(value).pluck().get()).toBe(WORDS);
  ledger.exec(`UPDATE fact SET value = json_set(value, '$[0].cause', 'as it was found') WHERE name = 'held'`);
  ledger.close();
  const again = await world.sync();
  expect(causesOf(again)).toEqual(['as it was found']);
  expect(again.plan?.held[0]?.hash).toBe(ran.plan?.held[0]?.hash);
});
