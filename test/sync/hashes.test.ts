import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/domain/records/records.ts';
import type { SyncSettings } from '../../src/domain/settings.ts';
import { digest } from '../../src/lib/digest.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import { NO_GUARD } from '../plan/build.ts';
import { doneBy, dueAfter } from './shown.ts';
import { at, hashesOf, having, loadedWorld, openWorld, person, unit, type World } from './world.ts';

const NONE = { percent: 0, count: 0 };

test('the hashes of a plan know no service ids: the same edits of others have the same ones', async () => {
  const people = [
    person('1'),
    person('2', { positions: [at('u2')] }),
    person('3', { positions: [at(null)] }),
  ];
  const ran = async (before: number) => {
    const world = await openWorld({ people, sync: { guard: { ...NO_GUARD, updates: NONE } } });
    const { edit, rootId } = world.sandbox;
    for (let n = 0; n < before; n += 1) edit.removeOrganization(edit.addOrganization(rootId, `gone ${n}`).id);
    edit.addOrganization(rootId, 'Theirs', { serialNo: 'theirs' });
    await world.run({});
    const move = (username: string, ...serials: readonly string[]) => {
      const seats = serials.map((one, n) => ({ org_id: world.organization(one).id, primary: n === 0 }));
      edit.changeEmployee(username, { positions: seats });
    };
    move('l1', 'theirs', 'u1');
    move('l2', 'u1');
    move('l3', 'theirs');
    const held = await world.run({ full: true }, { exit: 3, held: 'updates 3/0' });
    return { ids: serialsOf(world), hashes: [held.plan?.hash, ...hashesOf(held)] };
  };
  const serialsOf = (world: World) => ['u1', 'u2'].map((serial) => world.organization(serial).id);
  const [one, other] = [await ran(0), await ran(7)];
  expect(one.ids.filter((id) => other.ids.includes(id))).toEqual([]);
  expect(one.hashes).toEqual(other.hashes);
});

const IDS = Array.from({ length: 12 }, (_, index) => String(index + 1));
const STAFF = IDS.map((id, index) =>
  person(id, {
    fields: { email: `${id}@example.com`, mobile: `+49 ${id}`, properties: { '11': [id], '12': ['x'] } },
    positions: [at(index < 3 ? 'u2' : 'u1', { job_title: `Title ${id}` })],
  }),
);
const UNITS = [unit('u1'), unit('u2', 'u1'), unit('u3')];
const MOVED = { units: [unit('u1'), unit('u2', 'u3'), unit('u3')] };

/** The first so many have these fields; all of them have a new name, unless it is `same`. */
const edited = (most: number, fields: Person['fields'], name = (one: Person) => one.fields['name'] ?? null) =>
  STAFF.map((one, index) => ({
    ...one,
    fields: { ...one.fields, ...(index < most ? fields : {}), name: name(one) },
  }));
const anew = (one: Person): string => `New ${one.id}`;
const placed = (most: number, id: string) =>
  STAFF.map((one, n) => (n < most ? { ...one, positions: [at(id)] } : one));

const CASES: readonly (readonly [string, Partial<SyncSettings['guard']>, Partial<MemoryWorld>])[] = [
  ['people who also follow their unit', { updates: NONE }, { ...MOVED, people: edited(0, {}, anew) }],
  [
    'two emptied fields, of which one concerns fewer people, and properties',
    { emptied: NONE },
    {
      people: edited(12, { email: null }).map((one, n) =>
        n < 5 ? { ...one, fields: { ...one.fields, mobile: null, properties: { '11': [], '12': [] } } } : one,
      ),
    },
  ],
  [
    'what two guards hold of the same people',
    { emptied: NONE, updates: NONE },
    { ...MOVED, people: edited(5, { email: null }, anew) },
  ],
  [
    'people whose unit is to be made for them',
    { joiners: NONE, updates: NONE },
    {
      units: [...UNITS, unit('n1')],
      people: [...placed(2, 'n1'), ...['j1', 'j2', 'j3'].map((id) => person(id, { positions: [at('n1')] }))],
    },
  ],
  [
    'a unit that goes, once its people have moved out',
    { updates: NONE, unitsRemoved: NONE },
    { units: [unit('u1'), unit('u3')], people: placed(3, 'u3') },
  ],
  [
    'people with new ids, and what follows for them',
    { updates: NONE, usernameReuse: NONE, emptied: NONE },
    {
      people: edited(4, { email: null }, anew).map((one, n) => (n < 4 ? { ...one, id: `R${one.id}` } : one)),
    },
  ],
];

