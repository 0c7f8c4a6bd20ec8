import { describe, expect, test } from 'vitest';
import type { Service } from '../../src/domain/ports/service.ts';
import { SYNC } from '../plan/build.ts';
import {
  at,
  inactive,
  loadedWorld,
  openWorld,
  person,
  SMALL,
  unit,
  without,
  type Ran,
  type World,
} from './world.ts';

describe('what a run rests on', () => {
  test('stands in the plan and in the log: every part of the source, every list of the service', async () => {
    const world = await openWorld();
    const ran = await world.sync();
    const { source, service } = ran.plan?.evidence ?? {};
    expect(source?.parts).toEqual([
      { part: 'units', records: 2, pages: 1, end: 'end of rows' },
      { part: 'people', records: 3, pages: 1, end: 'end of rows' },
    ]);
    expect(service).toEqual({
      organizations: { count: 1, total: 1 },
      users: { count: 0, total: 0 },
      employees: { asked: 0, found: 0 },
    });
    const read = ran.lines.find(({ fields }) => fields['event'] === 'source.read');
    expect(read?.fields['parts']).toEqual(source?.parts);
    const refreshed = ran.lines.find(({ fields }) => fields['event'] === 'service.refresh');
    expect(refreshed?.fields['organizations']).toEqual({ count: 1, total: 1 });
  });
});

const another = (world: World, identity: string): void => void Object.assign(world.source, { identity });

const elsewhere = (service: Service): Service => ({
  ...service,
  root: async (signal) => ({ ...(await service.root(signal)), id: '990001' }),
});

const approved = (world: World, { plan }: Ran): Promise<Ran> =>
  world.sync({ approve: [plan?.held[0]?.hash ?? ''] });

describe('another source: nothing is planned or sent until a person says that it is right', () => {
  test('one line is held, it says what was and what is, and nobody is missed', async () => {
    const world = await loadedWorld({ sync: { guard: SYNC.guard } });
    another(world, 'another server');
    world.change(() => ({
      units: [unit('u1'), unit('n2', 'u1')],
      people: [person('1', { fields: { name: 'New' } }), person('2', { positions: [at('n2')] }), person('4')],
    }));
    const before = world.state();
    for (let runs = 0; runs < 3; runs += 1) {
      const ran = await world.sync({ later: 15, full: true });
      expect([ran.exitCode, ran.changing, ran.planned, ran.report.end.held]).toEqual([3, [], [], 1]);
    }
    expect(world.state()).toEqual(before);
    const { plan, planned, text } = await world.plan({ describe: true });
    expect(planned).toEqual([]);
    expect(plan?.held).toMatchObject([
      { guard: 'source', count: 1, about: 'another source: it was memory and is another server now' },
    ]);
    expect(text).toContain('  Nothing is planned before this is approved.');
    expect(text).toContain('Nothing to send; 1 held.');
    another(world, 'memory');
    const back = await world.syncAfter(() => SMALL, { full: true });
    expect([back.exitCode, back.changing, world.state()]).toEqual([0, [], before]);
  });

  test('leavers by their own records are named meanwhile', async () => {
    const world = await loadedWorld();
    another(world, 'another server');
    const ran = await world.syncAfter(inactive('2'), { later: 15 });
    const [held] = ran.plan?.held ?? [];
    expect([ran.exitCode, ran.inside]).toEqual([3, [`2: held: rollcall sync --approve ${held?.hash}`]]);
  });

  test('approved, it is remembered, and the ordinary guards apply in the same run', async () => {
    const world = await loadedWorld({ sync: { guard: SYNC.guard } });
    another(world, 'another server');
    const renamed = SMALL.people.map((one) => ({ ...one, fields: { name: `New ${one.id}` } }));
    const ran = await approved(world, await world.syncAfter(() => ({ people: renamed })));
    expect([ran.exitCode, ran.plan?.held]).toMatchObject([3, [{ guard: 'updates', count: 3 }]]);
    const { id } = world.employee('l1');
    const done = await approved(world, ran);
    expect([done.exitCode, world.employee('l1').name, world.employee('l1').id]).toEqual([0, 'New 1', id]);
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('the hash is of the identity: other records have the same one, another server has not', async () => {
    const world = await loadedWorld();
    another(world, 'another server');
    const held = await world.sync();
    const again = await world.syncAfter(without('3'), { full: true });
    expect(again.plan?.held[0]?.hash).toBe(held.plan?.held[0]?.hash);
    another(world, 'a third server');
    const ran = await approved(world, held);
    expect([ran.exitCode, ran.changing, ran.plan?.held[0]?.guard]).toEqual([3, [], 'source']);
    expect(ran.plan?.held[0]?.hash).not.toBe(held.plan?.held[0]?.hash);
  });

  test('another sync.root: approved, the units move and the one that is the root now goes', async () => {
    const world = await loadedWorld();
    world.configure({ root: 'u1' });
    const held = await world.sync();
    expect([held.exitCode, held.changing]).toEqual([3, []]);
    expect(held.plan?.held[0]?.about).toBe('sync.root was none and is u1 now');
    const ran = await approved(world, held);
    expect([ran.exitCode, ran.listed]).toEqual([0, []]);
    expect(world.state()).toEqual({
      units: ['/Root #', '/Root/Unit u2 #u2'],
      people: ['l1 Name 1 (root)[primary]', 'l2 Name 2 u2[primary]', 'l3 Name 3 (root)[primary]'],
    });
    expect((await world.sync({ full: true })).changing).toEqual([]);
  });

  test('another root node of the service is held too, and no message advises another ledger', async () => {
    const world = await loadedWorld();
    const ran = await world.sync({ through: elsewhere });
    expect([ran.exitCode, ran.changing]).toEqual([3, []]);
    expect(ran.plan?.held[0]?.about).toMatch(/^the service's root node was \d+ and is 990001 now$/u);
  });
});
