import {
  bucketsOf,
  emptiedIn,
  ENABLED_BUCKET,
  isRekey,
  type Change,
  type Held,
} from '../../domain/changes.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { Guard } from '../../domain/settings.ts';
import { aboutTripped } from '../../plan/words/describe-held.ts';
import {
  GuardTally,
  nameOf,
  withoutHeld,
  type GuardSituation,
  type Tripped,
} from '../../plan/changes/guards.ts';
import type { RunRequest } from '../state/run-request.ts';
import { answering, changeDigest, countedOf } from '../../plan/changes/change-digest.ts';
import { hashOf } from './held-hash.ts';
import { dragAlong } from './drag-along.ts';
import type { OtherGround } from './same-ground.ts';
import type { Run } from '../state/world.ts';

const APPROVED_FOR_MS = 7 * 86_400_000;
const DRIP_MS = 86_400_000;
const JUST_MS = 7 * 86_400_000;
const FIRST = 10;

/** What a person approves with this request, and has approved before: known before anything is held. */
export function takeApprovals(run: Run, request: RunRequest): void {
  const { approvals } = run.ledger;
  approvals.lapse(run.clock.now() - APPROVED_FOR_MS);
  if (request.approve.length > 0) approve(run, request, tally(run, approvals.digests()));
}

/** Returns whether the guard stops what of the plan is not approved. */
export function trips(run: Run, guard: Guard): boolean {
  return tally(run, run.ledger.approvals.digests()).tripped.some((one) => one.guard === guard);
}

/**
 * Holds what guards stop, and nothing else; releases what a person approved. An approval names changes, not a number:
 * what is still planned unchanged flows, new ones are held under a new hash, vanished ones are dropped.
 */
export function holdBack(run: Run, request: RunRequest): readonly Held[] {
  const { approvals } = run.ledger;
  const approved = approvals.digests();
  const groups = tally(run, approved);
  for (const digest of approved) if (groups.planned.has(digest)) run.approved.add(digest);
  approvals.keepOnly(new Set([...run.approved, ...run.paused]));
  hold(run, groups.tripped);
  const held = groups.tripped.map((group) => heldOf(group));
  if (!request.dryRun)
    approvals.setHeld(
      held,
      groups.tripped.map(({ digests }) => digests),
    );
  return held;
}

interface Groups {
  readonly tripped: readonly Tripped[];
  /** Approved digests that are planned. */
  readonly planned: ReadonlySet<string>;
}

/** One pass over the plan: what counts under which guard, and what trips. */
function tally(run: Run, approved: ReadonlySet<string>): Groups {
  const guards = new GuardTally(run.sync.guard);
  const planned = new Set<string>();
  const wanted = new Set(run.ledger.approvals.listedDigests());
  for (const change of run.ledger.staging.allChanges()) {
    if (isAdoption(change)) guards.adopts(change);
    for (const { part, bucket } of countedOf(change)) {
      if (bucket === ENABLED_BUCKET && hasJustLeft(run, part)) continue;
      const digest = changeDigest(part, bucket);
      if (approved.has(digest) || wanted.has(digest)) planned.add(digest);
      const unless = emptiedIn(bucket) === null ? openAnswers(part, approved) : null;
      if (unless?.length === 0) continue;
      guards.add(part, bucket, { digest, approved: approved.has(digest), unless: unless ?? undefined });
    }
  }
  return { tripped: guards.tripped(situationOf(run)), planned };
}

/** Comes back within days: somebody's mistake is undone, and nothing is said of those who left long ago. */
function hasJustLeft({ ledger, clock }: Run, { id }: Change): boolean {
  const disabledAt = ledger.people.entry(id)?.disabledAt ?? null;
  return disabledAt !== null && clock.now() - disabledAt < JUST_MS;
}

/** Becomes ours, or would if it had not left. */
function isAdoption(change: Change): boolean {
  return (
    (change.kind === 'adopt' && !isRekey(change)) || (change.kind === 'disable' && change.guard === 'adopted')
  );
}

