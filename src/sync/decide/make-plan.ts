import type { RunTally } from '../state/run-tally.ts';
import type { Log } from '../../domain/events.ts';
import type { Held, Plan, ServiceEvidence } from '../../domain/changes.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import { keepSeen, rememberAsked } from '../read/asked.ts';
import { laterClock } from '../state/both-clocks.ts';
import type { RunRequest } from '../state/run-request.ts';
import type { Run, SendingRun } from '../state/world.ts';
import { othersGo } from '../../lib/in-steps.ts';
import { askForIdentity } from './changed-identity.ts';
import { decideAll } from './decide-all.ts';
import { holdBack, keepToOne } from './hold-back.ts';
import { dropOccupied } from './occupied-units.ts';
import { logRepairs, noteHeld } from './plan-writer.ts';
import type { Sides } from './sides.ts';
import { sumUp } from './sum-up.ts';

const APPROVED_FOR_MS = 7 * 86_400_000;

/** A plan, and what is needed to send its changes. */
interface MadePlan {
  readonly plan: Plan;
  /** `null`: nothing is sent before the source is approved. */
  readonly sending: Pick<SendingRun, 'nodes' | 'approved'> | null;
  /** The units as they are planned. */
  readonly tree: UnitTree;
}

/** Decides every record that differs, holds what guards stop, and sums it up: only counts stay in memory. */
export async function makePlan(run: Run, sides: Sides, request: RunRequest): Promise<MadePlan> {
  run.ledger.noneAfter(laterClock(run.clock, run.service), run.clock.now() - APPROVED_FOR_MS);
  const question = await askForIdentity(run, sides.view, request);
  rememberAsked(run.source, run.ledger, run.clock);
  const { sending, ...decided } =
    question === null ? await decide(run, sides, request) : undecided(sides, question);
  const isWhole = (request.only === undefined && run.reverting === null) || question !== null;
  const plan = sumUp(run, sides.source, request, { ...decided, isWhole });
  run.progress.end();
  logRepairs(run);
  announce(run.log, run.tally, plan);
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
  const { tree, unitsHave } = sides.source;
  const { only, dryRun } = request;
  const { nodes, service, paused, hash } = await decideAll(run, sides, request);
  await othersGo();
  const { held: all, approved } = await holdBack(run, request, { paused, tree });
  if (run.reverting === null) {
    await noteHeld(run, all);
    await othersGo();
    // If nothing is sent, what records had before it still explains it later.
    if (!dryRun && !run.reportOnly) await keepSeen(run, unitsHave, only);
  }
  await othersGo();
  const occupied = dryRun && run.reverting === null ? dropOccupied(run.ledger, run.tally, nodes) : [];
  const isOne = only !== undefined && run.reverting === null;
  const held = isOne ? keepToOne(run.ledger, run.tally, only, { held: all, tree }) : all;
  return { held, occupied, hash, service, sending: { nodes, approved } };
}

function announce(
  log: Log,
  tally: RunTally,
  { hash, counts, heldChanges, calls, estimatedSeconds }: Plan,
): void {
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
