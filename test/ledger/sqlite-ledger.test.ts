import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { atOnce } from '../../src/lib/in-steps.ts';
import { ConfigError, EXIT, LedgerError, RollcallError } from '../../src/domain/errors.ts';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import type { Watch } from '../../src/domain/ports/watch.ts';
import { Database } from '../../src/ledger/database/database.ts';
import { openLedger, type LedgerOptions } from '../../src/ledger/open-ledger.ts';
import { describeLedger } from './ledger-contract.ts';
import { employee, itemsOf, personChange, Scene, staged } from './records.ts';
import { listed } from '../doubles/listed.ts';

const BINDING = 'example/acme';
const NOW = 1_700_000_000_000;

for (const mode of ['write', 'scratch'] as const) {
  describeLedger(`SQLite (${mode})`, (clock) => {
    const own = mkdtempSync(join(tmpdir(), 'rollcall-ledger-'));
    const options = {
      path: join(own, 'ledger.db'),
      binding: BINDING,
      now: () => clock.now,
      watch: watchOf(() => clock.now),
      mode,
    };
    const ledger = openLedger(options);
    return {
      ledger,
      other: () => (mode === 'write' ? openLedger(options) : null),
      stop() {
        ledger.close();
        rmSync(own, { recursive: true });
      },
    };
  });
}

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-ledger-'));
  path = join(folder, 'ledger.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The machine's, in one start of it. */
const watchOf = (now: () => number, boot: string | null = 'this start'): Watch => ({ boot, now });

function open(mode: LedgerOptions['mode'] = 'write', options: Partial<LedgerOptions> = {}): Ledger {
  return openLedger({ path, binding: BINDING, now: () => NOW, watch: watchOf(() => 0), mode, ...options });
}

/** What opening fails with. */
function failure(mode: LedgerOptions['mode'] = 'write', options: Partial<LedgerOptions> = {}): RollcallError {
  try {
    open(mode, options).close();
  } catch (error) {
    if (error instanceof RollcallError) return error;
    throw error;
  }
  throw new Error('was opened');
}

const files = () => readdirSync(folder).toSorted();
/** SQLite keeps these beside a ledger that somebody only reads. */
const ownFiles = () => files().filter((file) => !/-(?:wal|shm)$/u.test(file));

/** Of all files; who holds which lock (-shm) is no content. */
const contents = () =>
  files().map((file) => [file, file.endsWith('-shm') ? '' : readFileSync(join(folder, file), 'base64')]);

describe('the files', () => {
  test.each([0o000, 0o022])('are for their owner only, whatever the mask (%s)', (mask) => {
    const before = process.umask(mask);
    try {
      const ledger = open('write', { path: join(folder, 'new', 'ledger.db') });
      new Scene(ledger).read(staged('1'));
      const scratch = open('scratch', { path: join(folder, 'new', 'ledger.db') });
      scratch.staging.begin();
      const modes = readdirSync(join(folder, 'new')).map(
        (file) => `${file} ${(statSync(join(folder, 'new', file)).mode & 0o777).toString(8)}`,
      );
      const copy = `ledger.db.plan-${process.pid}`;
      const names = ['ledger.db', copy].flatMap((name) =>
        ['', '-shm', '-wal', '.staging'].map((end) => name + end),
      );
      expect(modes.toSorted()).toEqual(names.map((name) => `${name} 600`).toSorted());
      scratch.close();
      ledger.close();
    } finally {
      process.umask(before);
    }
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
    const needles = (['utf8', 'utf16le', 'base64', 'hex'] as const).map((as) =>
      as === 'utf8' || as === 'utf16le'
        ? Buffer.from(canary, as)
        : Buffer.from(Buffer.from(canary).toString(as)),
    );
    const leaks = () =>
      files().filter((file) => needles.some((needle) => readFileSync(join(folder, file)).includes(needle)));
    expect(statSync(`${path}.staging`).size).toBeGreaterThan(100_000);
    expect(leaks()).toEqual([]);
    expect(ledger.staging.secretsOf('2999')).toEqual(secrets);
    ledger.journal.settle(call, [{ is: 'imported', id: '1', change }]);
    ledger.close();
    expect(leaks()).toEqual([]);
  });
});

/** What the disk holds at this moment, opened as the next process would. */
function afterCrash(): Ledger {
  const copy = join(folder, 'crashed');
  mkdirSync(copy);
  for (const suffix of ['', '-wal']) {
    if (existsSync(path + suffix)) copyFileSync(path + suffix, join(copy, `ledger.db${suffix}`));
  }
  return open('write', { path: join(copy, 'ledger.db'), watch: watchOf(() => 3_600_000) });
}

describe('a crash', () => {
  test('after a call was opened leaves it to be settled, and its record in doubt', () => {
    const ledger = open();
    new Scene(ledger).read(staged('1'));
    const call = ledger.journal.open({ operation: 'employee.import', items: itemsOf(personChange('1')) });
    const next = afterCrash();
    expect(next.journal.unsettled()).toMatchObject([
      { call, operation: 'employee.import', items: [{ subject: 'person', id: '1' }] },
    ]);
    expect(next.people.entry('1')?.state).toBe('creating');
    expect(next.lease.acquire('next')).toBeNull();
    next.close();
    ledger.close();
  });
});

const YEAR = 365 * 86_400_000;

function leaseOf(options: Partial<LedgerOptions>): Ledger['lease'] {
  const ledger = open('write', options);
  onTestFinished(() => ledger.close());
  return ledger.lease;
}

describe('the lease, whatever was done to a clock', () => {
  test('a process whose clock is years ahead takes none that is still renewed', () => {
    let ms = 0;
    const mine = leaseOf({ watch: watchOf(() => ms) });
    const ahead = leaseOf({ now: () => NOW + YEAR, watch: watchOf(() => ms) });
    const elsewhere = leaseOf({ now: () => NOW + YEAR, watch: watchOf(() => ms, 'another machine') });
    expect(mine.acquire('me')).toBeNull();
    for (; ms < 600_000; ms += 15_000) {
      expect(mine.renew()).toBe(true);
      expect(ahead.acquire('ahead')).toBe('me');
      expect(elsewhere.acquire('elsewhere')).toBe('me');
    }
  });

  test('one that was killed while its clock was years ahead delays no longer than the lease lasts', () => {
    expect(leaseOf({ now: () => NOW + YEAR }).acquire('killed')).toBeNull();
    expect(leaseOf({ watch: watchOf(() => 60_000) }).acquire('me')).toBeNull();
  });

  test.each([
    ['of another start of the machine', 'the start before'],
    ['where the machine tells of no start', null],
  ])('%s is taken when it was not renewed for its length while somebody looked', (_, boot) => {
    let ms = 5_000_000;
    expect(leaseOf({ now: () => NOW + YEAR, watch: watchOf(() => ms, boot) }).acquire('killed')).toBeNull();
    const next = leaseOf({ watch: watchOf(() => ms, boot === null ? null : 'this start') });
    expect(next.acquire('me')).toBe('killed');
    ms += 59_999;
    expect(next.acquire('me')).toBe('killed');
    ms += 1;
    expect(next.acquire('me')).toBeNull();
  });
});

describe('runs', () => {
  test('are ordered as they were made, whatever the clock said', () => {
    const ledger = open();
    for (const [id, at] of [
      ['first', NOW],
      ['in a wrong year', NOW + YEAR],
      ['last', NOW + 1],
    ] as const)
      ledger.runs.begin({ id, kind: 'full', at });
    expect(ledger.runs.last(3).map(({ id }) => id)).toEqual(['last', 'in a wrong year', 'first']);
    ledger.close();
  });
});

describe('a scratch copy', () => {
  test('has what the ledger has, changes nothing of it, and leaves no file', () => {
    const ledger = open();
    new Scene(ledger).managed('1');
    ledger.staging.end();
    ledger.setFacts({ watermark: 5 });
    const before = contents();
    const scratch = open('scratch');
    expect(scratch.people.entry('1')?.state).toBe('managed');
    scratch.staging.begin();
    atOnce(scratch.staging.finish());
    scratch.setFacts({ watermark: 9 });
    scratch.people.note('1', { is: 'missing', misses: 1, at: 1 });
    scratch.view.saveEmployees(['u1', 'x'], listed([employee('x')]));
    scratch.close();
    expect(contents()).toEqual(before);
    expect(ledger.fact('watermark')).toBe(5);
    expect(ledger.people.entry('1')?.misses).toBe(0);
    ledger.close();
    expect(files()).toEqual(['ledger.db']);
  });

  test('takes away what a killed plan left an hour ago, not what may be at work', () => {
    open().close();
    const [old, young, other] = ['ledger.db.plan-1', 'ledger.db.plan-2', 'another.db.plan-1'];
    for (const name of [old, young, other]) writeFileSync(join(folder, name), '');
    const longAgo = Date.now() / 1000 - 3_700;
    for (const name of [old, other]) utimesSync(join(folder, name), longAgo, longAgo);
    open('scratch').close();
    expect(files().filter((name) => name.includes('.plan-'))).toEqual([other, young]);
  });

  test('can be made while a run writes', () => {
    const ledger = open();
    const scene = new Scene(ledger).managed('1');
    ledger.transaction(() => {
      ledger.setFacts({ watermark: 7 });
      const scratch = open('scratch');
      expect(scratch.fact('watermark')).toBeNull();
      expect(scratch.people.entry('1')?.state).toBe('managed');
      scratch.close();
    });
    expect(scene.ledger.fact('watermark')).toBe(7);
    ledger.close();
  });
});

describe('a ledger that is only read', () => {
  test('can be read while a run writes, and cannot be written', () => {
    const ledger = open();
    new Scene(ledger).managed('1');
    const reader = open('read');
    expect(reader.people.counts().managed).toBe(1);
    expect(reader.view.unmanaged(0).count).toBe(0);
    expect(reader.runs.last(5)).toHaveLength(2);
    expect(() => reader.setFacts({ watermark: 1 })).toThrow(LedgerError);
    reader.close();
    ledger.close();
  });

  test.each(['ledger.db', 'new/ledger.db'])('must be there (%s)', (file) => {
    expect(failure('read', { path: join(folder, file) }).problem).toBe('ledger-not-there');
    expect(files()).toEqual([]);
  });

  test('must not be empty', () => {
    writeFileSync(path, '');
    expect(failure('read').problem).toBe('ledger-empty');
  });
});

describe.each(['write', 'scratch', 'read'] as const)('a ledger opened to %s', (mode) => {
  test.each([99, 2])('that another build made (version %i) is refused, and stays as it is', (version) => {
    open().close();
    const other = new Sqlite(path);
    other.pragma(`user_version = ${version}`);
    other.close();
    const bytes = readFileSync(path);
    const error = failure(mode);
    expect(error).toBeInstanceOf(LedgerError);
    expect(error.exitCode).toBe(EXIT.failed);
    expect(error.problem).toBe('ledger-other-build');
    expect(error.message).toContain(`(version ${version}, this one has 1)`);
    expect(readFileSync(path)).toEqual(bytes);
    expect(ownFiles()).toEqual(['ledger.db']);
  });

  test('that belongs to another organization is a mistake of the configuration', () => {
    open().close();
    const error = failure(mode, { binding: 'example/other' });
    expect(error).toBeInstanceOf(ConfigError);
    expect(error.exitCode).toBe(EXIT.usage);
    expect(error.problem).toBe('ledger-other-organization');
    expect(ownFiles()).toEqual(['ledger.db']);
  });

  test('that is no ledger is told so', () => {
    writeFileSync(path, 'some text that is no database, and long enough to be looked at '.repeat(100));
    const error = failure(mode);
    expect(error).toBeInstanceOf(LedgerError);
    expect(error.problem).toBe('ledger-no-ledger');
    expect(ownFiles()).toEqual(['ledger.db']);
  });

  test('that is a pipe is told so at once, and stays as it is', () => {
    execFileSync('mkfifo', ['-m', '644', path]);
    expect(failure(mode).problem).toBe('ledger-no-file');
    expect(statSync(path).mode & 0o777).toBe(0o644);
  });

  test('that is the database of another program is refused, and stays as it is', () => {
    const foreign = new Sqlite(path);
    foreign.exec('CREATE TABLE employee (name TEXT)');
    foreign.close();
    const before = contents();
    expect(failure(mode).problem).toBe('ledger-other-program');
    expect(contents()).toEqual(before);
  });

  test('that is damaged is told so, with what to do', () => {
    const ledger = open();
    new Scene(ledger).managed(...Array.from({ length: 200 }, (_, n) => String(n)));
    ledger.close();
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 4_096);
    writeFileSync(path, bytes);
    expect(() => {
      const damaged = open(mode);
      try {
        damaged.staging.known('1');
        damaged.people.entry('1');
      } finally {
        damaged.close();
      }
    }).toThrow(expect.objectContaining({ problem: 'ledger-damaged' }));
    expect(ownFiles()).toEqual(['ledger.db']);
  });
});

