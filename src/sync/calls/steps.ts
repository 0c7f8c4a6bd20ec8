import type { PersonChange, PersonChangeKind, UnitChange, UnitChangeKind } from '../../domain/changes.ts';
import type { Run } from '../state/world.ts';
import { changesOf } from './changes-of.ts';

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

export function unitChangesOf(run: Run, step: UnitStep): Iterable<UnitChange> {
  const kinds = Object.keys(UNIT_STEPS) as UnitChangeKind[];
  return changesOf(
    run,
    'unit',
    kinds.filter((kind) => UNIT_STEPS[kind] === step),
  );
}

export function personKindsOf(step: PersonStep): readonly PersonChangeKind[] {
  const steps: Readonly<Record<PersonChangeKind, readonly string[]>> = PERSON_STEPS;
  const kinds = Object.keys(PERSON_STEPS) as PersonChangeKind[];
  return kinds.filter((kind) => steps[kind].includes(step));
}

export function personChangesOf(run: Run, step: PersonStep): Iterable<PersonChange> {
  return changesOf(run, 'person', personKindsOf(step));
}
