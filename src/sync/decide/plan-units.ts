import type { UnitChange } from '../../domain/changes.ts';
import type { UnitEntry } from '../../domain/ports/ledger/entries.ts';
import type { Organization } from '../../domain/ports/service.ts';
import type { Doubt } from '../../domain/records/records.ts';
import { showsAllRecords } from '../../domain/reading/source-identity.ts';
import { UnitsAbove } from '../../plan/units/units-above.ts';
import { printable } from '../../domain/text/printable.ts';
import { UNIT_KINDS } from '../../plan/changes/kinds.ts';
import type { NodeBook } from '../../plan/nodes/node-book.ts';
import { isOwnOldNode, lostNodes, unitNodes } from '../../plan/nodes/unit-nodes.ts';
import { decideUnits, nodesOf, type UnitsDecision } from '../../plan/units/decide-units.ts';
import { unitName, type UnitTree } from '../../plan/units/tree.ts';
import { isMissing } from '../../plan/units/unit-removals.ts';
import { listBlocked } from '../calls/call-item.ts';
import { PlanWriter } from './plan-writer.ts';
import type { Sides } from './sides.ts';
import { unitNames } from '../state/unit-names.ts';
import type { Run } from '../state/world.ts';

/** What was decided about units, and what the decisions about people rest on. */
export interface PlannedUnits {
  readonly nodes: NodeBook;
  /** Also writes what is decided about people. */
  readonly writer: PlanWriter;
  /** Units that are left as they are: source id → why. */
  readonly blocked: ReadonlyMap<string, string>;
  readonly above: UnitsAbove;
  /** As in a `UnitTree`. */
  readonly emptied: ReadonlySet<string>;
  /** As in a `Basis`. */
  readonly doubtOf: (unit: string) => Doubt | undefined;
  /** Units that move, each with the topmost moved unit that it follows, or with itself. */
  readonly moving: ReadonlyMap<string, string>;
  /** Organization ids of the nodes that the plan adopts, by unit. */
  readonly adopting: ReadonlyMap<string | null, string>;
  /** Organization ids of nodes that moved units have left. */
  readonly oldNodes: ReadonlySet<string>;
  /** Organization ids that the ledger has for units, but whose nodes now show that they belong to others. */
  readonly lostNodes: ReadonlySet<string>;
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
  const organizations = ledger.view.organizations();
  const entries = letGoOfLost(run, tree, { entries: ledger.units.all(), organizations });
  const left = ledger.units.oldNodes();
  const oldNodes = new Set(left.map(({ orgId }) => orgId));
  const world = {
    tree,
    entries,
    organizations,
    oldNodes,
    rootOrgId,
    sync,
    unclear: run.unclear.units,
    showsAll: showsAllRecords(run.source.identity),
  };
  const nodes = nodesOf(world);
  const decision = decideUnits(world, nodes);
  const { changes, blocked } = decision;
  const joining = changes.filter(({ kind }) => UNIT_KINDS[kind].joins);
  nodes.claim(unitNodes({ entries, organizations, joining, oldNodes: left, rootOrgId }));
  const writer = new PlanWriter({ ...run, nodes }, unitsHave);
  write(run, writer, { decision, names: unitNames(run, tree) });
  const lost = lostNodes(entries, organizations);
  const moving = movesOf(changes);
  yield;
  yield* ledger.people.prepare([...moving.keys(), ...lost.map(({ unit }) => unit)]);
  const lostIds = new Set(lost.map(({ orgId }) => orgId));
  const { emptied } = tree;
  return {
    nodes,
    writer,
    blocked,
    above: new UnitsAbove(entries, tree),
    emptied,
    doubtOf: (unit) => (tree.nodes.has(unit) ? undefined : tree.doubts.get(unit)),
    moving,
    adopting: adoptionsOf(changes),
    oldNodes,
    lostNodes: lostIds,
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
  for (const [id, reason] of decision.blocked) if (!isAway(id)) listBlocked(run, { ...recordOf(id), reason });
  for (const [id, fields] of decision.drift) writer.edited(recordOf(id), fields);
}

function movesOf(changes: readonly UnitChange[]): ReadonlyMap<string, string> {
  const moves = changes.filter(({ kind }) => kind === 'move');
  return new Map(moves.map(({ id, cause }) => [id, cause ?? id]));
}

function adoptionsOf(changes: readonly UnitChange[]): ReadonlyMap<string, string> {
  const adopts = changes.filter(({ kind }) => kind === 'adopt');
  return new Map(adopts.flatMap(({ id, orgId }) => (orgId === null ? [] : [[id, orgId] as const])));
}

interface KnownUnits {
  readonly entries: readonly UnitEntry[];
  readonly organizations: readonly Organization[];
}

/**
 * Forgets nodes that now show that they belong to others, because a restored service may give ids again.
 * These are nodes of units that are gone from the source, and nodes that moved units have left. Nothing is
 * ever sent to them, and each such unit is named once. Also finds out the result of creations whose answers
 * never came, of units that the source no longer has. Returns the units that remain.
 */
function letGoOfLost(run: Run, tree: UnitTree, { entries, organizations }: KnownUnits): readonly UnitEntry[] {
  const { units } = run.ledger;
  const uncertain = entries.filter(
    ({ state, id }) => state === 'creating' && !tree.has(id) && !run.unclear.units.has(id),
  );
  for (const { id, serialNo } of uncertain) {
    const node = organizations.find((one) => one.serialNo === serialNo);
    units.note(node === undefined ? { is: 'gone', unit: id } : { is: 'back', unit: id, orgId: node.id });
  }
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const nodes = new Map(organizations.map((node) => [node.id, node]));
  for (const { orgId, unit } of units.oldNodes()) {
    const [node, entry] = [nodes.get(orgId), byId.get(unit)];
    if (node !== undefined && entry !== undefined && !isOwnOldNode(entry, node))
      units.note({ is: 'old', orgId });
  }
  const lost = lostNodes(entries, organizations).filter(({ unit }) => {
    const entry = byId.get(unit);
    return entry !== undefined && isMissing(entry, { tree, sync: run.sync });
  });
  for (const { orgId, unit: id } of lost) {
    units.note({ is: 'gone', unit: id });
    const label = labelOf(byId.get(id), id);
    listBlocked(run, { subject: 'unit', id, label, reason: reasonFor(orgId, nodes.get(orgId)?.name ?? '') });
  }
  return lost.length + uncertain.length === 0 ? entries : units.all();
}

const labelOf = (entry: UnitEntry | undefined, id: string): string =>
  entry === undefined ? id : unitName(entry.sent) || id;

function reasonFor(orgId: string, name: string): string {
  return (
    `missing in the source, and its node ${orgId} is somebody else's by what it shows ("${printable(name)}"): not ` +
    'removed; if it is this unit all the same, remove it there'
  );
}
