import { RequestError } from '../../domain/errors.ts';
import type { SequencedChange } from '../../domain/ports/ledger/plan-book.ts';
import type { Approval } from '../../domain/records/approval.ts';
import { hashOf } from '../../plan/changes/held-hash.ts';
import type { RunRequest } from '../state/run-request.ts';
import type { Run } from '../state/world.ts';
import type { RevertBook } from '../state/revert-book.ts';

/**
 * Drops all of the plan but what the revert changes, with those who only follow units that it moves: guards count these
 * alone, and the rest is for the next run.
 */
export function keepToReverted(run: Run, reverting: RevertBook): void {
  const { plan } = run.ledger;
  const all = [...plan.sequencedChanges()];
  const own = all.filter(({ change }) => reverting.has(change) && change.origin !== 'edited');
  const moves = new Set(own.filter(({ change }) => change.kind === 'move').map(({ change }) => change.id));
  const follows = ({ change: { cause } }: SequencedChange): boolean => cause !== null && moves.has(cause);
  for (const one of own) leaveForeignMove(reverting, one, moves);
  const kept = all.filter((one) => follows(one) || (own.includes(one) && reverting.has(one.change)));
  plan.dropAllBut(kept.map(({ seq }) => seq));
  run.tally.planAnew(kept.map(({ change }) => change));
}

/** Leaves a record that would follow a unit which the source moves just now. */
function leaveForeignMove(
  reverting: RevertBook,
  { change }: SequencedChange,
  moves: ReadonlySet<string>,
): void {
  if (change.cause === null || moves.has(change.cause)) return;
  const label = change.subject === 'unit' ? change.name : change.username;
  const text = `unit ${change.cause} moves in the source: run rollcall sync first`;
  reverting.leave({ subject: change.subject, id: change.id, label }, text);
}

/** Returns the hash that approves a revert: of its changes, and of how long they are held from the source. */
export function revertHash(planHash: string, { request: { run, holdDays } }: RevertBook): string {
  return hashOf([planHash, run, String(holdDays)]);
}

/**
 * Returns the other approvals of the request: those of guards. Throws a RequestError where the revert itself, exactly as
 * it is planned now, is not among them.
 */
export function otherApprovals({ approve, dryRun }: RunRequest, hash: string): readonly Approval[] {
  const others = approve.filter((one) => one.hash !== hash);
  if (dryRun || others.length < approve.length) return others;
  throw new RequestError(
    `revert: --approve ${approve.map((one) => one.hash).join(', ')} is not, or no longer, what would be done now ` +
      `(${hash}); nothing was sent. Look at it again, with the same options but --approve`,
  );
}
