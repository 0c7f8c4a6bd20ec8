import type { PersonEntry } from '../../domain/ports/ledger/entries.ts';
import type { Fields, FieldValue } from '../../domain/records/fields.ts';
import type { PlacedPosition } from '../../domain/records/payload.ts';
import type { Choices, Person, Position } from '../../domain/records/records.ts';
import { foldUsername } from '../../domain/text/fold.ts';
import { listSome, printable } from '../../domain/text/printable.ts';
import type { ResolvedRef, UnitTree } from '../units/tree.ts';

export interface Placement {
  /** One per unit, by unit id; primary only if the source marked it. */
  readonly positions: readonly PlacedPosition[];
  /** Why none of the positions can be used, or `null`. */
  readonly problem: string | null;
  /** What is wrong with some of the references, while others can be used; `null`: nothing. */
  readonly lost: string | null;
  /** These references; absent: there are none. */
  readonly unusable?: readonly string[];
  /** Every unit that the record names is unknown, or it names none at all. */
  readonly orphan: boolean;
}

const keyOf = (unit: string | null): string => unit ?? '';

/**
 * Merges two positions in one unit: a set value wins over none, `true` over `false`, and of two texts the lower one. So
 * the source's order decides nothing.
 */
function merge(a: PlacedPosition, b: PlacedPosition): PlacedPosition {
  const fields = { ...b.fields };
  for (const [name, value] of Object.entries(a.fields)) fields[name] = stronger(value, fields[name] ?? null);
  return { unit: a.unit, fields };
}

function stronger(a: FieldValue | null, b: FieldValue | null): FieldValue | null {
  if (a === null || b === null) return a ?? b;
  if (typeof a === 'boolean' || typeof b === 'boolean') return a === true ? a : b;
  return JSON.stringify(a) < JSON.stringify(b) ? a : b;
}

/** Why no person can be placed in a unit that a record names. */
type Missing = Extract<ResolvedRef['is'], 'unknown' | 'outside'>;

interface UnitNamed {
  /** Source id of the unit, `null` for the root, `undefined` if no unit is found. */
  readonly unit: string | null | undefined;
  /** No unit of the read has this ref, or one that `source.units.where` leaves out. */
  readonly missing?: Missing;
  readonly problem: string | null;
}

const WRONG = {
  unknown: (ref: string) => `unit "${printable(ref)}" is unknown`,
  ambiguous: (ref: string) => `"${printable(ref)}" names several units`,
  refused: (ref: string) => `unit "${printable(ref)}" is skipped: its record cannot be used`,
  outside: (ref: string) => `unit "${printable(ref)}" is out of scope by source.units.where`,
} as const;

/** The same of several units. */
const ALL_WRONG: Readonly<Record<Missing, string>> = {
  unknown: 'units are unknown',
  outside: 'units are out of scope by source.units.where',
};

const lackingOne = (kind: Missing, ref: string, tree: UnitTree): string =>
  `${WRONG[kind](ref)}${kind === 'unknown' ? tree.near(ref) : ''}`;

/** Returns the unit that a position names, or what is wrong with it. */
export function placeOf(ref: string | null, tree: UnitTree): UnitNamed {
  if (ref === null) return { unit: null, problem: null };
  const target = tree.resolve(ref);
  if (target.is === 'root') return { unit: null, problem: null };
  if (target.is === 'unknown' || target.is === 'outside')
    return { unit: undefined, missing: target.is, problem: lackingOne(target.is, ref, tree) };
  if (target.is !== 'unit') return { unit: undefined, problem: WRONG[target.is](ref) };
  const problem = tree.problems.get(target.id);
  return {
    unit: target.id,
    problem: problem === undefined ? null : `unit ${target.id} is skipped`,
  };
}

/**
 * Finds the unit of each position; a reference that cannot be used costs only itself. Returns one position per unit, in an order that does not depend on the source.
 */
export function placePositions(positions: readonly Position[], tree: UnitTree): Placement {
  const [only] = positions;
  return (
    (only !== undefined && positions.length === 1 ? placeOne(only, tree) : null) ?? placeAll(positions, tree)
  );
}

/**
 * Places a single position the short way, because nearly all people have one, in a usable unit. `null`: not
 * possible.
 */
function placeOne({ unit: ref, fields }: Position, tree: UnitTree): Placement | null {
  const { unit, problem } = placeOf(ref, tree);
  if (unit === undefined || problem !== null) return null;
  return { positions: [{ unit, fields }], problem: null, lost: null, orphan: false };
}

