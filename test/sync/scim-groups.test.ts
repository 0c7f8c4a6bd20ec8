import { expect, onTestFinished, test } from 'vitest';
import { openSource } from '../../src/source/open-source.ts';
import { SYNC } from '../plan/build.ts';
import { hidingMembers, startScim, type Resource, type Twist } from '../source/scim/scim-server.ts';
import { membersSettings } from '../source/scim/scim-world.ts';
import { openWorld, type Ran, type World } from './world.ts';

const PEOPLE = Array.from({ length: 8 }, (_, at) => `a${at}`);
const BOTH = PEOPLE.slice(0, 4);

interface Stage {
  readonly world: World;
  readonly sync: (approve?: readonly string[]) => Promise<Ran>;
  /** Shows a group with these members; `null`: without the attribute. */
  readonly show: (group: string, members: readonly string[] | null) => void;
}

/** Everybody is in one group, and half of them in another one too. */
async function openStage(twist: Twist = () => null): Promise<Stage> {
  const server = await startScim({});
  server.twist = twist;
  onTestFinished(() => server.close());
  const groups = new Map<string, readonly string[] | null>([
    ['all', PEOPLE],
    ['some', BOTH],
  ]);
  const users = PEOPLE.map((id): Resource => ({ id, userName: `user-${id}`, displayName: `Name ${id}` }));
  const put = (): void => {
    const Groups = [...groups].map(([id, members]): Resource => {
      const shown = members === null ? {} : { members: members.map((value) => ({ value })) };
      return { id, displayName: `Group ${id}`, ...shown };
    });
    server.lists = { Groups, Users: users };
  };
  put();
  const settings = membersSettings(server.url);
  const world = await openWorld({ sync: { guard: SYNC.guard } });
  const sync: Stage['sync'] = async (approve = []) =>
    world.sync({ from: () => openSource(settings), approve });
  expect((await sync()).exitCode).toBe(0);
  const show: Stage['show'] = (group, members) => {
    groups.set(group, members);
    put();
  };
  return { world, sync, show };
}

const places = ({ sandbox }: World): number =>
  sandbox.state.employees().reduce((sum, { positions }) => sum + positions.length, 0);

test.each<[string, readonly string[] | null, Twist]>([
  ['without its members', null, () => null],
  ['with none', [], () => null],
  ['with none by its id', null, hidingMembers],
  ['with ids that are spelled anew', BOTH.map((id) => `users/${id}`), () => null],
])(
  'a group that comes %s takes the position from one person, and from several only when that is approved',
  async (_, none, twist) => {
    const { world, sync, show } = await openStage(twist);
    show('some', none);
    const held = await sync();
    expect([held.exitCode, held.changing, places(world)]).toEqual([3, [], 12]);
    expect(held.plan?.held).toMatchObject([{ guard: 'unexplained', count: 4, limit: 1 }]);
    show('some', BOTH);
    const back = await sync();
    expect([back.exitCode, back.changing]).toEqual([0, []]);
    show('some', none);
    const again = await sync();
    expect([(await sync([again.plan?.held[0]?.hash ?? ''])).exitCode, places(world)]).toEqual([0, 8]);
  },
);
