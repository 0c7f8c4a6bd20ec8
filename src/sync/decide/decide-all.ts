import type { Plan, ServiceEvidence } from '../../domain/changes.ts';
import { inSteps, othersGo } from '../../lib/in-steps.ts';
import { hashOf } from '../../plan/changes/change-digest.ts';
import type { NodeBook } from '../../plan/nodes/node-book.ts';
import { refreshDecided } from '../refresh/refresh-service.ts';
import type { RunRequest } from '../state/run-request.ts';
import type { Run } from '../state/world.ts';
import { takeApprovals } from './hold-back.ts';
import { keepToReverted, otherApprovals } from './pin-records.ts';
import { PeoplePlanner } from './plan-people.ts';
import { planUnits } from './plan-units.ts';
import type { PlanWriter } from './plan-writer.ts';
import type { Sides } from './sides.ts';
import { takeNewPersonIds } from './take-ids.ts';

/** All records as they are decided, and nothing is held yet. */
interface Records extends Pick<PlanWriter, 'paused'>, Pick<Plan, 'hash'> {
  /** What the service showed in the refresh, and in the look at the people that the plan is about. */
  readonly service: ServiceEvidence;
  readonly nodes: NodeBook;
}

/**
 * Decides units, then people. People who were approved as the same person take their new ids, so that this plan has what
 * follows.
 */
export async function decideAll(run: Run, sides: Sides, request: RunRequest): Promise<Records> {
  const units = await inSteps(planUnits(run, sides));
  const { nodes, writer } = units;
  await othersGo();
  const service = await refreshDecided(run, sides.view);
  const people = new PeoplePlanner({ ...run, nodes }, units);
  await inSteps(people.inPages());
  await othersGo();
  if (run.reverting === null) {
    await takeApprovals(run, request, sides.source.tree);
    takeNewPersonIds(run, people);
  } else {
    keepToReverted(run.ledger, run.pins, run.tally);
    const hash = await inSteps(planHash(run));
    await takeApprovals(run, { approve: otherApprovals(request, hash) }, sides.source.tree);
  }
  return { nodes, service, paused: writer.paused, hash: await inSteps(planHash(run)) };
}

const planHash = (run: Run): Generator<void, string> => hashOf(run.ledger.plan.digests());
