import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { atOnce } from '../../src/lib/in-steps.ts';
import { RollcallError } from '../../src/domain/errors.ts';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import { Database } from '../../src/ledger/database/database.ts';
import type { LedgerOptions } from '../../src/ledger/open-ledger.ts';
import { listed } from '../doubles/listed.ts';
import { ledgerFile, watchOf, type LedgerFile } from './ledger-file.ts';
import { employee, itemsOf, personChange, Scene, staged } from './records.ts';

const NOW = 1_700_000_000_000;
const YEAR = 365 * 86_400_000;
const MODES = ['write', 'scratch', 'read'] as const;

let file: LedgerFile;
let path: string;
let folder: string;
beforeEach(() => {
  file = ledgerFile();
  ({ path } = file);
  folder = dirname(path);
});

const open = (options: Partial<LedgerOptions> = {}): Ledger =>
  file.open({ now: () => NOW, watch: watchOf(() => 0), ...options });

/** The code of the problem with which opening and a first look fail. */
function problemOf(options: Partial<LedgerOptions>): string | null {
  let ledger: Ledger | undefined;
  try {
    ledger = open(options);
    ledger.staging.known('1');
    ledger.people.entry('1');
    return null;
  } catch (error) {
    if (error instanceof RollcallError) return error.problem;
    throw error;
  } finally {
    ledger?.close();
  }
}

const files = () => readdirSync(folder).toSorted();
/** SQLite keeps these beside a ledger that somebody only reads. */
const ownFiles = () => files().filter((name) => !/-(?:wal|shm)$/u.test(name));
/** Of all files; who holds which lock (-shm) is no content. */
const contents = () =>
  files().map((name) => [name, name.endsWith('-shm') ? '' : readFileSync(join(folder, name), 'base64')]);

describe('the files', () => {
  test.each([0o000, 0o022])('are for their owner only, whatever the mask (%s)', (mask) => {
    const before = process.umask(mask);
    const at = { path: join(folder, 'new', 'ledger.db') };
    try {
      new Scene(open(at)).read(staged('1'));
      open({ ...at, mode: 'scratch' }).staging.begin();
    } finally {
      process.umask(before);
    }
    const modes = readdirSync(dirname(at.path)).map(
      (name) => `${name} ${(statSync(join(dirname(at.path), name)).mode & 0o777).toString(8)}`,
    );
    const names = ['ledger.db', `ledger.db.plan-${process.pid}`].flatMap((name) =>
      ['', '-shm', '-wal', '.staging'].map((end) => `${name}${end} 600`),
    );
    expect(modes.toSorted()).toEqual(names.toSorted());
  });

  test('of staging go at the end, and those of a crash at the next beginning', () => {
    const ledger = open();
    ledger.staging.begin();
    expect(files()).toContain('ledger.db.staging');
    ledger.staging.end();
    expect(files()).not.toContain('ledger.db.staging');
    writeFileSync(`${path}.staging`, 'left by a crash, and damaged');
    expect(new Scene(ledger).read(staged('1')).counts?.staged).toBe(1);
    ledger.close();
    expect(files()).toEqual(['ledger.db']);
  });

  test('never hold a secret in the clear', () => {
    const canary = 'CANARY-7f3a';
    const ledger = open();
    const scene = new Scene(ledger);
    const secrets = { password: canary, id_card: `${canary}-card`, source_identifiers: { A: canary } };
    for (let n = 0; n < 3_000; n += 1) ledger.staging.person(staged(String(n)), secrets);
    scene.read();
    const change = personChange('1');
    const call = ledger.journal.open({ operation: 'employee.import', items: itemsOf(change) });
    const bytes = Buffer.from(canary);
    const needles = [bytes, Buffer.from(canary, 'utf16le'), bytes.toString('base64'), bytes.toString('hex')];
    const leaks = () =>
      files().filter((name) => needles.some((needle) => readFileSync(join(folder, name)).includes(needle)));
    expect(statSync(`${path}.staging`).size).toBeGreaterThan(100_000);
    expect(leaks()).toEqual([]);
    expect(ledger.staging.secretsOf('2999')).toEqual(secrets);
    ledger.journal.settle(call, [{ is: 'imported', id: '1', change }]);
    ledger.close();
    expect(leaks()).toEqual([]);
  });
});

test('a crash after a call was opened leaves it to be settled, and its record in doubt', () => {
  const ledger = open();
  new Scene(ledger).read(staged('1'));
  const call = ledger.journal.open({ operation: 'employee.import', items: itemsOf(personChange('1')) });
  const copy = join(folder, 'crashed');
  mkdirSync(copy);
  for (const end of ['', '-wal'])
    if (existsSync(path + end)) copyFileSync(path + end, join(copy, `ledger.db${end}`));
  const next = open({ path: join(copy, 'ledger.db'), watch: watchOf(() => 3_600_000) });
  expect(next.journal.unsettled()).toMatchObject([
    { call, operation: 'employee.import', items: [{ subject: 'person', id: '1' }] },
  ]);
  expect(next.people.entry('1')?.state).toBe('creating');
  expect(next.lease.acquire('next')).toBeNull();
});

