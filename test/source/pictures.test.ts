import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoppedError } from '../../src/domain/errors.ts';
import type { SqlSettings } from '../../src/source/sql/kind.ts';
import type { FieldRule } from '../../src/domain/source-settings.ts';
import { openSource } from '../../src/source/open-source.ts';
import { PictureFolder, PictureReader, showReference } from '../../src/source/pictures/picture-reader.ts';
import { hasServer } from '../servers/install.ts';
import { toLdif } from '../servers/ldif.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { startSlapd } from '../servers/slapd.ts';
import { BASE, ldapSettings, worldLdif } from './ldap-world.ts';
import { collect, never, readAll } from './source-contract.ts';
import { worldSettings, worldSql } from './sql-world.ts';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const png = (words: string): Buffer => Buffer.concat([PNG, Buffer.from(words)]);
const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');
const logo = (bytes: Buffer): string => `md5:${md5(bytes)}`;

let folder = '';
const open: (() => Promise<void>)[] = [];
beforeEach(() => {
  folder = scratchFolder('pictures');
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
  removeFolder(folder);
});

function put(name: string, bytes: Buffer = png(name)): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** Units with these values in their column `logo`. */
function settingsOf(values: readonly (string | Buffer | null)[], rule: FieldRule = 'logo'): SqlSettings {
  const path = join(folder, 'hr.db');
  const database = new Database(path);
  for (const sql of worldSql()) database.exec(sql);
  database.exec('delete from department; alter table department add column logo');
  const insert = database.prepare(`insert into department (id, name, logo) values (?, ?, ?)`);
  for (const [index, value] of values.entries()) insert.run(`u${index}`, `Unit ${index}`, value);
  database.close();
  const { units, ...settings } = worldSettings(`sqlite:${path}`);
  const query = 'select id, parent_id, name, logo from department';
  return { ...settings, units: { query, rules: { ...units.rules, fields: { name: 'name', logo: rule } } } };
}

/** The logo of each unit, or why it has none. */
async function logosOf(
  values: readonly (string | Buffer | null)[],
  rule?: FieldRule,
): Promise<readonly unknown[]> {
  const { units } = await readAll(openSource(settingsOf(values, rule)));
  return units
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ fields, losses }) => losses?.[0]?.reason ?? fields['logo']);
}

test('a text with a million blanks is no picture, and is shown as it is', () => {
  const text = `iVBORw0KGgo${' '.repeat(1_000_000)}!`;
  expect(showReference(text)).toBe(text);
});

describe('the logo of a unit', () => {
  test('is the picture of a path, of a file: URL, and of bytes, as text or as they are', async () => {
    const path = put('a b.png');
    const jpeg = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from('jpeg')]);
    const values = [
      path,
      pathToFileURL(path).href,
      relative(process.cwd(), path),
      jpeg,
      png('text').toString('base64'),
      `data:image/png;base64,${png('data').toString('base64')}`,
      null,
      '',
    ];
    const same = logo(png('a b.png'));
    expect(await logosOf(values)).toEqual([
      same,
      same,
      same,
      logo(jpeg),
      logo(png('text')),
      logo(png('data')),
      null,
      null,
    ]);
  });

  test('may be one constant for all', async () => {
    const path = put('all.png');
    expect(await logosOf([null, null], { const: path })).toEqual([
      logo(png('all.png')),
      logo(png('all.png')),
    ]);
  });
});

