import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { NO_GUARD } from '../plan/build.ts';
import { crashing } from '../doubles/crashing-ledger.ts';
import { changed, loaded, notBack, revert, showRevert } from './reverting.ts';
import { at, person, SMALL, unit, type World } from './world.ts';

const [one, two, three] = SMALL.people;
const DAY_MINUTES = 24 * 60;

const mailed = (id: string, email: string | null, mobile = '1') => person(id, { fields: { email, mobile } });

const profile = (world: World, username: string) => world.employee(username).profile;

describe('a revert leaves, and names,', () => {
  test('who was removed, and units that were removed', async () => {
    const world = await loaded({
      sync: { leavers: { misses: 1, missEveryMinutes: 0, action: 'remove', removeAfterDays: null } },
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

  test('positions in a unit that is gone, and such as an older rollcall wrote down', async () => {
    const world = await loaded();
    const bad = await changed(world, () => ({
      people: [one, person('2', { positions: [at('u1')] }), three],
    }));
    const db = new Database(world.ledgerFile);
    const places = db
      .prepare('select n, places from history where places is not null and run = ?')
      .get(bad.report.run);
    db.prepare('update history set places = null where run = ?').run(bad.report.run);
    expect(notBack(await showRevert(world, bad))).toEqual([
      expect.stringMatching(/positions: an older rollcall/u),
    ]);
    const { n, places: text } = places as { n: number; places: string };
    db.prepare('update history set places = ? where n = ?').run(text, n);
    db.close();
    await changed(world, () => ({ units: [unit('u1')] }));
    expect(notBack(await showRevert(world, bad))).toEqual([
      expect.stringMatching(/unit u2 is not there any more/u),
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
    expect([shown.planned, notBack(shown)]).toEqual([[], ['l2: disabled since']]);
    expect(shown.plan?.blocked).toMatchObject([
      { label: 'l1', reason: expect.stringContaining('locked in the service by somebody else') },
    ]);
  });
});

test('masked values from before, and changes that are in doubt', async () => {
  const world = await loaded({ people: [mailed('1', 'a@x', '1'), two, three] });
  const bad = await changed(world, () => ({ people: [mailed('1', 'b@x', '2'), two, three] }));
  const db = new Database(world.ledgerFile);
  const fields = [{ field: 'mobile', from: '138****1', to: '2' }];
  db.prepare('update history set fields = ? where run = ?').run(JSON.stringify(fields), bad.report.run);
  expect(notBack(await showRevert(world, bad))).toEqual(['l1: mobile: was shown masked']);
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
    db.prepare(`insert into approval values ('other', 'other', ?, null)`).run(world.clock.now());
    const listed = () => db.prepare('select hash from held union all select digest from approval').all();
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
    const request = { run: bad.report.run, holdDays: 0 };
    for (const approve of [[], [plan?.hash ?? '']]) {
      const refused = await world.sync({ revert: request, approve });
      expect([refused.exitCode, refused.changing]).toEqual([2, []]);
      expect(refused.error).toMatch(/is not, or no longer, what would be done now/u);
    }
  });
});

describe('records that are held from the source', () => {
  test('last as long as the longest of two', async () => {
    const world = await loaded();
    const bad = await changed(world, () => ({ people: [mailed('1', 'b@x'), two, three] }));
    await revert(world, bad, { holdDays: 30 });
    const worse = await changed(world, () => ({
      people: [mailed('1', 'b@x'), person('2', { active: false }), three],
    }));
    await revert(world, worse, { holdDays: 1 });
    expect((await revert(world, bad, { holdDays: 1 })).plan?.pinned.map(({ id }) => id)).toEqual(['1', '2']);
    world.minutes(2 * DAY_MINUTES);
    expect((await world.sync()).planned).toEqual(['disable person 2']);
    world.minutes(29 * DAY_MINUTES);
    expect((await world.sync()).planned).toEqual(['update person 1']);
  });

  test('are not begun for what a guard holds back', async () => {
    const ids = Array.from({ length: 8 }, (_, n) => String(n + 10));
    const guard = { ...NO_GUARD, leavers: { percent: 1, count: 3 } };
    const world = await loaded({ sync: { guard } });
    const bad = await changed(world, ({ people }) => ({
      people: [...people, ...ids.map((id) => person(id))],
    }));
    const held = await revert(world, bad, { holdDays: 3 });
    expect([held.exitCode, held.changing, held.inside]).toEqual([3, [], []]);
    const next = await world.sync();
    expect([next.exitCode, next.changing, next.plan?.pinned]).toEqual([0, [], []]);
  });

  test('stay as they are until then, then the source decides again', async () => {
    const world = await loaded();
    const bad = await changed(world, () => ({ people: [mailed('1', 'b@x'), two, three] }));
    await revert(world, bad, { holdDays: 2 });
    const held = await world.sync();
    expect([held.exitCode, held.changing, held.plan?.pinned.map(({ id }) => id)]).toEqual([0, [], ['1']]);
    world.change(({ people }) => ({ people: [mailed('1', 'd@x'), ...people.slice(1)] }));
    world.minutes(DAY_MINUTES);
    expect((await world.sync({ full: true })).changing).toEqual([]);
    world.minutes(DAY_MINUTES);
    const after = await world.sync();
    expect([after.planned, after.plan?.pinned]).toEqual([['update person 1'], []]);
    expect(profile(world, 'l1')['email']).toBe('d@x');
  });

  test('are named while they have left in the source, and leave when the time is over', async () => {
    const world = await loaded();
    const bad = await changed(world, () => ({
      people: [one, person('2', { positions: [at('u2')], active: false }), person('3', { active: false })],
    }));
    await revert(world, bad, { holdDays: 1 });
    world.change(({ people }) => ({ people: people.filter(({ id }) => id !== '3') }));
    for (let run = 0; run < 4; run += 1) {
      const held = await world.sync();
      expect([held.exitCode, held.changing]).toEqual([4, []]);
      expect(held.inside).toEqual([
        expect.stringMatching(/^2: inactive in the source, held from the source until/u),
        expect.stringMatching(/^3: missing in the source, held from the source until/u),
      ]);
      world.minutes(15);
    }
    world.minutes(DAY_MINUTES);
    const after = await world.sync();
    expect([after.planned, after.inside.length]).toEqual([['disable person 2'], 1]);
    world.minutes(15);
    expect((await world.sync()).planned).toEqual(['disable person 3']);
  });

  test('joiners stay disabled, and a unit that was new stays away, while others go on', async () => {
    const world = await loaded({ people: [one] });
    const bad = await changed(world, ({ units }) => ({ people: [one, two], units: [...units, unit('u9')] }));
    await revert(world, bad, { holdDays: 1 });
    expect(world.sandbox.state.organizationBySerial('u9')).toBeUndefined();
    world.change(({ people }) => ({
      people: [...people, person('5'), person('6', { positions: [at('u9')] })],
    }));
    const held = await world.sync();
    expect([held.exitCode, held.planned]).toEqual([4, ['create person 5']]);
    expect(held.listed).toEqual([
      expect.stringMatching(/^6: waits for unit u9: held from the source until/u),
    ]);
    world.minutes(DAY_MINUTES);
    expect((await world.sync()).planned).toEqual(['enable person 2', 'create person 6', 'create unit u9']);
  });

  test('survive a crash on the way: the next run puts back the rest', async () => {
    const world = await loaded({ people: [one, two, three], limits: { peoplePerImport: 1 } });
    const before = world.state();
    const bad = await changed(world, () => ({
      people: [mailed('1', 'b@x'), person('2', { positions: [at('u1')] }), person('3', { active: false })],
    }));
    for (let write = 1; write <= 8; write += 1) {
      const { plan } = await showRevert(world, bad, { holdDays: 3 });
      if (plan?.flowing === 0) break;
      const request = { run: bad.report.run, holdDays: 3 };
      await world
        .sync({
          revert: request,
          approve: [plan?.hash ?? ''],
          wrap: (ledger) => crashing(ledger, write, 'after'),
        })
        .catch(() => undefined);
      world.minutes(1);
    }
    const rest = await world.sync();
    expect(rest.error).toBe('');
    await world.sync();
    expect(world.state()).toEqual(before);
    expect(world.sandbox.state.employees()).toHaveLength(3);
  });
});
