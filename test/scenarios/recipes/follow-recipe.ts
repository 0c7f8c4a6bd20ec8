import { afterAll, expect, onTestFinished, test } from 'vitest';
import { hasServer } from '../../servers/install.ts';
import type { Company, Kitchen } from './company.ts';
import { Newcomer } from './newcomer.ts';
import { readRecipe } from './recipe.ts';
import { Servers } from './servers.ts';

/** Whether nothing waits but a unit that is gone, and in or below which the account of a leaver still sits. */
function isWell(code: number | null, out: string): boolean {
  const left = out.split('\n').filter((line) => /"event":"item\.(?:blocked|failed)"/u.test(line));
  const isWaiting = left.every((line) => line.includes('waits to be removed, still there: '));
  return left.length === 0 ? code === 0 : code === 4 && isWaiting;
}

/** Runs `sync`; returns the changing calls where it went well, else what it said. */
async function sync(newcomer: Newcomer): Promise<readonly string[]> {
  const { code, out } = await newcomer.type('rollcall sync');
  const calls = newcomer.changing();
  return isWell(code, out) ? calls : [`exit code ${code}: ${out}`];
}

/** Somebody else loads the same company with what `init` writes. */
async function loadByInit({ init }: Kitchen, company: Company, servers: Servers): Promise<void> {
  if (init === undefined) return;
  const newcomer = await Newcomer.arrive();
  onTestFinished(() => newcomer.leave());
  const { baseUrl, domainId, orgCode, token } = newcomer.sandbox;
  await newcomer.type('cat > token', token);
  await newcomer.type('cat > password', Object.values(company.secrets)[0]);
  const service = `--service-url ${baseUrl} --domain-id ${domainId} --org-code ${orgCode} --token-file token`;
  const commands = [
    `init ${await init.flags(servers)} --password-file password ${service}`,
    'check',
    'plan',
    'sync',
  ];
  for (const command of commands) {
    const { code, out } = await newcomer.type(`rollcall ${command}`);
    expect([command, code, code === 0 ? '' : out]).toEqual([command, 0, '']);
  }
  const { differs = [] } = init;
  const usual = company.loaded.filter((line) => !differs.map(usernameOf).includes(usernameOf(line)));
  expect(newcomer.staff()).toEqual([...usual, ...differs].toSorted());
}

const SECOND: readonly string[] = ['sync', 'sync --full'];

async function quiet(newcomer: Newcomer): Promise<boolean> {
  for (const verb of SECOND) {
    const { code, out } = await newcomer.type(`rollcall ${verb}`);
    expect(isWell(code, out) ? '' : out).toBe('');
    expect(newcomer.changing()).toEqual([]);
  }
  return true;
}

const usernameOf = (line: string): string => line.slice(0, line.indexOf(','));

async function leavings(newcomer: Newcomer, { leavings: all, loaded }: Company): Promise<readonly string[]> {
  let staff = loaded;
  for (const { what, who, isMissing, isHead, happens } of all) {
    await happens();
    const first = isMissing === true ? await sync(newcomer) : [];
    newcomer.letTimePass();
    const calls = [...(isHead === true ? ['modifyEmployee'] : []), 'disableEmployee'];
    expect([what, first, await sync(newcomer)]).toEqual([what, [], calls]);
    staff = staff.filter((line) => usernameOf(line) !== who);
    expect([what, newcomer.staff()]).toEqual([what, staff]);
  }
  return staff;
}

/**
 * From an empty folder to a load, by init as well, a leaver of each kind, and a change: all as the recipe says. Returns
 * whether nothing is left to do in the end.
 */
async function followRecipe(kitchen: Kitchen, servers: Servers): Promise<boolean> {
  const { recipe: name, open } = kitchen;
  const newcomer = await Newcomer.arrive();
  onTestFinished(() => newcomer.leave());
  const company = await open(servers, newcomer.folder);
  const recipe = readRecipe(name);
  await loadByInit(kitchen, company, servers);

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
  return quiet(newcomer);
}

/** How long one may take, ms. */
const PATIENCE = 420_000;

/** Tests that each of these recipes can be followed, where its servers are; they share them. */
export function followAll(kitchens: readonly Kitchen[]): void {
  const servers = new Servers();
  afterAll(() => servers.stop());
  test.each(kitchens.filter(({ needs }) => needs.every(hasServer)))(
    '$recipe: from an empty folder to a load, by init as well, a leaver of each kind, and a change',
    async (kitchen) => {
      expect(await followRecipe(kitchen, servers)).toBe(true);
    },
    PATIENCE,
  );
}
