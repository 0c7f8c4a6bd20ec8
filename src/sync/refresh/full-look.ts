import type { RunTally } from '../state/run-tally.ts';
import type { ServiceTotals } from '../../domain/ports/ledger/ledger-facts.ts';
import { type Ledger, LONGEST_WAIT_MS } from '../../domain/ports/ledger/ledger.ts';
import type { ListName, User } from '../../domain/ports/service.ts';
import { readList, type List, type ListRead } from '../ask/read-list.ts';
import type { Run } from '../state/world.ts';

/** What the refresh has read, by list. */
export type ListsRead = Readonly<Record<ListName, ListRead>>;

const UNKNOWN: ServiceTotals = { organizations: null, users: null };
const LISTS = ['organizations', 'users'] as const satisfies readonly ListName[];

/** A full look that failed is made again after a quarter of an hour, then after twice as long each time. */
const FIRST_AGAIN_MS = 15 * 60_000;

/**
 * Returns why the changes that the service reports are not all, or `null` if nothing suggests that. A service does not
 * report that it was restored from a backup, or that a record was deleted, but its totals differ then.
 */
export async function whyLookAtAll(run: Run, lists: ListsRead): Promise<string | null> {
  for (const list of LISTS) {
    const reason = await otherTotal(run, list, lists[list]);
    if (reason !== null) return reason;
  }
  return null;
}

/** Turns the run into a full one, which reads and asks for everything. */
export function lookAtAll(run: Run, reason: string): void {
  run.full = true;
  run.kind = 'full';
  oweFull(run);
  run.log.note('info', 'the service changed since the last run: all of it is read', { reason });
}

/** Notes that a full look is owed, from its beginning to its end. Each time that it fails, it is due later. */
export function oweFull({ ledger, clock }: Pick<Run, 'ledger' | 'clock'>): void {
  const tries = (ledger.fact('fullOwed')?.tries ?? 0) + 1;
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_AGAIN_MS * 2 ** (tries - 1));
  ledger.setFacts({ fullOwed: { tries, at: clock.now() + wait } });
}

/** Remembers the totals that the next run compares with. */
export function rememberTotals({ ledger, full }: Run, lists: ListsRead): void {
  if (!full) return;
  const beyond = lists.organizations.total - ledger.view.organizations().length;
  ledger.setFacts({ totals: { organizations: beyond, users: lists.users.total } });
}

/** Forgets how many users there are, if accounts are to be made or removed: the next look tells. */
export function forgetUserTotal(ledger: Ledger, tally: RunTally): void {
  const { create, remove } = tally.counts().people;
  if (create + remove === 0) return;
  const totals = ledger.fact('totals') ?? UNKNOWN;
  ledger.setFacts({ totals: { ...totals, users: null } });
}

async function otherTotal(run: Run, list: ListName, { count }: ListRead): Promise<string | null> {
  const { ledger, service } = run;
  const totals = ledger.fact('totals') ?? UNKNOWN;
  const { totalCount } = await service.glance(list, null, run.stop);
  const known = totals[list];
  if (list === 'users') {
    ledger.setFacts({ totals: { ...totals, users: totalCount } });
    if (known === null || (totalCount >= known && totalCount <= known + count)) return null;
    return `${totalCount} users where ${known} were counted before and ${count} have changed`;
  }
  const expected = ledger.view.organizations().length + (known ?? 0);
  return known === null || totalCount === expected
    ? null
    : `${totalCount} organizations where ${expected} are known`;
}

/**
 * Reads the users that changed since the watermark, or all of them. Each of them may be an employee here, and
 * is asked for.
 */
export async function refreshCandidates(run: Run, since: number | null): Promise<ListRead> {
  const { view } = run.ledger;
  const read = await readList(usersOf(run), since);
  view.saveUsers(read.isAll);
  return read;
}

function usersOf({ ledger: { view }, service, progress, stop }: Run): List<User> {
  return {
    what: 'users',
    progress,
    now: () => service.now(),
    pages: (from) => service.users(from, stop),
    begin: () => void view.candidates([], 'anew'),
    take: (records) => void view.candidates(records),
    count: () => view.candidates([]),
  };
}