function placeAll(positions: readonly Position[], tree: UnitTree): Placement {
  const [placed, usable] = [new Map<string, PlacedPosition>(), new Set<string>()];
  const problems =
    positions.length === 0
      ? [
          'has no unit, and the service requires one: correct the source, exclude the record, or set sync.orphans: root',
        ]
      : [];
  const lacking: Lacking[] = [];
  for (const { unit: ref, fields } of positions) {
    const { unit, problem, missing } = placeOf(ref, tree);
    if (missing !== undefined) lacking.push({ ref: ref ?? '', missing });
    else if (problem !== null) problems.push(problem);
    if (unit === undefined) continue;
    if (problem === null) usable.add(keyOf(unit));
    const same = placed.get(keyOf(unit));
    placed.set(keyOf(unit), same === undefined ? { unit, fields } : merge(same, { unit, fields }));
  }
  const found = [...placed.values()].toSorted((a, b) => (keyOf(a.unit) < keyOf(b.unit) ? -1 : 1));
  const problem = problemOf(problems, lacking, tree);
  if (usable.size === 0)
    return { positions: found, problem, lost: null, orphan: lacking.length === positions.length };
  const known = found.filter(({ unit }) => usable.has(keyOf(unit)));
  if (problem === null) return { positions: known, problem: null, lost: null, orphan: false };
  const bad = positions.flatMap(({ unit: ref }) =>
    ref === null || placeOf(ref, tree).problem === null ? [] : [ref],
  );
  return {
    positions: known,
    problem: null,
    lost: problem,
    orphan: false,
    unusable: [...new Set(bad)].toSorted(),
  };
}

/** Returns whether one of these references, which cannot be used, may mean the unit. */
export function mayMean(unusable: readonly string[], tree: UnitTree): (unit: string | null) => boolean {
  const units = unusable.map((ref) => tree.mayMean(ref));
  return (unit) => unit !== null && units.some((ids) => ids === null || ids.has(unit));
}

/** A ref that names no unit of the tree. */
interface Lacking {
  readonly ref: string;
  readonly missing: Missing;
}

/** Returns one short sentence, however many units a record names. */
function problemOf(others: readonly string[], lacking: readonly Lacking[], tree: UnitTree): string | null {
  const missing = (['unknown', 'outside'] as const).flatMap((kind) => {
    const refs = lacking.filter((one) => one.missing === kind).map(({ ref }) => ref);
    return lackingText(kind, [...new Set(refs)].toSorted(), tree);
  });
  const problems = [...missing, ...[...new Set(others)].toSorted()];
  return problems.length === 0 ? null : listSome(problems, { separator: '; ' });
}

function lackingText(kind: Missing, refs: readonly string[], tree: UnitTree): readonly string[] {
  const [only] = refs;
  if (only === undefined) return [];
  if (refs.length === 1) return [lackingOne(kind, only, tree)];
  const names = listSome(refs.map((ref) => `${printable(ref)}${kind === 'unknown' ? tree.near(ref) : ''}`));
  return [`${refs.length.toLocaleString('en')} ${ALL_WRONG[kind]}: ${names}`];
}

const isPrimary = ({ fields }: PlacedPosition): boolean => fields['primary'] === true;

/**
 * Marks the primary position (contract, Fields): the one marked in the source (of several, the lowest unit id), else
 * the one that was primary before, else the lowest.
 */
export function withPrimary(
  positions: readonly PlacedPosition[],
  before: readonly PlacedPosition[],
): readonly PlacedPosition[] {
  const was = before.find(isPrimary)?.unit;
  const primary = positions.find(isPrimary) ?? positions.find(({ unit }) => unit === was) ?? positions[0];
  return positions.map((position) => ({
    unit: position.unit,
    fields: { ...position.fields, primary: position === primary },
  }));
}

/** Returns the fields with the value that was sent if it is one of several that the record has. */
export function keepChoice(fields: Fields, choices: Choices = {}, sent: Fields = {}): Fields {
  const kept = Object.entries(sent).filter(([name, value]) => choices[name]?.some((one) => one === value));
  return kept.length === 0 ? fields : { ...fields, ...Object.fromEntries(kept) };
}

/** Returns whether the record has several values where one is meant. */
export const hasChoice = ({ choices, positions }: Person): boolean =>
  choices !== undefined || positions.some((position) => position.choices !== undefined);

/** Returns the person with the account's username and what was sent, if these are among several values. */
export function withChoice(person: Person, { username, sent }: PersonEntry, tree: UnitTree): Person {
  const { choices } = person;
  const same = choices?.['username']?.find(
    (one) => typeof one === 'string' && foldUsername(one) === foldUsername(username),
  );
  const positions = person.positions.map((position) => {
    const { unit } = placeOf(position.unit, tree);
    const before = sent.positions.find((one) => one.unit === unit)?.fields;
    return { ...position, fields: keepChoice(position.fields, position.choices, before) };
  });
  const fields = keepChoice(person.fields, choices, sent.fields);
  return { ...person, username: typeof same === 'string' ? same : person.username, fields, positions };
}
