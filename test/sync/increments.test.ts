import { describe, expect, test } from 'vitest';
import Database from 'better-sqlite3';
import { but } from '../doubles/service-parts.ts';
import { expectRead, openTwins, type Twins } from './twin-world.ts';
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

const INCREMENT = 'incremental';

describe('an increment of the source finds what a full read finds', () => {
  test.each([
    ['somebody is renamed', RENAMED, 'update 3'],
    ['somebody joins', joiner(NOW), 'create 77'],
    ['somebody leaves', LEAVES, 'disable 3'],
  ])('where %s', async (_, what, planned) => {
    const { sync, sql } = await loaded();
    sql(what);
    expectRead(await sync(), INCREMENT, { planned });
    expectRead(await sync(), INCREMENT, { planned: '' });
  });

  test('where somebody is gone', async () => {
    const { sync, sql } = await loaded();
    sql('DELETE FROM employee WHERE no = 3');
    expectRead(await sync(), INCREMENT, { planned: '' });
    expectRead(await sync({ later: 15 }), INCREMENT, { planned: 'disable 3' });
  });

  test('where two have the same username, as long as they do', async () => {
    const { sync, sql } = await loaded();
    sql(`INSERT INTO employee VALUES (77, 'P3', 'Other', 'u', 'here', NULL, '2020-01-01')`);
    for (let run = 0; run < 3; run += 1)
      expectRead(await sync(), INCREMENT, { exit: 4, listed: '77 takenBy' });
    sql('DELETE FROM employee WHERE no = 77');
    expectRead(await sync(), INCREMENT, { listed: '' });
  });

  test('where a record cannot be used, and is told of each time', async () => {
    const { sync, sql } = await loaded();
    sql(change(`login = ''`));
    sql(change(`born = 'no date'`, 4));
    for (let run = 0; run < 3; run += 1) {
      expect(expectRead(await sync(), INCREMENT, { exit: 4 }).listed).toHaveLength(2);
      sql(AGE);
    }
  });

  test('where people are out of scope, come into it and leave it', async () => {
    const { sync, sql, map } = await loaded();
    map({}, "name != 'Name 3'");
    expect((await sync()).how).toBe('full-settings');
    sql(change(`name = 'Name 3'`, 4));
    expectRead(await sync(), INCREMENT);
    expectRead(await sync({ later: 15 }), INCREMENT, { planned: 'disable 3, disable 4' });
    sql(change(`name = 'Back'`, 4));
    expectRead(await sync(), INCREMENT, { planned: 'enable 4' });
    expectRead(await sync(), INCREMENT, { planned: '' });
  });

  test('where many have left, whose records nobody has to read', async () => {
    const { one, sync, sql } = await loaded();
    sql(`UPDATE employee SET status = 'left', updated_at = '2020-01-01' WHERE no IN (1, 2)`);
    sql(`INSERT INTO employee VALUES (88, 'p88', 'Never here', 'u', 'left', NULL, '2020-01-01')`);
    await sync({ owesFullSource: () => true });
    expectRead(await sync(), INCREMENT, { planned: '' });
    expect(again(one)).toEqual([]);
    sql(`UPDATE employee SET status = 'here', updated_at = ${NOW} WHERE no IN (1, 88)`);
    expectRead(await sync(), INCREMENT, { planned: 'enable 1, create 88' });
    expectRead(await sync(), INCREMENT, { planned: '' });
  });

  test('where a run dies after the read', async () => {
    const { one, other, sync, sql } = await loaded();
    sql(
      `UPDATE employee SET name = 'Newer', updated_at = ${NOW} WHERE no = 4; DELETE FROM employee WHERE no = 5`,
    );
    const through = but({ root: () => Promise.reject(new Error('as if it had died')) });
    for (let run = 0; run < 2; run += 1) expect((await sync({ through })).exitCode).toBe(1);
    expect([one, other].map((world) => world.employee('p4').name)).toEqual(['Name 4', 'Name 4']);
    expectRead(await sync(), INCREMENT, { planned: 'update 4' });
  });
});

test('a row that changed and is not in the list of all keys blocks its record as long as the two contradict', async () => {
  const { alone, sql, minutes, increments } = await openTwins();
  sql('CREATE TABLE listed (no INTEGER); INSERT INTO listed SELECT no FROM employee');
  increments({ ids: 'SELECT no FROM listed' });
  await alone();
  expectRead(await alone(), INCREMENT);
  sql(`DELETE FROM listed WHERE no = 3; ${RENAMED}`);
  for (let read = 1; read <= 4; read += 1) {
    expectRead(await alone(), INCREMENT, { exit: 4, sent: '', listed: '3 contradicted' });
    // From the second read on no query for changes has it any more.
    sql(AGE);
    minutes(15);
  }
  sql('INSERT INTO listed VALUES (3)');
  expectRead(await alone(), INCREMENT, { planned: 'update 3' });
});

test('the ledger has no print of a record with a secret, which could be found by trying', async () => {
  const { one, sync, map } = await loaded();
  map({ fields: { name: 'name', id_card: 'login' } });
  await sync();
  expectRead(await sync(), INCREMENT);
  expect(inLedger(one, 'SELECT DISTINCT print FROM source_record')).toEqual([null]);
});

describe('all of the source is read', () => {
  test.each([
    [
      'where a unit is renamed, and its people follow',
      `UPDATE unit SET id = 'w' WHERE id = 'v'; UPDATE employee SET unit = 'w', updated_at = '2020-01-01' WHERE no = 3`,
      'full-settings',
      '',
    ],
    [
      'where several records have one key, as long as they do',
      `INSERT INTO employee VALUES (3, 'p33', 'Twice', 'u', 'here', NULL, ${NOW})`,
      'full-shared',
      `DELETE FROM employee WHERE name = 'Twice'`,
    ],
    [
      'where a key is missing, as long as it is',
      `INSERT INTO employee VALUES (NULL, 'p77', 'Keyless', 'u', 'here', NULL, ${NOW})`,
      'full-keyless',
      'DELETE FROM employee WHERE no IS NULL',
    ],
  ])('%s', async (_, what, how, back) => {
    const { sync, sql } = await loaded();
    sql(what);
    for (let run = back === '' ? 1 : 0; run < 2; run += 1) expect((await sync()).how).toBe(how);
    if (back !== '') sql(back);
    await sync();
    expect((await sync()).how).toBe(INCREMENT);
  });

  test('where the list of keys is empty, as long as it is', async () => {
    const { sync, sql, increments } = await loaded();
    increments({ ids: 'SELECT no FROM employee WHERE no IN (SELECT no FROM tombstone)' });
    await sync();
    sql(RENAMED);
    expectRead(await sync(), 'full-no-ids');
    expectRead(await sync(), 'full-no-ids', { planned: '' });
    increments({});
    await sync();
    expectRead(await sync(), INCREMENT);
  });

  test('where it is time for it, which finds what increments missed, or asked for', async () => {
    const { sync, sql } = await loaded();
    sql(`UPDATE employee SET name = 'Unseen', updated_at = '2020-01-01' WHERE no = 3`);
    sql(change(`name = 'Seen'`, 4));
    expect((await sync({ owesFullSource: () => true })).planned).toHaveLength(2);
    expectRead(await sync(), INCREMENT);
    expectRead(await sync({ full: true }), 'full-asked');
  });
});
