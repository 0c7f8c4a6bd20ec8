import { foldUsername } from '../../src/domain/text/fold.ts';
import type { Person } from '../../src/domain/records/records.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { Ran } from '../sync/world.ts';
import type { Company } from './headquarters.ts';

/**
 * *No silent leaver*: whoever has been missing or marked as left for the configured misses and still has an active
 * account is named by `status`, and the run's exit code is not 0. Kept from the source alone, knowing nothing of the
 * ledger: who was ever in it under which username, and in how many complete runs in a row each one was missing.
 */
export class Leavers {
  readonly #sandbox: Sandbox;
  readonly #misses: number;
  /** The service counts no edit as a change: whoever is let in again is found by a full run alone. */
  readonly #isBlind: boolean;
  /** The first username of everybody who was in the source: an account keeps it. */
  readonly #accounts = new Map<string, string>();
  /** All that ever had a username, by it: one person, whom HR gave other numbers. */
  readonly #ids = new Map<string, Set<string>>();
  readonly #missed = new Map<string, number>();
  /** Who was in the source and had an active account after a run: of others who are missing nothing is ours. */
  readonly #ours = new Set<string>();
  /** Who had an active account after the last run: a failed one may not have seen what others did since. */
  readonly #wereActive = new Set<string>();

  constructor(sandbox: Sandbox, { misses, isBlind }: { readonly misses: number; readonly isBlind: boolean }) {
    this.#sandbox = sandbox;
    this.#misses = misses;
    this.#isBlind = isBlind;
  }

  /**
   * After a run; a failed one has read nothing of the service for certain, and says so by its exit code: of it only those
   * are asked for whose records say that they have left. One that is held as a whole says so by its exit code too: in
   * another source everybody may be missing.
   */
  inside(company: Company, ran: Ran): readonly string[] {
    const silent = this.#silentAfter(company, ran);
    this.#wereActive.clear();
    for (const [id, username] of this.#accounts)
      if (this.#accountOf(username)?.locked === false) this.#wereActive.add(id);
    return silent;
  }

  /** Source ids of all that ever had this username. */
  idsOf(username: string): readonly string[] {
    return [...(this.#ids.get(foldUsername(username)) ?? [])];
  }

  #silentAfter(company: Company, ran: Ran): readonly string[] {
    if (hasFailedAfterReading(ran)) {
      const left = company.people.filter(({ id, active }) => active === false && this.#wereActive.has(id));
      return left.flatMap(({ id, username }) => this.#silent({ id, username, ran }));
    }
    if (hasReadNothing(ran)) return [];
    this.#remember(company);
    const present = new Map(company.people.map((one) => [one.id, one]));
    const left = [...this.#accounts].filter(([id, username]) => this.#hasLeft(id, username, present.get(id)));
    if (this.#isBlind && ran.plan?.full !== true) return [];
    return left.flatMap(([id, username]) => this.#silent({ id, username, ran }));
  }

  /** Who comes with another id is the same person, to whom the account belongs from now on. */
  #remember({ people }: Company): void {
    const owners = new Map(people.map(({ id, username }) => [foldUsername(username), id]));
    for (const { id, username } of people) {
      const key = foldUsername(username);
      if (!this.#accounts.has(id)) this.#accounts.set(id, username);
      this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(id));
    }
    for (const [id, username] of this.#accounts)
      if ((owners.get(foldUsername(username)) ?? id) !== id) this.#accounts.delete(id);
  }

  /** Counts the run: whoever says so, or was missing often enough. */
  #hasLeft(id: string, username: string, record: Person | undefined): boolean {
    const missed = record === undefined ? (this.#missed.get(id) ?? 0) + 1 : 0;
    this.#missed.set(id, missed);
    if (record?.active === true && this.#accountOf(username)?.locked === false) this.#ours.add(id);
    return record === undefined ? missed >= this.#misses && this.#ours.has(id) : record.active === false;
  }

  #silent({ id, username, ran }: { readonly id: string; readonly username: string; readonly ran: Ran }) {
    const account = this.#accountOf(username);
    if (account === undefined || account.locked) return [];
    if (ran.exitCode === 0) return [`${username} has left and is active, and the run ends with 0`];
    const named = namedBy(ran);
    return [id, ...this.idsOf(username)].some((one) => named.has(one))
      ? []
      : [`${username} has left and is active, and status does not name ${id}`];
  }

  #accountOf(username: string) {
    const { state } = this.#sandbox;
    const key = username.toLowerCase();
    return state.employee(username) ?? state.employees().find((one) => one.username.toLowerCase() === key);
  }
}

function hasFailedAfterReading({ exitCode, lines }: Ran): boolean {
  return exitCode === 1 && lines.some(({ fields }) => fields['event'] === 'source.read');
}

/** Failed, not begun, or held as a whole. */
function hasReadNothing({ exitCode, plan }: Ran): boolean {
  const isHeldWhole = plan?.held.some(({ guard }) => guard === 'source') === true;
  return exitCode === 1 || exitCode === 2 || (exitCode === 3 && isHeldWhole);
}

/** Source ids of records that a run lists with a reason, or has planned and does not send: held, or waiting for others. */
export function namedBy({ listed, inside, rows }: Ran): ReadonlySet<string> {
  const lines = [...listed, ...inside].map((line) => line.slice(0, line.indexOf(': ')));
  return new Set([...lines, ...rows.flatMap(({ goesOn, change }) => (goesOn ? [] : [change.id]))]);
}

/** What a read of each record twice, by list and by id, comes to; and a few looks at each change. */
const READS_OF_A_RECORD = 3;
const READS_OF_A_RUN = 100;

/**
 * *Every run ends*: its reads are bounded by a constant times what it lists plus what it changes, whatever the service
 * answers. `records` are those of the source and of the service.
 */
export function mostReads(records: number): number {
  return READS_OF_A_RUN + READS_OF_A_RECORD * records;
}
