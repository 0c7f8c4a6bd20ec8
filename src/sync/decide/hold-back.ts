import type { Clock } from '../../lib/clock.ts';
import type { RunTally } from '../state/run-tally.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import { inPart, partIn, wholeOf } from '../../domain/buckets.ts';
import type { Held } from '../../domain/changes.ts';
import type { People } from '../../domain/ports/ledger/people.ts';
import type { HeldGroup } from '../../domain/ports/ledger/approvals.ts';
import type { OpenIn } from '../../domain/ports/ledger/plan-book.ts';
import type { Approval } from '../../domain/records/approval.ts';
import type { Guard } from '../../domain/guards.ts';
import { aboutTripped } from '../../plan/words/describe-held.ts';
import { hashOf, type Approvals } from '../../plan/changes/change-digest.ts';
import { HALF_FROM, trippedBy, type GuardSituation, type Tripped } from '../../plan/changes/guards.ts';
import type { OneRecord, RunRequest } from '../state/run-request.ts';
import { neededFor } from '../../plan/units/needed-for.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import { UnitsAbove } from '../../plan/units/units-above.ts';
import { nameUnits, unitLabels } from '../../plan/words/unit-labels.ts';
import { inSteps } from '../../lib/in-steps.ts';
import { nameCauses } from './name-causes.ts';
import { waitForUnits } from './wait-for-units.ts';
import { unitNames } from '../state/unit-names.ts';
import type { Run } from '../state/world.ts';
import { requestProblem } from '../../domain/run-problems.ts';

const DRIP_MS = 86_400_000;
const FIRST = 10;
const DOUBTS = 5;

/**
 * Takes the approvals of this request; if it is about one record, for that and the new units above it alone. Called
 * before anything is held. Throws a RequestError for a hash under which nothing is held.
 */
export async function takeApprovals(
  run: Run,
  { approve: all, only }: Pick<RunRequest, 'approve' | 'only'>,
  tree: UnitTree,
): Promise<void> {
  const { ledger, clock, tally } = run;
  const given = all.filter(({ hash }) => !tally.released.has(hash));
  if (given.length === 0) return;
  const among =
    only === undefined ? null : neededFor(only, ledger.plan.sequencedChanges(), tree).map(({ seq }) => seq);
  const groups = await weigh(run, tree);
  requireKnown(run.ledger, given, groups);
  for (const approval of given) {
    const group = groups.find(({ held }) => held.hash === approval.hash);
    const now = { ...approval, at: clock.now() };
    ledger.approvals.approve(
      now,
      group === undefined ? { is: 'listed', among } : { is: 'open', of: group.of.bucket, among },
    );
    const { left } = ledger.approvals.under(approval.hash);
    tally.released.set(approval.hash, left);
    const listed = ledger.approvals.held().find(({ hash }) => hash === approval.hash)?.count ?? left;
    if (left === 0) run.log.note('warn', NOTHING_LEFT, { hash: approval.hash });
    else if (left < listed) run.log.note('warn', LESS_LEFT, { hash: approval.hash, listed, released: left });
  }
}

const NOTHING_LEFT = 'nothing of what was held under this hash is planned any more: it released nothing';
const LESS_LEFT = 'not all that was held under this hash is planned unchanged: it released the rest';

/** Returns whether a guard that does not count by unit stops what is not approved of the plan. */
export function trips(run: Run, guard: Guard): boolean {
  return trippedNow(run, situationOf(run, new Map())).some((one) => one.guard === guard);
}

export interface HeldBack {
  readonly held: readonly Held[];
  /** Approvals of planned changes, by digest. */
  readonly approved: Approvals;
}

interface Holding {
  readonly paused: ReadonlySet<string>;
  readonly tree: UnitTree;
}

/**
 * Holds what guards stop, and nothing else; releases what a person approved. An approval names changes, not a number:
 * what is still planned unchanged flows, new ones are held under a new hash, vanished ones are dropped.
 */
export async function holdBack(run: Run, request: RunRequest, { paused, tree }: Holding): Promise<HeldBack> {
  const { approvals } = run.ledger;
  const approved = approvals.all('planned');
  // A revert plans nothing else: what is held or approved of the ordinary plan stays so.
  const isWhole = run.reverting === null;
  const groups = await withCauses(run.ledger, run.clock, tree, await weigh(run, tree));
  if (groups.length > 0) await hold(run, groups);
  if (!request.dryRun && isWhole) approvals.setHeld(groups, paused);
  return { held: groups.map(({ held }) => held), approved };
}

/** Names the likely cause of each group. The same changes have the same cause as in the run before. */
async function withCauses(
  ledger: Ledger,
  clock: Clock,
  tree: UnitTree,
  groups: readonly Weighed[],
): Promise<readonly Weighed[]> {
  const before = new Map(ledger.approvals.held().map(({ hash, cause }) => [hash, cause]));
  const isNew = ({ held }: Weighed): boolean => (before.get(held.hash) ?? null) === null;
  const found = await nameCauses(
    ledger,
    clock,
    tree,
    groups.filter(isNew).map(({ of }) => of.bucket),
  );
  return groups.map(({ held, of }) => ({
    held: { ...held, cause: before.get(held.hash) ?? found.get(of.bucket) ?? null },
    of,
  }));
}

interface Weighed extends HeldGroup {
  readonly of: { readonly bucket: string };
}

