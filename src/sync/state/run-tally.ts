import {
  NO_EDITS,
  PERSON_CHANGES,
  UNIT_CHANGES,
  type Blocked,
  type Change,
  type ChangeCounts,
  type Edited,
} from '../../domain/changes.ts';
import { PHASES, type Phase } from '../../domain/events.ts';

function zeros<K extends string>(names: readonly K[]): Record<K, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<K, number>;
}

const FIRST_EDITED = 100;

/** What a run counts as it goes. */
export class RunTally {
  readonly units = zeros(UNIT_CHANGES);
  readonly people = zeros(PERSON_CHANGES);
  readonly phases: Record<Phase, number> = zeros(PHASES);
  /** How many changes are approved under the hashes of this request. */
  readonly released = new Map<string, number>();
  #edited: Edited = NO_EDITS;
  /** How many changes are planned that set back what others edited. */
  repairs = 0;
  applied = 0;
  /** Records and values of the source that cannot be used; they count as failed too. */
  bad = 0;
  failed = 0;
  blocked = 0;

  planned(change: Change, times = 1): void {
    if (change.subject === 'unit') this.units[change.kind] += times;
    else if (change.kind !== 'forget') this.people[change.kind] += times;
  }

  countBad(): void {
    this.bad += 1;
    this.failed += 1;
  }

  /** Counts these changes alone as planned. */
  planAnew(changes: readonly Change[]): void {
    Object.assign(this.units, zeros(UNIT_CHANGES));
    Object.assign(this.people, zeros(PERSON_CHANGES));
    for (const change of changes) this.planned(change);
  }

  /** Counts a record that was edited in the service, and that stays edited. */
  leavesEdited(record: Blocked): void {
    const { units, people, first } = this.#edited;
    this.#edited = {
      units: units + (record.subject === 'unit' ? 1 : 0),
      people: people + (record.subject === 'person' ? 1 : 0),
      first: first.length < FIRST_EDITED ? [...first, record] : first,
    };
  }

  edited(): Edited {
    return this.#edited;
  }

  counts(): ChangeCounts {
    return { units: this.units, people: this.people };
  }

  changes(): number {
    return [...Object.values(this.units), ...Object.values(this.people)].reduce((sum, n) => sum + n, 0);
  }

  /** Adds the time that `work` takes to a phase, in ms. */
  async timed<T>(phase: Phase, work: () => Promise<T> | T): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.phases[phase] += Math.round(performance.now() - start);
    }
  }
}
