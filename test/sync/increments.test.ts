import { describe, expect, test } from 'vitest';
import Database from 'better-sqlite3';
import type { Service } from '../../src/domain/ports/service.ts';
import { openTwins, type Twins } from './twin-world.ts';
import type { World } from './world.ts';

const NOW = "strftime('%Y-%m-%d %H:%M:%S', 'now')";

/** As if all changes were of long ago: a query for changes finds none of them any more. */
const AGE = `UPDATE employee SET updated_at = '2020-01-01 00:00:00'`;

/** Person 3 changes, or another one. */
const change = (what: string, no = 3): string =>
  `UPDATE employee SET ${what}, updated_at = ${NOW} WHERE no = ${no}`;

const LEAVES = change(`status = 'left'`);
const joiner = (at: string): string =>
  `INSERT INTO employee VALUES (77, 'p77', 'Joiner', 'u', 'here', NULL, ${at})`;
const RENAMED = change(`name = 'New'`);

async function loaded(people = 12): Promise<Twins> {
  const twins = await openTwins(people);
  await twins.sync();
  expect((await twins.sync()).how).toBe('incremental');
  return twins;
}

function inLedger({ ledgerFile }: World, query: string): readonly unknown[] {
  const database = new Database(ledgerFile, { readonly: true });
  const values = database.prepare(query).pluck().all();
  database.close();
  return values;
}

/** Keys of records that have to be read each time. */
const again = (world: World): readonly unknown[] =>
  inLedger(
    world,
    `SELECT key FROM source_record r WHERE replay IS NULL
       AND NOT EXISTS (SELECT 1 FROM person p WHERE p.print = r.print AND p.open = 0 AND p.hash IS NOT NULL)`,
  );

/** The run ends where it begins to ask the service. */
const dying = (service: Service): Service => ({
  ...service,
  root: () => Promise.reject(new Error('as if it had died')),
});

describe('an increment of the source finds what a full read finds', () => {
  test.each([
    ['somebody is renamed', RENAMED, ['update person 3']],
    ['somebody joins', joiner(NOW), ['create person 77']],
    ['somebody leaves', LEAVES, ['disable person 3']],
  ])('where %s', async (_, what, planned) => {
    const { sync, sql } = await loaded();
    sql(what);
    const ran = await sync();
    expect([ran.how, ran.planned]).toEqual(['incremental', planned]);
    const after = await sync();
    expect([after.how, after.planned]).toEqual(['incremental', []]);
  });

  test('where somebody is gone', async () => {
    const { sync, sql } = await loaded();
    sql('DELETE FROM employee WHERE no = 3');
    expect((await sync()).how).toBe('incremental');
    const ran = await sync({ later: 15 });
    expect([ran.how, ran.planned]).toEqual(['incremental', ['disable person 3']]);
  });

  test('where two have the same username, as long as they do', async () => {
    const { sync, sql } = await loaded();
    sql(`INSERT INTO employee VALUES (77, 'P3', 'Other', 'u', 'here', NULL, '2020-01-01')`);
    for (let run = 0; run < 3; run += 1) {
      const ran = await sync();
      expect([ran.how, ran.listed.join()]).toEqual([
        'incremental',
        expect.stringContaining('the account P3 is that of '),
      ]);
    }
    sql('DELETE FROM employee WHERE no = 77');
    expect((await sync()).listed).toEqual([]);
  });

  test('where a record cannot be used, and is told of each time', async () => {
    const { sync, sql } = await loaded();
    sql(change(`login = ''`));
    sql(change(`born = 'no date'`, 4));
    for (let run = 0; run < 3; run += 1) {
      const ran = await sync();
      sql(AGE);
      expect([ran.how, ran.listed.length, ran.exitCode]).toEqual(['incremental', 2, 4]);
    }
  });

  test('where people are out of scope, come into it and leave it', async () => {
    const { sync, sql, map } = await loaded();
    map({}, "name != 'Name 3'");
    expect((await sync()).how).toContain('mapping');
    sql(change(`name = 'Name 3'`, 4));
    expect((await sync()).how).toBe('incremental');
    expect((await sync({ later: 15 })).planned).toEqual(['disable person 3', 'disable person 4']);
    sql(change(`name = 'Back'`, 4));
    const ran = await sync();
    expect([ran.how, ran.planned]).toEqual(['incremental', ['enable person 4']]);
    expect((await sync()).planned).toEqual([]);
  });

  test('where many have left, whose records nobody has to read', async () => {
    const { one, sync, sql } = await loaded();
    sql(`UPDATE employee SET status = 'left', updated_at = '2020-01-01' WHERE no IN (1, 2)`);
    sql(`INSERT INTO employee VALUES (88, 'p88', 'Never here', 'u', 'left', NULL, '2020-01-01')`);
    await sync({ owesFullSource: () => true });
    const ran = await sync();
    expect([ran.how, ran.planned, again(one)]).toEqual(['incremental', [], []]);
    sql(`UPDATE employee SET status = 'here', updated_at = ${NOW} WHERE no IN (1, 88)`);
    expect((await sync()).planned).toEqual(['enable person 1', 'create person 88']);
    expect((await sync()).planned).toEqual([]);
  });

  test('where a run dies after the read', async () => {
    const { one, other, sync, sql } = await loaded();
    sql(
      `UPDATE employee SET name = 'Newer', updated_at = ${NOW} WHERE no = 4; DELETE FROM employee WHERE no = 5`,
    );
    for (let run = 0; run < 2; run += 1) expect((await sync({ through: dying })).exitCode).toBe(1);
    expect([one, other].map((world) => world.employee('p4').name)).toEqual(['Name 4', 'Name 4']);
    const ran = await sync();
    expect([ran.how, ran.planned]).toEqual(['incremental', ['update person 4']]);
  });
});