describe.each(CASES)('what an approval sends is what was listed under its hash: %s', (_, guard, to) => {
  const held = async (): Promise<World> => {
    const world = await loadedWorld({
      units: UNITS,
      people: STAFF,
      sync: { guard: { ...NO_GUARD, ...guard } },
    });
    world.change(() => to);
    return world;
  };

  test('each hash alone, one after the other, until nothing is held', async () => {
    const world = await held();
    const first = await world.run({}, { exit: 3 });
    for (let before = first, runs = 0; hashesOf(before).length > 0; runs += 1) {
      expect(runs).toBeLessThan(9);
      const hash = hashesOf(before).at(-1) ?? '';
      const ran = await world.sync({ approve: [hash] });
      expect(doneBy(ran)).toEqual(dueAfter(before, [hash], ran));
      before = ran;
    }
    await world.isSilent();
  });

  test('all of them at once, counted as listed, and each line of the plan says so', async () => {
    const world = await held();
    const { plan, rows, text, report } = await world.plan({ describe: true });
    const heldRows = rows.filter(({ isHeld }) => isHeld);
    expect([plan?.heldChanges, report.end.held]).toEqual([heldRows.length, heldRows.length]);
    const counts = [
      ...Object.values({ ...plan?.counts.people }),
      ...Object.values({ ...plan?.counts.units }),
    ];
    expect(counts.reduce((a, b) => a + b)).toBe(rows.length);
    expect(text.filter((line) => line.includes('   HELD: '))).toHaveLength(heldRows.length);
    const known = new Set(plan?.held.map(({ hash }) => hash));
    expect(heldRows.every(({ hashes }) => hashes.length > 0 && hashes.every((hash) => known.has(hash)))).toBe(
      true,
    );
    const before = await world.sync();
    const ran = await world.run({ approve: before }, { held: '' });
    expect(doneBy(ran)).toEqual(dueAfter(before, hashesOf(before), ran));
  });
});

describe('a compared secret', () => {
  const CARD = '110105194912310021';
  const opened = async (): Promise<World & { readonly key: string }> => {
    const world = await loadedWorld({ people: [person('1', { secrets: { id_card: CARD } }), person('2')] });
    world.minutes(15);
    return { ...world, key: `${world.ledgerFile}.key` };
  };

  test('cannot be found by trying with the ledger alone: its key is a private file of its own', async () => {
    const world = await opened();
    expect([statSync(world.key).mode & 0o777, readFileSync(world.key).length]).toEqual([0o600, 32]);
    const db = new Sqlite(world.ledgerFile, { readonly: true });
    const hash = db.prepare("SELECT secret_hash FROM person WHERE id = '1'").pluck().get();
    db.close();
    const tried = [
      [digest(world.source.fingerprint), '1', { id_card: CARD }],
      ['1', { id_card: CARD }],
    ];
    expect(tried.map((parts) => digest(JSON.stringify(parts)))).not.toContain(hash);
    await world.run({}, { planned: '' });
    await world.run(having(person('1', { secrets: { id_card: '2' } })), { planned: 'update 1' });
  });

  test('is sent once more with a lost key, and then no more; a plan makes no key', async () => {
    const world = await opened();
    rmSync(world.key);
    expect((await world.plan()).planned).toEqual(['update person 1']);
    expect(existsSync(world.key)).toBe(false);
    await world.run({}, { planned: 'update 1' });
    await world.run({}, { planned: '' });
  });

  test('ends the run where others may read the key, or it is cut', async () => {
    const world = await opened();
    chmodSync(world.key, 0o644);
    await world.run({}, { exit: 1, error: 'ledger-key-open' });
    chmodSync(world.key, 0o600);
    writeFileSync(world.key, 'short');
    await world.run({}, { exit: 1, error: 'ledger-key-damaged' });
  });
});
