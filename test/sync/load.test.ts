import { describe, expect, test } from 'vitest';
import { at, openWorld, person, unit } from './world.ts';

const LONG = 'é'.repeat(255);
const NAMES = {
  units: [
    unit('top', null, { name: 'A/B "quoted" \\ <x>; a=b' }),
    unit('emoji', 'top', { name: '🚀 研发部' }),
    unit('long', 'emoji', { name: LONG }),
    unit('case1', 'top', { name: 'Sales' }),
    unit('case2', 'top', { name: 'SALES' }),
    unit('slash', 'top', { name: 'Sales/SALES' }),
  ],
  people: [
    person('1', { positions: [at('long')], fields: { name: 'O’Brien "Bob" / 林' } }),
    person('2', { positions: [at('case1'), at('case2', { primary: true, chief: true })] }),
    person('3', { username: 'a.b+c@x', positions: [at(null)] }),
  ],
};

describe('the initial load', () => {
  test('sends parents first and keeps names as they are, whatever they hold', async () => {
    const world = await openWorld(NAMES);
    const first = await world.sync();
    expect([first.exitCode, first.listed]).toEqual([0, []]);
    for (const { id, fields } of NAMES.units) expect(world.organization(id).name).toBe(fields['name']);
    expect(world.employee('l1').name).toBe('O’Brien "Bob" / 林');
    expect(world.state().people).toEqual([
      'a.b+c@x Name 3 (root)[primary]',
      'l1 O’Brien "Bob" / 林 long[primary]',
      'l2 Name 2 case1[] case2[primary chief]',
    ]);
    expect(world.sandbox.state.idPath(world.organization('long').id)).toBe(
      `/${[world.sandbox.rootId, ...['top', 'emoji', 'long'].map((id) => world.organization(id).id)].join('/')}/`,
    );
  });
});