/** Returns what of a change that only empties nobody has approved; `null` of any other change. */
function openAnswers(change: Change, approved: ReadonlySet<string>): readonly string[] | null {
  const answers = answering(change);
  return answers.length === 0
    ? null
    : answers.filter((bucket) => !approved.has(changeDigest(change, bucket)));
}

function situationOf({ ledger, clock }: Run): GuardSituation {
  const { managed, disabled } = ledger.people.counts();
  const population = {
    people: managed,
    units: ledger.units.all().filter(({ state }) => state === 'managed').length,
  };
  const adopted = ledger.fact('loaded') === true ? { people: 0, units: 0 } : population;
  return { population, disabled, adopted, applied: ledger.approvals.appliedSince(clock.now() - DRIP_MS) };
}

/** Three numbers say what a guard means to the eye; the hash says which changes. */
function heldOf(tripped: Tripped): Held {
  const { guard, count, limit, first, digests } = tripped;
  return { guard, hash: hashOf(digests), count, limit, first, about: aboutTripped(tripped) };
}

/** Holds all of the plan on another ground, under one hash. */
export function holdAll(
  run: Run,
  { hash, digest, about }: OtherGround,
  request: RunRequest,
): readonly Held[] {
  const { staging, approvals } = run.ledger;
  approve(run, request, { tripped: [], planned: new Set() });
  staging.holdAll();
  const first: string[] = [];
  for (const change of staging.allChanges()) {
    if (first.length === FIRST) break;
    first.push(nameOf(change));
  }
  const held: Held = { guard: 'source', hash, count: staging.heldCount(), limit: 0, first, about };
  if (!request.dryRun) approvals.setHeld([held], [[digest]]);
  return [held];
}

/** A hash is one of this plan's, or one that an earlier run listed and whose changes are partly still planned. */
function approve(run: Run, { approve: hashes }: RunRequest, { tripped, planned }: Groups): void {
  const { approvals } = run.ledger;
  for (const hash of hashes) {
    const group = tripped.find((candidate) => heldOf(candidate).hash === hash);
    const listed = approvals.listed(hash);
    const known = group !== undefined || listed.length > 0 || approvals.isKnown(hash);
    if (!known) {
      throw new ConfigError(
        `--approve ${hash}: nothing is held under this hash; rollcall status lists what is held`,
      );
    }
    const digests = group?.digests ?? listed.filter((digest) => planned.has(digest));
    approvals.approve(hash, digests, run.clock.now());
  }
}

function hold(run: Run, tripped: readonly Tripped[]): void {
  const buckets = new Set(tripped.map(({ bucket }) => bucket));
  if (buckets.size === 0) return;
  const { staging } = run.ledger;
  const isHeld = (change: Change, bucket: string): boolean => {
    if (bucket === ENABLED_BUCKET && hasJustLeft(run, change)) return false;
    if (!buckets.has(bucket) || run.approved.has(changeDigest(change, bucket))) return false;
    const answers = emptiedIn(bucket) === null ? openAnswers(change, run.approved) : null;
    return answers === null || !answers.every((one) => buckets.has(one));
  };
  const causes = new Set<string>();
  for (const { seq, change } of staging.sequencedChanges()) {
    const rest = restOf(change, isHeld);
    if (rest === null) {
      staging.hold(seq);
      if (change.kind === 'move') causes.add(change.cause ?? change.id);
    } else if (rest !== change) staging.replaceChange(seq, rest);
  }
  staging.holdCaused([...causes]);
  dragAlong(run);
}

/** Returns what is left of a change without what is held, or instead of it. */
function restOf(change: Change, isHeld: (change: Change, bucket: string) => boolean): Change | null {
  const held = bucketsOf(change).filter((bucket) => isHeld(change, bucket));
  const rest = withoutHeld(change, held);
  if (rest !== null || change.subject === 'unit' || change.meanwhile === undefined) return rest;
  return restOf(change.meanwhile, isHeld);
}
