import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import { recordKey, type Plan, type ServiceEvidence } from '../../domain/changes.ts';
import { estimate } from '../../plan/changes/estimate.ts';
import type { SourceRead } from '../read/read-source.ts';
import type { OneRecord, RunRequest } from '../state/run-request.ts';
import { unitsWithin } from '../../plan/units/needed-for.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import { unitNames } from '../state/unit-names.ts';
import type { Run } from '../state/world.ts';
import { nameLeftInside } from './left-inside.ts';

/** How many accounts with another username than in the source a plan lists. */
const MOST_KEPT = 10_000;

interface Decided extends Pick<Plan, 'hash' | 'held' | 'occupied'> {
  readonly service: ServiceEvidence;
  /** Whether the plan is about all records. */
  readonly isWhole: boolean;
}

/** Returns the plan once its changes are held back, with what is blocked; of some records alone, only these count. */
export function sumUp(
  run: Run,
  source: SourceRead,
  request: RunRequest,
  { hash, held, occupied, service, isWhole }: Decided,
): Plan {
  const { tally } = run;
  if (request.dryRun && run.reverting === null) nameLeftInside(run, held, true);
  const blocked = blockedIn(run, isWhole, request, source.tree);
  tally.failed = isWhole ? Math.min(tally.failed, blocked.count) : failedAmong(run.ledger, blocked.list());
  tally.blocked = blocked.count - tally.failed;
  return {
    hash,
    held,
    ...summaryOf(run, source, service),
    // The question about another source is held, though it is no change.
    heldChanges: Math.max(run.ledger.plan.totals().held, held.length),
    occupied,
    get blocked() {
      return blocked.list();
    },
  };
}

/** Returns the blocked records that this run is about; the list of a run that sends is made only if it is looked at. */
function blockedIn(
  { ledger, pins }: Run,
  isWhole: boolean,
  { only, dryRun }: RunRequest,
  tree: UnitTree,
): { readonly count: number; readonly list: () => Plan['blocked'] } {
  const { plan } = ledger;
  let all: Plan['blocked'] | null = isWhole && dryRun ? plan.blockedRecords() : null;
  if (isWhole) return { count: plan.totals().blocked, list: () => (all ??= plan.blockedRecords()) };
  const within = only?.subject === 'unit' ? unitsWithin(only.id, tree) : new Set<string>();
  const isMeant = (one: OneRecord): boolean =>
    only === undefined
      ? pins.isOwn(one)
      : isSame(one, only) || (within.size > 0 && unitsOf(ledger, one).some((unit) => within.has(unit)));
  const own = plan.blockedRecords().filter((one) => isMeant(one));
  return { count: own.length, list: () => own };
}

/** Returns the unit, or the units in which a person is to be, or was when last sent. */
function unitsOf({ people }: Ledger, { subject, id }: OneRecord): readonly string[] {
  if (subject === 'unit') return [id];
  return [...people.rows({ id })].flatMap(({ record, entry }) => {
    const positions = typeof record === 'object' ? record?.payload?.positions : undefined;
    return [...(positions ?? []), ...(entry?.sent.positions ?? [])].flatMap(({ unit }) => unit ?? []);
  });
}

/** Returns how many of these records cannot be used, or failed before. */
function failedAmong(ledger: Ledger, records: Plan['blocked']): number {
  const { refusals, losses } = ledger.staging.bad();
  const bad = Array.from(refusals, ({ subject, id, label, place }) =>
    recordKey({ subject: subject === 'unit' ? 'unit' : 'person', id: id ?? label ?? place }),
  );
  const failed = new Set([...bad, ...[...losses, ...ledger.troubles.failures()].map(recordKey)]);
  return records.filter((one) => failed.has(recordKey(one))).length;
}

function isSame(a: OneRecord, b: OneRecord): boolean {
  return a.subject === b.subject && a.id === b.id;
}

/** Returns what is known of a plan once its changes are held back. */
function summaryOf(
  run: Run,
  { tree, evidence }: SourceRead,
  service: ServiceEvidence,
): Omit<Plan, 'hash' | 'held' | 'heldChanges' | 'blocked' | 'occupied'> {
  const { ledger, sync, tally } = run;
  const { calls, seconds } = estimate(tally.counts(), run.limits);
  const { flowing } = ledger.plan.totals();
  return {
    full: run.full,
    evidence: { source: evidence, service },
    counts: tally.counts(),
    flowing,
    waiting: ledger.people.waiting(sync.leavers.misses),
    edited: tally.edited(),
    kept: ledger.people.kept(MOST_KEPT),
    reverts: run.reverting === null ? null : run.pins.reverts(run.reverting),
    timezone: sync.timezone,
    unitNames: unitNames(run.ledger, tree),
    calls,
    estimatedSeconds: seconds,
  };
}
