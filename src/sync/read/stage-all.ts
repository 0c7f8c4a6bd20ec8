import type { KeyedReadings } from '../../domain/reading/increment.ts';
import { checkpoint } from '../state/checkpoint.ts';
import type { Run } from '../state/world.ts';
import type { PersonStager } from './person-stager.ts';

/** Stages people as they come. Returns how many are in scope, without those who were recognized. */
export async function stageAll(run: Run, stager: PersonStager, readings: KeyedReadings): Promise<number> {
  const recognized = (): number => stager.recognizer?.count ?? 0;
  let [inScope, decoded, reported] = [0, 0, recognized()];
  for await (const batch of readings) {
    checkpoint(run.stop);
    // One transaction for each batch: a lock for every look-up would take as long as the look-up itself.
    run.ledger.transaction(() => {
      for (const reading of batch) {
        decoded += 1;
        if (stager.stage(reading)) inScope += 1;
      }
    });
    const all = decoded + recognized();
    run.progress.advance(all - reported);
    reported = all;
  }
  return inScope;
}
