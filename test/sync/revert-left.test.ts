import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { NO_GUARD } from '../plan/build.ts';
import { crashing } from '../doubles/crashing-ledger.ts';
import { changed, loaded, notBack, revert, showRevert } from './reverting.ts';
import { at, person, SMALL, unit } from './world.ts';

const [one, two, three] = SMALL.people;

const mailed = (id: string, email: string | null, mobile = '1') => person(id, { fields: { email, mobile } });

describe('a revert leaves, and names,', () => {
  test('who was removed, and units that were removed', async () => {
    const world = await loaded({
      sync: { leavers: { misses: 1, action: 'remove', removeAfterDays: null } },
    });
    const bad = await changed(world, () => ({ units: [unit('u1')], people: [one, three] }));
    expect(bad.planned).toEqual(['remove person 2', 'remove unit u2']);
    const shown = await showRevert(world, bad);
    expect(shown.planned).toEqual([]);
    expect(notBack(shown)).toEqual([
      expect.stringMatching(/^Unit u2: the unit was removed/u),
      expect.stringMatching(/^l2: the account was removed/u),
    ]);
  });

  test('positions in a unit that is gone', async () => {
    const world = await loaded();
    const bad = await changed(world, () => ({
      people: [one, person('2', { positions: [at('u1')] }), three],
    }));
    await changed(world, () => ({ units: [unit('u1')] }));
    expect(notBack(await showRevert(world, bad))).toEqual([
      expect.stringMatching(/unit u2 is not there any more/u),
    ]);
  });

  test('a person whose account is gone: a revert makes none', async () => {
    const world = await loaded();
    const bad = await changed(world, () => ({ people: [one, mailed('2', 'b@x'), three] }));
    world.sandbox.edit.removeEmployee('l2');
    const shown = await showRevert(world, bad);
    expect(shown.planned).toEqual([]);
    expect(shown.plan?.blocked).toMatchObject([
      { label: 'l2', reason: expect.stringContaining('a revert makes none') },
    ]);
  });

  test('a person who is locked by somebody else, or was disabled since', async () => {
    const world = await loaded();
    const bad = await changed(world, () => ({ people: [mailed('1', 'b@x'), mailed('2', 'b@x'), three] }));
    world.sandbox.edit.lockEmployee('l1');
    await changed(world, ({ people }) => ({
      people: [...people.slice(0, 1), person('2', { active: false }), three],
    }));
    const shown = await showRevert(world, bad);
    expect([shown.planned, notBack(shown)]).toEqual([[], ['l2: changed since']]);
    expect(shown.plan?.blocked).toMatchObject([
      { label: 'l1', reason: expect.stringContaining('locked in the service by somebody else') },
    ]);
  });
});

test('changes that are in doubt', async () => {
  const world = await loaded({ people: [mailed('1', 'a@x', '1'), two, three] });
  const bad = await changed(world, () => ({ people: [mailed('1', 'b@x', '2'), two, three] }));
  const db = new Database(world.ledgerFile);
  db.prepare('update history set unseen = 1 where run = ?').run(bad.report.run);
  db.close();
  expect(notBack(await showRevert(world, bad))).toEqual([expect.stringMatching(/^l1: in doubt/u)]);
});

describe('guards', () => {
  test('count what the revert changes alone, and hold it; approved, it goes', async () => {
    const world = await loaded({ people: [one] });
    const bad = await changed(world, () => ({ people: [one, two, three] }));
    world.configure({ guard: { ...NO_GUARD, leavers: { percent: 0, count: 1 } } });
    const shown = await showRevert(world, bad);
    const [group] = shown.plan?.held ?? [];
    expect([group?.guard, group?.count]).toEqual(['leavers', 2]);
    const held = await revert(world, bad);
    expect([held.exitCode, held.changing]).toEqual([3, []]);
    const done = await revert(world, bad, { approve: [group?.hash ?? ''] });
    expect([done.exitCode, world.employee('l2').locked]).toEqual([0, true]);
  });

  test('what is held of the ordinary plan, and approved, stays so', async () => {
    const world = await loaded();
    const bad = await changed(world, () => ({ people: [mailed('1', 'b@x'), two, three] }));
    world.configure({ guard: { ...NO_GUARD, leavers: { percent: 0, count: 0 } } });
    world.change(({ people }) => ({ people: [...people.slice(0, 1), two, person('3', { active: false })] }));
    const held = await world.sync();
    const hash = held.plan?.held[0]?.hash ?? '';
    const db = new Database(world.ledgerFile);
    // Approved, and not done yet.
    db.prepare(`insert into approval values ('given', 'other', 'other', ?, null)`).run(world.clock.now());
    const listed = () => db.prepare(`select hash from approval where kind <> 'account'`).all();
    const before = listed();
    const done = await revert(world, bad);
    expect([listed(), before.length]).toEqual([before, 2]);
    db.close();
    expect([done.exitCode, done.plan?.held]).toEqual([0, []]);
    expect(done.inside).toEqual([`3: held: rollcall sync --approve ${hash}`]);
    expect((await world.sync({ approve: [hash] })).error).toBe('');
    expect(world.employee('l3').locked).toBe(true);
  });
});

describe('what is applied is what was shown:', () => {
  test('without its hash, or with an old one, nothing is sent', async () => {
    const world = await loaded();
    const bad = await changed(world, () => ({ people: [mailed('1', 'b@x'), two, three] }));
    const { plan } = await showRevert(world, bad);
    await changed(world, ({ people }) => ({ people: [mailed('1', 'c@x'), ...people.slice(1)] }));
    const request = { run: bad.report.run };
    for (const approve of [[], [plan?.hash ?? '']]) {
      const refused = await world.sync({ revert: request, approve });
      expect([refused.exitCode, refused.changing]).toEqual([2, []]);
      expect(refused.error).toMatch(/is not, or no longer, what would be done now/u);
    }
  });
});

test('a revert that dies on the way is put back by another one', async () => {
  const world = await loaded({ people: [one, two, three], limits: { peoplePerImport: 1 } });
  const before = world.state();
  const bad = await changed(world, () => ({
    people: [mailed('1', 'b@x'), person('2', { positions: [at('u1')] }), person('3', { active: false })],
  }));
  for (let write = 1; write <= 8; write += 1) {
    const { plan } = await showRevert(world, bad);
    if (plan?.flowing === 0) break;
    await world
      .sync({
        revert: { run: bad.report.run },
        approve: [plan?.hash ?? ''],
        wrap: (ledger) => crashing(ledger, write, 'after'),
      })
      .catch(() => undefined);
    world.minutes(1);
  }
  expect((await revert(world, bad)).error).toBe('');
  expect(world.state()).toEqual(before);
  expect(world.sandbox.state.employees()).toHaveLength(3);
});
