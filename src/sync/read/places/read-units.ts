import { SourceError } from '../../../domain/errors.ts';
import type { SourceRead as OpenRead } from '../../../domain/reading/source.ts';
import type { Decisive, Doubt, Reading, Refusal, Unit } from '../../../domain/records/records.ts';
import { printable } from '../../../domain/text/printable.ts';
import { doubtOfRecord, isEdited } from '../../../plan/doubt/doubt.ts';
import { keepChoice } from '../../../plan/people/positions.ts';
import { buildTree, unitName, type UnitTree } from '../../../plan/units/tree.ts';
import { keepFields } from '../../../plan/values/keep-sent.ts';
import { checkpoint } from '../../state/checkpoint.ts';
import { decidingRules } from '../../state/deciding-rules.ts';
import type { Run } from '../../state/world.ts';

/** The units of one read. */
export interface UnitsRead {
  readonly tree: UnitTree;
  /** What each has of the names that decide about it, by source id. */
  readonly has: ReadonlyMap<string, Decisive>;
  /** Units of ours of which it is not known who is in them, by source id: why, as the end of a sentence. */
  readonly silent: ReadonlyMap<string, string>;
}

/** Reads all units. Throws a SourceError where that of `sync.root` is not among them. */
export async function readUnits(run: Run, read: OpenRead): Promise<UnitsRead> {
  const readings = await readingsOf(run, read);
  const units: Unit[] = [];
  const refusals: Refusal[] = [];
  const outside: string[] = [];
  for (const reading of readings) {
    if (!reading.ok) refusals.push(reading.refusal);
    else if (reading.record.outOfScope === undefined) units.push(reading.record);
    else outside.push(reading.record.id, ...reading.record.refs);
  }
  for (const refusal of refusals) run.ledger.staging.refuse(refusal);
  const { root } = run.sync;
  const unknown = readings.filter((reading) => isUnknown(reading)).length;
  const has = decisiveOf(readings);
  const doubts = doubtsOf(run, has);
  const silent = silentOf(run, readings);
  const placed = belowSilent(run, withLost(run, units), refusals);
  const tree = buildTree({
    units: placed,
    refusals,
    outside,
    doubts,
    emptied: emptiedIn(readings),
    unknown,
    root,
  });
  if (!tree.rootFound) throw rootMissing(run, root ?? '', units.length);
  return { tree, has, silent };
}

/** Returns whether nobody knows which unit the record is of. */
function isUnknown(reading: Reading<Unit>): boolean {
  return !reading.ok && reading.refusal.id === null;
}

async function readingsOf({ stop }: Run, read: OpenRead): Promise<readonly Reading<Unit>[]> {
  const readings: Reading<Unit>[] = [];
  for await (const batch of read.units()) {
    checkpoint(stop);
    for (const reading of batch) readings.push(reading);
  }
  return readings;
}

/**
 * Keeps fields of units as they were sent that cannot be read, or have that value among several; a new unit goes without
 * the former.
 */
function withLost(run: Run, units: readonly Unit[]): readonly Unit[] {
  if (!units.some(({ losses, choices }) => losses !== undefined || choices !== undefined)) return units;
  const entries = new Map(run.ledger.units.all().map((entry) => [entry.id, entry]));
  return units.map((unit) => {
    const { id, losses = [] } = unit;
    const label = unitName(unit);
    for (const loss of losses) run.ledger.staging.lose({ subject: 'unit', id, label, ...loss });
    const sent = entries.get(id)?.sent.fields ?? {};
    const fields = keepChoice(unit.fields, unit.choices, sent);
    return { ...unit, fields: keepFields(fields, sent, new Set(losses.map(({ field }) => field))) };
  });
}

function rootMissing({ source }: Run, root: string, units: number): SourceError {
  return new SourceError(
    `source: the unit ${root} (sync.root) is not among the ${units} units read, so the read is incomplete; correct ` +
      `sync.root, or ${source.remedies?.widen ?? 'widen source.units'}`,
  );
}

