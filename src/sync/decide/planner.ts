import type { PersonChange } from '../../domain/changes.ts';
import type { People } from '../../domain/ports/ledger/people.ts';
import type { PersonRow } from '../../domain/ports/ledger/person-row.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { decidePerson, type PersonDecision, type PersonRules } from '../../plan/people/decide-person.ts';
import { decideUnits, type UnitsDecision } from '../../plan/units/decide-units.ts';
import { lostNodes, ownNodes } from '../../plan/units/own-node.ts';
import { PERSON_KINDS } from '../../plan/changes/kinds.ts';
import { stagedOf } from '../../plan/people/staged-of.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import { unitNames } from './unit-names.ts';
import { earlierClock } from '../state/both-clocks.ts';
import { listBlocked } from '../calls/block.ts';
import { checkpoint } from '../state/checkpoint.ts';
import { adopted, knowNodes } from './know-nodes.ts';
import { letGoOfLost } from './let-go-of-lost.ts';
import { listBadRecords } from './list-bad-records.ts';
import { PlanWriter } from './plan-writer.ts';
import type { Run } from '../state/world.ts';

const ROWS_AT_ONCE = 500;

/** What a decision notes in the ledger without a change. */
type Notes = Pick<People, 'missed' | 'close' | 'forget' | 'cancelMisses'>;

/** Another ground proves nothing: nobody is missed, and nobody is as it should be. */
const NO_NOTES: Notes = {
  missed: () => undefined,
  close: () => undefined,
  forget: () => undefined,
  cancelMisses: () => undefined,
};

/** Decides units, then people. */
export class Planner {
  readonly #run: Run;
  readonly #tree: UnitTree;
  readonly #writer: PlanWriter;
  /** Units that move, each with the topmost that it follows, or itself. */
  readonly #moving = new Map<string, string>();
  #oldNodes: ReadonlySet<string> = new Set();
  #lostNodes: ReadonlySet<string> = new Set();
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
    this.#writer = new PlanWriter(run);
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
        this.#writer.change(change);
      }
    });
    for (const [id, reason] of this.#decision.blocked)
      listBlocked(this.#run, { subject: 'unit', id, label: this.#names.get(id) ?? id, reason });
    for (const [id, fields] of this.#decision.drift)
      this.#writer.edited({ subject: 'unit', id, label: this.#names.get(id) ?? id }, fields);
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
    const record = { subject: 'person', id: row.id, label: labelOf(row) } as const;
    if ('misses' in decision) notes.missed(row.id, this.#run.clock.now(), decision.misses);
    // Listed, and the rest of the record goes on.
    if ('beside' in decision && decision.beside !== undefined)
      listBlocked(this.#run, { ...record, reason: decision.beside, goesOn: true });
    switch (decision.is) {
      case 'change':
        return this.#change(decision.change);
      case 'blocked':
        return listBlocked(this.#run, { ...record, reason: decision.reason });
      case 'drift':
        return this.#writer.edited(record, decision.fields, decision.reason);
      case 'close':
        return notes.close(row.id, decision.accepted);
      case 'forget':
        return notes.forget(row.id, this.#run.clock.now());
      case 'miss':
      case 'none':
    }
  }

  #change(change: PersonChange): void {
    const reason = this.#missingUnit(change);
    if (reason === null) this.#writer.change(change);
    else this.#writer.waits(change, reason);
  }

  /** A person who joins a unit that is blocked waits with it. */
  #missingUnit(change: PersonChange): string | null {
    if (!PERSON_KINDS[change.kind].isImported) return null;
    for (const { unit } of change.payload.positions) {
      const why = unit === null ? undefined : this.#decision.blocked.get(unit);
      if (unit !== null && why !== undefined && !this.#run.orgIds.has(unit) && !this.#adopting.has(unit))
        return `waits for unit ${unit}: ${why}`;
    }
    return null;
  }
}

function labelOf(row: PersonRow): string {
  return row.entry?.username ?? stagedOf(row)?.username ?? row.id;
}
