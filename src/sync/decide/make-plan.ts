import {
  type Held,
  type Plan,
  type ServiceEvidence,
  isRekey,
  recordKey,
  type Change,
} from '../../domain/changes.ts';
import type { Approval } from '../../domain/records/approval.ts';
import { hashOf, approvalOf } from '../../plan/changes/change-digest.ts';
import { estimate } from '../../plan/changes/estimate.ts';
import type { NodeBook } from '../../plan/nodes/node-book.ts';
import { neededFor } from '../../plan/units/needed-for.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import { holdBack, takeApprovals, trips } from './hold-back.ts';
import { dropOccupied } from './occupied-units.ts';
import { keepToReverted, otherApprovals } from './pin-records.ts';
import { nameLeftInside } from './left-inside.ts';
import { PeoplePlanner } from './plan-people.ts';
import { planUnits } from './plan-units.ts';
import { logRepairs, noteHeld, type PlanWriter } from './plan-writer.ts';
import { askForIdentity } from './changed-identity.ts';
import type { Sides } from './sides.ts';
import { rememberAsked } from '../read/asked.ts';
import type { SourceRead } from '../read/read-source.ts';
import { inSteps, othersGo } from '../../lib/in-steps.ts';
import { refreshDecided } from '../refresh/refresh-service.ts';
import { laterClock } from '../state/both-clocks.ts';
import { decidingRules, protection } from '../state/deciding-rules.ts';
import type { OneRecord, RunRequest } from '../state/run-request.ts';
import { unitNames } from '../state/unit-names.ts';
import type { Run, SendingRun } from '../state/world.ts';
import { historyRecord } from '../../plan/changes/history-record.ts';

const APPROVED_FOR_MS = 7 * 86_400_000;
/** How many accounts with another username than in the source a plan lists. */
const MOST_KEPT = 10_000;

/** A plan, and what is needed to send its changes. */
interface MadePlan {
  readonly plan: Plan;
  /** `null`: nothing is sent before the source is approved. */
  readonly sending: Pick<SendingRun, 'nodes' | 'approved'> | null;
  /** The units as they are planned. */
  readonly tree: UnitTree;
}

/**
 * Decides every record that differs, and writes the decisions into the plan book; only their counts stay in memory.
 * People who were approved as the same person take their new ids first, so that this plan has what follows.
 */
export async function makePlan(run: Run, sides: Sides, request: RunRequest): Promise<MadePlan> {
  const { only, dryRun } = request;
  run.ledger.noneAfter(laterClock(run), run.clock.now() - APPROVED_FOR_MS);
  const question = await askForIdentity(run, sides.view, request);
  rememberAsked(run);
  const { held, occupied, hash, service, sending } =
    question === null ? await decide(run, sides, request) : undecided(sides, question);
  const isWhole = (only === undefined && run.reverting === null) || question !== null;
  if (dryRun && run.reverting === null) nameLeftInside(run, held, true);
  const blocked = blockedIn(run, isWhole, request);
  // Of some records alone, the bad ones among the others are not counted.
  run.tally.failed = isWhole ? Math.min(run.tally.failed, blocked.count) : failedAmong(run, blocked.list());
  run.tally.blocked = blocked.count - run.tally.failed;
  const plan = {
    hash,
    held,
    ...summaryOf(run, sides.source, service),
    occupied,
    get blocked() {
      return blocked.list();
    },
  };
  run.progress.end();
  logRepairs(run);
  announce(run, plan);
  return { plan, sending, tree: sides.source.tree };
}

interface Decided extends Pick<MadePlan, 'sending'>, Pick<Plan, 'hash' | 'held' | 'occupied'> {
  /** What the service showed in the refresh, and in the look at the people that the plan is about. */
  readonly service: ServiceEvidence;
}

/** The plan of a source that is not approved: one question, and nothing else. */
function undecided({ view }: Sides, question: Held): Decided {
  return { hash: question.hash, held: [question], occupied: [], service: view.evidence, sending: null };
}

/** Decides all records, and holds what guards stop. */
async function decide(run: Run, sides: Sides, request: RunRequest): Promise<Decided> {
  const { tree } = sides.source;
  const { only, dryRun } = request;
  const { nodes, service, paused, hash } = await decideAll(run, sides, request);
  await othersGo();
  const { held: all, approved } = await holdBack(run, request, { paused, tree });
  if (run.reverting === null) {
    await noteHeld(run, all);
    await othersGo();
    if (!dryRun) await keepSeen(run, sides.source, only);
  }
  await othersGo();
  const occupied = dryRun && run.reverting === null ? dropOccupied(run, nodes) : [];
  const isOne = only !== undefined && run.reverting === null;
  const held = isOne ? keepToOne(run, only, { held: all, tree }) : all;
  return { held, occupied, hash, service, sending: { nodes, approved } };
}

/** Remembers what records have of the names that decide about them, once it is known what of them waits. */
async function keepSeen(
  run: Run,
  { unitsHave: units }: SourceRead,
  only: OneRecord | undefined,
): Promise<void> {
  const read = { rules: decidingRules(run), units, protection: protection(run), only: only ?? null };
  await inSteps(run.ledger.seen.keep(read));
}

