import { isRepair, recordKey, type Blocked, type Change, type Reverts } from '../../domain/changes.ts';
import type { LeftInside } from '../../domain/ports/ledger/left-inside.ts';
import type { PinnedRecord } from '../../domain/records/pin.ts';
import type { OneRecord, RevertRequest } from './run-request.ts';

/** The records of this run that are as a revert wants them. */
export class PinBook {
  readonly #kept = new Map<string, PinnedRecord>();
  readonly #leavers: LeftInside[] = [];
  readonly #own = new Map<string, OneRecord>();
  readonly #notBack: Blocked[] = [];
  #records = 0;

  all(): readonly PinnedRecord[] {
    return [...this.#kept.values()];
  }

  get(of: OneRecord): PinnedRecord | undefined {
    return this.#kept.get(recordKey(of));
  }

  /** Puts a record back in this run. */
  putBack(wanted: PinnedRecord): void {
    this.#kept.set(recordKey(wanted), wanted);
    this.#own.set(recordKey(wanted), wanted);
  }

  /** Notes a record that the reverted run changed, and why it is left as it is. */
  note({ subject, id, label }: OneRecord & { readonly label: string }, reason: string | null): void {
    this.#records += 1;
    if (reason !== null) this.#notBack.push({ subject, id, label, reason });
  }

  /** Leaves a record to the source. */
  drop(of: OneRecord): void {
    this.#kept.delete(recordKey(of));
  }

  /** Returns the records that this run puts back. */
  own(): readonly OneRecord[] {
    return [...this.#own.values()].map(({ subject, id }) => ({ subject, id }));
  }

  isOwn(record: OneRecord): boolean {
    return this.#own.has(recordKey(record));
  }

  reverts({ run }: RevertRequest): Reverts {
    return { run, records: this.#records, notBack: this.#notBack };
  }

  /** Returns the change with its cause, if it follows from a revert and not from an edit in the service. */
  worded<C extends Change>(change: C): C {
    const kept = isRepair(change) || change.why.code === 'disableUnshown' ? undefined : this.get(change);
    return kept === undefined || (change.cause !== null && change.cause !== change.id)
      ? change
      : { ...change, why: { code: 'reverted', values: { run: kept.run } } };
  }

  /** Notes a person who has left in the source, but stays active or is not disabled yet. */
  staysInside({ id, label, run }: PinnedRecord, left: LeftInside['left'], isActive: boolean): void {
    const why = isActive
      ? `put back by the revert of ${run}: the next run decides by the source again`
      : 'and the account is active: rollcall explain tells where it stands';
    this.#leavers.push({ subject: 'person', id, label, left, reason: `${left}, ${why}` });
  }

  leavers(): readonly LeftInside[] {
    return this.#leavers;
  }
}
