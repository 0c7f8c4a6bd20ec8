import type { ServiceTotals } from '../../domain/ports/ledger/ledger-facts.ts';
import type { Listed } from '../../domain/ports/service.ts';
import { lostLandmarks, type Doubt } from './landmarks.ts';
import type { ListRead } from '../ask/read-list.ts';
import type { Run } from '../state/world.ts';

/** What the refresh has read of each list. */
export type ListsRead = Readonly<Record<Listed, ListRead>>;

const UNKNOWN: ServiceTotals = { organizations: null, users: null };
const LISTS = ['organizations', 'users'] as const satisfies readonly Listed[];

/** First after a quarter of an hour, then twice as late each time. */
const FIRST_AGAIN_MS = 15 * 60_000;
const LONGEST_MS = 6 * 3_600_000;

/**
 * Returns why what changed is not all that there is to see: a service that was restored from a backup, or in which
 * somebody deleted something, tells of neither. It counts other totals then, knows no change any more where it had
 * shown one, or has lost what we changed last. `null`: nothing speaks for it. Costs a call for each list, one more
 * where nothing has changed since, and a few for what we changed last.
 */
export async function whyLookAtAll(run: Run, lists: ListsRead, since: number): Promise<Doubt | null> {
  for (const list of LISTS) {
    const reason =
      (await otherTotal(run, list, lists[list])) ??
      (await lostChanges(run, list, { read: lists[list], since }));
    if (reason !== null) return { reason, about: [] };
  }
  return lostLandmarks(run);
}

/** Makes the run read from here on, and asks for, all there is. */
export function lookAtAll(run: Run, { reason }: Doubt): void {
  run.full = true;
  run.kind = 'full';
  oweFull(run);
  run.log.note('info', 'the service is not as it was left: all of it is read', { reason });
}

/** A full look is owed from its beginning to its end, later each time that it fails. */
export function oweFull({ ledger, clock }: Pick<Run, 'ledger' | 'clock'>): void {
  const tries = (ledger.fact('fullOwed')?.tries ?? 0) + 1;
  const wait = Math.min(LONGEST_MS, FIRST_AGAIN_MS * 2 ** (tries - 1));
  ledger.setFacts({ fullOwed: { tries, at: clock.now() + wait } });
}

/** Ids that are remembered as not there, the latest. */
const MOST_UNKNOWN = 100;

/**
 * What a call was to change is not there under its id: the service is not as it was last read, and the next run reads
 * all of it. Once for each id, or a record that stays unknown would make every run a full one.
 */
export function notThere({ ledger, clock, full }: Run, id: string): void {
  const unknown = ledger.fact('unknownIds') ?? [];
  if (full || unknown.includes(id)) return;
  const fullOwed = { tries: 0, at: clock.now() };
  ledger.setFacts({ unknownIds: [...unknown, id].slice(-MOST_UNKNOWN), fullOwed });
}

/** One that is due later than ever was counted by a wrong clock. */
export function owesFull({ ledger, clock }: Pick<Run, 'ledger' | 'clock'>): boolean {
  const owed = ledger.fact('fullOwed');
  if (owed === null) return false;
  const wait = owed.at - clock.now();
  return wait <= 0 || wait > LONGEST_MS;
}

/** What the next run compares with. */
export function rememberTotals(run: Run, lists: ListsRead, since: number | null): void {
  const { ledger } = run;
  if (run.full) {
    const beyond = lists.organizations.total - ledger.view.organizations().length;
    const totals = { organizations: beyond, users: lists.users.total };
    ledger.setFacts({ totals, changedAfter: UNKNOWN });
    return;
  }
  const before = ledger.fact('changedAfter') ?? UNKNOWN;
  const after = (list: Listed): number | null => (lists[list].count > 0 ? since : before[list]);
  ledger.setFacts({ changedAfter: { organizations: after('organizations'), users: after('users') } });
}

/** Accounts are to come or go: how many users there are is not known before the next look. */
export function forgetUserTotal({ ledger, tally }: Run): void {
  const { create, remove } = tally.counts().people;
  if (create + remove === 0) return;
  const totals = ledger.fact('totals') ?? UNKNOWN;
  ledger.setFacts({ totals: { ...totals, users: null } });
}

async function otherTotal(run: Run, list: Listed, { count }: ListRead): Promise<string | null> {
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

interface Incremental {
  readonly read: ListRead;
  /** The `refresh_time` that it was read with, ms. */
  readonly since: number;
}

async function lostChanges(run: Run, list: Listed, { read, since }: Incremental): Promise<string | null> {
  const changedAfter = run.ledger.fact('changedAfter')?.[list] ?? null;
  if (changedAfter === null || read.count > 0) return null;
  const isLost = since <= changedAfter || (await run.service.glance(list, changedAfter, run.stop)).isEmpty;
  const when = new Date(changedAfter).toISOString();
  return isLost ? `no change of ${list} after ${when} is shown any more` : null;
}
