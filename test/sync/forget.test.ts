import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { foldUsername } from '../../src/domain/text/fold.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { SYNC } from '../plan/build.ts';
import { loadedWorld, person, SMALL, type Ran, type World, type WorldOptions } from './world.ts';

/** Words that stand nowhere else. */
const ID = 'emp-000-zyx-4711';
const USERNAME = 'quetzalcoatl';
const NAME = 'Xochiquetzal Überall';
const LEAVER = person(ID, { username: USERNAME, fields: { name: NAME, email: 'quetz@example.com' } });
const others = SMALL.people;

/** Somebody who was loaded and then was missing in the source for long enough. */
async function left(options: WorldOptions = {}): Promise<World> {
  const world = await loadedWorld({ ...options, people: [...others, LEAVER] });
  world.change(() => ({ people: others }));
  for (const run of [1, 2]) expect([run, (await world.sync({ later: 15 })).exitCode]).toEqual([run, 0]);
  return world;
}

function forget(world: World, id = ID): number {
  const { domainId, orgCode } = world.sandbox;
  const ledger = openLedger({
    path: world.ledgerFile,
    binding: `${domainId}/${orgCode}`,
    now: () => world.clock.now(),
    mode: 'write',
  });
  try {
    ledger.lease.acquire('test');
    const { entries, isWiped } = ledger.forgotten.erase(ledger.people.entry(id));
    expect(isWiped).toBe(true);
    ledger.lease.release();
    return entries;
  } finally {
    ledger.close();
  }
}

/** Words of the person that are left in any file of the ledger. */
function leftIn(world: World): readonly string[] {
  const folder = dirname(world.ledgerFile);
  const files = readdirSync(folder).filter((name) => name.startsWith(basename(world.ledgerFile)));
  const bytes = files
    .map((name) => readFileSync(join(folder, name)))
    .map((file) => file.toString('utf8').toLowerCase());
  const words = [ID, USERNAME, NAME, 'Xochiquetzal', 'quetz@example.com'];
  return words.filter((word) => bytes.some((text) => text.includes(word.toLowerCase())));
}

const hashOf = ({ plan }: Ran): string => plan?.held[0]?.hash ?? '';
const STRANGER = person('new-1', { username: USERNAME.toUpperCase(), fields: { name: 'Somebody Else' } });

