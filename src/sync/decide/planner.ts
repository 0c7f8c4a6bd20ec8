import { ENABLED_AGAIN, isRepair, type Change } from '../../domain/changes.ts';
import type { RecordedFailure } from '../../domain/ports/journal.ts';
import type { People, PersonRow } from '../../domain/ports/ledger.ts';
import type { Planned } from '../../domain/ports/plan-book.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { waitingReason } from '../../plan/changes/back-off.ts';
import { leftEdited } from '../../plan/words/left-edited.ts';
import { decidePerson, type PersonDecision, type PersonRules } from '../../plan/people/decide-person.ts';
import { decideUnits, type UnitsDecision } from '../../plan/units/decide-units.ts';
import { lostNodes, ownNodes } from '../../plan/units/own-node.ts';
import { PERSON_KINDS } from '../../plan/changes/kinds.ts';
import { stagedOf } from '../../plan/people/staged-of.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import { unitNames } from './unit-names.ts';
import { inPlan } from './in-plan.ts';
import { earlierClock } from '../state/both-clocks.ts';
import { listBlocked } from '../calls/block.ts';
import { checkpoint } from '../state/checkpoint.ts';
import { adopted, knowNodes } from './know-nodes.ts';
import { letGoOfLost } from './let-go-of-lost.ts';
import { listBadRecords } from './list-bad-records.ts';
import { withLosses } from '../unmapped/with-losses.ts';
import type { Run } from '../state/world.ts';
import { listSome } from '../../domain/text/printable.ts';

const ROWS_AT_ONCE = 500;
/** A field that was set back so often in so many ms is reported and left (promise 9). */
const REPAIRS = 3;
const REPAIRS_MS = 7 * 86_400_000;

/** What a decision notes in the ledger without a change. */
type Notes = Pick<People, 'missed' | 'close' | 'forget' | 'cancelMisses'>;

/** Another ground proves nothing: nobody is missed, and nobody is as it should be. */
const NO_NOTES: Notes = {
  missed: () => undefined,
  close: () => undefined,
  forget: () => undefined,
  cancelMisses: () => undefined,
};

/** Decides units, then people, and writes what is decided into the plan book and the log. */
export class Planner {
  readonly #run: Run;
  readonly #tree: UnitTree;
  readonly #failures: ReadonlyMap<string, RecordedFailure>;
  readonly #repairs: ReadonlyMap<string, number>;
  /** Units that move, each with the topmost that it follows, or itself. */
  readonly #moving = new Map<string, string>();
  #oldNodes: ReadonlySet<string> = new Set();
  #lostNodes: ReadonlySet<string> = new Set();
  /** Units of which something was refused, and is not tried again yet. */
  readonly #waiting = new Set<string>();
  /** Digests of what a person approved. */
  readonly #approved: ReadonlySet<string>;
  readonly #names: ReadonlyMap<string, string>;
  readonly #notes: Notes;
  #adopting: ReadonlyMap<string | null, string> = new Map();
  #decision: UnitsDecision = { changes: [], blocked: new Map(), drift: new Map() };

  /** @param isSameGround else the plan is only shown */
  constructor(run: Run, tree: UnitTree, isSameGround: boolean) {
    this.#run = run;
    this.#tree = tree;
    this.#names = unitNames(run, tree);
    this.#notes = isSameGround ? run.ledger.people : NO_NOTES;
    const failures = run.ledger.journal.failures();
    this.#approved = run.ledger.approvals.digests();
    this.#repairs = run.ledger.journal.repairs(run.clock.now() - REPAIRS_MS);
    this.#failures = new Map(failures.map((failure) => [`${failure.subject} ${failure.id}`, failure]));
  }

