import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { SourceError } from '../../src/domain/errors.ts';
import { openSource } from '../../src/source/open-source.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { collect, describeSource, never, readAll } from './source-contract.ts';
import { worldSettings, worldSql } from './sql-world.ts';

function makeFile(folder: string): string {
  const path = join(folder, 'hr.db');
  const database = new Database(path);
  for (const sql of worldSql()) database.exec(sql);
  database.close();
  return path;
}

describeSource('SQLite', true, async () => {
  const folder = scratchFolder('sqlite');
  const url = `sqlite:${makeFile(folder)}`;
  const query = "select *, case when seq = 700 then json('{') end from employee";
  return {
    source: openSource(worldSettings(url)),
    broken: openSource(worldSettings(url, { query })),
    stop: async () => removeFolder(folder),
  };
});

describe('a SQLite file', () => {
  let folder = '';
  let path = '';
  beforeAll(() => {
    folder = scratchFolder('sqlite');
    path = makeFile(folder);
  });
  afterAll(() => removeFolder(folder));

  test.each([
    ['', / is a folder; check/u],
    ['missing.db', /missing\.db does not exist/u],
    ['wrong.db', /no SQLite database/u],
  ])('"%s" is refused, and not created', async (name, reason) => {
    writeFileSync(join(folder, 'wrong.db'), 'no database at all, but long enough to be looked at as one');
    await expect(openSource(worldSettings(`sqlite:${join(folder, name)}`)).open(never)).rejects.toThrow(
      reason,
    );
    expect(existsSync(join(folder, 'missing.db'))).toBe(false);
  });

  test('takes sqlite:///absolute too', async () => {
    expect((await readAll(openSource(worldSettings(`sqlite://${path}`)))).units).toHaveLength(7);
  });

  test('shows what it found as it came, without secrets; one that is refused also by its values', async () => {
    const settings = worldSettings(`sqlite:${path}`);
    const fields = { ...settings.people.rules.fields, id_card: 'email' };
    const rules = { ...settings.people.rules, fields };
    const source = openSource({ ...settings, people: { ...settings.people, rules } });
    const [lin] = await source.find('person', ['lin'], never);
    expect(lin).toMatchObject({ place: 'row 1 of people', raw: { emp_no: ['p1'], full_name: ['林 小雨'] } });
    expect(Object.keys(lin?.raw ?? {})).not.toContain('email');
    const [lost] = await source.find('person', ['badorder'], never);
    expect(lost).toMatchObject({ raw: { sort_no: ['first'] }, reading: { record: { losses: [{}] } } });
    const [refused] = await source.find('person', ['noname'], never);
    expect(refused).toMatchObject({ raw: { emp_no: ['p5'] }, reading: { ok: false } });
    expect(await source.find('person', ['lin@example.com'], never)).toEqual([]);
    const [, second] = await source.findPositions('p1', never);
    expect(second).toMatchObject({
      place: 'row 2 of positions',
      raw: { emp_no: ['p1'], dept_id: ['u5'], job_title: [], is_primary: ['0'] },
    });
  });

  test.each<[string, RegExp, string?]>([
    ['select * from nowhere', /nowhere/],
    ['delete from employee', /returns no rows|changes data/],
    ['delete from employee returning *', /changes data/],
    [`select "a" ${'x'.repeat(60)}`, /the query select "a" x{49}…: /],
    ['select *, emp_no as emp_no from employee', /^source\.people\.fields\.id: .*several columns emp_no/u],
    ['select emp_no, full_name from employee where 1 = 0', /no column LOGIN; it has: emp_no, full_name/u],
    [
      'select * from employee',
      /^source\.people\.fields\.email: .*no column e_mial \(did you mean email\?\); it has: seq/u,
      'e_mial',
    ],
  ])('the query %s fails with its reason', async (query, reason, email = 'email') => {
    const { people, ...settings } = worldSettings(`sqlite:${path}`, { query });
    const rules = { ...people.rules, fields: { ...people.rules.fields, email } };
    const read = await openSource({ ...settings, people: { ...people, rules } }).open(never);
    const failure = collect(read.people());
    await expect(failure).rejects.toThrow(reason);
    await expect(failure).rejects.toBeInstanceOf(SourceError);
    await read.close();
  });
});

const MANY = 10_000;

/** Renames three people in each transaction, from the end of the table to its beginning or back, until it is killed. */
const WRITER = `
  const database = new (require('better-sqlite3'))(process.argv[1], { timeout: 20 });
  const move = database.prepare('update employee set seq = ? where seq = ?');
  const three = database.transaction((from, to) => [0, 1, 2].forEach((n) => move.run(to + n, from + n)));
  let [at, done] = [0, 0];
  (function next() {
    try {
      const [low, high] = [-9 - at, 1e6 + at];
      three.immediate(done % 2 === 0 ? 3 * at : high, done % 2 === 0 ? high : low);
      done += 1;
      if (done % 2 === 0) at += 3;
    } catch (error) {
      if (error.code !== 'SQLITE_BUSY') throw error;
    }
    if (done > 0) process.send(done);
    setImmediate(next);
  })();`;

describe.each(['delete', 'wal'])('a SQLite file in journal mode %s that another process writes', (mode) => {
  test('is read in one state, also beside another read of this process', { timeout: 60_000 }, async () => {
    const folder = scratchFolder('sqlite-written');
    const path = join(folder, 'hr.db');
    const database = new Database(path);
    database.pragma(`journal_mode = ${mode}`);
    database.exec('create table department (id, parent_id, name); create table assignment (emp_no, dept_id)');
    database.exec('create table employee (seq integer primary key, emp_no, login, full_name)');
    const insert = database.prepare('insert into employee values (?, ?, ?, ?)');
    const fill = database.transaction(() => {
      for (let n = 0; n < MANY; n += 1) insert.run(n, `e${n}`, `l${n}`, `N ${n}`);
    });
    fill();
    database.close();
    const settings = worldSettings(`sqlite:${path}`);
    const rules = {
      id: 'emp_no',
      username: 'login',
      active: { const: 'true' },
      fields: { name: 'full_name' },
    };
    const query = 'select * from employee order by seq';
    const source = openSource({
      ...settings,
      people: { query, rules: { ...settings.people.rules, ...rules } },
    });
    const writer = spawn(process.execPath, ['-e', WRITER, path], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    let written = 0;
    writer.on('message', (done) => void (written = Number(done)));
    await once(writer, 'message');
    try {
      for (let round = 0; round < 3; round += 1) {
        const before = written;
        const read = await source.open(never);
        await read.marks();
        const ids = new Set<string>();
        let count = 0;
        for await (const batch of read.people()) {
          const other = await source.open(never);
          await other.marks();
          await other.close();
          for (const reading of batch) {
            count += 1;
            if (reading.ok) ids.add(reading.record.id);
          }
          await setTimeout(5);
        }
        await read.close();
        expect([count, ids.size]).toEqual([MANY, MANY]);
        await expect.poll(() => written, { timeout: 10_000 }).toBeGreaterThan(before);
      }
    } finally {
      writer.kill();
      removeFolder(folder);
    }
  });
});
