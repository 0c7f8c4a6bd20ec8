import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { HistoryEntry } from '../../src/domain/ports/history.ts';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import { foldUsername } from '../../src/domain/text/fold.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { but } from '../doubles/service-parts.ts';
import { SYNC } from '../plan/build.ts';
import {
  at,
  having,
  inactive,
  loadedWorld,
  ofUnits,
  person,
  SMALL,
  unit,
  without,
  type World,
  type WorldOptions,
} from './world.ts';

const DAY = 1_440;
const [ONE, TWO, THREE] = SMALL.people;
const NONE_MAY = { ...SYNC.guard, leavers: { percent: 0, count: 0 } };

function inLedger<T>(world: World, mode: 'read' | 'write', work: (ledger: Ledger) => T): T {
  const { domainId, orgCode } = world.sandbox;
  const binding = `${domainId}/${orgCode}`;
  const ledger = openLedger({ path: world.ledgerFile, binding, now: () => world.clock.now(), mode });
  try {
    return work(ledger);
  } finally {
    ledger.close();
  }
}

const historyOf = (world: World): readonly HistoryEntry[] =>
  inLedger(world, 'read', ({ history }) => [...history.entries({ since: 0, of: null })]);

/** What the later runs did, after the first load. */
function sinceLoad(world: World): readonly HistoryEntry[] {
  const all = historyOf(world);
  return all.filter(({ run }) => run !== all[0]?.run);
}

/** `kind subject id: field from → to; …` of each entry. */
const spelled = (entries: readonly HistoryEntry[]): readonly string[] =>
  entries.map(({ kind, subject, id, fields }) => {
    const values = fields.map(
      ({ field, from, to }) => `${field} ${JSON.stringify(from)} → ${JSON.stringify(to)}`,
    );
    return `${kind} ${subject} ${id}: ${values.join('; ')}`;
  });

async function loaded(options: WorldOptions = {}): Promise<World> {
  const world = await loadedWorld(options);
  world.minutes(15);
  return world;
}

describe('the history', () => {
  test('has what changed, was emptied, moved, left, came back and was removed, in this order', async () => {
    const world = await loaded({
      people: [person('1', { fields: { email: 'a@b.c', mobile: '1' } }), TWO, THREE],
    });
    await world.run(having(person('1', { fields: { email: 'x@b.c', mobile: null }, positions: [at('u2')] })));
    await world.run(inactive('3'));
    await world.run(having(person('3', { fields: { email: 'b@a.c' } })));
    await world.run(ofUnits(unit('u1'), unit('u2')));
    world.configure({ leavers: { ...SYNC.leavers, misses: 1, action: 'remove' } });
    await world.sync({ change: () => ({ units: [unit('u1')], people: [ONE, THREE] }) });
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
    await world.run(inactive('3'), { exit: 4 });
    const through = but({
      importEmployees: (bodies) => Promise.resolve(bodies.map(() => ({ outcome: 'refused', reason: 'no' }))),
    });
    await world.run({ change: having(person('1', { fields: { email: 'x@b.c' } })), through }, { exit: 4 });
    expect(sinceLoad(world)).toEqual([]);
  });

  test('names the hash and who approved it, and the guard', async () => {
    const world = await loaded({ sync: { guard: NONE_MAY } });
    const held = await world.run(inactive('3'), { exit: 3 });
    expect(sinceLoad(world)).toEqual([]);
    await world.run({ approve: held });
    const hash = held.plan?.held[0]?.hash;
    expect(sinceLoad(world)).toMatchObject([{ guard: 'leavers', approval: { hash, by: null } }]);
  });

  test('never has a secret, only that it changed', async () => {
    const secrets = ['old-card-1', '110105194912310021', 'p-secret-w'] as const;
    const world = await loaded({ people: [person('1', { secrets: { id_card: secrets[0] } })] });
    await world.run(having(person('1', { secrets: { id_card: secrets[1], password: secrets[2] } })));
    expect(spelled(sinceLoad(world))).toEqual(['update person 1: secrets "[secret]" → "[secret]"']);
    const bytes = readFileSync(world.ledgerFile, 'latin1');
    expect(secrets.filter((secret) => bytes.includes(secret))).toEqual([]);
  });

  test('forgets what is older than it is kept, by both clocks', async () => {
    const world = await loaded();
    world.minutes(100 * DAY);
    world.serviceAhead(-100 * DAY);
    await world.sync();
    expect(historyOf(world)).toHaveLength(5);
    world.serviceAhead(0);
    await world.sync();
    expect(historyOf(world)).toEqual([]);
  });

  test('tells runs that did nothing from those that sent, held or failed something', async () => {
    const world = await loaded();
    await world.sync();
    await world.sync({ change: having(person('9', { fields: { name: '' } })), later: 15 });
    const db = new Sqlite(world.ledgerFile, { readonly: true });
    expect(db.prepare('SELECT quiet FROM run ORDER BY rowid').pluck().all()).toEqual([0, 1, 0]);
    db.close();
  });
});