/** Returns the blocked records that this run is about; the list of a run that sends is made only if it is looked at. */
function blockedIn(
  { ledger: { plan }, pins }: Run,
  isWhole: boolean,
  { only, dryRun }: RunRequest,
): { readonly count: number; readonly list: () => Plan['blocked'] } {
  let all: Plan['blocked'] | null = isWhole && dryRun ? plan.blockedRecords() : null;
  if (isWhole) return { count: plan.blockedCount(), list: () => (all ??= plan.blockedRecords()) };
  const isMeant = (one: OneRecord): boolean => (only === undefined ? pins.isOwn(one) : isSame(one, only));
  const own = plan.blockedRecords().filter((one) => isMeant(one));
  return { count: own.length, list: () => own };
}

/** Returns how many of these records cannot be used, or failed before. */
function failedAmong({ ledger }: Run, records: Plan['blocked']): number {
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
): Omit<Plan, 'hash' | 'held' | 'blocked' | 'occupied'> {
  const { ledger, sync, tally } = run;
  const { calls, seconds } = estimate(tally.counts(), run.limits);
  const { held, flowing } = ledger.plan.totals();
  return {
    full: run.full,
    evidence: { source: evidence, service },
    counts: tally.counts(),
    heldChanges: held,
    flowing,
    waiting: ledger.people.waiting(sync.leavers.misses),
    edited: tally.edited(),
    kept: ledger.people.kept(MOST_KEPT),
    reverts: run.reverting === null ? null : run.pins.reverts(run.reverting),
    timezone: sync.timezone,
    unitNames: unitNames(run, tree),
    calls,
    estimatedSeconds: seconds,
  };
}

function announce({ log, tally }: Run, { hash, counts, heldChanges, calls, estimatedSeconds }: Plan): void {
  log.event({
    event: 'plan.ready',
    hash,
    counts,
    changes: tally.changes(),
    held: heldChanges,
    blocked: tally.blocked,
    calls,
    estimatedSeconds,
  });
}

interface Records extends Pick<PlanWriter, 'paused'>, Pick<Decided, 'hash' | 'service'> {
  readonly nodes: NodeBook;
}

/** Decides units, then people. */
async function decideAll(run: Run, sides: Sides, request: RunRequest): Promise<Records> {
  const units = await inSteps(planUnits(run, sides));
  const { nodes, writer } = units;
  await othersGo();
  const service = await refreshDecided(run, sides.view);
  const people = new PeoplePlanner({ ...run, nodes }, units);
  await inSteps(people.inPages());
  await othersGo();
  if (run.reverting === null) {
    await takeApprovals(run, request, sides.source.tree);
    followRekeys(run, people);
  } else {
    keepToReverted(run);
    const hash = await inSteps(planHash(run));
    await takeApprovals(run, { approve: otherApprovals(request, hash) }, sides.source.tree);
  }
  return { nodes, service, paused: writer.paused, hash: await inSteps(planHash(run)) };
}

/** Plans what follows for people who have new ids now: that was shown, and is approved, with the ids. */
function followRekeys(run: Run, people: PeoplePlanner): void {
  const rekeyed = applyRekeys(run);
  people.again(rekeyed);
  for (const { id, approval } of rekeyed)
    if (approval !== null)
      run.ledger.approvals.approve({ ...approval, at: run.clock.now() }, { is: 'following', of: id });
}

const planHash = (run: Run): Generator<void, string> => hashOf(run.ledger.plan.digests());

/**
 * Lets all of the plan wait for the next run, but for one record and the new units above it. Returns what is held of
 * these: nothing, if no guard holds any of them. Throws a RequestError if others would have to change with it.
 */
function keepToOne(
  run: Run,
  only: OneRecord,
  { held, tree }: { readonly held: readonly Held[]; readonly tree: UnitTree },
): readonly Held[] {
  const { plan } = run.ledger;
  const needed = neededFor(only, plan.sequencedChanges(), tree);
  plan.keepOnly(needed.map(({ seq }) => seq));
  run.tally.planAnew(needed.map(({ change }) => change));
  return held.filter(({ hash }) => needed.some(({ hashes }) => hashes.includes(hash)));
}

/** A person whose new id the ledger has taken, and who approved that. */
interface Rekeyed {
  readonly id: string;
  readonly approval: Approval | null;
}

/**
 * Changes the ids of people who are the same person, if that was approved or no guard holds it. Only the ledger
 * changes. Returns the new ids, which are to be compared: what follows is planned on its own.
 */
function applyRekeys(run: Run): readonly Rekeyed[] {
  const adoptions = run.ledger.plan.changes({ subject: 'person', kinds: ['adopt'], after: 0, limit: -1 });
  const rekeys = adoptions.filter(({ change }) => isRekey(change));
  if (rekeys.length === 0) return [];
  const approved = run.ledger.approvals.all();
  const isHeld = trips(run, 'usernameReuse');
  const rekeyed: Rekeyed[] = [];
  for (const { seq, change } of rekeys) {
    const ids = change.fields.filter(({ field }) => field === 'id');
    const from = ids[0]?.from;
    const approval = approvalOf(change, approved);
    if (typeof from !== 'string' || (isHeld && approval === null)) continue;
    if ('username' in change) run.ledger.people.rekey(from, change);
    const taken: Change = { ...change, fields: ids };
    run.ledger.plan.replace(seq, taken);
    run.ledger.history.add('person', change.id, historyRecord(taken, approval));
    run.tally.applied += 1;
    rekeyed.push({ id: change.id, approval });
  }
  return rekeyed;
}
