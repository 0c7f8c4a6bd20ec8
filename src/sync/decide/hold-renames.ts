import type { Held } from '../../domain/changes.ts';
import type { HeldGroup } from '../../domain/ports/ledger/approvals.ts';
import type { PinnedUnit } from '../../domain/reverting/pin.ts';
import { digest } from '../../lib/digest.ts';
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
  const { tree } = sides.source;
  const isMeant = run.source.unitsFromValues === true && run.reverting === null;
  const input = isMeant ? inputOf(run, tree) : null;
  const renamed = input === null ? [] : renamedValues(input);
  const all = renamed.map((one) => ({ one, held: heldOf(tree, input, one) }));
  const isApproved = ({ hash }: Held): boolean => request.approve.some((one) => one.hash === hash);
  const approved = all.filter(({ held }) => isApproved(held));
  if (input !== null && approved.length > 0) {
    run.ledger.units.rekey(
      renamedWithBelow(
        input,
        approved.map(({ one }) => one),
      ),
    );
    for (const { held } of approved) run.tally.released.set(held.hash, 1);
  }
  const rest = all.filter(({ held }) => !isApproved(held));
  const waiting = isTripped(run, rest.length) ? rest : [];
  const ours = new Set(approved.map(({ held }) => held.hash));
  return {
    sides:
      input === null || waiting.length === 0
        ? sides
        : asBefore(
            run,
            sides,
            input,
            waiting.map(({ one }) => one),
          ),
    request: { ...request, approve: request.approve.filter(({ hash }) => !ours.has(hash)) },
    held: waiting.map(({ one, held }) => ({ held, of: { digest: nameOf(one) } })),
  };
}

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

function isTripped({ ledger, sync }: Run, count: number): boolean {
  const { percent, count: most } = sync.guard.unitsRenamed;
  const units = ledger.units.all().filter(({ state }) => state === 'managed').length;
  return percent < 100 && count > Math.max(most, Math.floor((units * percent) / 100));
}

const nameOf = ({ from, to }: Renamed): string => digest(JSON.stringify(['renamed', from, to]));

function heldOf(tree: UnitTree, input: RenamesInput | null, renamed: Renamed): Held {
  const { from, to, people, of } = renamed;
  const entry = input?.entries.find(({ id }) => id === from);
  const [was, is] = [entry === undefined ? from : unitName(entry.sent), tree.names.get(to) ?? to];
  return {
    guard: 'unitsRenamed',
    hash: hashOf([nameOf(renamed)]),
    count: 1,
    limit: 0,
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
