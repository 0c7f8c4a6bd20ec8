import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { HistoryEntry, HistoryQuery } from '../../src/domain/ports/history.ts';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import type { Service } from '../../src/domain/ports/service.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { crashing } from '../doubles/crashing-ledger.ts';
import { SYNC } from '../plan/build.ts';
import { at, loadedWorld, openWorld, person, SMALL, unit, type World } from './world.ts';

const [one, two, three] = SMALL.people;

function inLedger<T>(world: World, look: (ledger: Ledger) => T): T {
  const { domainId, orgCode } = world.sandbox;
  const ledger = openLedger({
    path: world.ledgerFile,
    binding: `${domainId}/${orgCode}`,
    now: () => world.clock.now(),
    mode: 'read',
  });
  try {
    return look(ledger);
  } finally {
    ledger.close();
  }
}

function historyOf(world: World, of: HistoryQuery['of'] = null): readonly HistoryEntry[] {
  return inLedger(world, ({ history }) => [...history.entries({ since: 0, of })]);
}

/** `kind subject id: field from → to; …` of each entry. */
function spelled(entries: readonly HistoryEntry[]): readonly string[] {
  return entries.map(({ kind, subject, id, fields }) => {
    const values = fields.map(
      ({ field, from, to }) => `${field} ${JSON.stringify(from)} → ${JSON.stringify(to)}`,
    );
    return `${kind} ${subject} ${id}: ${values.join('; ')}`;
  });
}

async function loaded(...options: Parameters<typeof openWorld>): Promise<World> {
  const world = await loadedWorld(...options);
  world.minutes(15);
  return world;
}

/** What the later runs did, after the first load. */
function sinceLoad(world: World): readonly HistoryEntry[] {
  const all = historyOf(world);
  return all.filter(({ run }) => run !== all[0]?.run);
}

const refusing = (service: Service): Service => ({
  ...service,
  importEmployees: (bodies) => Promise.resolve(bodies.map(() => ({ outcome: 'refused', reason: 'no' }))),
});

describe('the history', () => {
  test('has what changed, was emptied, moved, left, came back and was removed, in this order', async () => {
    const world = await loaded({
      people: [person('1', { fields: { email: 'a@b.c', mobile: '1' } }), two, three],
    });
    const changed = person('1', { fields: { email: 'x@b.c', mobile: null }, positions: [at('u2')] });
    await world.syncAfter(() => ({ people: [changed, two, three] }));
    await world.syncAfter(() => ({ people: [changed, two, person('3', { active: false })] }));
    await world.syncAfter(() => ({ people: [changed, two, person('3', { fields: { email: 'b@a.c' } })] }));
    await world.syncAfter(() => ({ units: [unit('u1'), unit('u2')] }));
    world.change(() => ({ units: [unit('u1')], people: [one, three] }));
    world.configure({ leavers: { ...SYNC.leavers, misses: 1, action: 'remove' } });
    await world.sync();
    expect(spelled(sinceLoad(world))).toEqual([
      'update person 1: email "a@b.c" → "x@b.c"; mobile "1" → null; positions ["u1 primary"] → ["u2 primary"]',
      'disable person 3: active true → false',
      'enable person 3: active false → true',
      'enable person 3: email null → "b@a.c"',
      'move unit u2: parent "u1" → null',
      'update person 1: ',
      'update person 2: ',
      'remove person 2: name "Name 2" → null; positions ["u2 primary"] → null',
      'update person 1: positions ["u2 primary"] → ["u1 primary"]',
      'remove unit u2: name "Unit u2" → null',
    ]);
  });

  test('has no change that was refused, nor one that was taken and never shown', async () => {
    const world = await loaded({ readings: ['lockIgnored=1000'] });
    const gone = person('3', { active: false });
    expect((await world.syncAfter(() => ({ people: [one, two, gone] }))).exitCode).toBe(4);
    world.change(() => ({ people: [person('1', { fields: { email: 'x@b.c' } }), two, gone] }));
    expect((await world.sync({ through: refusing })).exitCode).toBe(4);
    expect(sinceLoad(world)).toEqual([]);
  });

  test('names the hash and who approved it, and the guard', async () => {
    const guard = { ...SYNC.guard, leavers: { percent: 0, count: 0 } };
    const world = await loaded({ sync: { guard } });
    world.change(() => ({ people: [one, two, person('3', { active: false })] }));
    const hash = (await world.sync()).plan?.held[0]?.hash ?? '';
    expect(sinceLoad(world)).toEqual([]);
    await world.sync({ approve: [hash] });
    const [entry, ...more] = sinceLoad(world);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ guard: 'leavers', approval: { hash, by: null } });
  });

  test('never has a secret, only that it changed', async () => {
    const card = '110105194912310021';
    const world = await loaded({ people: [person('1', { secrets: { id_card: 'old-card-1' } }), two, three] });
    await world.syncAfter(() => ({
      people: [person('1', { secrets: { id_card: card, password: 'p-secret-w' } }), two, three],
    }));
    expect(spelled(sinceLoad(world))).toEqual(['update person 1: secrets "[secret]" → "[secret]"']);
    const bytes = readFileSync(world.ledgerFile, 'latin1');
    for (const secret of [card, 'old-card-1', 'p-secret-w']) expect(bytes).not.toContain(secret);
  });

  test('forgets what is older than it is kept, by both clocks', async () => {
    const world = await loaded();
    world.minutes(100 * 24 * 60);
    world.serviceAhead(-100 * 24 * 60);
    await world.sync();
    expect(historyOf(world)).toHaveLength(5);
    world.serviceAhead(0);
    await world.sync();
    expect(historyOf(world)).toEqual([]);
  });
});

describe('after a crash', () => {
  test.each(['before', 'after'] as const)(
    '%s any write of the journal, each change is listed once',
    async (when) => {
      for (let write = 1; ; write += 1) {
        const world = await openWorld();
        const died = await world.sync({ wrap: (ledger) => crashing(ledger, write, when) }).then(
          () => false,
          () => true,
        );
        if (!died) break;
        await world.sync({ later: 2 });
        const created = historyOf(world).filter(({ kind }) => kind === 'create');
        const ids = created.map(({ subject, id }) => `${subject} ${id}`).toSorted();
        expect([write, ids]).toEqual([write, ['person 1', 'person 2', 'person 3', 'unit u1', 'unit u2']]);
      }
    },
  );
});