describe('who is forgotten', () => {
  test.each(['disable', 'remove'] as const)(
    'after %s is in no byte of the ledger any more',
    async (action) => {
      const world = await left({ sync: { leavers: { ...SYNC.leavers, action } } });
      expect(leftIn(world)).toHaveLength(5);
      expect(forget(world)).toBe(2);
      expect(leftIn(world)).toEqual([]);
      expect(existsSync(`${world.ledgerFile}-wal`)).toBe(false);
    },
  );

  test('is named in nothing that was said of others either', async () => {
    const world = await left();
    const db = new Sqlite(world.ledgerFile);
    const reason = `still there: ${USERNAME.toUpperCase()}, x`;
    const note = `insert into blocked (subject, id, label, reason, goes_on, kind, name_key) values (?, ?, ?, ?, 0, 'blocked', ?)`;
    db.prepare(note).run('unit', 'u1', 'Unit', reason, 'unit');
    db.prepare(note).run('person', 'new', USERNAME, 'is to be created', foldUsername(USERNAME));
    db.prepare(`insert into failure values ('unit', 'u1', 'Unit', ?, 1, 1, 1, 'refused', null)`).run(
      `as source id ${ID}: no`,
    );
    const held = {
      first: [`${USERNAME} (${ID})`, 'l1 (1)'],
      about: `as ${USERNAME}`,
      cause: `in ${USERNAME}`,
    };
    db.prepare(`insert or replace into fact values ('held', ?)`).run(JSON.stringify([held]));
    db.prepare(`insert or replace into memory (is_unit, id, protected) values (0, ?, 'rule')`).run(ID);
    db.prepare(`update run set report = json_set(report, '$.error', ?)`).run(`no ${USERNAME}`);
    db.prepare(`insert into reply values ('s', 'h', ?, ?, 1, 1, null, null)`).run(
      USERNAME,
      `approve h ${USERNAME}`,
    );
    db.prepare(`update history set approval = 'h', approver = ? where id = '1'`).run(USERNAME);
    db.prepare(
      `insert into approval (kind, digest, hash, at, username) values ('given', 'd', 'h', 1, ?)`,
    ).run(USERNAME);
    const refs = [{ subject: 'person', id: ID }];
    const why = { code: 'sameName', refs, values: { name: NAME } };
    const record = { why, approval: { hash: 'h', by: USERNAME } };
    db.prepare(`update call_item set record = ? where id = '1'`).run(JSON.stringify(record));
    db.prepare('update call set records = ?').run(JSON.stringify([['person', '1', record]]));
    const edited = {
      units: 0,
      people: 1,
      first: [{ subject: 'person', id: ID, label: USERNAME, reason: 'x' }],
    };
    db.prepare(`insert or replace into fact values ('edited', ?)`).run(JSON.stringify(edited));
    db.close();
    forget(world);
    expect(leftIn(world)).toEqual([]);
    const after = new Sqlite(world.ledgerFile, { readonly: true });
    const valuesOf = (sql: string): unknown[] => after.prepare(sql).pluck().all();
    expect(valuesOf('select reason from blocked')).toEqual(['still there: (forgotten), x']);
    expect(valuesOf(`select approver from history where id = '1'`)).toEqual(['(forgotten)']);
    expect(valuesOf('select username || text from reply')).toEqual(['(forgotten)approve h (forgotten)']);
    expect(valuesOf('select reason from failure')).toEqual(['as source id (forgotten): no']);
    expect(valuesOf(`select value from fact where name = 'held'`)).toEqual([
      JSON.stringify([
        { first: ['(forgotten) ((forgotten))', 'l1 (1)'], about: 'as (forgotten)', cause: 'in (forgotten)' },
      ]),
    ]);
    expect(valuesOf(`select json_extract(report, '$.error') from run limit 1`)).toEqual(['no (forgotten)']);
    const cleared = { why: { code: 'sameName' }, approval: { hash: 'h', by: '(forgotten)' } };
    expect(valuesOf(`select record from call_item where id = '1' limit 1`)).toEqual([
      JSON.stringify(cleared),
    ]);
    expect(valuesOf('select records from call limit 1')).toEqual([
      JSON.stringify([['person', '1', cleared]]),
    ]);
    after.close();
  });

  test.each(['disable', 'remove'] as const)('after %s is nobody to later runs', async (action) => {
    const world = await left({ sync: { leavers: { ...SYNC.leavers, action } } });
    const before = world.state();
    forget(world);
    for (const full of [false, true, false]) {
      const ran = await world.sync({ later: 60, full });
      expect([ran.exitCode, ran.changing, ran.planned]).toEqual([0, [], []]);
    }
    expect(world.state()).toEqual(before);
  });

  test('keeps the username from a stranger, in whatever case; what is approved is the same person', async () => {
    const world = await left({ sync: { leavers: { ...SYNC.leavers, action: 'remove' } } });
    forget(world);
    world.change(() => ({ people: [...others, STRANGER] }));
    const ran = await world.sync({ later: 15, describe: true });
    expect([ran.exitCode, ran.changing, ran.plan?.held.map(({ guard }) => guard)]).toEqual([
      3,
      [],
      ['usernameReuse'],
    ]);
    expect(ran.text.join('\n')).toContain(
      'the same username as somebody who had it before: the same person?',
    );
    const approved = await world.sync({ approve: [hashOf(ran)] });
    expect([approved.exitCode, approved.changing]).toEqual([0, ['importEmployees']]);
    expect(world.employee(STRANGER.username).name).toBe('Somebody Else');
    expect((await world.sync({ later: 15, full: true })).planned).toEqual([]);
  });

  test('is nobody where the source has an inactive record again, and a leaver where the account is open', async () => {
    const world = await left();
    forget(world);
    const ran = await world.syncAfter(() => ({ people: [...others, { ...LEAVER, active: false }] }));
    expect([ran.exitCode, ran.planned]).toEqual([0, []]);
    world.sandbox.edit.unlockEmployee(USERNAME);
    const open = await world.sync({ full: true });
    expect([open.exitCode, open.plan?.held.map(({ guard }) => guard)]).toEqual([3, ['usernameReuse']]);
  });

  test('still counts for the guards of that day', async () => {
    const guard = { ...SYNC.guard, leavers: { percent: 0, count: 1 } };
    const world = await left({ sync: { guard } });
    forget(world);
    world.change(() => ({ people: [person('1', { active: false }), ...others.slice(1)] }));
    const ran = await world.sync();
    expect(ran.plan?.held.map(({ guard: name }) => name)).toEqual(['leavers']);
  });
});
