import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import Database from 'better-sqlite3';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import type { KeptPart, KeptRow } from '../../src/domain/ports/source-keep.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { compiled } from '../runtime/compiled.ts';
import { keepingLedger } from '../source/kept/kept-world.ts';

const PEOPLE: KeptPart = {
  part: 'people',
  kind: 'ldap',
  place: 'ldap.example.com',
  ask: { base: 'dc=example,dc=com', filter: '(objectClass=person)' },
  names: ['entryUUID', 'uid', 'cn', 'mail', 'title', 'departmentNumber', 'telephoneNumber', 'memberOf'],
};
const STAFF: KeptPart = {
  ...PEOPLE,
  part: 'partners',
  kind: 'sqlite',
  place: 'hr.db',
  names: ['no', 'login'],
};
const END = { left: {}, unknown: {} };

/** Returns text that looks like chance and is the same in every run. */
const hex = (seed: number, length: number): string =>
  createHash('sha256').update(`${seed}`).digest('hex').slice(0, length);

/** A person as directories have them: ids by chance, names of their own, some groups. */
function person(n: number, title = `Title ${n % 40}`): KeptRow {
  const [uid, name] = [`u${n}${hex(n, 4)}`, `Given${hex(n + 7, 4)} Family${hex(n + 9, 6)}`];
  const groups = Array.from(
    { length: 1 + (n % 6) },
    (_, i) => `cn=group-${(n * 7 + i * 13) % 300},ou=groups,dc=example,dc=com`,
  );
  return {
    values: [
      hex(n, 32),
      uid,
      name,
      `${uid}@example.com`,
      title,
      `D${n % 200}`,
      `+49 89 ${hex(n, 7)}`,
      groups,
    ],
    whose: [hex(n, 32), uid],
    place: `cn=${name},ou=D${n % 200},ou=people,dc=example,dc=com`,
    unknown: [],
    garbled: [],
    problem: null,
  };
}

function keep(
  ledger: Ledger,
  at: number,
  rows: Iterable<KeptRow>,
  partners: readonly KeptRow[] = [],
): string | null {
  ledger.kept.begin(at);
  for (const [part, all] of [
    [PEOPLE, rows],
    [STAFF, partners],
  ] as const) {
    const taking = ledger.kept.part(part);
    for (const row of all) taking?.add(() => row, null);
    taking?.end(() => END);
  }
  return ledger.kept.replace();
}

function* people(count: number, from = 0): Iterable<KeptRow> {
  for (let n = from; n < count; n += 1) yield person(n);
}

function rowsIn(ledger: Ledger, part = 0): readonly KeptRow[] {
  const read = ledger.kept.open();
  const rows = read === null ? [] : [...read.rows(part)].flat();
  read?.close();
  return rows;
}

const pagesIn = (file: string): ReadonlySet<string> => {
  const db = new Database(file, { readonly: true });
  const rows = db.prepare('select hex(digest) as digest from page').all() as { readonly digest: string }[];
  db.close();
  return new Set(rows.map(({ digest }) => digest));
};

test('ten thousand people take much less than a kilobyte each, and come back as they were', () => {
  const { ledger } = keepingLedger();
  expect(keep(ledger, 5, people(10_000))).toBeNull();
  const size = ledger.kept.size();
  expect(size).toMatchObject({ at: 5, people: 10_000 });
  const each = (size?.bytes ?? Infinity) / 10_000;
  process.stdout.write(`kept: ${Math.round(each)} bytes a person\n`);
  expect(each).toBeLessThan(400);
  const rows = rowsIn(ledger);
  expect([rows.length, rows[0], rows[9_999]]).toEqual([10_000, person(0), person(9_999)]);
});

test('what is wrong with a record is kept with it', () => {
  const { ledger } = keepingLedger();
  const problem = { field: 'positions', reason: 'several people' };
  const rows = [person(0), { ...person(1), unknown: [1], garbled: [2, 3] }, { ...person(2), problem }];
  keep(ledger, 5, rows);
  expect(rowsIn(ledger)).toEqual(rows);
});

