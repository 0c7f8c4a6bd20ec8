import type { Held } from '../../domain/changes.ts';
import type { HeldGroup } from '../../domain/ports/ledger/approvals.ts';
import type { PinnedUnit } from '../../domain/reverting/pin.ts';
import { digest } from '../../lib/digest.ts';
import { limitOf } from '../../plan/changes/guards.ts';
import { hashOf } from '../../plan/changes/held-hash.ts';
import { pinnedTree } from '../../plan/units/pinned-tree.ts';
import type { UnitTree } from '../../plan/units/tree.ts';
import { unitName } from '../../plan/units/unit-name.ts';
import {
  renamedValues,
  renamedWithBelow,
  type Renamed,
  type RenamesInput,
} from '../../plan/units/unit-renames.ts';
import type { RunRequest } from '../state/run-request.ts';
import type { Run } from '../state/world.ts';
import type { Sides } from './sides.ts';

/** What is left of a plan's sides and request once values that were renamed are dealt with. */
export interface WithRenames {
  readonly sides: Sides;
  readonly request: RunRequest;
  /** What waits for an approval. */
  readonly held: readonly (HeldGroup & { readonly of: { readonly digest: string } })[];
}

/**
 * Deals with units from values that were most likely renamed. One that this request approves is the same unit from now
 * on, with its node and its people. Until somebody decides, all of them stay as they were: the unit keeps its old name,
 * its people stay in it, and who has joined or left it since joins or leaves. `percent: 100` takes every new value as a
 * new unit.
 */
export function holdRenames(run: Run, sides: Sides, request: RunRequest): WithRenames {
  if (run.source.unitsFromValues !== true || run.reverting !== null) return asGiven(sides, request);
  const { tree } = sides.source;
  const input = inputOf(run, tree);
  const limit = limitIn(run);
  const all = renamedValues(input).map((one) => ({ one, held: heldOf(one, { tree, input, limit }) }));
  const isApproved = ({ held }: Found): boolean => request.approve.some(({ hash }) => hash === held.hash);
  const approved = all.filter(isApproved);
  if (approved.length > 0) run.ledger.units.rekey(renamedWithBelow(input, approved.map(ofFound)));
  for (const { held } of approved) run.tally.released.set(held.hash, 1);
  const rest = all.filter((one) => !isApproved(one));
  const waiting = rest.length > limit ? rest : [];
  const isOurs = (hash: string): boolean => approved.some(({ held }) => held.hash === hash);
  return {
    sides: waiting.length === 0 ? sides : asBefore(run, sides, input, waiting.map(ofFound)),
    request: { ...request, approve: request.approve.filter(({ hash }) => !isOurs(hash)) },
    held: waiting.map(({ one, held }) => ({ held, of: { digest: nameOf(one) } })),
  };
}

/** Where no name is taken for that of another unit. */
export const asGiven = (sides: Sides, request: RunRequest): WithRenames => ({ sides, request, held: [] });

interface Found {
  readonly one: Renamed;
  readonly held: Held;
}

const ofFound = ({ one }: Found): Renamed => one;

function inputOf({ ledger, sync }: Run, tree: UnitTree): RenamesInput {
  const entries = ledger.units.all();
  const known = new Set(entries.map(({ id }) => id));
  const gone = entries.flatMap(({ id, state }) => (state === 'managed' && !tree.has(id) ? [id] : []));
  const arrived = [...tree.nodes.keys()].filter((id) => !known.has(id));
  const isQuiet = gone.length === 0 || arrived.length === 0;
  return {
    tree,
    entries,
    sync,
    moved: isQuiet ? [] : ledger.staging.movedFrom(gone),
    joined: isQuiet ? new Map() : ledger.staging.joinedTo(arrived),
  };
}

function limitIn({ ledger, sync }: Run): number {
  const { percent, count } = sync.guard.unitsRenamed;
  const base = ledger.units.all().filter(({ state }) => state === 'managed').length;
  return limitOf({ base, percent }, count);
}

const nameOf = ({ from, to }: Renamed): string => digest(JSON.stringify(['renamed', from, to]));

interface Judging {
  readonly tree: UnitTree;
  readonly input: RenamesInput;
  readonly limit: number;
}

function heldOf(renamed: Renamed, { tree, input, limit }: Judging): Held {
  const { from, to, people, of } = renamed;
  const entry = input.entries.find(({ id }) => id === from);
  const [was, is] = [entry === undefined ? from : unitName(entry.sent), tree.names.get(to) ?? to];
  return {
    guard: 'unitsRenamed',
    hash: hashOf([nameOf(renamed)]),
    count: 1,
    limit,
    first: [`${was} → ${is} (${from} → ${to})`],
    about: `${people} of the ${of.before} people of ${was} are in ${is} now, which has ${of.now}: approved, it is the same unit with a new name`,
    cause: null,
  };
}

/** Returns the sides with those units as they were, and their people in them. */
function asBefore(run: Run, sides: Sides, input: RenamesInput, renamed: readonly Renamed[]): Sides {
  const { tree } = sides.source;
  const pairs = renamedWithBelow(input, renamed);
  const former = new Map([...pairs].map(([from, to]) => [to, from]));
  const pinned = new Map<string, PinnedUnit>();
  for (const { id, sent } of input.entries)
    if (pairs.has(id)) pinned.set(id, { parent: sent.parent, fields: sent.fields });
  for (const [id, { unit, parent }] of tree.nodes) {
    const above = parent === null ? undefined : former.get(parent);
    if (former.has(id)) pinned.set(id, null);
    else if (above !== undefined) pinned.set(id, { parent: above, fields: unit.fields });
  }
  run.ledger.staging.replaceUnits(former);
  const held = pinnedTree(
    tree,
    pinned,
    () => 'it is held as the new name of another unit (sync.guard.unitsRenamed)',
  );
  return { ...sides, source: { ...sides.source, tree: held } };
}
