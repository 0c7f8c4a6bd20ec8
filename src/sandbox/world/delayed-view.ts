import { World, type Changes } from './world.ts';

interface Waiting {
  /** Time when it becomes visible, in milliseconds on the sandbox's clock. */
  readonly due: number;
  readonly changes: Changes;
}

/** What calls see: the world, or, while imports wait to become visible (asyncImport), a copy without them. */
export class DelayedView {
  readonly #live: World;
  readonly #now: () => number;
  #waiting: readonly Waiting[] = [];
  #shown: World | undefined;

  constructor(live: World, now: () => number) {
    this.#live = live;
    this.#now = now;
  }

  get world(): World {
    this.#reveal();
    return this.#shown ?? this.#live;
  }

  /** Keeps the view as it is; called before an import changes the world. */
  hold(): void {
    this.#reveal();
    if (this.#shown !== undefined) return;
    this.#shown = new World(this.#live.caseMatters);
    this.#shown.follow(this.#live);
  }

  publish(changes: Changes, delayMs: number): void {
    if (this.#shown === undefined) return;
    if (delayMs === 0) this.#shown.follow(this.#live, changes);
    else this.#waiting = [...this.#waiting, { due: this.#now() + delayMs, changes }];
  }

  #reveal(): void {
    const now = this.#now();
    const due = this.#waiting.filter((waiting) => waiting.due <= now);
    if (due.length === 0) return;
    for (const { changes } of due) this.#shown?.follow(this.#live, changes);
    this.#waiting = this.#waiting.filter((waiting) => waiting.due > now);
    if (this.#waiting.length === 0) this.#shown = undefined;
  }
}