/** Returns what trips which guard, with the hash of each; what is open is gathered in the plan book. */
async function weigh(run: Run, tree: UnitTree): Promise<readonly Weighed[]> {
  const { plan, units } = run.ledger;
  const above = new UnitsAbove(units.all(), tree);
  const situation = situationOf(run, await inSteps(countParts(run, above)));
  const tripped = withoutInner(trippedNow(run, situation), above);
  const openIn = plan.gatherOpen(tripped.map(({ bucket }) => bucket));
  const labels = tripped.length === 0 ? new Map<string, string>() : unitLabels(unitNames(run.ledger, tree));
  const weighed: Weighed[] = [];
  for (const one of tripped) {
    const held = await heldOf(openIn, one);
    weighed.push({ held: { ...held, about: nameUnits(held.about, labels) }, of: { bucket: one.bucket } });
  }
  return weighed;
}

/** Counts the people in each unit of whom enough lose a value: whether these are more than half. */
function countParts(run: Run, above: UnitsAbove): ReturnType<People['countIn']> {
  const applied = appliedOf(run);
  const wanted = new Map<string, number>();
  for (const { bucket, open, approved } of run.ledger.plan.counts()) {
    const part = partIn(bucket);
    const lose = open + approved + (applied.get(bucket) ?? 0);
    if (part?.is === 'unit' && open > 0 && lose >= HALF_FROM)
      wanted.set(part.name, Math.max(2 * lose, wanted.get(part.name) ?? 0));
  }
  return run.ledger.people.countIn(wanted, (unit) => above.path(unit));
}

/** Drops a unit that lies in another one of which the same turns empty. */
function withoutInner(tripped: readonly Tripped[], above: UnitsAbove): readonly Tripped[] {
  const names = new Set(tripped.map(({ bucket }) => bucket));
  return tripped.filter(({ bucket }) => {
    const part = partIn(bucket);
    if (part?.is !== 'unit') return true;
    const [, ...outer] = above.path(part.name);
    return !outer.some((name) => names.has(inPart(wholeOf(bucket) ?? '', { is: 'unit', name })));
  });
}

const trippedNow = (run: Run, situation: GuardSituation): readonly Tripped[] =>
  trippedBy(run.ledger.plan.counts(), run.sync.guard, situation);

/** What was applied lately without approval, by bucket. */
const appliedOf = ({ ledger, clock }: Run): ReadonlyMap<string, number> =>
  ledger.approvals.appliedSince(clock.now() - DRIP_MS);

/** @param inUnits how many people are in a unit and below it, at least as many as matter */
function situationOf(run: Run, inUnits: ReadonlyMap<string, number>): GuardSituation {
  const { ledger } = run;
  const { managed } = ledger.people.counts();
  const units = ledger.units.all().filter(({ state }) => state === 'managed').length;
  const before = ledger.fact('loaded') === true ? { people: 0, units: 0 } : { people: managed, units };
  const now = ledger.plan.totals().adopted;
  return {
    population: { people: managed, units },
    inPart: ({ is, name }) => (is === 'unit' ? (inUnits.get(name) ?? 0) : ledger.people.counts(name).managed),
    adopted: { people: before.people + now.person, units: before.units + now.unit },
    applied: appliedOf(run),
    isOpened: (ledger.fact('excluded')?.lost ?? []).length > 0,
  };
}

/** Describes a held group: numbers for the reader, and the hash for the exact changes. */
async function heldOf(openIn: OpenIn, tripped: Tripped): Promise<Held> {
  const { guard, bucket, count, limit } = tripped;
  const most = { first: FIRST, doubts: guard === 'unexplained' ? DOUBTS : 0 };
  const { first, digests, doubts } = openIn(bucket, most);
  return {
    guard,
    hash: await inSteps(hashOf(digests)),
    count,
    limit,
    first,
    about: aboutTripped(tripped, doubts),
    cause: null,
  };
}

/** Throws a RequestError for a hash that is neither of this plan, nor listed by an earlier run, nor approved already. */
export function requireKnown(ledger: Ledger, given: readonly Approval[], groups: readonly Weighed[]): void {
  const { approvals } = ledger;
  for (const { hash } of given) {
    const isOfThisPlan = groups.some(({ held }) => held.hash === hash);
    if (isOfThisPlan || approvals.under(hash).isKnown) continue;
    throw requestProblem('approve-unknown', { hash });
  }
}

async function hold(run: Run, groups: readonly Weighed[]): Promise<void> {
  run.ledger.plan.hold(new Map(groups.map(({ held, of }) => [of.bucket, held.hash])));
  await waitForUnits(run.ledger, run.lists);
}

/**
 * Lets all of the plan wait for the next run, but for one record and the new units above it. Returns what is held of
 * these: nothing, if no guard holds any of them. Throws a RequestError if others would have to change with it.
 */
export function keepToOne(
  ledger: Ledger,
  tally: RunTally,
  only: OneRecord,
  { held, tree }: { readonly held: readonly Held[]; readonly tree: UnitTree },
): readonly Held[] {
  const { plan } = ledger;
  const needed = neededFor(only, plan.sequencedChanges(), tree);
  plan.keepOnly(needed.map(({ seq }) => seq));
  tally.planAnew(needed.map(({ change }) => change));
  return held.filter(({ hash }) => needed.some(({ hashes }) => hashes.includes(hash)));
}