describe('the lease', () => {
  const leaseOf = (options: Partial<LedgerOptions>): Ledger['lease'] => open(options).lease;

  test('that is renewed is taken by nobody, whatever their clock and machine', () => {
    let ms = 0;
    const mine = leaseOf({ watch: watchOf(() => ms) });
    const ahead = leaseOf({ now: () => NOW + YEAR, watch: watchOf(() => ms) });
    const elsewhere = leaseOf({ now: () => NOW + YEAR, watch: watchOf(() => ms, 'another machine') });
    expect(mine.acquire('me')).toBeNull();
    for (; ms < 600_000; ms += 15_000) {
      expect(mine.renew()).toBe(true);
      expect([ahead.acquire('ahead'), elsewhere.acquire('elsewhere')]).toEqual(['me', 'me']);
    }
  });

  test.each([
    ['of the same start is taken when it was not renewed for its length', 'this start', 0],
    ['of another start of the machine, if somebody looked on for as long', 'the start before', 5_000_000],
    ['where the machine tells of no start, too', null, 5_000_000],
  ])('%s', (_, boot, begin) => {
    let ms = begin;
    expect(leaseOf({ now: () => NOW + YEAR, watch: watchOf(() => ms, boot) }).acquire('killed')).toBeNull();
    const next = leaseOf({ watch: watchOf(() => ms, boot === null ? null : 'this start') });
    const acquired = [0, 59_999, 60_000].map((waited) => {
      ms = begin + waited;
      return next.acquire('me');
    });
    expect(acquired).toEqual(['killed', 'killed', null]);
  });

  test('that was lost stops the holder before its next call, and its call in flight is read again', () => {
    let ms = 0;
    const [ledger, second] = [open({ watch: watchOf(() => ms) }), open({ watch: watchOf(() => ms) })];
    new Scene(ledger).read(staged('1'));
    const change = personChange('1');
    const send = (id: string) =>
      ledger.journal.open({ operation: 'employee.import', items: itemsOf(personChange(id)) });
    const call = send('1');
    ms += 600_000;
    expect(second.lease.acquire('other')).toBeNull();
    expect(ledger.lease.renew()).toBe(false);
    const lost = expect.objectContaining({ code: 'LEDGER' }) as Error;
    expect(() => send('2')).toThrow(lost);
    expect(() => ledger.journal.settle(call, [{ is: 'imported', id: '1', change }])).toThrow(lost);
    expect([ledger.people.entry('1')?.state, ledger.people.entry('2')]).toEqual(['creating', null]);
    expect(second.journal.unsettled()).toMatchObject([{ call }]);
    ledger.lease.release();
    expect(ledger.lease.acquire('third')).toBe('other');
    const copy = open({ mode: 'scratch' });
    expect(copy.journal.open({ operation: 'employee.import', items: [] })).toBeGreaterThan(0);
  });
});

describe('a scratch copy', () => {
  test('has what the ledger has, changes nothing of it, and leaves no file', () => {
    const ledger = open();
    new Scene(ledger).managed('1');
    ledger.staging.end();
    ledger.setFacts({ watermark: 5 });
    const before = contents();
    const scratch = open({ mode: 'scratch' });
    expect(scratch.people.entry('1')?.state).toBe('managed');
    scratch.staging.begin();
    atOnce(scratch.staging.finish());
    scratch.setFacts({ watermark: 9 });
    scratch.people.note('1', { is: 'missing', misses: 1, at: 1 });
    scratch.view.saveEmployees(['u1', 'x'], listed([employee('x')]));
    scratch.close();
    expect(contents()).toEqual(before);
    expect([ledger.fact('watermark'), ledger.people.entry('1')?.misses]).toEqual([5, 0]);
    ledger.close();
    expect(files()).toEqual(['ledger.db']);
  });

  test('takes away what a killed plan left an hour ago, not what may be at work', () => {
    open().close();
    const [old, young, other] = ['ledger.db.plan-1', 'ledger.db.plan-2', 'another.db.plan-1'];
    for (const name of [old, young, other]) writeFileSync(join(folder, name), '');
    const longAgo = Date.now() / 1000 - 3_700;
    for (const name of [old, other]) utimesSync(join(folder, name), longAgo, longAgo);
    open({ mode: 'scratch' }).close();
    expect(files().filter((name) => name.includes('.plan-'))).toEqual([other, young]);
  });

  test('can be made while a run writes', () => {
    const ledger = open();
    new Scene(ledger).managed('1');
    ledger.transaction(() => {
      ledger.setFacts({ watermark: 7 });
      const scratch = open({ mode: 'scratch' });
      expect([scratch.fact('watermark'), scratch.people.entry('1')?.state]).toEqual([null, 'managed']);
    });
    expect(ledger.fact('watermark')).toBe(7);
  });
});

