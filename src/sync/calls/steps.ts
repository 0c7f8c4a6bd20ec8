import type {
  Change,
  PersonChange,
  PersonChangeKind,
  UnitChange,
  UnitChangeKind,
} from '../../domain/changes.ts';
import type { PlanBook } from '../../domain/ports/ledger/plan-book.ts';
import type { RunTally } from '../state/run-tally.ts';

/** Which step of `carryOut` (`sync/run.ts`) sends each kind of change. A kind without a step does not compile. */
const UNIT_STEPS = {
  create: 'place',
  adopt: 'place',
  update: 'place',
  move: 'place',
  remove: 'remove',
} as const satisfies Readonly<Record<UnitChangeKind, string>>;

/** The same for people. People who are enabled are imported afterwards. */
const PERSON_STEPS = {
  forget: ['forget'],
  disable: ['disable'],
  remove: ['remove'],
  enable: ['enable', 'import'],
  create: ['import'],
  adopt: ['import'],
  update: ['import'],
} as const satisfies Readonly<Record<PersonChangeKind, readonly string[]>>;

type UnitStep = (typeof UNIT_STEPS)[UnitChangeKind];
type PersonStep = (typeof PERSON_STEPS)[PersonChangeKind][number];

export function isOfStep(step: UnitStep): (change: UnitChange) => boolean {
  return ({ kind }) => UNIT_STEPS[kind] === step;
}

export function unitChangesOf(plan: PlanBook, step: UnitStep): Iterable<UnitChange> {
  const kinds = Object.keys(UNIT_STEPS) as UnitChangeKind[];
  return changesOf(
    plan,
    'unit',
    kinds.filter((kind) => UNIT_STEPS[kind] === step),
  );
}

function personKindsOf(step: PersonStep): readonly PersonChangeKind[] {
  const steps: Readonly<Record<PersonChangeKind, readonly string[]>> = PERSON_STEPS;
  const kinds = Object.keys(PERSON_STEPS) as PersonChangeKind[];
  return kinds.filter((kind) => steps[kind].includes(step));
}

/** Returns how many people the plan imports. */
export function importedPeople(tally: RunTally): number {
  return personKindsOf('import').reduce((sum, kind) => sum + (kind === 'forget' ? 0 : tally.people[kind]), 0);
}

export function personChangesOf(plan: PlanBook, step: PersonStep): Iterable<PersonChange> {
  return changesOf(plan, 'person', personKindsOf(step));
}

const PAGE = 500;

type ChangeOf<S> = S extends 'unit' ? UnitChange : PersonChange;

/** Yields planned changes of these kinds in the order of the plan, read page by page. */
export function* changesOf<S extends 'unit' | 'person'>(
  plan: PlanBook,
  subject: S,
  kinds: readonly Change['kind'][],
): Iterable<ChangeOf<S>> {
  for (let after = 0; ;) {
    const page = plan.changes({ subject, kinds, after, limit: PAGE });
    if (page.length === 0) return;
    for (const { seq, change } of page) {
      after = seq;
      yield change as ChangeOf<S>;
    }
  }
}

/** Yields groups of up to `size`, which may get smaller meanwhile; they are made as they are taken. */
export function* inBatches<T>(items: Iterable<T>, size: () => number): Iterable<readonly T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size()) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
