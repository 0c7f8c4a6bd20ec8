import { beforeEach, expect, test } from 'vitest';
import { startScimmy } from '../../servers/scimmy.ts';
import { throughout } from '../../servers/throughout.ts';
import { scimSource } from '../open-one.ts';
import { problem } from '../problem.ts';
import { readAll, type ReadResult } from '../source-contract.ts';
import { membersSettings, users } from './scim-world.ts';

/** A SCIM server that is not ours: units from groups, people, and positions from members. */
const server = throughout(startScimmy);

const PEOPLE = users(45).map((one) => ({ ...one, active: one.id !== 'a45' }));
const group = (id: string, displayName: string, members: readonly { readonly id: string }[]) => ({
  id,
  displayName,
  members: members.map((one) => ({ value: one.id, type: 'User' })),
});

const GROUPS = [
  group('g1', 'dept-Sales', PEOPLE.slice(0, 30)),
  group('g2', 'dept-Lab', PEOPLE.slice(30)),
  group('g3', 'app-wiki', PEOPLE),
];
beforeEach(() => server.show({ users: PEOPLE, groups: GROUPS }));

async function read(pageSize: number, token = server.token): Promise<ReadResult> {
  const { units, people, positions, ...rest } = membersSettings(server.url);
  const filter = 'displayName sw "dept-"';
  const settings = {
    ...rest,
    units: { ...units, filter },
    people: { ...people, rules: { ...people.rules, fields: { name: 'displayName' } } },
    positions: { ...positions!, filter },
  };
  return readAll(scimSource({ ...settings, token, pageSize }));
}

test.each([1, 5, 9, 10, 15, 44, 45, 46, 500])('everything comes in pages of %i', async (pageSize) => {
  const { units, people, rows, refusals } = await read(pageSize);
  expect(units.map(({ id, fields }) => [id, fields['name']])).toEqual([
    ['g1', 'dept-Sales'],
    ['g2', 'dept-Lab'],
  ]);
  const isActive = (active: boolean) => people.filter((one) => one.active === active).map(({ id }) => id);
  expect([isActive(true), isActive(false)]).toEqual([PEOPLE.slice(0, 44).map(({ id }) => id), ['a45']]);
  expect(rows.map(({ person, position }) => `${person} ${position.unit}`)).toEqual([
    ...PEOPLE.slice(0, 30).map(({ id }) => `${id} g1`),
    ...PEOPLE.slice(30).map(({ id }) => `${id} g2`),
  ]);
  expect(refusals).toEqual([]);
});

test('it takes the token of its own alone', async () => {
  await expect(read(10, 'another')).rejects.toThrow(problem('http-refused', '401: no such token'));
  expect(server.asked).toHaveLength(1);
});
