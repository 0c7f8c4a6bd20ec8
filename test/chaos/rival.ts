import type { MemoryWorld } from '../doubles/memory-source.ts';
import type { World } from '../sync/world.ts';
import type { Others } from './others.ts';
import type { Watch } from './watch.ts';

/** One to be shown what is held, one to release it. */
const RUNS = 2;

interface RivalParts {
  readonly others: Others;
  readonly watch: Watch;
  readonly hidesLocked: boolean;
}

/** Another rollcall on the same organization: it reads the same source, and knows nothing of the first one's ledger. */
export class Rival {
  readonly #world: World;
  readonly #ours: World;
  readonly #others: Others;
  readonly #watch: Watch;
  /** Lists leave out who is locked. */
  readonly #hidesLocked: boolean;
  /** Usernames of accounts that it has locked: to the first one they are locked by somebody else. */
  #locked: ReadonlySet<string> = new Set();

  constructor(ours: World, { others, watch, hidesLocked }: RivalParts) {
    this.#hidesLocked = hidesLocked;
    this.#ours = ours;
    this.#world = ours.rival();
    this.#others = others;
    this.#watch = watch;
  }

  /** It comes first, and does most of the work. */
  async run(rows: MemoryWorld): Promise<void> {
    const { locked, lockedByRival } = this.#others;
    this.#world.change(() => rows);
    this.#world.source.identity = this.#ours.source.identity;
    for (const username of this.#locked) locked.delete(username);
    const before = this.#lockedNow();
    let approve: readonly string[] = [];
    this.#watch.isBlindToLocked = this.#hidesLocked;
    for (let runs = 0; runs < RUNS; runs += 1) {
      const ran = await this.#world.sync({ stop: this.#watch.begin(), approve });
      approve = ran.plan?.held.map(({ hash }) => hash) ?? [];
    }
    this.#watch.isBlindToLocked = false;
    const after = this.#lockedNow();
    this.#locked = new Set(
      [...after].filter((username) => !before.has(username) || this.#locked.has(username)),
    );
    for (const username of this.#locked) {
      locked.add(username);
      lockedByRival.add(username);
    }
  }

  #lockedNow(): ReadonlySet<string> {
    const { state } = this.#ours.sandbox;
    const locked = state.employees().filter((one) => one.locked && !this.#others.employees.has(one.username));
    return new Set(locked.map(({ username }) => username));
  }
}