test('the ledger has no print of a record with a secret, which could be found by trying', async () => {
  const { one, sync, map } = await loaded();
  map({ fields: { name: 'name', id_card: 'login' } });
  await sync();
  expect((await sync()).how).toBe('incremental');
  expect(inLedger(one, 'SELECT DISTINCT print FROM source_record')).toEqual([null]);
});

describe('all of the source is read', () => {
  test('where a unit is renamed, and its people follow', async () => {
    const { sync, sql } = await loaded();
    sql(
      `UPDATE unit SET id = 'w' WHERE id = 'v'; UPDATE employee SET unit = 'w', updated_at = '2020-01-01' WHERE no = 3`,
    );
    const ran = await sync();
    expect(ran.how).toBe('the tree of units, rows of positions, the mapping or a setting has changed');
    expect((await sync()).how).toBe('incremental');
  });

  test('where several records have one key, as long as they do', async () => {
    const { sync, sql } = await loaded();
    sql(`INSERT INTO employee VALUES (3, 'p33', 'Twice', 'u', 'here', NULL, ${NOW})`);
    for (let run = 0; run < 2; run += 1) expect((await sync()).how).toBe('several records have the key 3');
    sql(`DELETE FROM employee WHERE name = 'Twice'`);
    await sync();
    expect((await sync()).how).toBe('incremental');
  });

  test('where the list of keys is empty, as long as it is', async () => {
    const { sync, sql, increments } = await loaded();
    increments({ ids: 'SELECT no FROM employee WHERE no IN (SELECT no FROM tombstone)' });
    await sync();
    sql(RENAMED);
    const ran = await sync();
    expect([ran.how, ran.planned, ran.exitCode]).toEqual([
      'source.people.changes.ids brought no key; have it select the keys of all people',
      ['update person 3'],
      0,
    ]);
    expect((await sync()).how).toBe(ran.how);
    increments({});
    await sync();
    expect((await sync()).how).toBe('incremental');
  });

  test('where a key is missing', async () => {
    const { sync, sql } = await loaded();
    sql(`INSERT INTO employee VALUES (NULL, 'p77', 'Keyless', 'u', 'here', NULL, ${NOW})`);
    expect((await sync()).how).toBe('a record has no key');
  });

  test('where it is time for it, which finds what increments missed, or asked for', async () => {
    const { sync, sql } = await loaded();
    sql(`UPDATE employee SET name = 'Unseen', updated_at = '2020-01-01' WHERE no = 3`);
    sql(change(`name = 'Seen'`, 4));
    const ran = await sync({ owesFullSource: () => true });
    expect(ran.planned).toEqual(['update person 3', 'update person 4']);
    expect((await sync()).how).toBe('incremental');
    expect((await sync({ full: true })).how).toBe('the run is a full one');
  });
});
