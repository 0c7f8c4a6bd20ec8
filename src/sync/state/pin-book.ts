import type { Blocked, Change, Reverts } from '../../domain/changes.ts';
import type { LeftInside } from '../../domain/ports/ledger/left-inside.ts';
import type { Pin, Wanted } from '../../domain/records/pin.ts';
import { timeText } from '../../domain/text/local-time.ts';
import type { OneRecord, RevertRequest } from './run-request.ts';

/** A record that is not what the source says in this run; `until`: `null`: this run alone puts it back. */
export type Kept = Wanted & { readonly until: number | null };

const keyOf = ({ subject, id }: OneRecord): string => `${subject} ${id}`;

/** The records of this run that are as a revert wants them: those held from the source, and those that it puts back. */
export class PinBook {
  readonly #kept = new Map<string, Kept>();
  readonly #leavers: LeftInside[] = [];
  readonly #own = new Map<string, OneRecord>();
  readonly #notBack: Blocked[] = [];
  #records = 0;

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

  get(of: OneRecord): Kept | undefined {
    return this.#kept.get(keyOf(of));
  }

  /**
   * Puts a record back in this run.
   *
   * @param until for how long it is held from the source, ms, and never shorter than an earlier revert holds it; `null`:
   *   no longer than that
   */
  putBack(wanted: Wanted, until: number | null): void {
    const before = this.get(wanted)?.until ?? null;
    const longest = until === null || before === null ? (until ?? before) : Math.max(until, before);
    this.#kept.set(keyOf(wanted), { ...wanted, until: longest });
    this.#own.set(keyOf(wanted), wanted);
  }

  /** Notes a record that the reverted run changed, and what of it is not put back. */
  note({ subject, id, label }: OneRecord & { readonly label: string }, notBack: readonly string[]): void {
    this.#records += 1;
    for (const reason of notBack) this.#notBack.push({ subject, id, label, reason });
  }

  /** Leaves a record to the source. */
  drop(of: OneRecord): void {
    this.#kept.delete(keyOf(of));
  }

  /** Returns the records that this run puts back, at least in part. */
  own(): readonly OneRecord[] {
    return [...this.#own.values()].map(({ subject, id }) => ({ subject, id }));
  }

  isOwn(record: OneRecord): boolean {
    return this.#own.has(keyOf(record));
  }

  reverts({ run, holdDays }: RevertRequest): Reverts {
    return { run, holdDays, records: this.#records, notBack: this.#notBack };
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
