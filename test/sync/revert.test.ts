import { describe, expect, test } from 'vitest';
import { changed, loaded, notBack, revert, showRevert } from './reverting.ts';
import { at, person, SMALL, unit } from './world.ts';

const [one, two, three] = SMALL.people;
const mailed = (id: string, email: string | null, more = {}) => person(id, { fields: { email }, ...more });

describe('a revert puts back', () => {
  test('fields and positions of a person, of which the source decides again with the next run', async () => {
    const world = await loaded({ people: [mailed('1', 'a@x'), two] });
    const before = world.state();
    const bad = await changed(world, () => ({
      people: [mailed('1', 'b@x', { positions: [at('u2', { job_title: 'Boss' })] }), two],
    }));
    expect(world.state()).not.toEqual(before);
    const done = await revert(world, bad);
    expect([done.exitCode, done.planned, notBack(done)]).toEqual([0, ['update person 1'], []]);
    expect(done.changes.map(({ why }) => why)).toEqual([
      { code: 'reverted', values: { run: bad.report.run } },
    ]);
    expect(world.state()).toEqual(before);
    const next = await world.sync();
    expect(next.planned).toEqual(['update person 1']);
  });

  test('joiners, who are disabled and never removed', async () => {
    const world = await loaded({ people: [one] });
    const bad = await changed(world, () => ({ people: [one, two, three] }));
    const done = await revert(world, bad);
    expect(done.planned).toEqual(['disable person 2', 'disable person 3']);
    expect([world.employee('l1'), world.employee('l2')].map(({ locked }) => locked)).toEqual([false, true]);
    expect((await world.sync()).planned).toEqual(['enable person 2', 'enable person 3']);
  });

  test('leavers, who are enabled, named at once, and leave again with the next run', async () => {
    const world = await loaded();
    const bad = await changed(world, () => ({ people: [one, two, person('3', { active: false })] }));
    const done = await revert(world, bad);
    expect([done.planned, done.exitCode]).toEqual([['enable person 3'], 4]);
    expect(world.employee('l3').locked).toBe(false);
    expect(done.inside).toEqual([
      expect.stringMatching(/^3: inactive in the source, put back by the revert/u),
    ]);
    const next = await world.sync();
    expect([next.planned, next.inside]).toEqual([['disable person 3'], []]);
  });

  test('names and parents of units: one that moved moves back, with all who are in it', async () => {
    const world = await loaded({
      units: [unit('u1'), unit('u2', 'u1'), unit('u3')],
      people: [one, two, person('3', { positions: [at('u3')] })],
    });
    const before = world.state();
    const bad = await changed(world, () => ({
      units: [unit('u1', null, { name: 'Renamed' }), unit('u2', 'u3'), unit('u3')],
    }));
    const done = await revert(world, bad);
    expect(done.planned).toEqual(['update person 2', 'update unit u1', 'move unit u2']);
    expect(world.state()).toEqual(before);
  });

  test('a unit alone that moved, with who is in it and inactive in the source', async () => {
    const world = await loaded({
      units: [unit('u1'), unit('u2', 'u1'), unit('u3')],
      people: [one, two, three],
    });
    const before = world.state();
    const bad = await changed(world, () => ({ units: [unit('u1'), unit('u2', 'u3'), unit('u3')] }));
    world.change(() => ({ people: [one, { ...two, active: false }, three] }));
    const done = await revert(world, bad, { only: { subject: 'unit', id: 'u2' } });
    expect([done.planned, done.exitCode]).toEqual([['update person 2', 'move unit u2'], 0]);
    expect(world.state()).toEqual(before);
  });

  test('a new unit, which goes once it is empty', async () => {
    const world = await loaded();
    const before = world.state();
    const bad = await changed(world, ({ units }) => ({ units: [...units, unit('u9')] }));
    const done = await revert(world, bad);
    expect(done.planned).toEqual(['remove unit u9']);
    expect(world.state()).toEqual(before);
    const kept = await loaded({ sync: { unitsGone: 'keep' } });
    const other = await changed(kept, ({ units }) => ({ units: [...units, unit('u9')] }));
    expect(notBack(await showRevert(kept, other))).toEqual([expect.stringMatching(/unitsGone: keep/u)]);
  });

  test('one record alone, and nothing of what the source has changed since', async () => {
    const world = await loaded();
    const bad = await changed(world, () => ({
      people: [mailed('1', 'a@x'), mailed('2', 'b@x', { positions: [at('u2')] }), three],
    }));
    world.change(({ people }) => ({
      people: [...people.slice(0, 2), person('4')],
      units: [unit('u1'), unit('u2', 'u1'), unit('u7')],
    }));
    const done = await revert(world, bad, { only: { subject: 'person', id: '1' } });
    expect([done.planned, done.exitCode]).toEqual([['update person 1'], 0]);
    expect(world.employee('l2').profile['email']).toBe('b@x');
    expect(world.employee('l1').profile['email'] ?? '').toBe('');
    expect(world.sandbox.state.employee('l4')).toBeUndefined();
  });

  test('a revert, as any other run', async () => {
    const world = await loaded({ people: [mailed('1', 'a@x'), two] });
    const bad = await changed(world, () => ({ people: [mailed('1', 'b@x'), two, three] }));
    const after = world.state();
    const first = await revert(world, bad);
    expect(world.state()).not.toEqual(after);
    const second = await revert(world, first);
    expect([second.planned, notBack(second)]).toEqual([['update person 1', 'enable person 3'], []]);
    expect(world.state()).toEqual(after);
    expect((await world.sync()).changing).toEqual([]);
  });
});

const withLeaver = () => ({ people: [one, two, person('3', { active: false })] });

test('a revert leaves who left, came back and left again: a later run has decided that', async () => {
  const world = await loaded();
  const first = await changed(world, withLeaver);
  await changed(world, () => ({ people: [one, two, three] }));
  await changed(world, withLeaver);
  const shown = await showRevert(world, first);
  expect([shown.planned, notBack(shown)]).toEqual([[], ['l3: changed since']]);
});

test('a unit below one that the source moves just now waits for that, and says so', async () => {
  const world = await loaded({ units: [unit('u1'), unit('u2', 'u1'), unit('u3')] });
  const renamed = unit('u2', 'u1', { name: 'Other' });
  const bad = await changed(world, () => ({ units: [unit('u1'), renamed, unit('u3')] }));
  world.change(() => ({ units: [unit('u1', 'u3'), renamed, unit('u3')] }));
  const shown = await showRevert(world, bad);
  expect([shown.planned, shown.plan?.blocked]).toMatchObject([
    [],
    [{ label: 'Unit u2', reason: 'unit u1 moves in the source: run rollcall sync first' }],
  ]);
});

test('a revert beside another source is refused, and does not release it', async () => {
  const world = await loaded({ people: [mailed('1', 'a@x'), two] });
  const bad = await changed(world, () => ({ people: [mailed('1', 'b@x'), two] }));
  const { plan } = await showRevert(world, bad);
  world.source.identity = 'another server';
  const held = (await world.sync()).plan?.held[0]?.hash ?? '';
  const ran = await world.sync({ revert: { run: bad.report.run }, approve: [plan?.hash ?? '', held] });
  expect([ran.exitCode, ran.changing]).toEqual([2, []]);
  expect(ran.error).toContain('rollcall sync releases it');
  expect((await world.sync()).plan?.held.map(({ guard }) => guard)).toEqual(['source']);
});
