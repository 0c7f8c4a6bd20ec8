import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { PersonRow } from '../../domain/ports/ledger/person-row.ts';
import { PINNED_HASH } from '../../domain/reverting/pin.ts';
import { missesOf } from '../../plan/people/leavers.ts';
import type { SourcePerson } from '../../plan/revert/source-again.ts';
import { personAgain, unitAgain } from '../../plan/revert/source-again.ts';
import { pinnedTree } from '../../plan/units/pinned-tree.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import { timeText } from '../../domain/text/time-text.ts';
import type { SourceRead } from '../read/read-source.ts';
import type { ServiceView } from '../refresh/service-view.ts';
import type { Kept } from '../state/pin-book.ts';
import type { NetChange } from '../../plan/revert/net-change.ts';
import type { RevertBook } from '../state/revert-book.ts';
import type { Run } from '../state/world.ts';
import { holdEnd } from './hold-from-source.ts';
import { personInverse, unitInverse } from './inverses.ts';
import { doubtful, netChanges } from './net-changes.ts';
import { StandingUnits } from './standing-units.ts';

/**
 * Puts what records should be by a revert in place of what was read of them: those that are held from the source, and
 * those that this run puts back. All that follows is the same as for any other record. Called after complete reads of
 * both sides, since what somebody edited is left.
 */
export function pinRecords(run: Run, source: SourceRead, view: ServiceView): SourceRead {
  if (run.reverting === null && run.pins.isEmpty) return source;
  const units = new StandingUnits(run, view.rootOrgId);
  invertAll(run, units, view);
  const tree = pinUnits(run, source.tree, units);
  pinPeople(run, units);
  return { ...source, tree };
}

function invertAll(run: Run, units: StandingUnits, { told }: ServiceView): void {
  const { reverting } = run;
  if (reverting === null) return;
  reverting.inDoubt(doubtful(run, reverting.request));
  const until = holdEnd(run, reverting);
  for (const done of netChanges(run, reverting.request)) {
    const { id, label } = done;
    const base = { id, label, run: reverting.request.run };
    if (done.subject === 'unit') {
      const inverse = unitInverse(run, done, { units, told });
      if (!reverting.note(done, inverse) || inverse.wanted === null) continue;
      noteEndOfHold(run, reverting, { ...done, until });
      run.pins.put({ ...base, subject: 'unit', wanted: inverse.wanted.is }, until);
    } else {
      const inverse = personInverse(run, done, units);
      if (!reverting.note(done, inverse) || inverse.wanted === null) continue;
      noteEndOfHold(run, reverting, { ...done, until });
      run.pins.put({ ...base, subject: 'person', wanted: inverse.wanted.is }, until);
    }
  }
}

/** An earlier revert holds the record, and this one ends that. */
function noteEndOfHold(
  { pins }: Run,
  reverting: RevertBook,
  { until, ...done }: NetChange & { readonly until: number | null },
): void {
  const held = pins.get(done);
  if (until === null && held !== undefined) reverting.endsHold(done);
}

function pinUnits(run: Run, tree: UnitTree, units: StandingUnits): UnitTree {
  // A pin does not bring back a unit that is not ours any more.
  const isGone = ({ id, wanted }: Kept): boolean => wanted !== null && units.entry(id)?.state !== 'managed';
  for (const kept of run.pins.all()) if (kept.subject === 'unit' && isGone(kept)) run.pins.drop(kept);
  const pins = run.pins.all().flatMap((kept) => (kept.subject === 'unit' ? [kept] : []));
  for (const kept of pins) noteUnitAgain(run, tree, kept);
  const wanted = new Map(pins.map((kept) => [kept.id, kept.wanted]));
  return pinnedTree(tree, wanted, (id) => heldText(run.pins.get({ subject: 'unit', id })));
}

function noteUnitAgain({ reverting }: Run, tree: UnitTree, kept: Kept & { readonly subject: 'unit' }): void {
  if (reverting === null || !reverting.has(kept)) return;
  const node = tree.nodes.get(kept.id);
  const source = node === undefined ? null : { fields: node.unit.fields, parent: node.parent };
  if (unitAgain(kept.wanted, reverting.backOf(kept), source)) reverting.again(kept);
}

function heldText(kept: Kept | undefined): string {
  if (kept === undefined || kept.until === null) return 'goes with the revert of its creation';
  return `held from the source until ${timeText(kept.until)} (revert of ${kept.run})`;
}

function pinPeople(run: Run, units: StandingUnits): void {
  const people = run.pins.all().flatMap((kept) => (kept.subject === 'person' ? [kept] : []));
  if (people.length === 0) return;
  const refused = new Set(run.ledger.staging.refusals().map(({ id }) => id));
  run.ledger.transaction(() => {
    for (const kept of people) pinPerson(run, kept, { units, isRefused: refused.has(kept.id) });
  });
}

interface Known {
  readonly units: StandingUnits;
  readonly isRefused: boolean;
}

function pinPerson(run: Run, kept: Kept & { readonly subject: 'person' }, { units, isRefused }: Known): void {
  const { id, wanted } = kept;
  const row = run.ledger.people.row(id);
  if (row.entry === null || row.entry.state === 'removed') return run.pins.drop(kept);
  const source = sourceOf(row, isRefused);
  const { reverting } = run;
  if (reverting?.has(kept) === true && personAgain(wanted, reverting.backOf(kept), source))
    reverting.again(kept);
  noteLeaver(run, kept, source);
  const { username, secretHash } = row.entry;
  const { active, payload } = wanted;
  const gone = active ? payload.positions.find(({ unit }) => !units.isThere(unit)) : undefined;
  const problem = gone === undefined ? null : `unit ${gone.unit} is not there any more: ${heldText(kept)}`;
  const hash = `${PINNED_HASH}${kept.run}`;
  run.ledger.staging.pin({ id, username, active, hash, secretHash, payload, problem });
  countMisses(run, row.entry, source);
}

/** A person who is missing goes on being missing while pinned: once that ends, the source decides at once. */
function countMisses({ ledger, sync, clock }: Run, entry: PersonEntry, { says }: SourcePerson): void {
  const now = clock.now();
  const counted = entry.state === 'disabled' ? sync.leavers.misses : missesOf(entry, { now, sync });
  const misses = says === 'missing' ? counted : 0;
  if (misses !== entry.misses) ledger.people.missed(entry.id, now, misses);
}

/** Notes somebody who has left in the source: the account stays active all the same, which has to be named. */
function noteLeaver(
  { pins, reverting }: Run,
  kept: Kept & { readonly subject: 'person' },
  { says }: SourcePerson,
): void {
  if (says !== 'inactive' && says !== 'missing') return;
  const { active } = kept.wanted;
  pins.staysInside(kept, `${says} in the source`, active);
  if (active && reverting?.has(kept) === true) reverting.inside(kept);
}

function sourceOf({ desired, entry }: PersonRow, isRefused: boolean): SourcePerson {
  if (desired === 'left') return { says: 'inactive' };
  if (desired === 'unchanged' && entry !== null) return { says: 'active', payload: entry.sent };
  if (typeof desired === 'string' || desired === null) return { says: isRefused ? 'unreadable' : 'missing' };
  if (isRefused || desired.active === null) return { says: 'unreadable' };
  if (!desired.active) return { says: 'inactive' };
  return desired.problem === null ? { says: 'active', payload: desired.payload } : { says: 'unreadable' };
}
