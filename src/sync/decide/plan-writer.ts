import type { SyncSettings } from '../../domain/settings.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { NodeBook } from '../../plan/nodes/node-book.ts';
import {
  isRekey,
  isRepair,
  recordKey,
  type Blocked,
  type Change,
  type FieldChange,
  type Held,
  type PersonChange,
} from '../../domain/changes.ts';
import type { PlannedChange } from '../../domain/ports/ledger/plan-book.ts';
import type { Shown } from '../../domain/ports/shown.ts';
import type { Decisive } from '../../domain/records/records.ts';
import { FORGOTTEN } from '../../domain/records/account-named.ts';
import { REPAIRS_MS } from '../../domain/ports/ledger/troubles.ts';
import { admit, type Tries } from '../../plan/changes/admit.ts';
import { plannedOf } from '../../plan/changes/change-digest.ts';
import { staysExplained } from '../../plan/doubt/doubt.ts';
import { PERSON_KINDS } from '../../plan/changes/kinds.ts';
import { unhurried } from '../../lib/in-steps.ts';
import { lostTitles } from '../../plan/people/merge-positions.ts';
import { unmappedOf } from '../../plan/values/unmapped.ts';
import { claimedSentence, heldSentence } from '../../plan/words/describe-held.ts';
import { leftEdited } from '../../plan/words/describe-left-out.ts';
import { namedBy } from '../state/call-item.ts';
import { accountOf } from '../calls/person-body.ts';
import { protection } from '../state/deciding-rules.ts';
import type { PlanningRun, Run } from '../state/world.ts';

/** What `sync.protect` keeps from happening, besides a move of a person. */
const GOES: ReadonlySet<Change['kind']> = new Set(['disable', 'remove', 'move']);

type NamedRecord = Omit<Blocked, 'reason' | 'goesOn'>;

/** Writes what is decided into the plan book and the log. */
export class PlanWriter {
  /** Digests of approved changes that are not in this plan only because they wait for something. */
  readonly paused = new Set<string>();
  /** Whether the first load has ended. */
  readonly isLoaded: boolean;
  readonly #run: PlanningRun;
  readonly #tries: Tries;
  /** Digests of all changes that a person approved. */
  readonly #approved: ReadonlySet<string>;
  /** As `SeenRecords.kept` has them. */
  readonly #kept: ReadonlyMap<string, string>;
  /** Whether an exclusion that kept something out matches nothing. */
  readonly #isOpened: boolean;

  /** What this read has of the names that decide about units, by source id. */
  readonly #unitsHave: ReadonlyMap<string, Decisive>;

  constructor(run: PlanningRun, unitsHave: ReadonlyMap<string, Decisive>) {
    const { troubles, approvals } = run.ledger;
    const now = run.clock.now();
    const failures = new Map(troubles.failures().map((failure) => [recordKey(failure), failure]));
    this.#run = run;
    this.#unitsHave = unitsHave;
    this.#kept = run.ledger.seen.kept();
    this.#isOpened = (run.ledger.fact('excluded')?.lost ?? []).length > 0;
    this.isLoaded = run.ledger.fact('loaded') === true;
    this.#approved = new Set(approvals.all().keys());
    this.#tries = {
      failures,
      repairs: troubles.repairs(now - REPAIRS_MS),
      waitsForNothing: run.waitsForNothing,
      now,
    };
  }

  change(decided: Change): void {
    const worded = this.#run.pins.worded(this.#unprotected(this.#undoubted(decided)));
    const planned = plannedOf(
      withLosses(this.#run.sync, this.#run.ledger, this.#run.nodes, this.#guarded(worded)),
    );
    const admission = admit(planned, this.#tries);
    if (admission.is === 'fought') return this.#leave(planned.change, admission.reason);
    if (admission.is === 'planned') this.#add(planned);
    else this.#wait(planned, admission.reason);
  }

  /** Takes the doubt off a change that an edit of the rules leaves as explained as it was. */
  #undoubted<C extends Change>(change: C): C {
    if (change.doubt?.is !== 'edited') return change;
    const { subject, id } = change;
    const { seen } = this.#run.ledger;
    const known = seen.explained(subject, id);
    if (known === null) return change;
    const now = subject === 'unit' ? (this.#unitsHave.get(id) ?? null) : seen.person(id).now;
    return staysExplained(known, change, now) ? { ...change, doubt: undefined } : change;
  }

  /** Leaves a change of a person for later, because it waits for something else. */
  waits(change: PersonChange, reason: string): void {
    this.#pause(plannedOf(change));
    this.#run.lists.blocked({ ...namedBy(change), reason });
  }

  /**
   * Notes an edit of others that is only reported.
   *
   * @param reason what to say of it, if that is more than the usual
   */
  edited(record: NamedRecord, edited: readonly FieldChange[], reason?: string): void {
    const fields = edited.map(({ field }) => field);
    logDrift(this.#run, record, fields, 'reported');
    if (reason !== undefined) return this.#run.lists.blocked({ ...record, reason });
    const left = leftEdited(record, fields);
    this.#run.tally.leavesEdited(left);
    this.#run.ledger.plan.note({ ...left, kind: 'edited' });
  }

  #add(planned: PlannedChange): void {
    const { change } = planned;
    this.#run.tally.planned(change);
    this.#run.ledger.plan.add(planned);
    if (isRepair(change)) this.#run.tally.repairs += 1;
  }

  #leave(change: Change, reason: string): void {
    const { subject, id, label } = namedBy(change);
    const fields = change.fields.map(({ field }) => field);
    logDrift(this.#run, { subject, id, label }, fields, 'reported');
    this.#run.ledger.plan.note({ subject, id, label, reason });
  }

  #wait(planned: PlannedChange, reason: string): void {
    const { change } = planned;
    // It has failed, and does so until it is done.
    this.#run.tally.failed += 1;
    this.#pause(planned);
    this.#run.lists.blocked({ ...namedBy(change), reason });
  }

  /** Keeps the approval of a change that waits, although it is not planned. */
  #pause({ counted }: PlannedChange): void {
    for (const { digest } of counted) if (this.#approved.has(digest)) this.paused.add(digest);
  }

  /** Marks what `sync.protect` kept the record from until it was edited. */
  #unprotected(change: Change): Change {
    const kept = this.#kept.get(recordKey(change));
    const isMeant = GOES.has(change.kind) || change.fields.some(({ field }) => field === 'positions');
    if (kept === undefined || !isMeant) return change;
    // Under the same settings only the own record can end it.
    const { seen } = this.#run.ledger;
    if (
      kept === protection(this.#run.sync) &&
      (change.subject === 'unit' || seen.person(change.id).now !== null)
    )
      return change;
    return { ...change, doubt: { is: 'unprotected' } };
  }

  /**
   * Takes the guard off joiners before a first load has ended, however often it was interrupted. Guards all that comes in
   * while an exclusion that kept something out matches nothing.
   */
  #guarded(change: Change): Change {
    if (this.#isOpened && comesIn(change)) return { ...change, guard: 'joiners' };
    if (change.subject === 'unit' || change.guard !== 'joiners') return change;
    return this.isLoaded ? change : { ...change, guard: null };
  }
}

