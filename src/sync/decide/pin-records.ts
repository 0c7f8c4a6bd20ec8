import { RequestError } from '../../domain/errors.ts';
import type { LeftInside } from '../../domain/ports/ledger/left-inside.ts';
import type { SequencedChange } from '../../domain/ports/ledger/plan-book.ts';
import type { PersonRow } from '../../domain/ports/ledger/person-row.ts';
import { PINNED_HASH } from '../../domain/records/pin.ts';
import type { Approval } from '../../domain/records/approval.ts';
import { digestIn } from '../../domain/records/logo.ts';
import { timeText } from '../../domain/text/local-time.ts';
import { netChanges, personBefore, unitBefore, type Now } from '../../plan/revert/put-back.ts';
import { pinnedTree } from '../../plan/revert/pinned-tree.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import type { SourceRead } from '../read/read-source.ts';
import { laterClock } from '../state/both-clocks.ts';
import type { Kept } from '../state/pin-book.ts';
import type { OneRecord, RevertRequest, RunRequest } from '../state/run-request.ts';
import type { Run } from '../state/world.ts';
import { namedBy } from './plan-writer.ts';

const DAY_MS = 86_400_000;

/**
 * Puts what records should be by a revert in place of what was read of them: those that are held from the source, and
 * those that this run puts back. All that follows is the same as for any other record.
 */
export function pinRecords(run: Run, source: SourceRead): SourceRead {
  if (run.reverting === null && run.pins.isEmpty) return source;
  const now = standingNow(run);
  if (run.reverting !== null) putBack(run, run.reverting, now);
  const tree = pinUnits(run, source.tree);
  pinPeople(run, now);
  return { ...source, tree };
}

function standingNow({ ledger, sync, logos }: Run): Now {
  const nodes = new Set(ledger.view.organizations().map(({ id }) => id));
  const standing = ledger.units
    .all()
    .filter(({ state, orgId }) => state === 'managed' && orgId !== null && nodes.has(orgId));
  const units = new Set(standing.map(({ id }) => id));
  return {
    isThere: (unit) => unit === null || units.has(unit),
    unitsGone: sync.unitsGone,
    hasPicture: (logo) => logos.mediaIdOf(digestIn(logo) ?? '') !== undefined,
  };
}

/** Pins the records of the reverted run to what they were before it. */
function putBack(run: Run, { run: reverted, only, holdDays }: RevertRequest, now: Now): void {
  const { ledger, pins } = run;
  const until = holdDays === 0 ? null : laterClock(run) + holdDays * DAY_MS;
  const isAskedFor = ({ subject, id }: OneRecord): boolean =>
    only === undefined || (subject === only.subject && id === only.id);
  for (const one of ledger.history.unproven(reverted).filter(isAskedFor))
    pins.note(one, ['in doubt whether the run has changed it: a later run finds out']);
  const units = new Map(ledger.units.all().map((entry) => [entry.id, entry]));
  for (const done of netChanges(ledger.history.ofRun(reverted)).filter(isAskedFor)) {
    const { id, label } = done;
    const base = { id, label, run: reverted };
    if (done.subject === 'unit') {
      const { wanted, notBack } = unitBefore(done, units.get(id) ?? null, now);
      pins.note(done, notBack);
      if (wanted !== null) pins.putBack({ ...base, subject: 'unit', wanted: wanted.is }, until);
    } else {
      const { wanted, notBack } = personBefore(done, ledger.people.entry(id), now);
      pins.note(done, notBack);
      if (wanted !== null) pins.putBack({ ...base, subject: 'person', wanted: wanted.is }, until);
    }
  }
}

function pinUnits({ ledger, pins }: Run, tree: UnitTree): UnitTree {
  const managed = new Set(ledger.units.all().flatMap(({ id, state }) => (state === 'managed' ? [id] : [])));
  // A pin does not bring back a unit that is not ours any more.
  for (const kept of pins.all())
    if (kept.subject === 'unit' && kept.wanted !== null && !managed.has(kept.id)) pins.drop(kept);
  const units = pins.all().flatMap((kept) => (kept.subject === 'unit' ? [kept] : []));
  const wanted = new Map(units.map((kept) => [kept.id, kept.wanted]));
  return pinnedTree(tree, wanted, (id) => heldText(pins.get({ subject: 'unit', id })));
}