test('a ledger that is only read can be read while a run writes, and cannot be written', () => {
  new Scene(open()).managed('1');
  const reader = open({ mode: 'read' });
  expect([
    reader.people.counts().managed,
    reader.view.unmanaged(0).count,
    reader.runs.last(5).length,
  ]).toEqual([1, 0, 2]);
  expect(() => reader.setFacts({ watermark: 1 })).toThrow(expect.objectContaining({ code: 'LEDGER' }));
});

test('a ledger that is only read has to be there, and begun', () => {
  expect(problemOf({ mode: 'read' })).toBe('ledger-not-there');
  expect(problemOf({ mode: 'read', path: join(folder, 'new/ledger.db') })).toBe('ledger-not-there');
  expect(files()).toEqual([]);
  writeFileSync(path, '');
  expect(problemOf({ mode: 'read' })).toBe('ledger-empty');
});

const withVersion = (version: number) => (): void => {
  open().close();
  file.raw((db) => db.pragma(`user_version = ${version}`));
};

describe.each(MODES)(
  'a file that cannot be used to %s is named as what it is, and stays as it is:',
  (mode) => {
    test.each<readonly [string, string, () => unknown, Partial<LedgerOptions>]>([
      ['of a later build', 'ledger-other-build', withVersion(99), {}],
      ['of an earlier build', 'ledger-other-build', withVersion(1), {}],
      ['of another organization', 'ledger-other-organization', () => open().close(), { binding: 'a/other' }],
      [
        'some text',
        'ledger-no-ledger',
        () => writeFileSync(path, 'no database, and long enough '.repeat(200)),
        {},
      ],
      [
        'of another program',
        'ledger-other-program',
        () => file.raw((db) => db.exec('CREATE TABLE employee (name TEXT)')),
        {},
      ],
      [
        'damaged',
        'ledger-damaged',
        () => {
          const ledger = open();
          new Scene(ledger).managed(...Array.from({ length: 200 }, (_, n) => String(n)));
          ledger.close();
          writeFileSync(path, readFileSync(path).fill(0x5a, 4_096));
        },
        {},
      ],
    ])('%s', (_, problem, make, options) => {
      make();
      const bytes = readFileSync(path);
      expect(problemOf({ mode, ...options })).toBe(problem);
      expect(readFileSync(path).equals(bytes)).toBe(true);
      expect(ownFiles()).toEqual(['ledger.db']);
    });

    test('a pipe', () => {
      execFileSync('mkfifo', ['-m', '644', path]);
      expect(problemOf({ mode })).toBe('ledger-no-file');
      expect(statSync(path).mode & 0o777).toBe(0o644);
    });

    test('of another user', ({ skip }) => {
      if (process.getuid?.() !== 0 || process.seteuid === undefined) skip('needs root');
      spawnSync('chmod', ['755', folder]);
      open().close();
      process.seteuid?.(65_534);
      try {
        for (const at of [path, join(folder, 'new.db')])
          expect(problemOf({ mode, path: at })).toMatch(/^ledger-/u);
      } finally {
        process.seteuid?.(0);
      }
      expect(ownFiles()).toEqual(['ledger.db']);
    });
  },
);

test.each(['write', 'scratch'] as const)('a place below a file cannot be written (%s)', (mode) => {
  writeFileSync(path, '');
  expect(problemOf({ mode, path: join(path, 'ledger.db') })).toBe('ledger-unwritable');
});

test('on a full disk what was written before stays', () => {
  const db = new Database(path, { readonly: false });
  db.exec('CREATE TABLE t (x TEXT)');
  db.sql('INSERT INTO t VALUES (?)').run('before');
  db.pragma('max_page_count = 4');
  const write = () => db.transaction(() => db.sql('INSERT INTO t VALUES (?)').run('x'.repeat(100_000)));
  expect(write).toThrow(expect.objectContaining({ problem: 'ledger-full' }));
  expect(db.sql('SELECT x FROM t').all()).toEqual([{ x: 'before' }]);
  db.close();
});

test.each([
  ['gone', () => rmSync(path)],
  ['empty', () => truncateSync(path)],
])('a process that has worked with a ledger begins no new one if it is %s', (_, lose) => {
  const first = open();
  first.setFacts({ lastFull: 7 });
  first.close();
  renameSync(path, `${path}.kept`);
  open().close();
  lose();
  expect(problemOf({ isKnown: true })).toBe('ledger-gone');
  renameSync(`${path}.kept`, path);
  expect(open({ isKnown: true }).fact('lastFull')).toBe(7);
});

test('a ledger stays locked by its run if this process opens it once more', () => {
  open().setFacts({ lastFull: 7 });
  const mine = new RegExp(` ${process.pid} [^ ]*:${statSync(path).ino} `, 'u');
  expect(readFileSync('/proc/locks', 'utf8')).toMatch(mine);
  open().close();
  expect(readFileSync('/proc/locks', 'utf8')).toMatch(mine);
});

test('a ledger is begun behind a link to a file that is still to come', () => {
  symlinkSync(`${path}.target`, path);
  open().close();
  expect(statSync(`${path}.target`).size).toBeGreaterThan(0);
});
