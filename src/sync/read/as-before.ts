import type { KeyedReadings } from '../../domain/reading/increment.ts';
import type { Run } from '../state/world.ts';

/** Finds records that are what they were: those that are read by their keys each time tell nothing new each time. */
export class AsBefore {
  readonly #run: Run;
  #count = 0;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Number of such records. */
  get count(): number {
    return this.#count;
  }

  async *over(readings: KeyedReadings): KeyedReadings {
    const { records, staging } = this.#run.ledger;
    for await (const batch of readings) {
      const all = [...batch];
      for (const one of all) {
        if (!one.ok || one.key === undefined || typeof one.print !== 'string') continue;
        if (!records.isAsBefore(one.key, one.print)) continue;
        this.#count += 1;
        staging.asBefore(one.record.id);
      }
      yield all;
    }
  }
}
