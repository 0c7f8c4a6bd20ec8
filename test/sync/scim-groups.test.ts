import { expect, onTestFinished, test } from 'vitest';
import { openSource } from '../../src/source/open-source.ts';
import { SYNC } from '../plan/build.ts';
import { hidingMembers, startScim, type Resource, type Twist } from '../source/scim/scim-server.ts';
import { membersSettings } from '../source/scim/scim-world.ts';
import { loadedWorld, type World } from './world.ts';

const PEOPLE = Array.from({ length: 8 }, (_, at) => `a${at}`);
const BOTH = PEOPLE.slice(0, 4);

interface Stage {
  readonly world: World;
  /** Shows a group with these members; `null`: without the attribute. */
  readonly show: (group: string, members: readonly string[] | null) => void;
}

/** Everybody is in one group, and half of them in another one too. */
async function openStage(twist: Twist = () => null): Promise<Stage> {
  const server = await startScim({});
  server.twist = twist;
  onTestFinished(() => server.close());
  const groups = new Map<string, readonly string[] | null>([['some', BOTH]]);
  const Users = PEOPLE.map((id): Resource => ({ id, userName: `user-${id}`, displayName: `Name ${id}` }));
  const show: Stage['show'] = (group, members) => {
    groups.set(group, members);
    const Groups = [...groups].map(([id, ids]): Resource => ({
      id,
      displayName: `Group ${id}`,
      ...(ids !== null && { members: ids.map((value) => ({ value })) }),
    }));
    server.lists = { Groups, Users };
  };
  show('all', PEOPLE);
  const settings = membersSettings(server.url);
  return {
    world: await loadedWorld({ sync: { guard: SYNC.guard }, from: () => openSource(settings) }),
    show,
  };
}

const places = ({ sandbox }: World): number =>
  sandbox.state.employees().reduce((sum, { positions }) => sum + positions.length, 0);

test.each<[string, readonly string[] | null, Twist]>([
  ['without its members', null, () => null],
  ['with none', [], () => null],
  ['with none by its id', null, hidingMembers],
  ['with ids that are spelled anew', BOTH.map((id) => `users/${id}`), () => null],
])(
  'a group that comes %s takes the position from several only when that is approved',
  async (_, none, twist) => {
    const { world, show } = await openStage(twist);
    const held = { exit: 3, sent: '', held: 'unexplained 4/1' };
    show('some', none);
    await world.run({}, held);
    expect(places(world)).toBe(12);
    show('some', BOTH);
    await world.run({}, { sent: '' });
    show('some', none);
    await world.run({ approve: await world.run({}, held) });
    expect(places(world)).toBe(8);
  },
);
