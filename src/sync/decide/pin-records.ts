import type { RunTally } from '../state/run-tally.ts';
import type { LogoBook } from '../state/logo-book.ts';
import type { SyncSettings } from '../../domain/settings.ts';
import type { PinBook } from '../state/pin-book.ts';
import type { Ledger } from '../../domain/ports/ledger/ledger.ts';
import type { Change } from '../../domain/changes.ts';
import type { History, HistoryEntry } from '../../domain/ports/history.ts';
import type { LeftInside } from '../../domain/ports/ledger/left-inside.ts';
import type { SequencedChange } from '../../domain/ports/ledger/plan-book.ts';
import type { StagedPerson } from '../../domain/ports/ledger/source-stage.ts';
import type { PersonRow } from '../../domain/ports/ledger/person-row.ts';
import { PINNED_HASH, type PinnedRecord } from '../../domain/records/pin.ts';
import type { Approval } from '../../domain/records/approval.ts';
import { digestIn } from '../../domain/records/logo.ts';
import {
  netChanges,
  personBefore,
  unitBefore,
  type Before,
  type NetChange,
  type Now,
} from '../../plan/revert/put-back.ts';
import { pinnedTree } from '../../plan/revert/pinned-tree.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import type { SourceRead } from '../read/read-source.ts';
import type { OneRecord, RevertRequest, RunRequest } from '../state/run-request.ts';
import type { Run } from '../state/world.ts';
import { namedBy } from '../state/call-item.ts';
import { requestProblem } from '../../domain/run-problems.ts';

/**
 * Puts what records were before the reverted run in place of what was read of them. All that follows is the same as for
 * any other record.
 */
export function pinRecords(run: Run, source: SourceRead): SourceRead {
  if (run.reverting === null) return source;
  const now = standingNow(run.ledger, run.sync, run.logos);
  putBack(run, run.reverting, now);
  const tree = pinUnits(run.ledger, run.pins, source.tree);
  // Who follows a unit that moves back does so as they are, also if the source wants something else of them.
  run.ledger.staging.pin(pinnedPeople(run.ledger, run.pins, now));
  return { ...source, tree };
}

function standingNow(ledger: Ledger, sync: SyncSettings, logos: LogoBook): Now {
  const nodes = new Set(ledger.view.organizations().map(({ id }) => id));
  const standing = ledger.units
    .all()
    .filter(({ state, orgId }) => state === 'managed' && orgId !== null && nodes.has(orgId));
  const units = new Set(standing.map(({ id }) => id));
  return {
    isThere: (unit) => unit === null || units.has(unit),
    unitsGone: sync.unitsGone,
    hasPicture: (logo) => logos.fileOf(digestIn(logo) ?? '') !== null,
  };
}

/** Pins the records of the reverted run to what they were before it. */
function putBack(run: Run, { run: reverted, only }: RevertRequest, now: Now): void {
  const { ledger, pins } = run;
  const isAskedFor = ({ subject, id }: OneRecord): boolean =>
    only === undefined || (subject === only.subject && id === only.id);
  for (const one of ledger.history.unproven(reverted).filter(isAskedFor))
    pins.note(one, 'in doubt whether the run has changed it: a later run finds out');
  const units = new Map(ledger.units.all().map((entry) => [entry.id, entry]));
  for (const done of changesOf(run, reverted).filter(isAskedFor)) {
    const { id, label } = done;
    const base = { id, label, run: reverted };
    if (done.subject === 'unit') {
      const before = unitBefore(done, units.get(id) ?? null, now);
      pins.note(done, reasonIn(before));
      if (before !== null && 'wanted' in before) pins.putBack({ ...base, ...before, subject: 'unit' });
    } else {
      const before = personBefore(done, ledger.people.entry(id), now);
      pins.note(done, reasonIn(before));
      if (before !== null && 'wanted' in before) pins.putBack({ ...base, ...before, subject: 'person' });
    }
  }
}

const reasonIn = (before: Before<unknown>): string | null =>
  before !== null && 'reason' in before ? before.reason : null;

/** Returns what the reverted run did, with what later ones have changed of it. */
function changesOf({ ledger: { history } }: Run, reverted: string): readonly NetChange[] {
  const [first] = history.entries({ run: reverted });
  return first === undefined
    ? []
    : netChanges(history.entries({ run: reverted }), entriesAfter(history, first));
}

function* entriesAfter(history: History, { at, n, run }: HistoryEntry): Iterable<HistoryEntry> {
  for (const entry of history.entries({ since: at, of: null }))
    if (entry.run !== run && entry.n > n) yield entry;
}

