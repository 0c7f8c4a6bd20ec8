import { WaitingUnits } from '../../plan/units/waiting-units.ts';
import { say } from '../../domain/words/say.ts';
import { unhurried } from '../../lib/in-steps.ts';
import type { Run } from '../state/world.ts';

/** Lets changes wait that follow from held units. Each is listed with its reason. */
export async function waitForUnits(run: Run): Promise<void> {
  const { plan } = run.ledger;
  // In the order of the decisions, parents come before their children.
  const units = [...plan.sequencedChanges('units')].toSorted((a, b) => a.seq - b.seq);
  const managed = run.ledger.units.all().filter(({ state }) => state === 'managed');
  const waiting = new WaitingUnits(
    units.flatMap(({ change, ...listed }) => (change.subject === 'unit' ? [{ change, ...listed }] : [])),
    new Set(managed.map(({ id }) => id)),
  );
  if (waiting.isEmpty) return;
  for await (const { seq, change, isHeld } of unhurried(plan.sequencedChanges())) {
    const waits = isHeld ? null : waiting.whyWaits(change);
    if (waits === null) continue;
    run.lists.block(change, say(waits.reason));
    plan.wait(seq, waits.hashes);
  }
}