describe('a picture that cannot be used is named with its reason', () => {
  test('of files and bytes', async () => {
    const values = [
      join(folder, 'none.png'),
      folder,
      put('empty.png', Buffer.alloc(0)),
      put('page.png', Buffer.from('<svg/>')),
      put('large.png', Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)])),
      Buffer.from('%PDF'.repeat(300)),
      Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]),
    ];
    const reasons = (await logosOf(values)).map((reason) => String(reason).replace(/^"[^"]*" /u, '… '));
    expect(reasons).toEqual([
      '… there is no such file',
      '… is no file',
      '… is empty',
      '… is no picture; PNG, JPEG, GIF and WebP are taken',
      '… is larger than 5 MB',
      'is no picture; PNG, JPEG, GIF and WebP are taken',
      'is larger than 5 MB',
    ]);
  });

  test('of addresses, which are not read, and none of them is shown', async () => {
    const addresses = [
      'https://kim:s3cret@127.0.0.1/a.png',
      'HTTP://127.0.0.1/a.png',
      'ftp://127.0.0.1/a.png',
    ];
    const reasons = await logosOf(addresses);
    expect(reasons).toEqual(addresses.map(() => expect.stringMatching(/\baddress\b/u)));
    expect(String(reasons)).not.toMatch(/s3cret|127\.0\.0\.1/u);
  });

  test('and no file is read once the read is stopped', async () => {
    const reader = new PictureReader(new PictureFolder(null), AbortSignal.abort());
    await expect(reader.read(put('one.png'))).rejects.toThrow(StoppedError);
  });
});

describe('the files of pictures', () => {
  test('stand beside the ledger for this user alone, one for each picture, and go at the end', async () => {
    const left = join(folder, 'l.db.logos-4194399');
    const working = join(folder, `l.db.logos-${process.ppid}`);
    for (const one of [left, working]) mkdirSync(one);
    const settings = settingsOf([put('one.png'), png('one.png'), png('two')]);
    const read = await openSource(settings, { pictures: join(folder, 'l.db') }).open(never);
    await collect(read.units());
    await read.close();
    const file = read.pictures?.fileOf(md5(png('two'))) ?? '';
    expect(readFileSync(file).equals(png('two'))).toBe(true);
    expect(readdirSync(dirname(file))).toHaveLength(2);
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect([existsSync(left), existsSync(working)]).toEqual([false, true]);
    read.pictures?.end();
    expect(existsSync(dirname(file))).toBe(false);
  });

  test('are none where nothing is sent, and a folder that cannot be written costs the logos alone', async () => {
    const settings = settingsOf([png('one')]);
    const looked = await openSource(settings).open(never);
    await collect(looked.units());
    expect(looked.pictures?.fileOf(md5(png('one')))).toBeNull();
    await looked.close();
    const read = await openSource(settings, { pictures: join(folder, 'missing', 'l.db') }).open(never);
    const [unit] = await collect(read.units());
    await read.close();
    expect(unit?.ok === true && unit.record.losses?.[0]?.reason).toMatch(/ ledger: ENOENT/u);
  });
});

test('a raw picture is counted and not shown', async () => {
  const [sample] = await openSource(settingsOf([png('x'.repeat(992))])).find('unit', ['u0'], never);
  expect(sample?.raw['logo']).toEqual(['(1,000 bytes)']);
  expect(sample?.reading.ok === true && sample.reading.record.fields).toMatchObject({
    logo: logo(png('x'.repeat(992))),
  });
});

test.skipIf(!hasServer('slapd'))('the bytes of a directory are taken as they are', async () => {
  const bytes = Buffer.concat([
    Buffer.from('ffd8ffe000104a464946', 'hex'),
    Buffer.from(Array.from({ length: 256 }, (_, n) => n)),
  ]);
  const names = { ou: 'pictured', description: 'Pictured', businessCategory: 'pic' };
  const objectClass = ['organizationalUnit', 'extensibleObject'];
  const ldif = toLdif([[`ou=pictured,${BASE}`, { objectClass, ...names, jpegPhoto: bytes }]]);
  const server = await startSlapd({ ldif: `${worldLdif()}\n${ldif}` });
  open.push(() => server.stop());
  const { units, ...settings } = ldapSettings(server);
  const rules = { ...units.rules, fields: { ...units.rules.fields, logo: 'jpegPhoto' } };
  const read = await readAll(openSource({ ...settings, units: { ...units, rules } }));
  expect(read.units.find(({ id }) => id === 'pic')?.fields['logo']).toBe(logo(bytes));
});
