import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { FakeClock } from '../../doubles/fake-clock.ts';
import { scimSource } from '../open-one.ts';
import { readAll } from '../source-contract.ts';
import {
  hidingMembers,
  startScim,
  type Answer,
  type Resource,
  type ScimServer,
  type Twist,
} from './scim-server.ts';
import { membersSettings } from './scim-world.ts';
import { problem } from '../problem.ts';

const group = (id: string, ...members: readonly string[]): Resource => ({
  id,
  displayName: `Group ${id}`,
  ...(members.length > 0 && { members: members.map((value) => ({ value })) }),
});
const empty = (count: number): readonly Resource[] =>
  Array.from({ length: count }, (_, at) => group(`e${at + 1}`));

let server: ScimServer;
beforeAll(async () => void (server = await startScim({})));
afterAll(() => server.close());

interface Found {
  /** `PERSON UNIT` of each row. */
  readonly rows: readonly string[];
  /** Ids of groups that were asked for by their id, for the positions alone. */
  readonly asked: readonly string[];
}

async function read(Groups: readonly Resource[], twist: Twist = () => null): Promise<Found> {
  server.lists = { Groups, Users: [] };
  server.twist = twist;
  (server.asked as unknown[]).length = 0;
  const settings = { ...membersSettings(server.url), units: undefined, pageSize: 7 };
  const { rows } = await readAll(scimSource(settings, new FakeClock({ auto: true })));
  return {
    rows: rows.map(({ person, position }) => `${person} ${position.unit}`),
    asked: server.asked.flatMap(({ resource }) => resource.split('/')[1] ?? []),
  };
}

/** Shows empty members in the list. */
const showingNone: Twist = (asked, list) => {
  const { body } = hidingMembers(asked, list) ?? {};
  if (body === undefined) return null;
  const groups = (body as Answer).Resources as readonly Resource[];
  return { body: { ...list, Resources: groups.map((one) => ({ ...one, members: [] })) } };
};

const another: Twist = (asked, list) =>
  asked.resource.startsWith('Groups/') ? { body: group('other', 'zz') } : hidingMembers(asked, list);

const isSmall = ({ members }: Resource): boolean => Array.isArray(members) && members.length < 2;

const onlySmall: Twist = (asked, list) => {
  if (asked.resource !== 'Groups') return null;
  const groups = list.Resources as readonly Resource[];
  return {
    body: { ...list, Resources: groups.map((one) => (isSmall(one) ? one : { ...one, members: undefined })) },
  };
};

const refusing =
  (status: number): Twist =>
  ({ resource }) =>
    resource.startsWith('Groups/') ? { status, body: { detail: 'No' } } : null;

const GROUPS = [group('g1', 'a1', 'a2'), group('g 2/?', 'a3'), group('g3')];

describe('members of groups', () => {
  test.each<[string, Twist, readonly string[]]>([
    ['in the list come from there', () => null, ['g3']],
    ['that only the id of a group shows are asked for', hidingMembers, ['g1', 'g%202%2F%3F', 'g3']],
    ['that the list shows as none are asked for', showingNone, ['g1', 'g%202%2F%3F', 'g3']],
    ['that the list shows of small groups are asked for of the others', onlySmall, ['g1', 'g3']],
  ])('%s', async (_, twist, asked) => {
    expect(await read(GROUPS, twist)).toEqual({ rows: ['a1 g1', 'a2 g1', 'a3 g 2/?'], asked });
  });

  test('are asked for to the end where no list shows them, however many groups have none', async () => {
    const { rows } = await read([...empty(50), group('g1', 'a1')], hidingMembers);
    expect(rows).toEqual(['a1 g1']);
  });

  test('are not asked for endlessly where the list shows those of others', async () => {
    const { rows, asked } = await read([group('g1', 'a1'), ...empty(50)]);
    expect([rows, asked.length]).toEqual([['a1 g1'], 20]);
  });

  test.each([400, 404, 405, 501])(
    'are those of the list where the server answers %i for a group by its id',
    async (status) => {
      expect((await read(GROUPS, refusing(status))).rows).toEqual(['a1 g1', 'a2 g1', 'a3 g 2/?']);
    },
  );

  test('are not known where the server forbids to ask for a group by its id: nothing is read', async () => {
    await expect(read(GROUPS, refusing(403))).rejects.toThrow(
      problem('http-refused', '/Groups/g3', ' 403: No; ', ' token '),
    );
  });

  test('are not those of another group that the server shows under the id: nothing is read', async () => {
    await expect(read(GROUPS, another)).rejects.toThrow(problem('scim-other-group', ' g1 '));
  });

  test.each(['.', '..'])('are not asked for by the id %s, which would be another path', async (id) => {
    await expect(read([group(id, 'a1')], hidingMembers)).rejects.toThrow(problem('scim-other-group'));
  });
});
