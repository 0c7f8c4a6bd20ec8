import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { Service } from '../../src/domain/ports/service.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { SMALL, at, loadedWorld, openWorld, person, unit, type World } from './world.ts';

/** Another process takes the lease, as it does from a holder that was stopped for longer than the lease lasts. */
function takeOver(world: World): void {
  const db = new Sqlite(world.ledgerFile);
  db.prepare(`UPDATE fact SET value = json_set(value, '$.holder', 'another') WHERE name = 'lease'`).run();
  db.close();
}

/** And goes again. */
function release(world: World): void {
  const db = new Sqlite(world.ledgerFile);
  db.prepare(`DELETE FROM fact WHERE name = 'lease'`).run();
  db.close();
}

type Importing = Service['importEmployees'];

const importing =
  (change: (send: Importing) => Importing) =>
  (service: Service): Service => ({
    ...service,
    importEmployees: change((bodies, signal) => service.importEmployees(bodies, signal)),
  });

async function changed(): Promise<World> {
  const world = await loadedWorld();
  world.minutes(15);
  world.change(() => ({
    people: SMALL.people.map((one) => ({ ...one, fields: { ...one.fields, name: `New ${one.id}` } })),
  }));
  return world;
}

describe('a holder that was paused beyond its lease', () => {
  test('sends nothing that it has written down already', async () => {
    const world = await changed();
    const ran = await world.sync({
      through: importing((send) => async (...call) => {
        takeOver(world);
        return send(...call);
      }),
    });
    expect([ran.exitCode, ran.changing]).toEqual([1, []]);
    expect(ran.error).toMatch(/another run took over/u);
    release(world);
    expect((await world.sync()).exitCode).toBe(0);
    expect(world.employee('l1').name).toBe('New 1');
  });

  test('settles nothing: what it sent is read by the run that follows', async () => {
    const world = await changed();
    const ran = await world.sync({
      through: importing((send) => async (...call) => {
        const outcomes = await send(...call);
        takeOver(world);
        return outcomes;
      }),
    });
    expect([ran.exitCode, ran.report.end.applied]).toEqual([1, 0]);
    release(world);
    const next = await world.sync();
    expect([next.exitCode, next.report.end.kind]).toEqual([0, 'incremental']);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });
});

test('a stop lets the call in flight end and be settled; the next run sends only the rest', async () => {
  const world = await openWorld();
  const stop = new AbortController();
  const ran = await world.sync({
    stop: stop.signal,
    through: (service) => ({
      ...service,
      importOrganizations: (bodies, signal) => {
        stop.abort();
        return service.importOrganizations(bodies, signal);
      },
    }),
  });
  expect(ran.changing).toEqual(['importOrganizations']);
  expect(world.state().units).toHaveLength(2);
  const next = await world.sync();
  expect(next.exitCode).toEqual(0);
  expect(next.lines.some(({ message }) => message.includes('interrupted'))).toEqual(false);
  expect(next.planned).not.toContain('create unit u1');
});

const PEOPLE = [person('1', { positions: [at('c')] }), person('2', { positions: [at('b')] })];
const BELOW_A = { units: [unit('a'), unit('b'), unit('c', 'a')], people: PEOPLE };
const BELOW_B = { units: [unit('a'), unit('b'), unit('c', 'b')], people: PEOPLE };

async function bothRun(ours: World, theirs: World): Promise<readonly string[]> {
  const sent: string[] = [];
  for (const world of [ours, theirs]) {
    ours.minutes(15);
    sent.push(...(await world.sync()).changing);
  }
  return sent;
}

describe('two rollcalls on one organization', () => {
  test.each([
    ['a move', BELOW_B],
    ['a name', { ...BELOW_A, units: [unit('a', null, { name: 'New' }), unit('b'), unit('c', 'a')] }],
  ])('with one source follow %s one after the other, and are quiet then', async (_, later: MemoryWorld) => {
    const ours = await loadedWorld(BELOW_A);
    const theirs = ours.rival();
    await bothRun(ours, theirs);
    for (const world of [ours, theirs]) world.change(() => later);
    await bothRun(ours, theirs);
    await bothRun(ours, theirs);
    expect(await bothRun(ours, theirs)).toEqual([]);
    for (const world of [ours, theirs]) {
      const ran = await world.sync({ full: true });
      expect([ran.exitCode, ran.listed, ran.changing]).toEqual([0, [], []]);
    }
  });

  test('with sources that contradict each other take a unit from each other a few times, and say so then', async () => {
    const ours = await loadedWorld(BELOW_A);
    const theirs = ours.rival();
    theirs.change(() => BELOW_B);
    for (let times = 0; times < 8; times += 1) await bothRun(ours, theirs);
    expect(await bothRun(ours, theirs)).toEqual([]);
    const [first, second] = [await ours.sync(), await theirs.sync()];
    expect([first, second].map(({ exitCode }) => exitCode)).toContain(4);
    expect([...first.listed, ...second.listed].join()).toMatch(
      /c: edited in the service again after 3 repairs in 7 days, left: parent; does another rollcall work/u,
    );
    expect(ours.state().people).toHaveLength(2);
  });
});
