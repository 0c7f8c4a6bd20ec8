import type { SendingRun } from '../state/world.ts';
import { PeopleReadBack } from './verify-people.ts';
import { verifyUnits } from './verify-units.ts';

/**
 * Reads back what was written and not seen since (promise 9). What the service shows becomes what is
 * accepted: a value that it stores differently is noted and not set again. A later difference counts as an
 * edit.
 *
 * @param since service clock, ms: before the first write of this run
 */
export async function verify(run: SendingRun, since: number): Promise<void> {
  await verifyUnits(run, since);
  await new PeopleReadBack(run).verify();
}
