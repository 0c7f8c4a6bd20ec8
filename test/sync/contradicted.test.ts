import { describe, expect, test } from 'vitest';
import { openTwins, type Twins } from './twin-world.ts';

const NOW = "strftime('%Y-%m-%d %H:%M:%S', 'now')";

/** Read once in full and once in increments; the list of all keys comes from a table that may be behind. */
async function withList(): Promise<Twins> {
  const twins = await openTwins();
  twins.sql('CREATE TABLE listed (no INTEGER); INSERT INTO listed SELECT no FROM employee');
  twins.increments({ ids: 'SELECT no FROM listed' });
  await twins.alone();
  expect((await twins.alone()).how).toBe('incremental');
  return twins;
}

describe('a row that changed and is not in the list of all keys', () => {
  test('blocks its record as long as the two contradict each other', async () => {
    const { alone, sql, minutes } = await withList();
    sql(
      `DELETE FROM listed WHERE no = 3; UPDATE employee SET name = 'New', updated_at = ${NOW} WHERE no = 3`,
    );
    for (let read = 1; read <= 4; read += 1) {
      const ran = await alone();
      expect([ran.how, ran.exitCode, ran.changing]).toEqual(['incremental', 4, []]);
      expect(ran.listed).toEqual([expect.stringContaining('the two contradict each other')]);
      // From the second read on no query for changes has it any more.
      sql(`UPDATE employee SET updated_at = '2020-01-01 00:00:00'`);
      minutes(15);
    }
    sql('INSERT INTO listed VALUES (3)');
    const ran = await alone();
    expect([ran.how, ran.exitCode, ran.planned]).toEqual(['incremental', 0, ['update person 3']]);
  });
});
