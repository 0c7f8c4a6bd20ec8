import { describe, expect, test } from 'vitest';
import { SYNC } from '../plan/build.ts';
import { expectRead, openTwins } from './twin-world.ts';
import {
  at,
  guest,
  hashesOf,
  having,
  loadedWorld,
  openWorld,
  person,
  unit,
  without,
  withFields,
  type Edit,
  type Ran,
  type World,
} from './world.ts';

/** So many runs that only report; returns the last one. */
async function reports(world: World, change: Edit, times = 3): Promise<Ran> {
  let ran = await world.sync({ change, reportOnly: true });
  const before = world.state();
  for (let run = 1; run < times; run += 1) {
    const next = await world.sync({ reportOnly: true, later: 15, full: run % 2 === 1 });
    expect(next.changing).toEqual([]);
    ran = next;
  }
  expect(world.state()).toEqual(before);
  return ran;
}

const everything =
  (...edits: readonly Edit[]): Edit =>
  (world) => ({ ...world, ...edits.reduce((now, edit) => ({ ...now, ...edit(now) }), world) });

const staff = Array.from({ length: 60 }, (_, n) => person(String(n + 1)));

describe('runs that only report', () => {
  test('leave a first load to come, with no guard on its joiners', async () => {
    const world = await openWorld({ people: staff, sync: { guard: SYNC.guard } });
    const last = await reports(world, () => ({}));
    expect([last.exitCode, last.report.end.applied, last.planned.length]).toEqual([0, 0, 62]);
    expect(world.sandbox.state.employees()).toEqual([]);
    const applied = await world.sync();
    expect(applied.planned).toEqual(last.planned);
    expect([applied.exitCode, applied.report.end.applied]).toEqual([0, 62]);
    await world.rests();
  });

  test('are followed by one that does exactly what they said', async () => {
    const world = await loadedWorld({ pictures: true });
    world.sandbox.edit.changeEmployee('l2', { name: 'Edited' });
    guest(world, 'l5', { name: 'Name 5' });
    const change = everything(
      ({ units }) => ({ units: [...units.map((one) => ({ ...one, parent: null })), unit('u9', 'u1')] }),
      having(person('4', { positions: [at('u9')] }), person('5'), person('1', { active: false })),
      withFields((id) => (id === '2' ? { name: 'New 2' } : {})),
      without('3'),
    );
    const last = await reports(world, change, 4);
    expect([last.exitCode, last.report.end.mode]).toEqual([4, 'report']);
    expect(last.inside).toEqual(
      ['1: nothing is sent (sync.mode: report)', '3: nothing is sent (sync.mode: report)'].map((text) =>
        expect.stringContaining(text.slice(3)),
      ),
    );
    const applied = await world.sync();
    expect(applied.planned).toEqual(last.planned);
    expect(applied.report.end.mode).toBeUndefined();
    expect([applied.exitCode, applied.inside]).toEqual([0, []]);
    await world.rests();
  });

  test('hold what guards hold, and a person releases it by hand under the same hash', async () => {
    const world = await loadedWorld({ people: staff, sync: { guard: SYNC.guard } });
    const change = having(...staff.slice(0, 20).map((one) => ({ ...one, active: false })));
    const last = await reports(world, change);
    expect([last.exitCode, last.report.end.held]).toEqual([3, 20]);
    const applied = await world.sync({ approve: hashesOf(last) });
    expect([applied.exitCode, applied.report.end.applied]).toEqual([0, 20]);
    await world.rests();
  });

  test('do not repair what others edited, and say that it is reported', async () => {
    const world = await loadedWorld();
    world.sandbox.edit.changeEmployee('l2', { name: 'Edited' });
    const ran = await world.sync({ reportOnly: true, full: true });
    const fields = ran.lines.map((line) => line.fields);
    expect(fields.filter(({ event }) => event === 'drift.found')).toMatchObject([{ action: 'reported' }]);
    expect(fields.filter(({ event }) => event === 'run.start')).toMatchObject([{ mode: 'report' }]);
    await world.run({ full: true }, { planned: 'update 2' });
  });

  test('lose nothing of what increments bring', async () => {
    const { sync, sql } = await openTwins(12);
    await sync();
    const now = `strftime('%Y-%m-%d %H:%M:%S', 'now')`;
    const planned = 'update 3, disable 4, create 77';
    sql(`UPDATE employee SET name = 'New', updated_at = ${now} WHERE no = 3`);
    sql(`UPDATE employee SET status = 'left', updated_at = ${now} WHERE no = 4`);
    sql(`INSERT INTO employee VALUES (77, 'p77', 'Joiner', 'u', 'here', NULL, ${now})`);
    for (let run = 0; run < 3; run += 1) {
      expectRead(await sync({ reportOnly: true, later: 15 }), 'incremental', { planned, exit: 4 });
      sql(`UPDATE employee SET updated_at = '2020-01-01 00:00:00'`);
    }
    expectRead(await sync(), 'incremental', { planned });
    expectRead(await sync(), 'incremental', { planned: '' });
  });

  test('let rules be edited before a first load, without a doubt about whom they have seen', async () => {
    const { sync, map, one } = await openTwins(12, { guard: SYNC.guard });
    for (let run = 0; run < 2; run += 1) expect((await sync({ reportOnly: true })).exitCode).toBe(0);
    map({}, "status == 'here'");
    for (const reportOnly of [true, false]) expect((await sync({ reportOnly })).exitCode).toBe(0);
    expect(one.sandbox.state.employees()).toHaveLength(12);
  });
});