describe('a place that cannot be written', () => {
  test.each(['write', 'scratch'] as const)('below a file is told so (%s)', (mode) => {
    writeFileSync(path, '');
    const error = failure(mode, { path: join(path, 'ledger.db') });
    expect(error).toBeInstanceOf(LedgerError);
    expect(error.problem).toBe('ledger-unwritable');
  });

  test('of another user is told so', ({ skip }) => {
    if (process.getuid?.() !== 0 || process.seteuid === undefined) skip('needs root');
    spawnSync('chmod', ['755', folder]);
    open().close();
    process.seteuid?.(65_534);
    try {
      for (const mode of ['write', 'scratch', 'read'] as const) {
        expect(failure(mode)).toBeInstanceOf(LedgerError);
        expect(failure(mode, { path: join(folder, 'new.db') })).toBeInstanceOf(LedgerError);
      }
    } finally {
      process.seteuid?.(0);
    }
    expect(ownFiles()).toEqual(['ledger.db']);
  });
});

test('a full disk is told so, and what was written before stays', () => {
  const db = new Database(path, { readonly: false });
  db.exec('CREATE TABLE t (x TEXT)');
  db.sql('INSERT INTO t VALUES (?)').run('before');
  db.pragma('max_page_count = 4');
  const write = () => db.transaction(() => db.sql('INSERT INTO t VALUES (?)').run('x'.repeat(100_000)));
  expect(write).toThrow(expect.objectContaining({ problem: 'ledger-full' }));
  expect(db.sql('SELECT x FROM t').all()).toEqual([{ x: 'before' }]);
  db.close();
});