function pinUnits(ledger: Ledger, pins: PinBook, tree: UnitTree): UnitTree {
  const managed = new Set(ledger.units.all().flatMap(({ id, state }) => (state === 'managed' ? [id] : [])));
  // A pin does not bring back a unit that is not ours any more.
  for (const kept of pins.all())
    if (kept.subject === 'unit' && kept.wanted !== null && !managed.has(kept.id)) pins.drop(kept);
  const units = pins.all().flatMap((kept) => (kept.subject === 'unit' ? [kept] : []));
  const wanted = new Map(units.map((kept) => [kept.id, kept.wanted]));
  return pinnedTree(tree, wanted);
}

function pinnedPeople(ledger: Ledger, pins: PinBook, now: Now): readonly StagedPerson[] {
  const people = pins.all().flatMap((kept) => (kept.subject === 'person' ? [kept] : []));
  if (people.length === 0) return [];
  const refused = new Set(Array.from(ledger.staging.bad().refusals, ({ id }) => id));
  return people.flatMap(
    (kept) => pinnedPerson(ledger, pins, kept, { now, isRefused: refused.has(kept.id) }) ?? [],
  );
}

interface PinnedRecords {
  readonly now: Now;
  readonly isRefused: boolean;
}

function pinnedPerson(
  ledger: Ledger,
  pins: PinBook,
  kept: PinnedRecord & { readonly subject: 'person' },
  known: PinnedRecords,
): StagedPerson | null {
  const { id, wanted } = kept;
  const [row] = ledger.people.rows({ id });
  if (row === undefined || row.entry === null || row.entry.state === 'removed') {
    pins.drop(kept);
    return null;
  }
  const left = leftIn(row, known.isRefused);
  // The account stays active all the same, which has to be named (promise 11).
  if (left !== null) pins.staysInside(kept, left, wanted.active);
  const { username, secretHash } = row.entry;
  const { active, payload } = wanted;
  const gone = active ? payload.positions.find(({ unit }) => !known.now.isThere(unit)) : undefined;
  const problem = gone === undefined ? null : `unit ${gone.unit} is not there any more`;
  return { id, username, active, hash: `${PINNED_HASH}${kept.run}`, secretHash, payload, problem };
}

/** Returns how a person has left in the source; `null`: they have not, or their record cannot be read. */
function leftIn({ record }: PersonRow, isRefused: boolean): LeftInside['left'] | null {
  if (record === 'left') return 'inactive in the source';
  if (record === 'unchanged' || isRefused) return null;
  if (record === null) return 'missing in the source';
  return record.active === false ? 'inactive in the source' : null;
}

const GONE = 'the account is gone from the service, and a revert makes none: rollcall sync does';
const isMadeAnew = ({ subject, kind }: Change): boolean => subject === 'person' && kind === 'create';

/**
 * Drops all of the plan but what the revert changes, with those who only follow units that it moves: guards count these
 * alone, and the rest is for the next run.
 */
export function keepToReverted(ledger: Ledger, pins: PinBook, tally: RunTally): void {
  const all = [...ledger.plan.sequencedChanges()];
  const isMove = ({ change }: SequencedChange): boolean => change.kind === 'move' && pins.isOwn(change);
  const moves = new Set(all.filter(isMove).map(({ change }) => change.id));
  const isKept = ({ change }: SequencedChange): boolean =>
    change.cause === null ? pins.isOwn(change) && !isMadeAnew(change) : moves.has(change.cause);
  for (const { change } of all.filter((one) => pins.isOwn(one.change) && !isKept(one)))
    ledger.plan.note({
      ...namedBy(change),
      reason: isMadeAnew(change) ? GONE : `unit ${change.cause} moves in the source: run rollcall sync first`,
    });
  ledger.transaction(() => {
    for (const one of all) if (!isKept(one)) ledger.plan.revise(one.seq, null);
  });
  tally.planAnew(all.filter(isKept).map(({ change }) => change));
}

/** Returns the other approvals of a revert: those of guards. Throws a RequestError if its plan is not approved. */
export function otherApprovals({ approve, dryRun }: RunRequest, hash: string): readonly Approval[] {
  const others = approve.filter((one) => one.hash !== hash);
  if (dryRun || others.length < approve.length) return others;
  const given = approve.map((one) => one.hash).join(', ');
  throw requestProblem('revert-changed', { given, hash });
}
