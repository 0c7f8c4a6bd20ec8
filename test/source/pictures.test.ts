import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StoppedError } from '../../src/domain/errors.ts';
import type { FieldRule, SqlSettings } from '../../src/domain/source-settings.ts';
import { openSource } from '../../src/source/open-source.ts';
import { hasServer } from '../servers/install.ts';
import { toLdif } from '../servers/ldif.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { startSlapd } from '../servers/slapd.ts';
import { BASE, ldapSettings, worldLdif } from './ldap-world.ts';
import { collect, never, readAll } from './source-contract.ts';
import { worldSettings, worldSql } from './sql-world.ts';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const png = (words: string): Buffer => Buffer.concat([PNG, Buffer.from(words)]);
const ITSELF = 'give the address of the picture itself';
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

async function listen(answer: RequestListener): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? ''}`.trim());
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  open.push(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return { url: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
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

  test('is fetched from an address once, whoever has it, behind redirects', async () => {
    const { url, asked } = await listen((request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end();
      else response.end(png('fetched'));
    });
    const values = [`http://${url}/a`, `http://${url}/a`, `http://${url}/b`];
    expect(await logosOf(values)).toEqual([logo(png('fetched')), logo(png('fetched')), logo(png('fetched'))]);
    expect(asked.toSorted()).toEqual(['/a', '/b', '/b']);
  });

  test('gives user and password of an address to its own host alone, and shows them nowhere', async () => {
    const other = await listen((_, response) => response.end('no picture'));
    const { url, asked } = await listen((_, response) =>
      response.writeHead(301, { location: `http://ann:s3cret@${other.url}/x?key=s3cret#s3cret` }).end(),
    );
    const [reason] = await logosOf([`http://kim:s3cret@${url}/a?key=s3cret#s3cret`]);
    expect(asked).toEqual(['/a?key=s3cret Basic a2ltOnMzY3JldA==']);
    expect(other.asked).toEqual(['/x?key=s3cret']);
    expect(reason).toBe(
      `"http://${url}/a" is redirected to "http://${other.url}/x", which is no picture; PNG, JPEG, GIF and WebP are taken; ${ITSELF}`,
    );
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
      'ftp://host/a.png',
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
      '… has ftp:, and only file:, http: and https: are read',
      'is larger than 5 MB',
    ]);
  });

  test('of addresses; a host that is down is asked three times for all pictures together', async () => {
    const { url, asked } = await listen((request, response) => {
      if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end();
      else if (request.url === '/out') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      else if (request.url === '/large') response.end(Buffer.concat([PNG, Buffer.alloc(6 * 1024 * 1024)]));
      else if (request.url?.startsWith('/down') === true) request.socket.destroy();
      else if (request.url === '/nowhere') response.writeHead(302).end();
      else if (request.url === '/moved') response.writeHead(302, { location: '/missing' }).end();
      else if (request.url === '/same') response.writeHead(304).end();
      else response.writeHead(404).end();
    });
    const paths = ['/loop', '/out', '/large', '/missing', '/nowhere', '/moved', '/same'];
    const reasons = await logosOf(paths.map((path) => `http://${url}${path}`));
    expect(reasons).toEqual([
      `"http://${url}/loop" is redirected 5 times, at last to "http://${url}/loop", which is redirected once more; ${ITSELF}`,
      `"http://${url}/out" is redirected to file:, and only http: and https: are read; ${ITSELF}`,
      `"http://${url}/large" is larger than 5 MB`,
      `"http://${url}/missing" the host answers HTTP 404`,
      `"http://${url}/nowhere" is redirected (HTTP 302) without saying where to; ${ITSELF}`,
      `"http://${url}/moved" is redirected to "http://${url}/missing": the host answers HTTP 404; ${ITSELF}`,
      `"http://${url}/same" the host answers HTTP 304`,
    ]);
    removeFolder(folder);
    mkdirSync(folder);
    const down = await logosOf(Array.from({ length: 20 }, (_, n) => `http://${url}/down${n}`));
    expect(down.every((reason) => /the connection broke|did not answer \d times/u.test(String(reason)))).toBe(
      true,
    );
    // Those under way when the third fails are asked for as well.
    expect(asked.filter((path) => path.startsWith('/down')).length).toBeLessThan(12);
  });

  test('of addresses that cannot be asked, each with its cause', async () => {
    const odd = createTcpServer((socket) => {
      socket.on('error', () => undefined).resume();
      socket.end('no HTTP\r\n\r\n', () => socket.destroySoon());
    });
    await new Promise<void>((listening) => odd.listen(0, '127.0.0.1', listening));
    open.push(async () => void odd.close());
    const host = `127.0.0.1:${(odd.address() as AddressInfo).port}`;
    const { url, asked } = await listen((_, response) => response.writeHead(401).end());
    const values = [
      'http://127.0.0.1:6000/x',
      `http://${host}/x`,
      `https://${host}/x`,
      `http://kim:50%zz@${url}/x`,
    ];
    expect(await logosOf(values)).toEqual([
      '"http://127.0.0.1:6000/x" has a port that is for other services, and is not asked for; give another port',
      `"http://${host}/x" the host does not speak HTTP there`,
      `"https://${host}/x" the host speaks no TLS there; write http: or another port`,
      `"http://${url}/x" the host answers HTTP 401`,
    ]);
    expect(asked).toEqual([`/x Basic ${Buffer.from('kim:50%zz').toString('base64')}`]);
  });

  test('of an address that breaks in a way without a code: in the words of the network', async () => {
    const failed = vi
      .spyOn(globalThis, 'fetch')
      .mockRejectedValue(
        new TypeError('fetch failed', { cause: new Error('odd end of http://a/?key=s3cret') }),
      );
    const [reason] = await logosOf(['http://127.0.0.1:80/x']);
    failed.mockRestore();
    expect(reason).toBe('"http://127.0.0.1/x" cannot be fetched: odd end of the address');
  });

  test('and a read that is stopped ends at once', async () => {
    const { url } = await listen(() => undefined);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 300);
    await expect(readAll(openSource(settingsOf([`http://${url}/a`])), stop.signal)).rejects.toThrow(
      StoppedError,
    );
  });
});

describe('the files of pictures', () => {
  test('stand beside the ledger for this user alone, one for each picture, and go at the end', async () => {
    const left = join(folder, 'l.db.logos-99999');
    mkdirSync(left);
    const settings = settingsOf([put('one.png'), png('one.png'), png('two')]);
    const read = await openSource(settings, { pictures: join(folder, 'l.db') }).open(never);
    await collect(read.units());
    await read.close();
    const file = read.pictures?.fileOf(md5(png('two'))) ?? '';
    expect(readFileSync(file).equals(png('two'))).toBe(true);
    expect(readdirSync(dirname(file))).toHaveLength(2);
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(existsSync(left)).toBe(false);
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
    expect(unit?.ok === true && unit.record.losses?.[0]?.reason).toMatch(
      /^cannot be kept beside the ledger: ENOENT/u,
    );
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
