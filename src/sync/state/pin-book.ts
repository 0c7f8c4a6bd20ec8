import type { Change } from '../../domain/changes.ts';
import type { Pin, Wanted } from '../../domain/reverting/pin.ts';
import type { LeftInside } from '../../domain/ports/ledger/left-inside.ts';
import { timeText } from '../../domain/text/time-text.ts';

/** A record that is not what the source says in this run: pinned, or put back by this run alone. */
export type Kept = Wanted & { readonly until: number | null };

type Key = Pick<Wanted, 'subject' | 'id'>;

const keyOf = ({ subject, id }: Key): string => `${subject} ${id}`;

/** The records of this run that are as a revert wants them. */
export class PinBook {
  readonly #kept = new Map<string, Kept>();
  readonly #leavers: LeftInside[] = [];

  constructor(pins: readonly Pin[]) {
    for (const pin of pins) this.#kept.set(keyOf(pin), pin);
  }

  get isEmpty(): boolean {
    return this.#kept.size === 0;
  }

  all(): readonly Kept[] {
    return [...this.#kept.values()];
  }

  /** Returns the pins that outlast this run. */
  pins(): readonly Pin[] {
    return this.all().flatMap((kept) => (kept.until === null ? [] : [{ ...kept, until: kept.until }]));
  }

  get(of: Key): Kept | undefined {
    return this.#kept.get(keyOf(of));
  }

  /**
   * Puts a record back in this run.
   *
   * @param until for how long it is held from the source, ms, and never shorter than an earlier revert holds it; `null`:
   *   it is not held any more
   */
  put(wanted: Wanted, until: number | null): void {
    const before = this.get(wanted)?.until ?? null;
    const longest = until === null || before === null ? until : Math.max(until, before);
    this.#kept.set(keyOf(wanted), { ...wanted, until: longest });
  }

  /** Leaves a record to the source. */
  drop(of: Key): void {
    this.#kept.delete(keyOf(of));
  }

  /** Returns the change with its cause, where it follows from a revert and not from an edit in the service. */
  worded<C extends Change>(change: C): C {
    const kept = change.origin === undefined ? this.get(change) : undefined;
    return kept === undefined || (change.cause !== null && change.cause !== change.id)
      ? change
      : { ...change, why: `revert of ${kept.run}` };
  }

  /** Notes somebody who has left in the source, and is to stay active all the same, or is not disabled yet. */
  staysInside({ id, label, run, until }: Kept, left: LeftInside['left'], isActive: boolean): void {
    const why = !isActive
      ? 'and the account is active: rollcall explain tells where it stands'
      : until === null
        ? `put back by the revert of ${run}: the next run decides by the source again`
        : `held from the source until ${timeText(until)} (revert of ${run}): rollcall revert --release NAME ends that`;
    this.#leavers.push({ subject: 'person', id, label, left, reason: `${left}, ${why}` });
  }

  leavers(): readonly LeftInside[] {
    return this.#leavers;
  }
}
