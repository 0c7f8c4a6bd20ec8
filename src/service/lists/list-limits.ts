import type { ListLimits } from '../../domain/ports/service.ts';
import type { ServiceSettings } from '../../domain/settings.ts';

type Settings = Pick<ServiceSettings['limits'], 'pageSize' | 'namesPerQuery'>;

/**
 * Bytes of a URL that servers and proxies take at least; below 4,000, so that a renewed token may be somewhat
 * longer.
 */
const LONGEST_URL_BYTES = 3900;

/**
 * How much is asked for at once. The interface shows no limits: it starts with what nearly every service
 * takes, and where one refuses that, uses what has passed.
 */
export class KnownLimits {
  readonly #settings: Settings;
  #passed: ListLimits = {};

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Returns the limits that were found out; empty while nothing was refused. */
  get found(): ListLimits {
    return this.#passed;
  }

  get pageSize(): number {
    return Math.min(this.#settings.pageSize, this.#passed.pageSize ?? Infinity);
  }

  get namesPerQuery(): number {
    return Math.min(this.#settings.namesPerQuery, this.#passed.namesPerQuery ?? Infinity);
  }

  get urlBytes(): number {
    return Math.min(LONGEST_URL_BYTES, this.#passed.urlBytes ?? Infinity);
  }

  /** Notes that this much passed, now or earlier, and that more was refused. */
  keepTo(limits: ListLimits): void {
    const names = ['pageSize', 'namesPerQuery', 'urlBytes'] as const;
    const lower = names.flatMap((name) => {
      const value = limits[name];
      return value === undefined ? [] : [[name, Math.min(value, this.#passed[name] ?? value)]];
    });
    this.#passed = { ...this.#passed, ...Object.fromEntries(lower) };
  }
}
