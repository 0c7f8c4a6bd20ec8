import type { Listing } from '../state/listing.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import { WaitingUnits } from '../../plan/units/waiting-units.ts';
import { say } from '../../domain/words/say.ts';
import { unhurried } from '../../lib/in-steps.ts';

/** Lets changes wait that follow from held units. Each is listed with its reason. */
export async function waitForUnits(ledger: Ledger, lists: Listing): Promise<void> {
  const { plan } = ledger;
  // In the order of the decisions, parents come before their children.
  const units = [...plan.sequencedChanges('units')].toSorted((a, b) => a.seq - b.seq);
  const managed = ledger.units.all().filter(({ state }) => state === 'managed');
  const waiting = new WaitingUnits(
    units.flatMap(({ change, ...listed }) => (change.subject === 'unit' ? [{ change, ...listed }] : [])),
    new Set(managed.map(({ id }) => id)),
  );
  if (waiting.isEmpty) return;
  for await (const { seq, change, isHeld } of unhurried(plan.sequencedChanges())) {
    const waits = isHeld ? null : waiting.whyWaits(change);
    if (waits === null) continue;
    lists.block(change, say(waits.reason));
    plan.revise(seq, { waitsFor: waits.hashes });
  }
}
