import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { HR, openStage, until, type Stage } from './command-line.ts';

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
  expect(made.out.replaceAll(/\s+/gu, ' ')).toMatch(/copy\.db: a copy of \S+, [\d,]+ bytes/u);
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

test('backup writes over no file, and says what is wrong with a place or a ledger', async () => {
  const stage = await openStage();
  const file = join(stage.folder, 'kept');
  writeFileSync(file, 'kept');
  const none = await stage.type('backup', join(stage.folder, 'copy.db'));
  expect([none.code, none.err]).toEqual([1, expect.stringMatching(/is not there yet/u)]);
  expect((await stage.type('sync')).code).toBe(0);
  const exists = await stage.type('backup', file);
  expect([exists.code, exists.err]).toEqual([2, expect.stringMatching(/the file exists/u)]);
  expect(statSync(file).size).toBe(4);
  const nowhere = await stage.type('backup', join(stage.folder, 'none/copy.db'));
  expect([nowhere.code, nowhere.err]).toEqual([
    1,
    expect.stringMatching(/copy\.db: there is no folder \S+none; nothing was written/u),
  ]);
  for (const odd of ['x'.repeat(300), 'kept/copy.db']) {
    const { code, err } = await stage.type('backup', join(stage.folder, odd));
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^rollcall: \[backup-unusable\] backup \S+: .*; nothing was written.*\n$/u),
    ]);
  }
  stage.startBy('sh', '-c', 'ulimit -f 8; exec "$@"', 'sh');
  const full = await stage.type('backup', join(stage.folder, 'copy.db'));
  expect([full.code, full.err]).toEqual([1, expect.stringMatching(/nothing was written/u)]);
  stage.startBy();
  const own = await stage.type('backup', `${stage.ledgerFile}-journal`);
  expect([own.code, own.err]).toEqual([2, expect.stringMatching(/belongs to the ledger itself/u)]);
  const beat = await stage.type('backup', `${stage.ledgerFile}.heartbeat`);
  expect([beat.code, beat.err]).toEqual([2, expect.stringMatching(/belongs to the ledger itself/u)]);
  symlinkSync(dirname(stage.ledgerFile), join(stage.folder, 'linked'));
  const linked = await stage.type('backup', join(stage.folder, 'linked/rollcall.db-wal'));
  expect([linked.code, linked.err]).toEqual([2, expect.stringMatching(/belongs to the ledger itself/u)]);
  symlinkSync(join(stage.folder, 'nowhere'), join(stage.folder, 'link'));
  expect((await stage.type('backup', join(stage.folder, 'link'))).code).toBe(2);
  const folder = join(stage.folder, 'folder');
  mkdirSync(folder);
  expect((await stage.type('backup', folder)).code).toBe(2);
  writeFileSync(stage.ledgerFile, 'no ledger at all, and long enough to look at it as one');
  chmodSync(stage.ledgerFile, 0o600);
  const damaged = await stage.type('backup', join(stage.folder, 'copy.db'));
  expect([damaged.code, damaged.err]).toEqual([1, expect.stringMatching(/no ledger/u)]);
  expect([existsSync(join(stage.folder, 'copy.db')), beside(stage)]).toEqual([false, []]);
  expect((await stage.type('backup')).code).toBe(2);
});
