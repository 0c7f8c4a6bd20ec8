import type { Change, PersonChange, UnitChange } from '../../domain/changes.ts';
import type { Run } from '../state/world.ts';

const PAGE = 500;

type ChangeOf<S> = S extends 'unit' ? UnitChange : PersonChange;

/** Yields planned changes of these kinds in the order of the plan, read page by page. */
export function* changesOf<S extends 'unit' | 'person'>(
  run: Run,
  subject: S,
  kinds: readonly Change['kind'][],
): Iterable<ChangeOf<S>> {
  for (let after = 0; ;) {
    const page = run.ledger.plan.changes({ subject, kinds, after, limit: PAGE });
    if (page.length === 0) return;
    for (const { seq, change } of page) {
      after = seq;
      yield change as ChangeOf<S>;
    }
  }
}

/** Yields groups of up to `size`, made as they are taken. */
export function* inBatches<T>(items: Iterable<T>, size: number): Iterable<readonly T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Returns whether the adoption of a unit sends nothing: with `adopt: trust`, where the shown fields are as they should
 * be and the serial number is set.
 */
export function isTrusted({ sync }: Run, { kind, fields }: UnitChange): boolean {
  return kind === 'adopt' && sync.adopt === 'trust' && fields.length === 0;
}
