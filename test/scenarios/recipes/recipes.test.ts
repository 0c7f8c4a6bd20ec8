import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { hasServer } from '../../servers/install.ts';
import { ACTIVE_DIRECTORY, ACTIVE_DIRECTORY_AND_HR } from './active-directory.ts';
import type { Company, Kitchen } from './company.ts';
import { ERPNEXT, ODOO, ORACLE_HR, ORANGEHRM } from './databases.ts';
import { FLAT_DIRECTORY, FREEIPA, OPENLDAP_GROUPS, OPENLDAP_TREE, TREE_389 } from './directories.ts';
import { CSV_EXPORT } from './export-of-files.ts';
import { Newcomer } from './newcomer.ts';
import { readRecipe } from './recipe.ts';
import { Servers } from './servers.ts';

const KITCHENS: readonly Kitchen[] = [
  ACTIVE_DIRECTORY,
  ACTIVE_DIRECTORY_AND_HR,
  OPENLDAP_TREE,
  OPENLDAP_GROUPS,
  TREE_389,
  FLAT_DIRECTORY,
  FREEIPA,
  ODOO,
  ORANGEHRM,
  ERPNEXT,
  ORACLE_HR,
  CSV_EXPORT,
];

const servers = new Servers();
afterAll(() => servers.stop());

/** Runs `sync`; returns the changing calls where it went well, else what it said. */
async function sync(newcomer: Newcomer): Promise<readonly string[]> {
  const { code, out } = await newcomer.type('rollcall sync');
  const calls = newcomer.changing();
  return code === 0 ? calls : [`exit code ${code}: ${out}`];
}

const SECOND: readonly string[] = ['sync', 'sync --full'];

async function quiet(newcomer: Newcomer): Promise<boolean> {
  for (const verb of SECOND) {
    expect((await newcomer.type(`rollcall ${verb}`)).code).toBe(0);
    expect(newcomer.changing()).toEqual([]);
  }
  return true;
}

const usernameOf = (line: string): string => line.slice(0, line.indexOf(','));

async function leavings(newcomer: Newcomer, { leavings: all, loaded }: Company): Promise<readonly string[]> {
  let staff = loaded;
  for (const { what, who, isMissing, happens } of all) {
    await happens();
    const first = isMissing === true ? await sync(newcomer) : [];
    newcomer.letTimePass();
    expect([what, first, await sync(newcomer)]).toEqual([what, [], ['disableEmployee']]);
    staff = staff.filter((line) => usernameOf(line) !== who);
    expect([what, newcomer.staff()]).toEqual([what, staff]);
  }
  return staff;
}

test.each(KITCHENS.filter(({ needs }) => needs.every(hasServer)))(
  '$recipe: from an empty folder to a load, a leaver of each kind, and a change',
  async ({ recipe: name, open }) => {
    const newcomer = await Newcomer.arrive();
    onTestFinished(() => newcomer.leave());
    const company = await open(servers, newcomer.folder);
    const recipe = readRecipe(name);

    const done = await newcomer.follow(recipe, company);
    expect(done.filter(({ code }) => code !== 0)).toEqual([]);
    expect(done.map(({ command }) => command.split(' #')[0])).toEqual([
      'mkdir config && mkdir -m 700 secrets',
      ...['service-token', ...Object.keys(company.secrets)].map((file) => `cat > secrets/${file}`),
      'rollcall check',
      'rollcall plan',
      'rollcall sync',
    ]);
    expect(newcomer.staff()).toEqual(company.loaded);
    newcomer.changing();
    expect(await quiet(newcomer)).toBe(true);

    const staff = await leavings(newcomer, company);
    const { what, happens, shows, calls = ['importEmployees'] } = company.change;
    await happens();
    expect([what, await sync(newcomer)]).toEqual([what, calls]);
    const changed = new Map([...staff, ...shows].map((line) => [usernameOf(line), line]));
    expect(newcomer.staff()).toEqual([...changed.values()].toSorted());
    expect(await quiet(newcomer)).toBe(true);
  },
  300_000,
);

test('each recipe has a company that follows it', () => {
  const folder = fileURLToPath(new URL('../../../config/recipes', import.meta.url));
  const followed = new Set(KITCHENS.map(({ recipe }) => `${recipe}.yaml`));
  expect(readdirSync(folder).filter((file) => !followed.has(file))).toEqual([]);
});
