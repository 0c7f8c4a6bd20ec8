import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../servers/daemon.ts';
import { hasServer } from '../../servers/install.ts';
import { modified } from './changes.ts';
import type { Company, Kitchen } from './company.ts';
import { ORACLE_HR } from './databases.ts';
import { OPENLDAP_TREE, TREE_389 } from './directories.ts';
import { CSV_EXPORT } from './export-of-files.ts';
import { Newcomer } from './newcomer.ts';
import { readRecipe } from './recipe.ts';
import { Servers } from './servers.ts';

const servers = new Servers();
afterAll(() => servers.stop());

/** Follows a recipe to its load. */
async function loaded({ recipe, open }: Kitchen): Promise<readonly [Newcomer, Company]> {
  const newcomer = await Newcomer.arrive();
  onTestFinished(() => newcomer.leave());
  const company = await open(servers, newcomer.folder);
  const done = await newcomer.follow(readRecipe(recipe), company);
  expect(done.at(-1)).toMatchObject({ code: 0 });
  newcomer.changing();
  return [newcomer, company];
}

interface Expected {
  /** Of check and sync. */
  readonly codes: readonly [number, number];
  /** What both say. */
  readonly words: RegExp;
}

/** Checks that everything says what is wrong, and that nobody is touched. */
async function tells(
  [newcomer, company]: readonly [Newcomer, Company],
  { codes, words }: Expected,
): Promise<boolean> {
  for (const [index, verb] of ['check', 'sync'].entries()) {
    const { code, out } = await newcomer.type(`rollcall ${verb}`);
    expect([verb, code, out]).toEqual([verb, codes[index], expect.stringMatching(words)]);
    expect(out).not.toMatch(/\n {4}at |node:internal|unexpected error/u);
    expect(newcomer.changing()).toEqual([]);
  }
  expect(newcomer.staff()).toEqual(company.loaded);
  return true;
}

/** Replaces a text of the configuration. */
function configure({ folder }: Newcomer, old: string, next: string): void {
  const file = join(folder, 'config/rollcall.yaml');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(old);
  writeFileSync(
    file,
    text.replaceAll(old, () => next),
  );
}

describe.skipIf(!hasServer('slapd'))('a directory', () => {
  test('of another vendor, with a filter that does not parse, and without the base', async () => {
    const all = await loaded(OPENLDAP_TREE);
    const [newcomer] = all;
    const spoiled = async (old: string, next: string, expected: Expected): Promise<void> => {
      configure(newcomer, old, next);
      expect(await tells(all, expected)).toBe(true);
      configure(newcomer, next, old);
    };
    await spoiled('vendor: openldap', 'vendor: activeDirectory', {
      codes: [1, 1],
      words: /source\.vendor.*OpenLDAP/u,
    });
    const people = '    # Remove it where';
    await spoiled(people, `    filter: (uid=*\n${people}`, {
      codes: [2, 2],
      words: /source\.people\.filter/u,
    });
    await spoiled('base: ou=company', 'base: ou=compny', {
      codes: [1, 1],
      words: /source\.units\.base.*ou=compny/u,
    });
  }, 300_000);
});

describe.skipIf(!hasServer('ds389'))('an entry', () => {
  test('with bytes that are no text, and one with two ids, are left as they are; the others go on', async () => {
    const all = await loaded(TREE_389);
    const [newcomer] = all;
    const server = await servers.ds389();
    const ann = 'uid=ann,ou=Ärzte,ou=company,dc=example,dc=com';
    server.modify(
      'dn: cn=config\nchangetype: modify\nreplace: nsslapd-syntaxcheck\nnsslapd-syntaxcheck: off\n',
    );
    const bytes = Buffer.from('Müller', 'latin1').toString('base64');
    server.modify(modified(ann, { cn: 'x' }).replace(/cn:: .*/u, `cn:: ${bytes}`));
    expect(await tells(all, { codes: [4, 4], words: /cn is no text in UTF-8: write it anew/u })).toBe(true);
    server.modify(modified(ann, { cn: 'Ann Ash', carLicense: '1' }));
    configure(newcomer, '    fields:\n', '    fields:\n      id: carLicense\n');
    const two = modified('uid=bob,ou=Pflege,ou=company,dc=example,dc=com', { carLicense: '2' });
    server.modify(two.replace(/(carLicense:: .*)/u, '$1\ncarLicense: 3'));
    const { out } = await newcomer.type('rollcall check');
    expect(out).toMatch(/has 2 values, as "2" and "3": a record has one id/u);
  }, 300_000);
});

