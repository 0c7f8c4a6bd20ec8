import { NO_EDITS, type Change, type Evidence, type Plan } from '../../src/domain/changes.ts';
import { treeOf } from './build.ts';

const NO_CHANGES: Plan['counts'] = {
  units: { create: 0, update: 0, move: 0, remove: 0, adopt: 0 },
  people: { create: 0, update: 0, adopt: 0, disable: 0, enable: 0, remove: 0 },
};

/** Counts as the run counts them. */
function countsOf(changes: readonly Change[]): Plan['counts'] {
  const counts = structuredClone(NO_CHANGES) as {
    units: Record<string, number>;
    people: Record<string, number>;
  };
  for (const { subject, kind } of changes) {
    const group = subject === 'unit' ? counts.units : counts.people;
    group[kind] = (group[kind] ?? 0) + 1;
  }
  return counts as Plan['counts'];
}

const COUNT = { count: 0, total: 0 };
const EVIDENCE: Evidence = {
  source: { type: 'sqlite', snapshot: 'one read transaction', parts: [], unknown: [] },
  service: { organizations: COUNT, users: COUNT, employees: { asked: 0, found: 0 } },
};

/** Units that go are known to the ledger. */
function namesOf(changes: readonly Change[], tree: ReturnType<typeof treeOf>): ReadonlyMap<string, string> {
  const units = changes.flatMap((change) => (change.subject === 'unit' ? [change] : []));
  return new Map([...units.map(({ id, name }) => [id, name] as const), ...tree.names]);
}

/** A plan of these changes, as a run makes it. */
export function planOf(
  changes: readonly Change[],
  { tree = treeOf([]), ...plan }: Partial<Plan> & { readonly tree?: ReturnType<typeof treeOf> } = {},
): Plan {
  const counts = countsOf(changes);
  const heldChanges = (plan.held ?? []).reduce((sum, { count }) => sum + count, 0);
  return {
    hash: 'abc',
    full: true,
    evidence: EVIDENCE,
    counts,
    held: [],
    heldChanges,
    flowing: Math.max(0, changes.length - heldChanges),
    blocked: [],
    occupied: [],
    waiting: [],
    edited: NO_EDITS,
    kept: [],
    reverts: null,
    timezone: 'UTC',
    unitNames: namesOf(changes, tree),
    calls: 7,
    estimatedSeconds: 1,
    ...plan,
  };
}
