import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { Service } from '../../src/domain/ports/service.ts';

import { openWorld, SMALL, type World } from './world.ts';

/** Another process takes the lease, as it does from a holder that was stopped for longer than the lease lasts. */
function takeOver(world: World): void {
  const db = new Sqlite(world.ledgerFile);
  db.prepare(`UPDATE lease SET holder = 'another'`).run();
  db.close();
}

/** And goes again. */
function release(world: World): void {
  const db = new Sqlite(world.ledgerFile);
  db.prepare('DELETE FROM lease').run();
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
  const world = await openWorld();
  await world.sync();
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