/** Returns whether what we do not manage becomes ours, or is enabled, and nothing else holds it at once. */
function comesIn({ subject, kind, guard }: Change): boolean {
  const isNew = kind === 'create' || kind === 'adopt' || (subject === 'person' && kind === 'enable');
  return isNew && guard !== 'usernameReuse';
}

/** Logs which edits of others this run sets back, and which wait. Called once it is known what is held. */
export function logRepairs(run: Run): void {
  if (run.tally.repairs === 0) return;
  for (const { change, goesOn } of run.ledger.plan.sequencedChanges()) {
    if (!isRepair(change)) continue;
    const fields = change.fields.map(({ field }) => field);
    logDrift(run, namedBy(change), fields, goesOn && !run.reportOnly ? 'repaired' : 'reported');
  }
}

/** Writes down of each held change what it is, and what releases it; of a handed-over username for both records. */
export async function noteHeld({ ledger: { plan } }: Run, groups: readonly Held[]): Promise<void> {
  if (groups.length === 0) return;
  for await (const { change, hashes } of unhurried(plan.sequencedChanges('held'))) {
    const by = groups.filter(({ hash }) => hashes.includes(hash));
    const owner = change.subject === 'person' ? change.claims : undefined;
    for (const held of by) {
      const note = { ...namedBy(change), kind: 'held', hash: held.hash } as const;
      plan.note({ ...note, reason: heldSentence(change, held) });
      if (owner !== undefined && owner !== FORGOTTEN)
        plan.note({ ...note, id: owner, reason: claimedSentence(change, held) });
    }
  }
}

function logDrift(
  { log }: Pick<Run, 'log'>,
  { subject, id, label }: NamedRecord,
  fields: readonly string[],
  action: 'reported' | 'repaired',
): void {
  const username = subject === 'person' ? label : undefined;
  log.event({ event: 'drift.found', subject, id, username, fields, action });
}

/** Adds to a planned change what its import would clear for good: the guard `lost` holds that. */
function withLosses(sync: SyncSettings, ledger: Ledger, nodes: NodeBook, change: Change): Change {
  if (change.subject === 'unit' || !PERSON_KINDS[change.kind].isImported) return change;
  if (sync.unmapped === 'omit' || isRekey(change)) return change;
  const loses = lossesFor(ledger, nodes, change);
  return loses === null ? change : { ...change, loses };
}

/**
 * Returns the shown fields that a write cannot send back. The service may keep them, but a job title is
 * certainly lost.
 */
function lossesFor(
  ledger: Ledger,
  nodes: NodeBook,
  change: PersonChange,
): NonNullable<PersonChange['loses']> | null {
  const shown = accountOf(ledger.view, change);
  if (shown === null) return null;
  const fields = unmappedOf(change.payload, shown).flatMap(({ name, writable }) => (writable ? [] : [name]));
  if (hasLostTitle(nodes, change, shown)) return { fields: [...fields, 'job_title'], certain: true };
  return fields.length === 0 ? null : { fields, certain: false };
}

function hasLostTitle(nodes: NodeBook, { payload }: PersonChange, shown: Shown): boolean {
  const wanted = payload.positions.flatMap(({ unit, fields }) => {
    const orgId = nodes.orgIdOf(unit);
    return orgId === undefined ? [] : [{ orgId, fields }];
  });
  return lostTitles(wanted, shown.positions, nodes.ours).length > 0;
}