/** Words that stand nowhere else. */
const [ID, USERNAME, NAME] = ['emp-000-zyx-4711', 'quetzalcoatl', 'Xochiquetzal Überall'];
const WORDS = [ID, USERNAME, NAME, 'Xochiquetzal', 'quetz@example.com'];
const LEAVER = person(ID, { username: USERNAME, fields: { name: NAME, email: 'quetz@example.com' } });

function forget(world: World): number {
  return inLedger(world, 'write', (ledger) => {
    ledger.lease.acquire('test');
    const { entries, isWiped } = ledger.forgotten.erase(ledger.people.entry(ID));
    expect(isWiped).toBe(true);
    ledger.lease.release();
    return entries;
  });
}

/** Words of the person that are left in any file of the ledger. */
function leftIn({ ledgerFile }: World): readonly string[] {
  const folder = dirname(ledgerFile);
  const files = readdirSync(folder).filter((name) => name.startsWith(basename(ledgerFile)));
  const texts = files.map((name) => readFileSync(join(folder, name)).toString('utf8').toLowerCase());
  return WORDS.filter((word) => texts.some((text) => text.includes(word.toLowerCase())));
}

/** Says something of the person in every table that may name somebody in what is said of others. */
function nameElsewhere({ ledgerFile }: World): void {
  const db = new Sqlite(ledgerFile);
  const put = (sql: string, ...values: readonly unknown[]) => db.prepare(sql).run(...values);
  const why = { code: 'sameName', refs: [{ subject: 'person', id: ID }], values: { name: NAME } };
  const record = { why, approval: { hash: 'h', by: USERNAME } };
  const note = `insert into blocked (subject, id, label, reason, goes_on, kind, name_key) values (?, ?, ?, ?, 0, 'blocked', ?)`;
  put(note, 'unit', 'u1', 'Unit', `still there: ${USERNAME.toUpperCase()}, x`, 'unit');
  put(note, 'person', 'new', USERNAME, 'is to be created', foldUsername(USERNAME));
  put(
    `insert into failure values ('unit', 'u1', 'Unit', ?, 1, 1, 1, 'refused', null)`,
    `as source id ${ID}: no`,
  );
  const held = { first: [`${USERNAME} (${ID})`, 'l1 (1)'], about: `as ${USERNAME}`, cause: `in ${USERNAME}` };
  put(`insert or replace into fact values ('held', ?)`, JSON.stringify([held]));
  put(`insert or replace into memory (is_unit, id, protected) values (0, ?, 'rule')`, ID);
  put(`update run set report = json_set(report, '$.error', ?)`, `no ${USERNAME}`);
  put(`insert into reply values ('s', 'h', ?, ?, 1, 1, null, null)`, USERNAME, `approve h ${USERNAME}`);
  put(`update history set approval = 'h', approver = ? where id = '1'`, USERNAME);
  put(`insert into approval (kind, digest, hash, at, username) values ('given', 'd', 'h', 1, ?)`, USERNAME);
  put(`update call_item set record = ? where id = '1'`, JSON.stringify(record));
  put('update call set records = ?', JSON.stringify([['person', '1', record]]));
  const edited = {
    units: 0,
    people: 1,
    first: [{ subject: 'person', id: ID, label: USERNAME, reason: 'x' }],
  };
  put(`insert or replace into fact values ('edited', ?)`, JSON.stringify(edited));
  db.close();
}

