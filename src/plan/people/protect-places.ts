import { PROTECTED } from '../../domain/records/records.ts';
import type { EmployeeView, PersonRow } from '../../domain/ports/ledger/person-row.ts';
import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { PlacedPosition } from '../../domain/records/payload.ts';
import {
  shownPlaces,
  stagedOf,
  withReason,
  type PersonDecision,
  type PersonRules,
} from './person-decision.ts';
import { listSome } from '../../domain/text/printable.ts';

type Places = readonly PlacedPosition[];

const unitsOf = (places: Places): readonly string[] =>
  [...new Set(places.map(({ unit }) => (unit === null ? "the service's root" : `unit ${unit}`)))].toSorted();

const same = (a: Places, b: Places): boolean => unitsOf(a).join('\n') === unitsOf(b).join('\n');

const moved = (from: Places, to: Places): string =>
  `${PROTECTED}: would be moved from ${listSome(unitsOf(from)) || 'nodes of others'} to ${listSome(unitsOf(to))}`;

/**
 * Keeps protected people in the units where they are: nothing of ours moves them, even if others have. They do move
 * along with their unit, and an account that has to be made anew is nowhere yet.
 */
export function withoutMove(
  row: PersonRow,
  rules: PersonRules,
  decide: (row: PersonRow) => PersonDecision,
): PersonDecision {
  const { entry, employee } = row;
  if (employee === null || !rules.isProtected(entry?.username ?? employee.username, row.id))
    return decide(row);
  const isKnown = entry !== null && entry.state !== 'removed';
  if (entry?.state === 'creating') return decide(row);
  return isKnown
    ? ours(row, { entry, employee }, { rules, decide })
    : found(row, employee, { rules, decide });
}

interface Deciding {
  readonly rules: PersonRules;
  readonly decide: (row: PersonRow) => PersonDecision;
}

interface KnownPlaces {
  readonly entry: PersonEntry;
  readonly employee: EmployeeView;
}

function ours(row: PersonRow, known: KnownPlaces, { rules, decide }: Deciding): PersonDecision {
  const { positions } = known.entry.sent;
  const elsewhere = movedByOthers(known, rules);
  if (elsewhere !== null) return { is: 'blocked', reason: moved(elsewhere, positions) };
  const wanted = stagedOf(row)?.payload.positions ?? positions;
  if (same(wanted, positions)) return decide(row);
  return withReason(decide(placedAt(row, positions)), moved(positions, wanted));
}

/**
 * Returns where others have moved the person, `null` if they have not: a repair, or the next import, would undo
 * that.
 */
function movedByOthers({ entry, employee }: KnownPlaces, rules: PersonRules): Places | null {
  if (entry.accepted === null) return null;
  const nodes = employee.shown.positions.map(({ orgId }) => orgId);
  if (nodes.some((orgId) => rules.oldNodes.has(orgId))) return null;
  const accepted = new Set(entry.accepted.positions.map(({ orgId }) => orgId));
  const isOurs = (orgId: string): boolean => accepted.has(orgId) || (rules.isOurs?.(orgId) ?? true);
  const now = new Set(nodes.filter(isOurs));
  if (now.size === accepted.size && [...now].every((orgId) => accepted.has(orgId))) return null;
  const places = shownPlaces(
    { ...employee.shown, positions: employee.shown.positions.filter(({ orgId }) => isOurs(orgId)) },
    rules,
  );
  return same(places, entry.sent.positions) ? null : places;
}

/** Decides about an account that is not ours yet, in the units where it is. */
function found(row: PersonRow, employee: EmployeeView, { rules, decide }: Deciding): PersonDecision {
  const wanted = stagedOf(row)?.payload.positions ?? [];
  const places = shownPlaces(employee.shown, rules);
  if (same(places, wanted)) return decide(row);
  const reason = moved(places, wanted);
  return places.length === 0 ? { is: 'blocked', reason } : withReason(decide(placedAt(row, places)), reason);
}

function placedAt(row: PersonRow, positions: Places): PersonRow {
  const staged = stagedOf(row);
  if (staged === null) return row;
  return { ...row, desired: { ...staged, payload: { ...staged.payload, positions } } };
}
