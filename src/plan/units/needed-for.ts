import type { Change, PersonChange, UnitChange } from '../../domain/changes.ts';
import { RequestError } from '../../domain/errors.ts';
import type { SequencedChange } from '../../domain/ports/ledger/plan-book.ts';
import { printable } from '../../domain/text/printable.ts';
import type { UnitTree } from './tree.ts';
import { UNIT_KINDS } from '../changes/kinds.ts';
import { requestProblem } from '../../domain/run-problems.ts';

/** The one record that is to be sent. */
interface One {
  readonly subject: 'unit' | 'person';
  readonly id: string;
}

/**
 * Returns the changes that one record needs: its own, and the new units above it; of a unit also those of everything below
 * it. Throws a RequestError if others would have to change with it: a unit that moves takes its people along, and one that
 * goes leaves them behind.
 */
export function neededFor(
  one: One,
  changes: Iterable<SequencedChange>,
  tree: UnitTree,
): readonly SequencedChange[] {
  const within = one.subject === 'unit' ? unitsWithin(one.id, tree) : new Set<string>();
  const own: SequencedChange[] = [];
  const made: SequencedChange[] = [];
  for (const each of changes) {
    const { change } = each;
    const isIt = change.subject === one.subject && change.id === one.id;
    if (isIt || (change.cause === null && isWithin(change, within))) own.push(each);
    else if (change.subject === 'unit' && isNew(change)) made.push(each);
  }
  for (const { change } of own) requireAlone(change);
  const above = new Set(own.flatMap(({ change }) => unitsOf(change)).flatMap((id) => lineOf(id, tree)));
  return [...made.filter(({ change }) => above.has(change.id)), ...own];
}

/** Returns a unit and all below it. */
export const unitsWithin = (id: string, tree: UnitTree): ReadonlySet<string> =>
  new Set([id, ...[...tree.nodes.keys()].filter((node) => lineOf(node, tree).includes(id))]);

/** Returns whether a unit is one of these, or a person is or was in one. */
function isWithin(change: UnitChange | PersonChange, units: ReadonlySet<string>): boolean {
  if (change.subject === 'unit') return units.has(change.id);
  return [...change.payload.positions, ...(change.before ?? [])].some(({ unit }) => units.has(unit ?? ''));
}

const isNew = ({ kind }: UnitChange): boolean =>
  kind === 'adopt' || (UNIT_KINDS[kind].makesNode && kind !== 'move');

function requireAlone(change: Change): void {
  if (change.cause !== null)
    throw others(
      change,
      `follows the move of the unit ${printable(change.cause)}, with all who are below it`,
    );
  if (change.subject === 'unit' && (change.kind === 'move' || change.kind === 'remove'))
    throw others(
      change,
      change.kind === 'move' ? 'moves, and its people go along' : 'goes, and others may sit in it',
    );
}

function others({ id }: Change, why: string): RequestError {
  return requestProblem('only-not-alone', { id: printable(id), why });
}

/** Returns the units in which a record is to be. */
function unitsOf(change: UnitChange | PersonChange): readonly string[] {
  const units =
    change.subject === 'unit' ? [change.payload.parent] : change.payload.positions.map(({ unit }) => unit);
  return units.filter((unit) => unit !== null);
}

/** Returns a unit and those above it. */
function lineOf(id: string, { nodes }: UnitTree): readonly string[] {
  const line: string[] = [];
  for (let at: string | null = id; at !== null && !line.includes(at); at = nodes.get(at)?.parent ?? null)
    line.push(at);
  return line;
}
