import { showsAllRecords } from '../../domain/reading/source-identity.ts';
import type { Doubt } from '../../domain/records/records.ts';
import type { NodeBook } from '../../plan/nodes/node-book.ts';
import { decideUnits, nodesOf, type UnitsDecision } from '../../plan/units/decide-units.ts';
import { say } from '../../domain/words/say.ts';
import { UnitsAbove } from '../../plan/units/units-above.ts';
import { PlanWriter } from './plan-writer.ts';
import type { Sides } from './sides.ts';
import { unitNames } from '../state/unit-names.ts';
import type { Run } from '../state/world.ts';

/** What was decided about units, and what the decisions about people rest on. */
export interface PlannedUnits extends Pick<UnitsDecision, 'blocked' | 'renamed' | 'adopting' | 'moving'> {
  readonly nodes: NodeBook;
  /** Also writes what is decided about people. */
  readonly writer: PlanWriter;
  readonly above: UnitsAbove;
  /** As in a `UnitTree`. */
  readonly emptied: ReadonlySet<string>;
  /** As in a `Basis`. */
  readonly doubtOf: (unit: string) => Doubt | undefined;
}

/**
 * Decides all units and writes down what is planned. Also gathers the people who are to be decided. Yields between its
 * steps.
 */
export function* planUnits(
  run: Run,
  { source: { tree, unitsHave }, view: { rootOrgId } }: Sides,
): Generator<void, PlannedUnits> {
  const { ledger, sync } = run;
  const entries = ledger.units.all();
  const world = {
    tree,
    entries,
    organizations: ledger.view.organizations(),
    rootOrgId,
    sync,
    unclear: run.unclear.units,
    showsAll: showsAllRecords(run.source.identity),
  };
  const nodes = nodesOf(world);
  const decision = decideUnits(world, nodes);
  const { blocked, renamed, adopting, moving } = decision;
  const writer = new PlanWriter({ ...run, nodes }, unitsHave);
  write(run, writer, { decision, names: unitNames(run.ledger, tree) });
  yield;
  const standing = [...nodes.orgIds, ...adopting].filter(
    ([unit]) => !moving.has(unit ?? '') && !renamed.has(unit ?? ''),
  );
  yield* ledger.people.prepare(new Set(standing.map(([, orgId]) => orgId)));
  return {
    nodes,
    writer,
    blocked,
    renamed,
    adopting,
    moving,
    above: new UnitsAbove(entries, tree),
    emptied: tree.emptied,
    doubtOf: (unit) => (tree.nodes.has(unit) ? undefined : tree.doubts.get(unit)),
  };
}

interface Decided {
  readonly decision: UnitsDecision;
  /** Names by source id. */
  readonly names: ReadonlyMap<string, string>;
}

function write(run: Run, writer: PlanWriter, { decision, names }: Decided): void {
  const recordOf = (id: string): { subject: 'unit'; id: string; label: string } => {
    return { subject: 'unit', id, label: names.get(id) ?? id };
  };
  run.ledger.transaction(() => {
    for (const change of decision.changes) writer.change(change);
  });
  // A unit that a revert wants away is listed as held from the source; those who wait for it are blocked.
  const isAway = (id: string): boolean => run.pins.get({ subject: 'unit', id })?.wanted === null;
  for (const [id, reason] of decision.blocked)
    if (!isAway(id)) run.lists.blocked({ ...recordOf(id), reason: say(reason) });
  for (const [id, fields] of decision.drift) writer.edited(recordOf(id), fields);
  for (const [id, shown] of decision.forgotten) {
    run.ledger.units.note({ is: 'gone', unit: id });
    if (shown === null) continue;
    const values = { ...shown.values, because: shown.code };
    run.lists.blocked({ ...recordOf(id), reason: say({ code: 'disowned', values }) });
  }
}