describe('an export', () => {
  test('that is empty, half written or has a row of another length sends nothing', async () => {
    const all = await loaded(CSV_EXPORT);
    const [newcomer] = all;
    const file = join(newcomer.folder, 'import/employees.csv');
    const whole = readFileSync(file, 'utf8');
    const spoiled = async (spoil: () => void, words: RegExp): Promise<void> => {
      spoil();
      writeFileSync(join(newcomer.folder, 'import/export.done'), '');
      expect(await tells(all, { codes: [1, 1], words })).toBe(true);
      writeFileSync(file, whole);
    };
    await spoiled(() => truncateSync(file), /employees\.csv.*is empty/u);
    await spoiled(() => truncateSync(file, whole.indexOf('Birch')), /employees\.csv.*(?:quote|row)/u);
    await spoiled(() => appendFileSync(file, '9,eve\n'), /employees\.csv, line 6: the row has 2 cells/u);
    await spoiled(
      () => appendFileSync(file, Buffer.from('9,eve,Müller,,active,\n', 'latin1')),
      /employees\.csv.*utf-8/iu,
    );
  }, 300_000);
});

describe.skipIf(!hasServer('postgres'))('a company with two sources', () => {
  const ACCOUNTS = `employee_id,state\n100,active\n103,active\n104,active\n200,active\n`;

  /** The people of the recipe, completed by a file of accounts. */
  function withAccounts(newcomer: Newcomer): void {
    const file = join(newcomer.folder, 'config/rollcall.yaml');
    const text = readFileSync(file, 'utf8');
    const [, connection = ''] = /\nsource:\n(  type[^]*?)  units:/u.exec(text) ?? [];
    const indented = connection.replaceAll(/^ {2}/gmu, '    ');
    const files = `\nsources:\n  hr:\n${indented}  accounts: { type: csv, complete: { quietSeconds: 0 } }\nsource:\n  units:`;
    const joined =
      '    join: { from: accounts, file: accounts.csv, on: { employee_id: employee_id } }\n    fields:\n      active: { expr: "accounts.state == \'active\'" }\n';
    writeFileSync(
      file,
      text
        .replace(/\nsource:\n[^]*?  units:/u, () => files)
        .replace('  units:\n', '  units:\n    from: hr\n')
        .replace('  people:\n', '  people:\n    from: hr\n')
        .replace(/ {4}fields:\n(?= {6}id: employee_id)/u, () => joined),
    );
    writeFileSync(join(newcomer.folder, 'accounts.csv'), ACCOUNTS);
  }

  test('leaves alone who would be there twice, and sends nothing where one of them is down', async () => {
    const all = await loaded(ORACLE_HR);
    const [newcomer] = all;
    withAccounts(newcomer);
    expect((await newcomer.type('rollcall check')).code).toBe(0);
    const approve = /sync --approve \S+/u.exec((await newcomer.type('rollcall plan')).out)?.[0] ?? 'sync';
    expect((await newcomer.type(`rollcall ${approve}`)).code).toBe(0);
    newcomer.changing();
    const accounts = join(newcomer.folder, 'accounts.csv');
    appendFileSync(accounts, '103,gone\n');
    expect(
      await tells(all, {
        codes: [4, 4],
        words: /several records of accounts belong to it.* \(accounts\.employee_id = employee_id\)/u,
      }),
    ).toBe(true);
    writeFileSync(accounts, ACCOUNTS);
    const port = String(await freePort());
    const url =
      /localhost:\d+/u.exec(readFileSync(join(newcomer.folder, 'config/rollcall.yaml'), 'utf8'))?.[0] ?? '';
    configure(newcomer, url, `localhost:${port}`);
    expect((await newcomer.type('rollcall sync')).out).toMatch(/nobody listens there; check host and port/u);
    expect(newcomer.changing()).toEqual([]);
    expect(newcomer.staff()).toEqual(all[1].loaded);
  }, 300_000);
});
