import { describe, expect, test } from 'vitest';
import type { Service } from '../../src/domain/ports/service.ts';
import { SYNC } from '../plan/build.ts';
import { at, loadedWorld, openWorld, person, SMALL, unit, type World } from './world.ts';

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

describe('another ground is held, with all of the plan, until a person says that it is right', () => {
  test('who has left by a record with another id is named while it is held', async () => {
    const world = await loadedWorld();
    another(world, 'memory, ids by another rule');
    world.change(({ people }) => ({
      people: people.map((one) => ({ ...one, id: `DE-${one.id}`, ...(one.id === '2' && { active: false }) })),
    }));
    const ran = await world.sync({ later: 15 });
    const [held] = ran.plan?.held ?? [];
    expect([ran.exitCode, ran.inside]).toEqual([3, [`DE-2: held: rollcall sync --approve ${held?.hash}`]]);
  });

  test('is approved whole: never with one record alone, and nothing is sent', async () => {
    const world = await loadedWorld();
    another(world, 'another server');
    world.change(() => ({ people: [person('1', { fields: { name: 'New' } }), ...SMALL.people.slice(1)] }));
    const held = await world.sync();
    const approve = [held.plan?.held[0]?.hash ?? ''];
    const only = { subject: 'person', id: '1' } as const;
    const ran = await world.sync({ approve, only });
    expect([ran.exitCode, ran.changing]).toEqual([2, []]);
    expect(ran.error).toContain('it cannot be given with --only');
    expect((await world.sync()).exitCode).toBe(3);
    expect((await world.sync({ approve })).planned).toEqual(['update person 1']);
  });

  test('another source: nothing is sent, nobody is missed, and the plan tells how much is found again', async () => {
    const world = await loadedWorld();
    another(world, 'another server');
    world.change(() => ({
      units: [unit('u1'), unit('n2', 'u1')],
      people: [person('1', { fields: { name: 'New' } }), person('2', { positions: [at('n2')] }), person('4')],
    }));
    const before = world.state();
    for (let runs = 0; runs < 3; runs += 1) {
      const ran = await world.sync({ later: 15, full: true });
      expect([ran.exitCode, ran.changing]).toEqual([3, []]);
    }
    expect(world.state()).toEqual(before);
    const { plan } = await world.plan();
    expect(plan?.held).toHaveLength(1);
    expect(plan?.held[0]).toMatchObject({ guard: 'source', limit: 0 });
    expect(plan?.held[0]?.about).toBe(
      'another source: it was memory and is another server now; 2 of 3 people and 1 of 2 units of the ledger are found in it by their ids; approved, 1 person counts as missing: l3',
    );
    expect(plan?.heldChanges).toBe(
      [plan?.counts.units, plan?.counts.people]
        .flatMap((all) => Object.values(all ?? {}))
        .reduce((a, b) => a + b),
    );
    expect(plan?.held[0]?.about).not.toContain('state.path');
  });

  test('another id rule: who is found by username alone is counted beside', async () => {
    const world = await loadedWorld();
    another(world, 'another rule of ids');
    world.change(() => ({
      people: [person('n1', { username: 'l1' }), person('n2', { username: 'L2' }), person('3')],
    }));
    const { plan } = await world.plan();
    expect(plan?.held[0]?.about).toContain(
      '1 of 3 people and 2 of 2 units of the ledger are found in it by their ids, 2 more people by their usernames under other ids',
    );
  });

  test('approved it keeps the ledger, and sends what was listed, whatever other guards would say', async () => {
    const world = await loadedWorld({ sync: { guard: SYNC.guard } });
    another(world, 'another server');
    const held = await world.syncAfter(({ people }) => ({
      people: people.map((one) => ('reason' in one ? one : { ...one, fields: { name: `New ${one.id}` } })),
    }));
    const hash = held.plan?.held[0]?.hash ?? '';
    const { id } = world.employee('l1');
    const done = await world.sync({ approve: [hash] });
    expect([done.exitCode, world.employee('l1').name, world.employee('l1').id]).toEqual([0, 'New 1', id]);
    expect((await world.sync({ full: true })).changing).toEqual([]);
    world.change(({ people }) => ({
      people: people.map((one) => ('reason' in one ? one : { ...one, fields: { name: `Newer ${one.id}` } })),
    }));
    expect((await world.sync()).plan?.held).toMatchObject([{ guard: 'updates', count: 3 }]);
  });

  test('a hash releases nothing that it did not list: what changes since is shown under another one', async () => {
    const world = await loadedWorld();
    another(world, 'another server');
    const rename = (name: string): void =>
      world.change(() => ({ people: [person('1', { fields: { name } })] }));
    rename('Shown');
    const held = await world.sync();
    rename('Never shown');
    const ran = await world.sync({ approve: [held.plan?.held[0]?.hash ?? ''] });
    expect([ran.exitCode, ran.changing, ran.plan?.held.length]).toEqual([3, [], 1]);
    expect(ran.plan?.held[0]?.hash).not.toBe(held.plan?.held[0]?.hash);
  });

  test('units and people with new ids are listed as they are sent, and nothing of it is noted before', async () => {
    const world = await loadedWorld();
    const before = world.state();
    another(world, 'a rebuilt database');
    world.change(() => ({
      units: [unit('n1', null, { name: 'Unit u1' }), unit('n2', 'n1', { name: 'Unit u2' })],
      people: [person('p1', { username: 'l1', positions: [at('n1')], fields: { name: 'New' } })],
    }));
    for (let runs = 0; runs < 2; runs += 1) {
      const { plan, planned, changing } = await world.sync({ full: true });
      expect([plan?.counts.units.create, plan?.counts.units.remove, changing]).toEqual([0, 0, []]);
      expect(planned).toEqual(['adopt person p1', 'update person p1', 'update unit n1', 'update unit n2']);
    }
    another(world, 'memory');
    const back = await world.syncAfter(() => SMALL, { full: true });
    expect([back.exitCode, back.changing, world.state()]).toEqual([0, [], before]);
  });

  test('also where nothing else would change, and under one hash for as long as it is', async () => {
    const world = await loadedWorld();
    another(world, 'another server');
    const held = await world.sync();
    expect([held.exitCode, held.plan?.held.length, held.plan?.heldChanges]).toEqual([3, 1, 0]);
    expect(held.report.end).toMatchObject({ result: 'held', held: 1 });
    const again = await world.sync({ full: true });
    expect(again.plan?.held[0]?.hash).toBe(held.plan?.held[0]?.hash);
    expect((await world.sync({ approve: [held.plan?.held[0]?.hash ?? ''] })).exitCode).toBe(0);
    expect((await world.sync()).exitCode).toBe(0);
  });

  test('another sync.root: approved, the units move and the one that is the root now goes', async () => {
    const world = await loadedWorld();
    world.configure({ root: 'u1' });
    const held = await world.sync();
    expect([held.exitCode, held.changing]).toEqual([3, []]);
    expect(held.plan?.held[0]?.about).toBe('sync.root was none and is u1 now');
    const ran = await world.sync({ approve: [held.plan?.held[0]?.hash ?? ''] });
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