function heldText(kept: Kept | undefined): string {
  if (kept === undefined || kept.until === null) return 'goes with the revert of its creation';
  return `held from the source until ${timeText(kept.until)} (revert of ${kept.run})`;
}

function pinPeople(run: Run, now: Now): void {
  const { ledger, pins } = run;
  const people = pins.all().flatMap((kept) => (kept.subject === 'person' ? [kept] : []));
  if (people.length === 0) return;
  const refused = new Set(ledger.staging.refusals().map(({ id }) => id));
  ledger.transaction(() => {
    for (const kept of people) pinPerson(run, kept, { now, isRefused: refused.has(kept.id) });
  });
}

interface Known {
  readonly now: Now;
  readonly isRefused: boolean;
}

function pinPerson({ ledger, pins }: Run, kept: Kept & { readonly subject: 'person' }, known: Known): void {
  const { id, wanted } = kept;
  const row = ledger.people.row(id);
  if (row.entry === null || row.entry.state === 'removed') return pins.drop(kept);
  const left = leftIn(row, known.isRefused);
  // The account stays active all the same, which has to be named (promise 11).
  if (left !== null) pins.staysInside(kept, left, wanted.active);
  const { username, secretHash } = row.entry;
  const { active, payload } = wanted;
  const gone = active ? payload.positions.find(({ unit }) => !known.now.isThere(unit)) : undefined;
  const problem = gone === undefined ? null : `unit ${gone.unit} is not there any more: ${heldText(kept)}`;
  const hash = `${PINNED_HASH}${kept.run}`;
  ledger.staging.pin({ id, username, active, hash, secretHash, payload, problem });
}

/** Returns how a person has left in the source; `null`: they have not, or their record cannot be read. */
function leftIn({ desired }: PersonRow, isRefused: boolean): LeftInside['left'] | null {
  if (desired === 'left') return 'inactive in the source';
  if (desired === 'unchanged' || isRefused) return null;
  if (desired === null) return 'missing in the source';
  return desired.active === false ? 'inactive in the source' : null;
}

/**
 * Drops all of the plan but what the revert changes, with those who only follow units that it moves: guards count these
 * alone, and the rest is for the next run.
 */
export function keepToReverted({ ledger: { plan }, pins, tally }: Run): void {
  const all = [...plan.sequencedChanges()];
  const isMove = ({ change }: SequencedChange): boolean => change.kind === 'move' && pins.isOwn(change);
  const moves = new Set(all.filter(isMove).map(({ change }) => change.id));
  const isKept = ({ change }: SequencedChange): boolean =>
    change.cause === null ? pins.isOwn(change) : moves.has(change.cause);
  for (const { change } of all.filter((one) => pins.isOwn(one.change) && !isKept(one)))
    plan.note({
      ...namedBy(change),
      reason: `unit ${change.cause} moves in the source: run rollcall sync first`,
    });
  const kept = all.filter(isKept);
  plan.keepOnly(
    kept.map(({ seq }) => seq),
    'dropped',
  );
  tally.planAnew(kept.map(({ change }) => change));
}

/** Returns the other approvals of a revert: those of guards. Throws a RequestError where its plan is not approved. */
export function otherApprovals({ approve, dryRun }: RunRequest, hash: string): readonly Approval[] {
  const others = approve.filter((one) => one.hash !== hash);
  if (dryRun || others.length < approve.length) return others;
  throw new RequestError(
    `revert: --approve ${approve.map((one) => one.hash).join(', ')} is not, or no longer, what would be done now ` +
      `(${hash}); nothing was sent. Look at it again, with the same options but --approve`,
  );
}

/**
 * Holds what is put back from the source, before anything is sent: a crash on the way leaves it to the next run. What a
 * guard holds back stays with the source.
 */
export function holdFromSource(run: Run): void {
  const { ledger, pins } = run;
  const keys = { held: new Set<string>(), going: new Set<string>() };
  for (const { change, isHeld } of ledger.plan.sequencedChanges())
    keys[isHeld ? 'held' : 'going'].add(`${change.subject} ${change.id}`);
  const at = laterClock(run);
  ledger.transaction(() => {
    for (const pin of pins.pins().filter((one) => pins.isOwn(one))) {
      const key = `${pin.subject} ${pin.id}`;
      if (keys.going.has(key) || !keys.held.has(key)) ledger.pins.set(pin, { at, ms: pin.until - at });
    }
  });
}
