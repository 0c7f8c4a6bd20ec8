import { describe, expect, test } from 'vitest';
import { openWorld } from './world.ts';

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
      employees: { asked: 3, found: 0 },
    });
    const read = ran.lines.find(({ fields }) => fields['event'] === 'source.read');
    expect(read?.fields['parts']).toEqual(source?.parts);
    const refreshed = ran.lines.find(({ fields }) => fields['event'] === 'service.refresh');
    expect(refreshed?.fields['organizations']).toEqual({ count: 1, total: 1 });
  });

  test('is refused where sync.root is another one than before, and nothing is sent', async () => {
    const world = await openWorld();
    await world.sync();
    world.configure({ root: 'u1' });
    const ran = await world.sync();
    expect([ran.exitCode, ran.changing]).toEqual([1, []]);
    expect(ran.error).toMatch(/sync\.root was none and is u1 now.*state\.path/u);
  });

  test('is refused where the source has another base or kind of id', async () => {
    const world = await openWorld();
    await world.sync();
    Object.assign(world.source, { identity: 'another base' });
    const ran = await world.sync();
    expect([ran.exitCode, ran.changing]).toEqual([1, []]);
    expect(ran.error).toMatch(/base, queries or kind of id was memory and is another base now/u);
  });
});
