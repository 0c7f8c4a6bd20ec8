import { describe, expect, test } from 'vitest';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { at, openWorld, person, unit, type World } from './world.ts';

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
    const ours = await openWorld(BELOW_A);
    await ours.sync();
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
    const ours = await openWorld(BELOW_A);
    await ours.sync();
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

  test('know that a node which another one has moved as its own unit is not that unit in the ledger', async () => {
    const e = unit('e', 'b');
    const ours = await openWorld({ units: [...BELOW_A.units, e], people: PEOPLE });
    await ours.sync();
    const { edit, state } = ours.sandbox;
    const nodeOf = (serialNo: string): string => state.organizationBySerial(serialNo)?.id ?? '';
    edit.changeOrganization(nodeOf('c'), { serialNo: 'd~moved' });
    edit.removeOrganization(nodeOf('e'));
    const { id } = edit.addOrganization(nodeOf('b'), 'Unit e', { serialNo: 'd' });
    const d = { ...e, id: 'd', refs: ['d'] };
    ours.change(() => ({
      units: [unit('a'), unit('b'), d],
      people: [person('1', { positions: [at('d')] }), person('2', { positions: [at('b')] })],
    }));
    for (let times = 0; times < 3; times += 1) await ours.sync();
    expect(nodeOf('d')).toBe(id);
    expect(state.organizationBySerial('d~moved')).toBeUndefined();
    const ran = await ours.sync({ full: true });
    expect([ran.exitCode, ran.listed, ran.changing]).toEqual([0, [], []]);
  });
});