  /** Also gathers the people who are to be decided. */
  units(): void {
    const { ledger, sync, orgIds } = this.#run;
    const organizations = ledger.view.organizations();
    const entries = letGoOfLost(this.#run, this.#tree, { entries: ledger.units.all(), organizations });
    this.#oldNodes = new Set(ledger.units.oldNodes().map(({ orgId }) => orgId));
    for (const [orgId, { id }] of ownNodes(entries, organizations)) orgIds.set(id, orgId);
    const lost = lostNodes(entries, organizations);
    this.#lostNodes = new Set(lost.map(({ orgId }) => orgId));
    const rootOrgId = orgIds.get(null) ?? '';
    const world = { entries, organizations, oldNodes: this.#oldNodes, rootOrgId, sync };
    this.#decision = decideUnits({ tree: this.#tree, ...world });
    const { changes } = this.#decision;
    this.#adopting = adopted(changes);
    knowNodes(this.#run, { entries, organizations, changes });
    ledger.transaction(() => {
      for (const change of changes) {
        if (change.kind === 'move') this.#moving.set(change.id, change.cause ?? change.id);
        this.#change(change);
      }
    });
    for (const [id, reason] of this.#decision.blocked)
      listBlocked(this.#run, { subject: 'unit', id, label: this.#names.get(id) ?? id, reason });
    for (const [id, fields] of this.#decision.drift) {
      const names = fields.map(({ field }) => field);
      this.#run.log.event({ event: 'drift.found', subject: 'unit', id, fields: names, action: 'reported' });
      this.#run.tally.leavesEdited(
        leftEdited({ subject: 'unit', id, label: this.#names.get(id) ?? id }, names),
      );
    }
    ledger.people.prepare([...this.#moving.keys(), ...lost.map(({ unit }) => unit)]);
  }

  people(): void {
    const { ledger, stop, progress } = this.#run;
    const rules = this.#rules();
    progress.start('plan', null);
    for (let last = ''; ;) {
      checkpoint(stop);
      const rows = ledger.people.rows({ after: last, limit: ROWS_AT_ONCE });
      if (rows.length === 0) break;
      ledger.transaction(() => {
        for (const row of rows) this.#person(row, decidePerson(row, rules));
      });
      last = rows.at(-1)?.id ?? last;
      progress.advance(rows.length);
    }
    this.#notes.cancelMisses();
    listBadRecords(this.#run);
  }

  /** Decides once more, for people whom the ledger knows under these ids only now. */
  again(ids: readonly string[]): void {
    const rules = this.#rules();
    for (const id of ids) {
      const row = this.#run.ledger.people.row(id);
      this.#person(row, decidePerson(row, rules));
    }
  }

  #rules(): PersonRules {
    const { sync, clock, orgIds, nodes } = this.#run;
    const adopting = this.#adopting;
    const adoptedNodes = new Set(adopting.values());
    const protectedNames = new Set(sync.protect.usernames.map(foldUsername));
    const units = new Map([...adopting, ...orgIds].map(([unit, orgId]) => [orgId, unit]));
    return {
      sync,
      now: clock.now(),
      surely: earlierClock(this.#run),
      orgIdOf: (unit) => orgIds.get(unit) ?? adopting.get(unit),
      isOurs: (orgId) => sync.positions === 'all' || nodes.has(orgId) || adoptedNodes.has(orgId),
      unitOf: (orgId) => units.get(orgId),
      moving: this.#moving,
      oldNodes: this.#oldNodes,
      lostNodes: this.#lostNodes,
      isProtected: (username) => protectedNames.has(foldUsername(username)),
    };
  }

  #person(row: PersonRow, decision: PersonDecision): void {
    const notes = this.#notes;
    if ('misses' in decision) notes.missed(row.id, this.#run.clock.now(), decision.misses);
    if ('beside' in decision && decision.beside !== undefined) this.#beside(row, decision.beside);
    switch (decision.is) {
      case 'change': {
        const reason = this.#missingUnit(decision.change);
        if (reason === null) return this.#change(decision.change);
        this.#pause(inPlan(this.#run, decision.change));
        return listBlocked(this.#run, {
          subject: 'person',
          id: row.id,
          label: decision.change.username,
          reason,
        });
      }
      case 'blocked':
        return listBlocked(this.#run, {
          subject: 'person',
          id: row.id,
          label: labelOf(row),
          reason: decision.reason,
        });
      case 'drift':
        return this.#drift(row, decision);
      case 'close':
        return notes.close(row.id, decision.accepted);
      case 'forget':
        return notes.forget(row.id, this.#run.clock.now());
      case 'miss':
      case 'none':
    }
  }

  /** A person who joins a unit that is blocked waits with it. */
  #missingUnit(change: Extract<PersonDecision, { is: 'change' }>['change']): string | null {
    if (!PERSON_KINDS[change.kind].isImported) return null;
    for (const { unit } of change.payload.positions) {
      const why = unit === null ? undefined : this.#decision.blocked.get(unit);
      if (unit !== null && why !== undefined && !this.#run.orgIds.has(unit) && !this.#adopting.has(unit))
        return `waits for unit ${unit}: ${why}`;
    }
    return null;
  }

  #change(decided: Change): void {
    const change = withLosses(this.#run, this.#guarded(decided));
    if (isRepair(change) && this.#isFought(change)) return this.#leaveEdited(change);
    // It waits to be adopted.
    if (change.kind === 'move' && this.#waiting.has(change.id)) return;
    const planned = inPlan(this.#run, change);
    const reason = this.#waits(planned);
    if (reason !== null) {
      const { subject, id } = change;
      if (subject === 'unit') this.#waiting.add(id);
      const label = subject === 'unit' ? change.name : change.username;
      this.#pause(planned);
      return listBlocked(this.#run, { subject, id, label, reason });
    }
    this.#run.tally.planned(change);
    this.#run.ledger.plan.add(planned);
    if (!isRepair(change)) return;
    const fields = change.fields.map(({ field }) => field);
    const username = change.subject === 'person' ? change.username : undefined;
    const { subject, id } = change;
    this.#run.log.event({ event: 'drift.found', subject, id, username, fields, action: 'repaired' });
  }

  /** What waits is not planned, and stays approved. */
  #pause({ counted }: Planned): void {
    for (const { digest } of counted) if (this.#approved.has(digest)) this.#run.paused.add(digest);
  }

  /** Each of its fields was set back so often already that somebody means it. */
  #isFought({ subject, id, fields }: Change): boolean {
    return fields.every(({ field }) => (this.#repairs.get(`${subject} ${id} ${field}`) ?? 0) >= REPAIRS);
  }

  #leaveEdited(change: Change): void {
    const { subject, id } = change;
    const fields = change.fields.map(({ field }) => field);
    const label = subject === 'unit' ? change.name : change.username;
    this.#run.log.event({ event: 'drift.found', subject, id, username: label, fields, action: 'reported' });
    const times = `again after ${REPAIRS} repairs in 7 days`;
    const reason =
      change.why === ENABLED_AGAIN
        ? `has left, and was enabled in the service ${times}: left as it is, disable it there`
        : `edited in the service ${times}, left: ${listSome(fields, { atMost: 10 })}; does another rollcall work on this organization?`;
    this.#run.ledger.plan.blocked({ subject, id, label, reason });
  }

  /** What the service refused is not asked for again at once. */
  #waits({ change, digest }: Planned): string | null {
    const failure = this.#failures.get(`${change.subject} ${change.id}`);
    if (failure === undefined || this.#run.waitsForNothing) return null;
    const isLeaving = change.subject === 'person' && PERSON_KINDS[change.kind].leaves;
    return waitingReason(failure, { digest, isLeaving, now: this.#run.clock.now() });
  }

  /** Joiners are not guarded before a first load has ended, however often it was interrupted. */
  #guarded(change: Change): Change {
    if (change.subject === 'unit' || change.guard !== 'joiners') return change;
    return this.#run.ledger.fact('loaded') === true ? change : { ...change, guard: null };
  }

  #drift(row: PersonRow, { fields: edited, reason }: Extract<PersonDecision, { is: 'drift' }>): void {
    const [id, username] = [row.id, labelOf(row)];
    const fields = edited.map(({ field }) => field);
    this.#run.log.event({
      event: 'drift.found',
      subject: 'person',
      id,
      username,
      fields,
      action: 'reported',
    });
    if (reason !== undefined) listBlocked(this.#run, { subject: 'person', id, label: username, reason });
    else this.#run.tally.leavesEdited(leftEdited({ subject: 'person', id, label: username }, fields));
  }

  /** Listed, and the rest of the record goes on. */
  #beside(row: PersonRow, reason: string): void {
    listBlocked(this.#run, { subject: 'person', id: row.id, label: labelOf(row), reason, goesOn: true });
  }
}

function labelOf(row: PersonRow): string {
  return row.entry?.username ?? stagedOf(row)?.username ?? row.id;
}