describe('who is forgotten', () => {
  /** Somebody who was loaded and then was missing in the source for long enough. */
  async function left(sync: WorldOptions['sync'] = {}): Promise<World> {
    const world = await loadedWorld({ people: [...SMALL.people, LEAVER], sync });
    world.change(without(ID));
    for (const later of [15, 15]) await world.run({ later });
    return world;
  }
  const ACTIONS = ['disable', 'remove'] as const;
  const act = (action: (typeof ACTIONS)[number]) => left({ leavers: { ...SYNC.leavers, action } });

  test.each(ACTIONS)(
    'after %s is in no byte of the ledger any more, and nobody to later runs',
    async (action) => {
      const world = await act(action);
      expect([leftIn(world).length, forget(world), leftIn(world)]).toEqual([5, 2, []]);
      expect(existsSync(`${world.ledgerFile}-wal`)).toBe(false);
      await world.rests({ later: 60 });
    },
  );

  test('is named in nothing that was said of others either', async () => {
    const world = await left();
    nameElsewhere(world);
    forget(world);
    expect(leftIn(world)).toEqual([]);
    const db = new Sqlite(world.ledgerFile, { readonly: true });
    const first = (sql: string): unknown => db.prepare(sql).pluck().get();
    const cleared = { why: { code: 'sameName' }, approval: { hash: 'h', by: '(forgotten)' } };
    const held = {
      first: ['(forgotten) ((forgotten))', 'l1 (1)'],
      about: 'as (forgotten)',
      cause: 'in (forgotten)',
    };
    const is: Readonly<Record<string, string>> = {
      'select reason from blocked': 'still there: (forgotten), x',
      [`select approver from history where id = '1'`]: '(forgotten)',
      'select username || text from reply': '(forgotten)approve h (forgotten)',
      'select reason from failure': 'as source id (forgotten): no',
      [`select value from fact where name = 'held'`]: JSON.stringify([held]),
      [`select json_extract(report, '$.error') from run`]: 'no (forgotten)',
      [`select record from call_item where id = '1'`]: JSON.stringify(cleared),
      'select records from call': JSON.stringify([['person', '1', cleared]]),
    };
    expect(Object.fromEntries(Object.keys(is).map((sql) => [sql, first(sql)]))).toEqual(is);
    db.close();
  });

  test('keeps the username from a stranger, in whatever case; what is approved is the same person', async () => {
    const world = await act('remove');
    forget(world);
    const stranger = person('new-1', { username: USERNAME.toUpperCase(), fields: { name: 'Somebody Else' } });
    const ran = await world.run(
      { change: having(stranger), later: 15 },
      { exit: 3, sent: '', held: 'usernameReuse 1/0' },
    );
    expect(ran.changes.map(({ why }) => why.code)).toEqual(['sameForgotten']);
    await world.run({ approve: ran }, { sent: 'importEmployees' });
    expect(world.employee(stranger.username).name).toBe('Somebody Else');
    await world.isSilent({ later: 15 });
  });

  test('is nobody where the source has an inactive record again, and a leaver where the account is open', async () => {
    const world = await left();
    forget(world);
    await world.run(having({ ...LEAVER, active: false }), { planned: '' });
    world.sandbox.edit.unlockEmployee(USERNAME);
    await world.run({ full: true }, { exit: 3, held: 'usernameReuse 1/0' });
  });

  test('still counts for the guards of that day', async () => {
    const world = await left({ guard: { ...SYNC.guard, leavers: { percent: 0, count: 1 } } });
    forget(world);
    await world.run(inactive('1'), { exit: 3, held: 'leavers 1/1' });
  });
});
