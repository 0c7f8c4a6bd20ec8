import { openSource } from '../../src/source/open-source.ts';
import { SYNC } from '../plan/build.ts';
import { directorySettings } from '../source/directory-settings.ts';
import { openWorld, type Ran, type World } from './world.ts';

export interface GroupStage {
  readonly world: World;
  readonly sync: (approve?: readonly string[]) => Promise<Ran>;
  /** Usernames of those whose accounts work, sorted. */
  readonly working: () => readonly string[];
  readonly count: () => number;
}

interface Options {
  /** Reads without a person that make a leaver. */
  readonly misses?: number;
  /** `sync.protect.where`. */
  readonly protect?: string | undefined;
}

/** A world that reads this section `source` of a directory in each run, with the usual guards. */
export async function openGroupStage(
  source: object,
  { misses = 1, protect }: Options = {},
): Promise<GroupStage> {
  const world = await openWorld({
    sync: {
      guard: SYNC.guard,
      leavers: { ...SYNC.leavers, misses },
      protect: { ...SYNC.protect, where: protect },
    },
  });
  const working = (): readonly string[] =>
    world.sandbox.state
      .employees()
      .flatMap(({ username, locked }) => (locked ? [] : [username]))
      .toSorted();
  return {
    world,
    sync: (approve = []) =>
      world.sync({ later: 10, from: () => openSource(directorySettings(source), { protect }), approve }),
    working,
    count: () => working().length,
  };
}
