import { bucketsOf, type Change, type Held } from '../domain/changes.ts';
import { ConfigError } from '../domain/errors.ts';
import { LinesDigest } from '../lib/digest.ts';
import { GuardTally, withoutHeld, type Tripped } from '../plan/guards.ts';
import type { RunRequest } from './begin-run.ts';
import { changeDigest, countedOf } from './change-digest.ts';
import type { Run } from './world.ts';

const APPROVED_FOR_MS = 7 * 86_400_000;
const DRIP_MS = 86_400_000;

/**
 * Holds what guards stop, and nothing else; releases what a person approved. An approval names changes, not a number:
 * what is still planned unchanged flows, new ones are held under a new hash, vanished ones are dropped.
 */
export function holdBack(run: Run, request: RunRequest): readonly Held[] {
  const { approvals } = run.ledger;
  const now = run.clock.now();
  approvals.lapse(now - APPROVED_FOR_MS);
  const before = tally(run, approvals.digests());
  approve(run, request, before);
  const approved = approvals.digests();
  const groups = request.approve.length === 0 ? before : tally(run, approved);
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
    for (const { part, bucket } of countedOf(change)) {
      const digest = changeDigest(part, bucket);
      if (approved.has(digest) || wanted.has(digest)) planned.add(digest);
      guards.add(part, bucket, { digest, approved: approved.has(digest) });
    }
  }
  const { people, units, approvals } = run.ledger;
  const population = {
    people: people.counts().managed,
    units: units.all().filter(({ state }) => state === 'managed').length,
  };
  const applied = approvals.appliedSince(run.clock.now() - DRIP_MS);
  return { tripped: guards.tripped({ population, applied }), planned };
}

/** Three numbers say what a guard means to the eye; the hash says which changes. */
function heldOf({ guard, count, limit, first, digests }: Tripped): Held {
  const lines = new LinesDigest();
  for (const digest of digests) lines.add(digest);
  return { guard, hash: lines.hex(12), count, limit, first };
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
  const isHeld = (change: Change, bucket: string): boolean =>
    buckets.has(bucket) && !run.approved.has(changeDigest(change, bucket));
  const causes = new Set<string>();
  for (const { seq, change } of staging.sequencedChanges()) {
    const rest = restOf(change, isHeld);
    if (rest === null) {
      staging.hold(seq);
      if (change.kind === 'move') causes.add(change.cause ?? change.id);
    } else if (rest !== change) staging.replaceChange(seq, rest);
  }
  staging.holdCaused([...causes]);
}

/** What is left of a change without what is held, or instead of it. */
function restOf(change: Change, isHeld: (change: Change, bucket: string) => boolean): Change | null {
  const held = bucketsOf(change).filter((bucket) => isHeld(change, bucket));
  const rest = withoutHeld(change, held);
  if (rest !== null || change.subject === 'unit' || change.meanwhile === undefined) return rest;
  return restOf(change.meanwhile, isHeld);
}
