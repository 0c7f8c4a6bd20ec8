import { bucketsOf } from '../../src/domain/buckets.ts';
import { atOnce } from '../../src/lib/in-steps.ts';
import type { PersonChange, UnitChange } from '../../src/domain/changes.ts';
import type { HistoryRecord } from '../../src/domain/ports/history.ts';
import type { CallItem, Settlement } from '../../src/domain/ports/ledger/journal.ts';
import type { ReadBackAccount } from '../../src/domain/ports/ledger/view.ts';
import type { Given } from '../../src/domain/ports/ledger/approvals.ts';
import type { Ledger, Old } from '../../src/domain/ports/ledger/ledger.ts';
import type { StagedCounts, StagedPerson } from '../../src/domain/ports/ledger/source-stage.ts';
import type { PersonPayload } from '../../src/domain/records/payload.ts';
import type { Employee } from '../../src/domain/ports/service.ts';
import * as plan from '../plan/build.ts';

/** What the history keeps of an update that names no field. */
export const RECORD: HistoryRecord = {
  kind: 'update',
  label: 'u1',
  fields: [],
  why: { code: 'changed' },
  guard: null,
  approval: null,
};

/** Larger than a double holds, to be kept to the last digit. */
export const LONG = '9223372036854775807';

/** Nothing is old. */
export const NOTHING_OLD: Old = { calls: 0, quietRuns: 0, history: 0 };

export const payload = (name = 'Ann'): PersonPayload => ({
  fields: { name, email: `${name}@example.com`, sort_order: LONG, tags: ['1', LONG], tel: null },
  positions: [{ unit: LONG, fields: { job_title: 'Clerk', primary: true } }],
});

export function staged(id: string, options: Partial<StagedPerson> = {}): StagedPerson {
  return plan.staged({ id, username: `u${id}`, hash: `hash ${id}`, payload: payload(), ...options });
}

export function personChange(id: string, options: Partial<PersonChange> = {}): PersonChange {
  return plan.personChange(id, { payload: payload(), ...options });
}

export function unitChange(id: string, options: Partial<UnitChange> = {}): UnitChange {
  const name = `N${id}`;
  return plan.unitChange(id, { name, payload: { fields: { name, tel: null }, parent: null }, ...options });
}

export function employee(username: string, options: Partial<Employee> = {}): Employee {
  const { fields, positions } = payload();
  const placed = positions.map((position) => ({ orgId: LONG, fields: position.fields }));
  return { id: `e-${username}`, username, locked: false, fields, positions: placed, ...options };
}

/** The account of a person, as it is read back. */
export function readBack(id: string, account: Employee): ReadBackAccount {
  return { id, employee: account };
}

/** The records of a call, as it is written down before it is sent. */
export function itemsOf(...changes: readonly (PersonChange | UnitChange)[]): readonly CallItem[] {
  return changes.map((change) => {
    const { subject, id } = change;
    return { subject, id, buckets: bucketsOf(change), isApproved: false, claims: change };
  });
}

/** What the ledger does in a run, in a few words. */
export class Scene {
  readonly ledger: Ledger;
  #run = 0;
  /** What the last read brought. */
  counts: StagedCounts | null = null;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
    ledger.lease.acquire('me');
    this.newRun();
  }

  /** A run's beginning: its record, an empty staging. */
  newRun(): this {
    this.#run += 1;
    this.ledger.runs.begin({ id: `run ${this.#run}`, kind: 'full', at: this.#run });
    this.ledger.staging.begin();
    return this;
  }

  /** A read of these people, to its end. */
  read(...people: readonly StagedPerson[]): this {
    for (const person of people) this.ledger.staging.person(person, {});
    this.counts = atOnce(this.ledger.staging.finish());
    return this;
  }

  /** A read in which everybody of these is as the ledger has them. */
  see(...ids: readonly string[]): this {
    for (const id of ids)
      this.ledger.staging.seen(this.ledger.staging.known(id)?.row ?? -1, { print: null, has: null });
    atOnce(this.ledger.staging.finish());
    return this;
  }

  /** One call with these changes, settled so. */
  call(change: PersonChange | UnitChange, ...settlements: readonly Settlement[]): this {
    const operation = change.subject === 'unit' ? 'org.import' : 'employee.import';
    const call = this.ledger.journal.open({ operation, items: itemsOf(change) });
    this.ledger.journal.settle(call, settlements);
    return this;
  }

  /** People who were imported and read back, as of the run before. */
  managed(...ids: readonly string[]): this {
    this.read(...ids.map((id) => staged(id)));
    for (const id of ids) {
      const change = personChange(id);
      this.call(change, { is: 'imported', id, change });
      const found = employee(change.username);
      this.ledger.view.accept([readBack(id, found)]);
    }
    return this.newRun();
  }

  /** Approves all planned leavers. */
  approveLeavers(given: Given): void {
    const bucket = 'leavers person';
    this.ledger.plan.gatherOpen([bucket]);
    this.ledger.approvals.approve(given, { is: 'open', of: bucket, among: null });
    this.ledger.plan.gatherOpen([bucket]);
  }

  todo(): readonly string[] {
    atOnce(this.ledger.people.prepare(new Set()));
    return this.ledger.people.rows({ after: '', limit: 1_000 }).map(({ id }) => id);
  }
}
