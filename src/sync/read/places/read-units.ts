import type { Ledger } from '../../../domain/ports/ledger/ledger.ts';
import type { SourceRead as OpenRead } from '../../../domain/reading/source.ts';
import type { Decisive, Doubt, Reading, Refusal, Unit } from '../../../domain/records/records.ts';
import { doubtOfRecord } from '../../../plan/doubt/doubt.ts';
import { keepChoice } from '../../../plan/people/positions.ts';
import { buildTree, unitName, type UnitTree } from '../../../plan/units/tree.ts';
import { keepFields } from '../../../plan/values/keep-sent.ts';
import { decidingRules } from '../../state/deciding-rules.ts';
import { checkpoint } from '../../state/checkpoint.ts';
import type { Run } from '../../state/world.ts';
import { readProblem } from '../../../domain/run-problems.ts';

/** The units of one read. */
export interface UnitsRead {
  readonly tree: UnitTree;
  /** What each has of the names that decide about it, by source id. */
  readonly has: ReadonlyMap<string, Decisive>;
}

/** Reads all units. Throws a SourceError if that of `sync.root` is not among them. */
export async function readUnits(run: Run, read: OpenRead): Promise<UnitsRead> {
  const readings = await readingsOf(run.stop, read);
  const units: Unit[] = [];
  const refusals: Refusal[] = [];
  const outside: string[] = [];
  for (const reading of readings) {
    if (!reading.ok) refusals.push(reading.refusal);
    else if (reading.record.outOfScope === undefined) units.push(reading.record);
    else outside.push(reading.record.id, ...reading.record.refs);
  }
  for (const refusal of refusals) run.ledger.staging.note({ is: 'refused', refusal });
  const { root } = run.sync;
  const unknown = readings.filter((reading) => isUnknown(reading)).length;
  const has = decisiveOf(readings);
  const doubts = doubtsOf(run.ledger, decidingRules(run.source, run.sync), has);
  const tree = buildTree({
    units: withLost(run.ledger, units),
    refusals,
    outside,
    doubts,
    emptied: emptiedIn(readings),
    unknown,
    root,
  });
  if (!tree.rootFound) {
    const { widen = 'widen source.units' } = run.source.remedies ?? {};
    throw readProblem('read-no-root', { root: root ?? '', units: units.length, widen });
  }
  return { tree, has };
}

/** Returns whether it is unknown which unit the record is of. */
function isUnknown(reading: Reading<Unit>): boolean {
  return !reading.ok && reading.refusal.id === null;
}

async function readingsOf(stop: AbortSignal, read: OpenRead): Promise<readonly Reading<Unit>[]> {
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
function withLost(ledger: Ledger, units: readonly Unit[]): readonly Unit[] {
  if (!units.some(({ losses, choices }) => losses !== undefined || choices !== undefined)) return units;
  const entries = new Map(ledger.units.all().map((entry) => [entry.id, entry]));
  return units.map((unit) => {
    const { id, losses = [] } = unit;
    const whose = { subject: 'unit', id, label: unitName(unit) } as const;
    for (const loss of losses) ledger.staging.note({ is: 'lost', loss: { ...whose, ...loss } });
    const sent = entries.get(id)?.sent.fields ?? {};
    const fields = keepChoice(unit.fields, unit.choices, sent);
    return { ...unit, fields: keepFields(fields, sent, new Set(losses.map(({ field }) => field))) };
  });
}

/** Returns what records of units have of the names that decide about them. */
function decisiveOf(readings: readonly Reading<Unit>[]): ReadonlyMap<string, Decisive> {
  const known = readings.filter((reading) => reading.ok && reading.record.id !== '');
  return new Map(known.flatMap((reading) => (reading.ok ? [[reading.record.id, reading.has ?? {}]] : [])));
}

/** Returns why nothing would explain that units come, go or move, by source id. */
function doubtsOf(
  ledger: Ledger,
  rules: string,
  has: ReadonlyMap<string, Decisive>,
): ReadonlyMap<string, Doubt> {
  return new Map(
    [...ledger.seen.units()].flatMap(([id, before]) => {
      const doubt = doubtOfRecord(before, has.get(id) ?? null, { rules });
      return doubt === null ? [] : [[id, doubt] as const];
    }),
  );
}

/** Returns the ids of units that are groups and show no member, whether their records can be used or not. */
function emptiedIn(readings: readonly Reading<Unit>[]): ReadonlySet<string> {
  return new Set(
    readings.flatMap((reading) => {
      const { id, showsNoMember } = reading.ok
        ? { id: reading.record.id, showsNoMember: reading.showsNoMember }
        : reading.refusal;
      return showsNoMember === true && id !== null ? [id] : [];
    }),
  );
}
