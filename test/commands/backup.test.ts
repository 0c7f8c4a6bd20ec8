import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { constant, expectScreen } from './story.ts';
import { HR, loadedStage, openStage, until, type Stage } from './command-line.ts';

const people = (count: number): string =>
  Array.from(
    { length: count },
    (_, n) => `insert into employee values ('x${n}', 'user${n}', 'User ${n}', null, 'active');
      insert into assignment values ('x${n}', 'd3', null, 1);`,
  ).join('\n');

/** Returns how many people a ledger manages; throws if SQLite finds it damaged. */
function managedIn(file: string): number {
  const db = new Database(file, { readonly: true });
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    return db.prepare(`select count(*) from person where state = 'managed'`).pluck().get() as number;
  } finally {
    db.close();
  }
}

const beside = ({ folder }: Stage): readonly string[] =>
  readdirSync(folder).filter((name) => name.includes('.part-'));

test('backup writes a private copy that takes the place of the ledger', async () => {
  const stage = await openStage();
  expect((await stage.type('sync')).code).toBe(0);
  const file = join(stage.folder, 'copy.db');
  const made = await stage.type('backup', file);
  expect([made.code, made.err]).toEqual([0, '']);
  await expectScreen('backup', constant(made.out.replace(/[\d,]+ bytes/u, 'N bytes'), stage));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(managedIn(file)).toBe(3);
  stage.hr(people(2));
  expect((await stage.type('sync')).code).toBe(0);
  for (const suffix of ['-wal', '-shm']) expect(existsSync(stage.ledgerFile + suffix)).toBe(false);
  copyFileSync(file, stage.ledgerFile);
  const again = await stage.type('sync', '--full');
  expect(again.code).toBe(0);
  expect(managedIn(stage.ledgerFile)).toBe(5);
});

test('backup is whole and writes nothing beside while a run works on the ledger', async () => {
  const stage = await openStage({ hr: `${HR}\n${people(600)}` });
  const run = stage.start('sync');
  const copies: string[] = [];
  const ended = run.ended.then(({ code }) => code);
  await until(() => run.out().includes('run.start'), 'the run');
  for (let n = 0; n < 4; n += 1) {
    const file = join(stage.folder, `copy-${n}.db`);
    const made = await stage.type('backup', file);
    if (made.code === 0) copies.push(file);
  }
  expect(await ended).toBe(0);
  expect(copies).not.toEqual([]);
  for (const file of copies) expect(managedIn(file)).toBeLessThanOrEqual(603);
  expect(beside(stage)).toEqual([]);
});

test('backup leaves nothing on a full disk', async () => {
  const stage = await loadedStage();
  stage.startBy('sh', '-c', 'ulimit -f 8; exec "$@"', 'sh');
  const full = await stage.type('backup', 'copy.db');
  expect([full.code, full.err]).toEqual([1, expect.stringContaining('[backup-unusable]')]);
  expect([existsSync(join(stage.folder, 'copy.db')), beside(stage)]).toEqual([false, []]);
});
