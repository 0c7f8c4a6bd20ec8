import Database from 'better-sqlite3';
import type { Person } from '../../src/domain/records/records.ts';
import { limitOf } from '../../src/plan/changes/guards.ts';
import type { SyncSettings } from '../../src/domain/settings.ts';
import { NO_GUARD } from '../plan/build.ts';
import type { MemoryWorld } from '../doubles/memory-source.ts';
import type { World } from '../sync/world.ts';
import type { Chance } from './chance.ts';
import type { Watch } from './watch.ts';

const READS = 3;
const MINUTES = 20;
/** Below what one read may lose, so that each read alone would pass. */
const SHARE = 0.04;

/** How far the source is, and an older state of it. */
const [BEHIND, AHEAD] = [1, 2];

/** How many ids are given to strangers at once. */
const STRANGERS = 3;

const stranger = (one: Person): Person => ({
  ...one,
  username: `stranger-${one.id}`,
  active: true,
  fields: { ...one.fields, name: `Stranger ${one.id}` },
});

/** What happens to a source in passing, each time for some runs, after which all is as it was. */
export class Passing {
  readonly #world: World;
  readonly #watch: Watch;
  readonly #guard: SyncSettings['guard'];
  #earlier: MemoryWorld | null = null;

  constructor(world: World, watch: Watch, guard: SyncSettings['guard']) {
    this.#world = world;
    this.#watch = watch;
    this.#guard = guard;
    world.source.mark = AHEAD;
  }

  /**
   * A source that says of others in each read that they have left, every 20 minutes. Throws where more of them lose their
   * accounts in that day than the guard lets go.
   */
  async flap(chance: Chance): Promise<void> {
    if (this.#guard === NO_GUARD) return;
    const { source } = this.#world;
    const { world } = source;
    const working = this.#working();
    const people = world.people.filter((one): one is Person => 'username' in one);
    const here = people.filter(({ active, username }) => active === true && working.has(username));
    const flapping = chance.some(here, Math.floor(here.length * SHARE) * READS);
    const turns = Array.from(
      { length: READS },
      (_, turn) => new Set(flapping.filter((_one, at) => at % READS === turn)),
    );
    const lost = new Set<string>();
    for (const out of turns) {
      source.world = {
        ...world,
        people: world.people.map((one) =>
          'username' in one && out.has(one) ? { ...one, active: false } : one,
        ),
      };
      this.#world.minutes(MINUTES);
      await this.#world.sync({ stop: this.#watch.begin() });
      const there = this.#working();
      for (const { username } of flapping) if (!there.has(username)) lost.add(username);
    }
    source.world = world;
    const { percent, count } = this.#guard.leavers;
    const most = limitOf({ base: working.size, percent }, count);
    if (lost.size <= most) return;
    throw new Error(
      `a source flaps: ${lost.size} of ${flapping.length} lost their accounts for a while, the limit is ${most}`,
    );
  }

  /** A replica answers that is behind: what it has is what was there at the last call. Throws where the run goes on with it. */
  async fallBehind(): Promise<void> {
    const { source } = this.#world;
    const { world } = source;
    const earlier = this.#earlier;
    this.#earlier = world;
    if (earlier === null) return;
    source.world = earlier;
    source.mark = BEHIND;
    this.#world.minutes(MINUTES);
    const ran = await this.#world.sync({ stop: this.#watch.begin() });
    source.world = world;
    source.mark = AHEAD;
    if (ran.exitCode === 1 && ran.changing.length === 0) return;
    throw new Error(`a source is behind, exit ${ran.exitCode}: ${ran.changing.length} calls were sent`);
  }

  /**
   * Ids of people who have left, given to strangers: each comes with another login and another name. Throws where an account
   * of these works, or has another name, after a run in which nobody has approved anything.
   */
  async giveIds(chance: Chance): Promise<void> {
    if (this.#guard === NO_GUARD) return;
    const { source, sandbox } = this.#world;
    const { world } = source;
    const accountOf = (username: string) => sandbox.state.employee(username);
    const disabled = this.#disabled();
    const left = world.people.filter(
      (one): one is Person =>
        'username' in one &&
        one.active === false &&
        disabled.has(one.id) &&
        accountOf(one.username)?.locked === true,
    );
    const given = chance.some(left, STRANGERS);
    const before = given.map(({ username }) => accountOf(username)?.name);
    source.world = {
      ...world,
      people: world.people.map((one) => ('username' in one && given.includes(one) ? stranger(one) : one)),
    };
    this.#world.minutes(MINUTES);
    const ran = await this.#world.sync({ stop: this.#watch.begin() });
    source.world = world;
    const opened = given.filter(({ username }, at) => {
      const account = accountOf(username);
      return account?.locked === false || (account !== undefined && account.name !== before[at]);
    });
    if (opened.length === 0) return;
    const names = opened.map(({ username }) => username).join(', ');
    throw new Error(`ids are given to strangers, exit ${ran.exitCode}: they have the accounts of ${names}`);
  }

  /** Source ids of those whom rollcall has disabled: the id of anybody else opens nothing. */
  #disabled(): ReadonlySet<unknown> {
    const ledger = new Database(this.#world.ledgerFile, { readonly: true });
    const ids = ledger.prepare(`SELECT id FROM person WHERE state = 'disabled'`).pluck().all();
    ledger.close();
    return new Set(ids);
  }

  /** Usernames of the accounts that work. */
  #working(): ReadonlySet<string> {
    const employees = this.#world.sandbox.state.employees();
    return new Set(employees.flatMap(({ username, locked }) => (locked ? [] : [username])));
  }
}
