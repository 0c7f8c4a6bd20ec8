import type { Log } from '../../domain/events.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { Blocked, PersonChange } from '../../domain/changes.ts';
import type { PersonRow } from '../../domain/ports/ledger/person-row.ts';
import type { LostField } from '../../domain/ports/ledger/source-stage.ts';
import { emptiedOf } from '../../domain/records/emptied.ts';
import type { PlacedPosition } from '../../domain/records/payload.ts';
import type { Refusal } from '../../domain/records/records.ts';
import { say } from '../../domain/words/say.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { PERSON_KINDS } from '../../plan/changes/kinds.ts';
import { doubtOf, type Basis } from '../../plan/doubt/doubt.ts';
import type { PersonDecision, PersonRules } from '../../plan/people/person-decision.ts';
import { decidePerson } from '../../plan/people/reconcile.ts';
import type { PlannedUnits } from './plan-units.ts';
import { earlierClock } from '../state/both-clocks.ts';
import { decidingRules } from '../state/deciding-rules.ts';
import { checkpoint } from '../state/checkpoint.ts';
import type { PlanningRun, Run } from '../state/world.ts';

const ROWS_AT_ONCE = 500;

/** Decides people page by page. */
export class PeoplePlanner {
  readonly #run: PlanningRun;
  readonly #units: PlannedUnits;
  /** Digest of the rules that decide. */
  readonly #deciding: string;
  #vanished: ReadonlyMap<string, number> | null = null;

  constructor(run: PlanningRun, units: PlannedUnits) {
    this.#run = run;
    this.#units = units;
    this.#deciding = decidingRules(run.source, run.sync);
  }

