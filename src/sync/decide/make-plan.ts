import type { Plan } from '../../domain/changes.ts';
import { PlanError } from '../../domain/errors.ts';
import { LinesDigest } from '../../lib/digest.ts';
import { estimate } from '../../plan/changes/estimate.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import { applyRekeys } from './apply-rekeys.ts';
import { takeNewIds } from './take-new-ids.ts';
import type { RunRequest } from '../state/run-request.ts';
import { laterClock } from '../state/both-clocks.ts';
import { holdAll, holdBack, takeApprovals } from './hold-back.ts';
import { learnFromApproved } from '../unmapped/learn-from-approved.ts';
import { Planner } from './planner.ts';
import { refreshDecided } from '../refresh/refresh-service.ts';
import { otherGround } from './same-ground.ts';
import { unitNames } from './unit-names.ts';
import type { Run } from '../state/world.ts';

/** Accounts of another username than in the source that a plan lists. */
const MOST_KEPT = 10_000;

/**
 * Decides every record that differs, and writes the decisions to staging; only their counts stay in memory. Whom a person
 * has called the same person takes the new id first: what follows from it is of this plan.
 */
export async function makePlan(run: Run, tree: UnitTree, request: RunRequest): Promise<Plan> {
  run.ledger.noneAfter(laterClock(run));
  const ground = otherGround(run, tree, request);
  await decideAll(run, tree, ground === null ? request : null);
  const hash = planHash(run);
  const held = ground === null ? holdBack(run, request) : holdAll(run, ground, request);
  const blocked = run.ledger.plan.blockedRecords();
  run.tally.blocked = blocked.length - run.tally.failed;
  const plan = { hash, held, blocked, isReleased: ground === null, ...summaryOf(run, tree) };
  run.progress.end();
  announce(run, plan);
  return plan;
}

/** Returns what is known of a plan when it is held back as far as it has to be. */
function summaryOf(run: Run, tree: UnitTree): Omit<Plan, 'hash' | 'held' | 'blocked' | 'isReleased'> {
  const { source, service } = run.evidence;
  if (source === undefined || service === undefined)
    throw new PlanError('plan: a side was not read to its end');
  const { ledger, sync, tally } = run;
  const { calls, seconds } = estimate(tally.counts(), run.limits);
  return {
    full: run.full,
    evidence: { source, service },
    counts: tally.counts(),
    heldChanges: ledger.plan.heldCount(),
    flowing: ledger.plan.flowing(),
    waiting: ledger.people.waiting(sync.leavers.misses),
    edited: tally.edited(),
    kept: sync.usernameChange === 'keep' ? ledger.people.kept(MOST_KEPT) : [],
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

/** @param request `null`: on another ground, where nobody is called the same person */
async function decideAll(run: Run, tree: UnitTree, request: RunRequest | null): Promise<void> {
  await learnFromApproved(run);
  if (request !== null) takeNewIds(run, tree);
  const planner = new Planner(run, tree, request !== null);
  planner.units();
  await refreshDecided(run);
  planner.people();
  if (request === null) return;
  takeApprovals(run, request);
  planner.again(applyRekeys(run));
}

/** Twelve hex digits are read over the phone; two plans of one ledger will not share them. */
function planHash(run: Run): string {
  const lines = new LinesDigest();
  for (const digest of run.ledger.plan.digests()) lines.add(digest);
  return lines.hex(12);
}