/** Returns what records of units have of the names that decide about them. */
function decisiveOf(readings: readonly Reading<Unit>[]): ReadonlyMap<string, Decisive> {
  const known = readings.filter((reading) => reading.ok && reading.record.id !== '');
  return new Map(known.flatMap((reading) => (reading.ok ? [[reading.record.id, reading.has ?? {}]] : [])));
}

/** Returns why nothing would explain that units come, go or move, by source id. */
function doubtsOf(run: Run, has: ReadonlyMap<string, Decisive>): ReadonlyMap<string, Doubt> {
  const rules = decidingRules(run);
  const doubts = [...run.ledger.seen.units()].map(([id, before]) => {
    const now = has.get(id);
    const whereGone = isEdited(before, rules) ? ({ is: 'edited' } as const) : null;
    return [id, now === undefined ? whereGone : doubtOfRecord(before, now, { rules })] as const;
  });
  return new Map(doubts.flatMap(([id, doubt]) => (doubt === null ? [] : [[id, doubt]])));
}

const SHOWS_NOBODY =
  'stays: the record of the unit cannot be used and shows no member, so that nobody knows who is in it';

const MAY_BE =
  'stays: a group of which no id can be read shows no member, and may be this one, so that nobody knows who is in it';

/** Returns the groups of ours of which nobody knows who is in them, with the reason. */
function silentOf(
  { ledger: { units } }: Run,
  readings: readonly Reading<Unit>[],
): ReadonlyMap<string, string> {
  const silent = new Map<string | null, string>();
  for (const reading of readings) {
    if (!reading.ok && reading.refusal.showsNobody === true) silent.set(reading.refusal.id, SHOWS_NOBODY);
    if (reading.ok && reading.hides !== undefined)
      silent.set(
        reading.record.id,
        `stays: the group ${printable(reading.hides)} in it is not found any more`,
      );
  }
  if (silent.size === 0) return new Map();
  const there = new Set(readings.map((reading) => (reading.ok ? reading.record.id : reading.refusal.id)));
  const mayBe = (id: string): string | undefined => (silent.has(null) && !there.has(id) ? MAY_BE : undefined);
  const ours = units.all().filter(({ state }) => state === 'managed');
  return new Map(
    ours.flatMap(({ id }) => {
      const why = silent.get(id) ?? mayBe(id);
      return why === undefined ? [] : [[id, why] as const];
    }),
  );
}

/** Returns units that are at the top and were below a group of which nobody knows what is in it with that one as parent. */
function belowSilent(
  { ledger: { units: ours } }: Run,
  units: readonly Unit[],
  refusals: readonly Refusal[],
): readonly Unit[] {
  const silent = new Map(
    refusals.flatMap(({ id, showsNobody, unitRefs: [ref] = [] }) =>
      showsNobody === true && ref !== undefined ? [[id, ref] as const] : [],
    ),
  );
  if (silent.size === 0) return units;
  const there = new Set([...units, ...refusals].map(({ id }) => id));
  // A parent that is missing may be the group of which no id can be read.
  const refOf = (parent: string | null): string | undefined =>
    silent.get(parent) ?? (parent === null || there.has(parent) ? undefined : silent.get(null));
  const parents = new Map(
    ours.all().map(({ id, sent: { parent } }) => [id, parent === null ? undefined : refOf(parent)]),
  );
  return units.map((unit) => {
    const parent = unit.parent === null ? parents.get(unit.id) : undefined;
    return parent === undefined ? unit : { ...unit, parent };
  });
}

/** Returns the units that are groups and show no member. */
function emptiedIn(readings: readonly Reading<Unit>[]): ReadonlySet<string> {
  return new Set(
    readings.flatMap((reading) => (reading.ok && reading.showsNobody === true ? [reading.record.id] : [])),
  );
}
