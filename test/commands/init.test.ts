import Database from 'better-sqlite3';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { openBeginning } from './init-world.ts';

const COMPANY = `
  create table department (id integer primary key, name text, parent_id integer references department);
  insert into department values (1, 'Head', null), (2, 'Lab', 1);
  create table employee (id integer primary key, login text, name text, department_id integer references department);
  insert into employee values (1, 'ann', 'Ann', 1), (2, 'bob', 'Bob', 2)`;

function database(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}

describe('init', () => {
  test('names the flag that is missing, and writes nothing', async () => {
    const stage = await openBeginning();
    const none = await stage.init();
    expect([none.code, none.out]).toEqual([2, '']);
    expect(none.err).toMatch(/--url or --file is missing/u);
    const unbound = await stage.init('--url', 'ldap://localhost');
    expect(unbound.code).toBe(2);
    expect(unbound.err).toMatch(/--bind-dn \(or --anonymous\) is missing/u);
    const secret = await stage.init('--url', 'postgres://hr@localhost/hr');
    expect(secret.code).toBe(2);
    expect(secret.err).toMatch(/--password-file is missing/u);
    const nobody = await stage.init('--url', 'mysql://localhost/hr', '--password-file', stage.put('p', 'x'));
    expect(nobody.code).toBe(2);
    expect(nobody.err).toMatch(/a user in --url \(postgres:\/\/USER@…\) is missing/u);
    expect(stage.written()).toBeNull();
  });

  test('takes no password on the command line', async () => {
    const stage = await openBeginning();
    const { code, err } = await stage.init('--url', 'postgres://hr:s3cret@localhost/hr');
    expect([code, err.includes('s3cret')]).toEqual([2, false]);
    expect(err).toMatch(/leave the password out of it, and name a file that holds it with --password-file/u);
  });

  test('never writes over a file', async () => {
    const stage = await openBeginning();
    database(join(stage.folder, 'own.db'), COMPANY);
    expect((await stage.init('--url', 'sqlite:own.db')).code).toBe(0);
    const before = stage.written();
    const again = await stage.init('--url', 'sqlite:none.db');
    expect(again.code).toBe(2);
    expect(again.err).toMatch(/rollcall\.yaml exists, and rollcall init never writes over a file/u);
    expect(stage.written()).toBe(before);
  });

  test('makes the folder, and lets the user of a container read what it writes', async () => {
    const stage = await openBeginning();
    database(join(stage.folder, 'own.db'), COMPANY);
    const target = join(stage.folder, 'deep/er/rollcall.yaml');
    const made = await stage.type('init', '--out', target, '--url', 'sqlite:own.db');
    expect([made.code, made.err]).toEqual([0, '']);
    expect(statSync(target).mode & 0o777).toBe(0o644);
    const inFile = await stage.type('init', '--out', join(target, 'x.yaml'), '--url', 'sqlite:own.db');
    expect(inFile.code).toBe(2);
    expect(inFile.err).toMatch(/cannot be written \(E\w+\); choose another --out/u);
  });

  test('leaves placeholders for what it cannot know, and check names all of them', async () => {
    const stage = await openBeginning();
    database(join(stage.folder, 'own.db'), COMPANY);
    const target = join(stage.folder, 'a.yaml');
    const made = await stage.type('init', '--out', target, '--url', 'sqlite:own.db');
    expect([made.code, made.err]).toEqual([0, '']);
    expect(made.out).toMatch(/write what belongs in place of CHANGE-ME below service/u);
    const checked = await stage.type('check', '--config', target);
    expect(checked.code).toBe(2);
    expect(checked.err).toMatch(/service\.baseUrl: still is CHANGE-ME; write the address of the service/u);
    expect(checked.err).toMatch(/service\.domainId: still is CHANGE-ME/u);
    expect(checked.err).toMatch(/service\.orgCode: still is CHANGE-ME/u);
    expect(checked.err).toMatch(
      /service\.token: the file secrets\/service-token does not exist; write the secret/u,
    );
  });

  test('prints the configuration alone on stdout, and writes nothing', async () => {
    const stage = await openBeginning();
    database(join(stage.folder, 'own.db'), COMPANY);
    const { code, out, err } = await stage.init('--print', '--url', 'sqlite:own.db');
    expect(code).toBe(0);
    expect(out).toMatch(/^# Made by rollcall init/u);
    expect(err).toMatch(/^assumed: people are the rows of employee/mu);
    expect(stage.written()).toBeNull();
    writeFileSync(join(stage.folder, 'printed.yaml'), out);
    expect((await stage.type('check', '--config', join(stage.folder, 'printed.yaml'))).code).toBe(0);
  });

  test('knows a number sign in the name of a column, and says what the likeliest table lacks', async () => {
    const stage = await openBeginning();
    const path = join(stage.folder, 'staff.db');
    database(path, 'create table staff ("Badge #" text, "Full name" text, "Cost centre" text)');
    const lacking = await stage.init('--url', 'sqlite:staff.db');
    expect(lacking.err).toContain('; in staff there is no username or mail address)');
    database(
      path,
      `alter table staff add column "E-mail" text; insert into staff values ('7', 'Ann', 'x', 'ann@a.example')`,
    );
    const found = await stage.init('--url', 'sqlite:staff.db');
    expect(found.err).not.toMatch(/nothing looks like people/u);
    expect(stage.written()).toMatch(/id: .*Badge #/u);
  });

  test('where nothing looks like people says what it saw, and takes the name of a table', async () => {
    const stage = await openBeginning();
    database(join(stage.folder, 'shop.db'), 'create table article (id integer primary key, price real)');
    const shop = await stage.init('--url', 'sqlite:shop.db');
    expect([shop.code, stage.written()]).toEqual([2, null]);
    expect(shop.err).toMatch(/nothing looks like people[^]*article \(id, price\)/u);
    const named = await stage.init('--url', 'sqlite:shop.db', '--people-table', 'article');
    expect([named.code, named.out]).toEqual([
      4,
      expect.stringMatching(/looks like people\.fields\.username/u),
    ]);
    const checked = await stage.go('check');
    expect(checked.code).toBe(2);
    expect(checked.err).toMatch(/source\.people\.fields\.username: still is CHANGE-ME/u);
  });

  test('names a table that is not there, a file that is not, and a server that nobody runs', async () => {
    const stage = await openBeginning();
    database(join(stage.folder, 'own.db'), COMPANY);
    const table = await stage.init('--url', 'sqlite:own.db', '--people-table', 'staff');
    expect([table.code, table.err]).toEqual([
      2,
      expect.stringMatching(/there is no staff; what this user sees/u),
    ]);
    const file = await stage.init('--file', 'none.csv');
    expect([file.code, file.err]).toEqual([1, expect.stringContaining('[csv-unreadable]')]);
    const server = await stage.init('--url', 'ldap://localhost:1', '--anonymous');
    expect([server.code, server.err]).toEqual([1, expect.stringMatching(/no server listens there/u)]);
    expect(stage.written()).toBeNull();
  });
});

describe('init on a directory', () => {
  let server: Slapd;
  beforeAll(async () => {
    server = await startSlapd();
  });
  afterAll(async () => server?.stop());

  test('says what is wrong with password, certificate and base, and that nobody is there', async () => {
    const stage = await openBeginning();
    const [right, wrong] = [stage.put('right', server.password), stage.put('wrong', 'no')];
    const bind = ['--bind-dn', server.bindDn, '--password-file'];
    const refused = await stage.init('--url', server.url, ...bind, wrong);
    expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/refuses this name or password/u)]);
    const untrusted = await stage.init('--url', server.ldapsUrl, ...bind, right);
    expect([untrusted.code, untrusted.err]).toEqual([
      1,
      expect.stringMatching(/certificate is not trusted[^]*--ca-file/u),
    ]);
    const lost = await stage.init('--url', server.url, ...bind, right, '--base', 'ou=none,dc=example,dc=com');
    expect([lost.code, lost.err]).toEqual([1, expect.stringContaining('[ldap-no-entry]')]);
    const empty = await stage.init('--url', server.url, ...bind, right);
    expect([empty.code, empty.err]).toEqual([
      1,
      expect.stringMatching(/no person is found below dc=example,dc=com by \(objectClass/u),
    ]);
    expect(stage.written()).toBeNull();
  });
});