  /** Decides about all people; yields after each page how many it had. */
  *inPages(): Generator<number, void> {
    const { ledger, stop, progress } = this.#run;
    const rules = this.#rules();
    progress.start('plan', null);
    for (let last = ''; ;) {
      checkpoint(stop);
      const rows = ledger.people.rows({ after: last, limit: ROWS_AT_ONCE });
      if (rows.length === 0) break;
      ledger.transaction(() => {
        for (const row of rows) this.#decide(row, rules);
      });
      last = rows.at(-1)?.id ?? last;
      progress.advance(rows.length);
      yield rows.length;
    }
    // A revert counts everybody as unchanged: it does not know who is missing.
    if (this.#run.reverting === null) ledger.people.cancelMisses();
    listBadRecords(this.#run);
  }

  /** Decides again about people that the ledger now knows under these ids. */
  again(people: readonly { readonly id: string }[]): void {
    const rules = this.#rules();
    for (const { id } of people)
      for (const row of this.#run.ledger.people.rows({ id })) this.#decide(row, rules);
  }

  #decide(read: PersonRow, rules: PersonRules): void {
    const row = withUnits(read, this.#units.renamed);
    this.#person(row, decidePerson(row, rules));
  }

  #rules(): PersonRules {
    const { sync, clock, nodes, ledger } = this.#run;
    const protects = sync.protect.where !== undefined;
    const { adopting, moving, emptied, blocked } = this.#units;
    const adoptedNodes = new Set(adopting.values());
    const protectedNames = new Set(sync.protect.usernames.map(foldUsername));
    const protectedIds = ledger.people.idsOf(sync.protect.usernames);
    const units = new Map([...adopting, ...nodes.orgIds].map(([unit, orgId]) => [orgId, unit]));
    return {
      sync,
      now: clock.now(),
      surely: earlierClock(this.#run.clock, this.#run.service),
      orgIdOf: (unit) => nodes.orgIdOf(unit) ?? adopting.get(unit),
      isOurs: (orgId) => nodes.ours.has(orgId) || adoptedNodes.has(orgId),
      unitOf: (orgId) => units.get(orgId),
      moving,
      emptied,
      isBlocked: (unit) => blocked.has(unit),
      isProtected: (username, id) =>
        protectedNames.has(foldUsername(username)) ||
        protectedIds.has(id) ||
        (protects && ledger.people.isProtected(id)),
      isLoaded: this.#units.writer.isLoaded,
      showsField: shownFields(this.#run.ledger, this.#run.log),
    };
  }

  #person(row: PersonRow, decision: PersonDecision): void {
    const notes = this.#run.ledger.people;
    const at = this.#run.clock.now();
    const record = { subject: 'person', id: row.id, label: labelOf(row), ...nameOf(row) } as const;
    if ('misses' in decision) notes.note(row.id, { is: 'missing', misses: decision.misses, at });
    switch (decision.is) {
      case 'change':
        return this.#change(withDoubt(decision.change, this.#basisOf(row)));
      case 'blocked':
        return this.#run.lists.blocked({ ...record, reason: say(decision.reason) });
      case 'drift':
        return this.#units.writer.edited(record, decision.fields, decision.reason && say(decision.reason));
      case 'close':
        return notes.note(row.id, { is: 'unchanged', accepted: decision.accepted });
      case 'forget':
        return notes.note(row.id, { is: 'nowhere', at });
      case 'miss':
      case 'none':
    }
  }

  /** Returns what tells whether a change of the person is explained. */
  #basisOf({ id, entry, record }: PersonRow): Basis {
    const { seen, staging } = this.#run.ledger;
    const rules = this.#deciding;
    return {
      memory: () => seen.person(id),
      isGone: record === null,
      isDisabled: entry?.state === 'disabled',
      rules,
      vanished: () => (this.#vanished ??= seen.vanished(rules)),
      doubtOfUnit: this.#units.doubtOf,
      namesLostUnit: () => staging.namesLostUnit(id),
    };
  }

  #change(made: PersonChange): void {
    const change = emptiedOf(made).length === 0 ? made : { ...made, unitsAbove: this.#unitsAbove(made) };
    const reason = this.#missingUnit(change);
    if (reason === null) this.#units.writer.change(change);
    else this.#units.writer.waits(change, reason);
  }

  #unitsAbove({ before = [] }: PersonChange): readonly string[] {
    const { above } = this.#units;
    return [...new Set(before.flatMap(({ unit }) => (unit === null ? [] : above.path(unit))))];
  }

  /** Returns why a person's change waits, or `null`: a person who joins a blocked unit without a node waits with it. */
  #missingUnit(change: PersonChange): string | null {
    if (!PERSON_KINDS[change.kind].isImported) return null;
    const { blocked, adopting, nodes } = this.#units;
    for (const { unit } of change.payload.positions) {
      const why = unit === null ? undefined : blocked.get(unit);
      if (unit !== null && why !== undefined && nodes.orgIdOf(unit) === undefined && !adopting.has(unit))
        return `waits for unit ${unit}`;
    }
    return null;
  }
}

/** Returns the row with what was sent under the ids that its units have now. */
function withUnits(row: PersonRow, renamed: ReadonlyMap<string, string>): PersonRow {
  if (row.entry === null || renamed.size === 0) return row;
  const { sent } = row.entry;
  const now = ({ unit, ...position }: PlacedPosition): PlacedPosition => ({
    unit: renamed.get(unit ?? '') ?? unit,
    ...position,
  });
  return { ...row, entry: { ...row.entry, sent: { ...sent, positions: sent.positions.map(now) } } };
}

/** Marks a change if nothing in the record itself explains it. */
function withDoubt(change: PersonChange, basis: Basis): PersonChange {
  const doubt = doubtOf(change, basis);
  if (doubt === null) return change;
  const { kind, guard } = change;
  const isKnown = kind === 'create' && guard === 'joiners' && doubt.is !== 'vanished';
  return { ...change, doubt, ...(isKnown && { why: { code: 'knownBefore' } as const }) };
}

const labelOf = ({ id, entry, inSource }: PersonRow): string => entry?.username ?? inSource ?? id;

function nameOf({ record, entry }: PersonRow): Pick<Blocked, 'name'> {
  const payload = typeof record === 'object' ? record?.payload : undefined;
  const { name } = (payload ?? entry?.sent)?.fields ?? {};
  return typeof name === 'string' ? { name } : {};
}

/**
 * If at least this many people had a value and now none has, the service stopped showing the field, and it is
 * no edit.
 */
const FIELD_GONE_FROM = 3;

/**
 * Returns whether the service shows a field at all. If it showed values before and now shows the field of no
 * person, not even as empty, an update of the service did that, and it is no edit. Computed once for each
 * field, and only for a field that some record lacks.
 */
function shownFields(ledger: Ledger, log: Log): (field: string) => boolean {
  const known = new Map<string, boolean>();
  return (field) => {
    const before = known.get(field);
    if (before !== undefined) return before;
    const isShown = ledger.view.tellsField(field, FIELD_GONE_FROM);
    known.set(field, isShown);
    if (!isShown)
      log.note('warn', 'the service no longer shows a field: edits of it cannot be seen', { field });
    return isShown;
  };
}

/** Lists what the source has and cannot be used: whole records, which are left as they are, and single fields. */
function listBadRecords(run: Run): void {
  const { refusals, losses } = run.ledger.staging.bad();
  for (const refusal of refusals) refused(run, refusal);
  for (const loss of losses) lost(run, loss);
}

/** Lists a refused record. It is named by its place in the source only if it has neither label nor id. */
function refused(run: Run, { subject: part, id, place, field, reason, label }: Refusal): void {
  const subject = part === 'unit' ? 'unit' : 'person';
  const name = label ?? id ?? place;
  run.tally.countBad();
  run.ledger.plan.note({ subject, id: id ?? name, label: name, reason: `${field}: ${reason}` });
  run.log.event({ event: 'item.failed', subject, id, username: name, field, reason });
}

function lost(run: Run, { subject, id, label, field, reason: why }: LostField): void {
  const kept = field === 'positions' ? '' : 'this value stays unchanged, ';
  const reason = `${field}: ${why}; ${kept}the rest goes on`;
  run.tally.countBad();
  run.ledger.plan.note({ subject, id, label, reason, goesOn: true });
  run.log.event({ event: 'item.failed', subject, id, username: label, field, reason });
}
