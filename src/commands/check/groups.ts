/** Records that share one reason. */
export interface Group {
  readonly reason: string;
  readonly count: number;
  /** First few of these records. */
  readonly first: readonly string[];
}

const FIRST = 5;
/** Number of reasons that are told apart: a source may give every record a reason of its own. */
const MOST_REASONS = 10_000;
const OTHERS = 'other reasons';

/** Counts records by reason and remembers the first few of each. */
export class Groups {
  readonly #groups = new Map<string, { count: number; readonly first: string[] }>();

  add(reason: string, name: string): void {
    const known = this.#groups.get(reason);
    const key = known === undefined && this.#groups.size >= MOST_REASONS ? OTHERS : reason;
    const group = known ?? this.#groups.get(key) ?? { count: 0, first: [] };
    this.#groups.set(key, group);
    group.count += 1;
    if (group.first.length < FIRST) group.first.push(name);
  }

  get count(): number {
    let sum = 0;
    for (const { count } of this.#groups.values()) sum += count;
    return sum;
  }

  /** Lists the groups, the largest first. */
  list(): readonly Group[] {
    return [...this.#groups]
      .map(([reason, group]) => ({ reason, ...group }))
      .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  }
}
