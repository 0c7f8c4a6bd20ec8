import type { Plan } from '../domain/changes.ts';
import type { Unexplained } from '../domain/ports/ledger/left-inside.ts';
import { listBlocked } from './calls/block.ts';
import type { Run } from './state/world.ts';

/**
 * The net below every way of leaving (promise 11): whoever has left and still has an active account as last seen is
 * written down with the reason, whatever was decided and whatever became of it. Returns how many they are.
 */
export function nameLeftInside(run: Run, plan: Plan): number {
  const { leftInside } = run.ledger;
  const held = Object.fromEntries(
    plan.held.map(({ guard, hash }) => [guard, `held: rollcall sync --approve ${hash}`]),
  );
  for (const one of leftInside.find({ misses: run.sync.leavers.misses, held })) {
    const reason = held['source'] ?? reasonOf(one);
    leftInside.explain(one.id, reason);
    listBlocked(run, { ...one, reason });
    run.tally.blocked += 1;
  }
  return leftInside.count();
}

/**
 * The same of a run that ended early, as far as it had read: whoever it had found to have left is named, whether it came
 * to them or not.
 */
export function nameAfterFailure(run: Run, error: unknown): void {
  const { leftInside } = run.ledger;
  const words = error instanceof Error ? error.message : String(error);
  for (const one of leftInside.findMore({ misses: run.sync.leavers.misses })) {
    leftInside.explain(one.id, `${one.left}, and the run ended before the account was locked: ${words}`);
  }
}

function reasonOf({ id, left, claimedBy }: Unexplained): string {
  return claimedBy === null
    ? `${left}, and the account is active: rollcall explain ${id} tells where it stands`
    : `${left}, and source id ${claimedBy} has the username now: it is kept until that is settled`;
}
