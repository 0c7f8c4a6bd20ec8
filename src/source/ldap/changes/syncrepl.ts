import { AndFilter, EqualityFilter, GreaterThanEqualsFilter, PresenceFilter, type Filter } from 'ldapts';

import { FullReadNeededError } from '../../../domain/errors.ts';
import type { RootValues } from '../../../domain/directories/vendors.ts';
import type { RecordKey } from '../../../domain/reading/increment.ts';
import { SYNC } from '../ber/sync-controls.ts';
import { searchesOf } from '../read/course.ts';
import { lookAt } from '../read/look-at.ts';
import { entriesAmong, textIn, type ChangesCourse, type Containers } from './containers.ts';
import type { Way } from './ldap-changes.ts';
import { contextOf, cookieFor, earliestIn, isAfter, suffixOf, whyNotSince, type Context } from './marks.ts';
import { syncSearch } from './sync-search.ts';

/** Up to where a part of the directory was seen. */
interface Seen {
  readonly context: Context;
  /**
   * Keys of entries that changed last, with their numbers: where one of them is older later on, the directory was restored
   * from a backup, and has gone on since. Where something was deleted last there is none.
   */
  readonly last: Readonly<Record<RecordKey, string>>;
}

/** By suffix: one for the bases of people that it has. */
type Position = Readonly<Record<string, Seen>>;

/** Holds for entries that have others below them, as servers compute it (X.501). */
const HAS_SUBORDINATES: Filter = new EqualityFilter({ attribute: 'hasSubordinates', value: 'TRUE' });

/** Content synchronization (RFC 4533), as OpenLDAP's overlay syncprov has it. */
export class Syncrepl implements Way<Position> {
  readonly how = 'syncrepl';
  readonly #course: ChangesCourse;

  constructor(course: ChangesCourse) {
    this.#course = course;
  }

  async latest(): Promise<Position> {
    await this.#requireOverlay();
    const position: Record<string, Seen> = {};
    for (const { base } of this.#searches()) {
      const shown = await this.#look(base, HAS_SUBORDINATES, 'base');
      if (shown === undefined)
        throw new FullReadNeededError(
          `the server does not show that ${base} has entries below it (hasSubordinates)`,
        );
      const suffix = this.#suffixOf(base);
      position[suffix] ??= await this.#seenNow(suffix);
    }
    return position;
  }

  async touchedSince(before: Position, now: Position): Promise<ReadonlySet<RecordKey>> {
    const connection = await this.#course.side.get('list');
    const touched = new Set<RecordKey>();
    for (const search of this.#searches()) {
      const suffix = this.#suffixOf(search.base);
      const [then, latest] = [before[suffix]?.context, now[suffix]?.context];
      if (then === undefined || latest === undefined)
        throw new FullReadNeededError('the namingContexts are others');
      const why = whyNotSince(then, latest);
      if (why !== null) throw new FullReadNeededError(why);
      for (const key of await syncSearch(connection, search, cookieFor(then))) touched.add(key);
    }
    await this.#requireNotRestored(before, touched);
    return touched;
  }

  async movedSince(before: Position, containers: Containers): Promise<string | null> {
    const contexts = Object.values(before).map(({ context }) => context);
    const value = contexts.map(earliestIn).toSorted()[0] ?? '';
    const changed = new GreaterThanEqualsFilter({ attribute: 'entryCSN', value });
    const filter = new AndFilter({ filters: [HAS_SUBORDINATES, changed] });
    for await (const entry of entriesAmong(this.#course, filter, ['entryCSN'])) {
      const csn = textIn(entry, 'entryCSN');
      if (containers.has(this.#course.keys.of(entry) ?? entry.dn)) continue;
      if (csn === null || contexts.some((context) => isAfter(csn, context))) return entry.dn;
    }
    return null;
  }

  #searches(): ReturnType<typeof searchesOf> {
    return searchesOf(this.#course.plan, this.#course);
  }

  #suffixOf(base: string): string {
    return suffixOf(base, this.#course.directory.root) ?? base;
  }

  async #requireOverlay(): Promise<void> {
    const root = await this.#look('', new PresenceFilter({ attribute: 'objectClass' }), 'base');
    if (root?.('supportedControl').includes(SYNC.request) !== true)
      throw new FullReadNeededError(
        'OpenLDAP tells what changed with the overlay syncprov alone, and this server has none',
      );
  }

  async #seenNow(suffix: string): Promise<Seen> {
    const top = await this.#look(suffix, new PresenceFilter({ attribute: 'objectClass' }), 'base');
    const context = contextOf(top?.('contextCSN') ?? []);
    if (context === null) throw new FullReadNeededError(`contextCSN of ${suffix} is not to be seen`);
    const last: Record<RecordKey, string> = {};
    for (const value of Object.values(context)) {
      const entry = await this.#look(suffix, new EqualityFilter({ attribute: 'entryCSN', value }));
      const [key] = entry?.('entryUUID') ?? [];
      if (key !== undefined) last[key] = value;
    }
    return { context, last };
  }

  /** Throws where entries are older now than they were, or gone without a word. */
  async #requireNotRestored(before: Position, touched: ReadonlySet<RecordKey>): Promise<void> {
    for (const [suffix, { last }] of Object.entries(before)) {
      for (const [key, csn] of Object.entries(last)) {
        const entry = await this.#look(suffix, new EqualityFilter({ attribute: 'entryUUID', value: key }));
        const [now] = entry?.('entryCSN') ?? [];
        if (entry === undefined ? !touched.has(key) : now !== undefined && now < csn)
          throw new FullReadNeededError(
            'the entry that was changed last is older now, or gone: the directory may be a restored one',
          );
      }
    }
  }

  /** Returns the first entry for which a filter holds. */
  async #look(base: string, filter: Filter, scope: 'base' | 'sub' = 'sub'): Promise<RootValues | undefined> {
    const attributes = ['contextCSN', 'entryCSN', 'entryUUID', 'supportedControl'];
    return (await lookAt(this.#course, { base, scope, filter, attributes }))[0];
  }
}
