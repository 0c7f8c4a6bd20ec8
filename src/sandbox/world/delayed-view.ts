import { World, type Changes } from './world.ts';

/** What calls see: the world, or, while imports wait to become visible (asyncImport), a copy without them. */
export class DelayedView {
  readonly #live: World;
  readonly #waiting = new Set<NodeJS.Timeout>();
  #shown: World | undefined;

  constructor(live: World) {
    this.#live = live;
  }

  get world(): World {
    return this.#shown ?? this.#live;
  }

  /** Before an import changes the world. */
  hold(): void {
    if (this.#shown !== undefined) return;
    this.#shown = new World();
    this.#shown.follow(this.#live);
  }

  publish(changes: Changes, delayMs: number): void {
    if (this.#shown === undefined) return;
    if (delayMs === 0) this.#shown.follow(this.#live, changes);
    else this.#publishLater(changes, delayMs);
  }

  #publishLater(changes: Changes, delayMs: number): void {
    const timer = setTimeout(() => {
      this.#shown?.follow(this.#live, changes);
      this.#waiting.delete(timer);
      if (this.#waiting.size === 0) this.#shown = undefined;
    }, delayMs);
    this.#waiting.add(timer);
  }

  close(): void {
    for (const timer of this.#waiting) clearTimeout(timer);
  }
}
