import type { UnitChange } from '../../domain/changes.ts';
import type { RecordedFailure } from '../../domain/ports/ledger/troubles.ts';
import { failureOf } from '../calls/call-item.ts';
import type { SendingRun } from '../state/world.ts';
import { logosSent, sendsLogo, withoutLogo, type Missed } from './upload-logos.ts';

/** A unit that the service has refused with its logo, and what is left to be sent without. */
export interface RefusedLogo extends Missed {
  readonly rest: UnitChange;
}

/**
 * Returns the units of this level that were refused since then, and that were sent with a picture: the service may take
 * the picture and no unit that shows it. Nobody waits for their unit because of its logo.
 *
 * @param since ms on our clock
 */
export function refusedWithLogos(
  run: SendingRun,
  level: readonly UnitChange[],
  since: number,
): readonly RefusedLogo[] {
  const pictured = level.filter((change) => sendsLogo(run, change));
  if (pictured.length === 0) return [];
  const failures = failuresOf(run);
  const before = logosSent(run);
  return pictured.flatMap((change) => {
    const failure = failures.get(change.id);
    const rest = withoutLogo(change, before);
    if (failure === undefined || failure.lastAt < since || rest === null) return [];
    // What was refused may be the move of a unit whose adoption was taken.
    if (failure.digest !== failureOf(change, '').digest) return [];
    return [{ change, rest, reason: failure.reason }];
  });
}

/** Returns those that were taken without their logos: it was the logo alone that was refused. */
export function takenWithout(run: SendingRun, refused: readonly RefusedLogo[]): readonly Missed[] {
  if (refused.length === 0) return [];
  const failures = failuresOf(run);
  const taken = refused.filter(({ change }) => !failures.has(change.id));
  // Each was counted as it was refused, and is counted again with its logo.
  run.tally.failed -= taken.length;
  return taken;
}

function failuresOf({ ledger }: SendingRun): ReadonlyMap<string, RecordedFailure> {
  const units = ledger.troubles.failures().filter(({ subject }) => subject === 'unit');
  return new Map(units.map((failure) => [failure.id, failure]));
}