test('a read with nothing new writes no page, and one with somebody more writes a few', () => {
  const { ledger, file } = keepingLedger();
  keep(ledger, 5, people(3_000));
  const first = pagesIn(file);
  keep(ledger, 6, people(3_000));
  expect([pagesIn(file), ledger.kept.size()?.at]).toEqual([first, 6]);
  keep(ledger, 7, [person(9_999_999), ...people(3_000)]);
  const later = pagesIn(file);
  const written = [...later].filter((digest) => !first.has(digest));
  expect(first.size).toBeGreaterThan(20);
  expect(written.length).toBeLessThan(3);
  expect(rowsIn(ledger)).toHaveLength(3_001);
});

test('a read that does not end leaves the older one whole, whatever it has written', () => {
  const { ledger, path } = keepingLedger();
  keep(ledger, 5, people(1_000));
  ledger.kept.begin(6);
  const taking = ledger.kept.part(PEOPLE);
  for (const row of people(2_000, 500)) taking?.add(() => row, null);
  const other = openLedger({ path, binding: 'a/b', now: () => 1, mode: 'read' });
  expect([rowsIn(other).length, other.kept.size()?.at]).toEqual([1_000, 5]);
  other.close();
  ledger.kept.begin(7);
  expect(rowsIn(ledger)).toEqual([...people(1_000)]);
  keep(ledger, 8, people(10));
  expect(rowsIn(ledger)).toHaveLength(10);
});

test('a process that is killed while it keeps a read leaves the older one whole', async () => {
  const { ledger, path } = keepingLedger();
  keep(ledger, 5, people(1_000));
  const script = `${path}.mjs`;
  writeFileSync(
    script,
    `import { openLedger } from ${JSON.stringify(join(compiled(['src']), 'src/ledger/open-ledger.js'))};
     const ledger = openLedger({ path: ${JSON.stringify(path)}, binding: 'a/b', now: () => 1, mode: 'write' });
     ledger.kept.begin(6);
     const rows = ledger.kept.part(${JSON.stringify(PEOPLE)});
     for (let n = 0; n < 400_000; n += 1) {
       rows.add(() => ({ values: [String(n)], whose: [], place: null, unknown: [], garbled: [], problem: null }), null);
       if (n === 20_000) process.stdout.write('going');
     }`,
  );
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect([rowsIn(ledger), ledger.kept.size()?.at]).toEqual([[...people(1_000)], 5]);
  keep(ledger, 7, people(1_000));
  expect(pagesIn(`${path}.source`).size).toBeLessThan(100);
});

test('a part is kept once, however often it is read', () => {
  const { ledger } = keepingLedger();
  expect(ledger.kept.part(PEOPLE)).toBeNull();
  ledger.kept.begin(5);
  ledger.kept.part(PEOPLE)?.end(() => END);
  expect(ledger.kept.part({ ...PEOPLE })).toBeNull();
  expect(ledger.kept.part({ ...PEOPLE, names: ['uid'] })).not.toBeNull();
});

test('whoever is erased is in no record and in no byte of the file; partners with the name go too', () => {
  const { ledger, file } = keepingLedger();
  const partner = (...values: readonly string[]): KeptRow => ({
    ...person(0),
    values,
    whose: [],
    place: null,
  });
  keep(ledger, 5, people(500), [partner('77', 'other'), partner('78', 'U7X')]);
  const { values, whose } = person(42);
  ledger.kept.erase([...whose, 'u7x']);
  expect(rowsIn(ledger)).toEqual([...people(500)].filter((row) => row.values[1] !== values[1]));
  expect(rowsIn(ledger, 1).map((row) => row.values)).toEqual([['77', 'other']]);
  const db = new Database(file, { readonly: true });
  expect(db.pragma('freelist_count', { simple: true })).toBe(0);
  expect(
    db.prepare('select count(*) as n from page where id not in (select page from sequence)').get(),
  ).toEqual({ n: 0 });
  db.close();
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
});

test('what is damaged, of another organization or cannot be written costs what is kept, and nothing else', () => {
  const { ledger, path, file } = keepingLedger();
  keep(ledger, 5, people(10));
  const other = openLedger({ path: `${path}2`, binding: 'a/c', now: () => 1, mode: 'write' });
  keep(other, 5, people(3));
  other.close();
  const db = new Database(file);
  db.exec(`update kept set binding = 'a/c'`);
  db.close();
  expect(ledger.kept.open()).toBeNull();
  expect(keep(ledger, 6, people(2))).toBeNull();
  expect(rowsIn(ledger)).toHaveLength(2);
  const broken = new Database(file);
  broken.exec('drop table page');
  broken.close();
  expect(keep(ledger, 7, people(2))).toContain('no such table: page');
});
