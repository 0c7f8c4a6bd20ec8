import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { digest } from '../../src/lib/digest.ts';
import { SYNC } from '../plan/build.ts';
import { at, loadedWorld, openWorld, person, unit, type Ran, type World } from './world.ts';

const COMPANY = {
  units: [unit('u1'), unit('u2', 'u1')],
  people: [person('1'), person('2', { positions: [at('u2')] }), person('3', { positions: [at(null)] })],
};
const TIGHT = { ...SYNC.guard, updates: { percent: 0, count: 0 } };

/** The same company in a service whose ids are other ones, with a node that nobody manages. */
async function company(before: number): Promise<World> {
  const world = await openWorld({ ...COMPANY, sync: { guard: TIGHT } });
  const { edit } = world.sandbox;
  const root = world.sandbox.state.organizations()[0]!.id;
  for (let n = 0; n < before; n += 1) edit.removeOrganization(edit.addOrganization(root, `gone ${n}`).id);
  edit.addOrganization(root, 'Theirs', { serialNo: 'theirs' });
  expect((await world.sync()).exitCode).toBe(0);
  return world;
}

const hashesOf = ({ plan }: Ran) => [
  plan?.hash,
  plan?.held.map(({ guard, hash, count }) => [guard, count, hash]),
];

/** What a run of each of them comes to; their ids have nothing in common. */
async function both(after: (world: World) => Promise<Ran>): Promise<readonly Ran[]> {
  const worlds = [await company(0), await company(7)];
  const [left, right] = worlds.map((world) => world.sandbox.state.organizations().map(({ id }) => id));
  expect(left!.slice(1).filter((id) => right!.slice(1).includes(id))).toEqual([]);
  return Promise.all(worlds.map((world) => after(world)));
}

const move = (world: World, username: string, ...serials: readonly string[]) =>
  world.sandbox.edit.changeEmployee(username, {
    positions: serials.map((serial, index) => ({
      org_id: world.organization(serial).id,
      primary: index === 0,
    })),
  });

describe('the hashes of a plan know no service ids', () => {
  test('where somebody moved people in the service', async () => {
    const [one, other] = await both(async (world) => {
      move(world, 'l1', 'theirs', 'u1');
      move(world, 'l2', 'u1');
      move(world, 'l3', 'theirs');
      return world.sync({ full: true });
    });
    expect(one!.planned).toEqual(['update person 1', 'update person 2', 'update person 3']);
    expect(one!.plan?.held).toMatchObject([{ guard: 'updates', count: 3 }]);
    expect(hashesOf(other!)).toEqual(hashesOf(one!));
  });
});

const CARD = '110105194912310021';
const PEOPLE = [person('1', { secrets: { id_card: CARD } }), person('2')];

async function loaded(): Promise<World> {
  const world = await loadedWorld({ people: PEOPLE });
  world.minutes(15);
  return world;
}

function ledgerOf(
  world: World,
  sql: string,
  ...values: readonly string[]
): Record<string, unknown> | undefined {
  const db = new Sqlite(world.ledgerFile);
  try {
    const statement = db.prepare<unknown[], Record<string, unknown>>(sql);
    if (statement.reader) return statement.get(...values);
    statement.run(...values);
    return undefined;
  } finally {
    db.close();
  }
}

const keyOf = (world: World): string => `${world.ledgerFile}.key`;

test('a compared secret cannot be found by trying with the ledger alone: its key is a private file of its own', async () => {
  const world = await loaded();
  expect([statSync(keyOf(world)).mode & 0o777, readFileSync(keyOf(world)).length]).toEqual([0o600, 32]);
  const { hash, secret_hash: secretHash } = ledgerOf(world, "SELECT * FROM person WHERE id = '1'") ?? {};
  const salt = digest(world.source.fingerprint);
  const tried = [
    [salt, '1', { id_card: CARD }],
    ['1', { id_card: CARD }],
  ].map((parts) => digest(JSON.stringify(parts)));
  expect(tried).not.toContain(secretHash);
  expect(String(hash)).not.toBe('');
  expect((await world.sync()).planned).toEqual([]);
  world.change(() => ({ people: [person('1', { secrets: { id_card: '2' } }), person('2')] }));
  expect((await world.sync()).planned).toEqual(['update person 1']);
});

test('with a lost key the secrets are sent once more, and then no more; a plan makes no key', async () => {
  const world = await loaded();
  rmSync(keyOf(world));
  expect((await world.plan()).planned).toEqual(['update person 1']);
  expect(existsSync(keyOf(world))).toBe(false);
  expect((await world.sync()).planned).toEqual(['update person 1']);
  expect((await world.sync()).planned).toEqual([]);
});

test('a key that others may read, or that is cut, is told with what to do', async () => {
  const world = await loaded();
  chmodSync(keyOf(world), 0o644);
  expect((await world.sync()).error).toMatch(/others may read it: chmod 600/u);
  chmodSync(keyOf(world), 0o600);
  writeFileSync(keyOf(world), 'short');
  expect((await world.sync()).error).toMatch(/holds 5 bytes instead of 32: restore its backup/u);
});
