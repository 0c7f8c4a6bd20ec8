import type { Employee } from '../../domain/ports/service.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { readOne } from './read-nodes.ts';
import type { Run } from '../state/world.ts';

/**
 * Returns those of these active employees whose own record shows them as locked: there are lists that never do. One
 * that cannot be asked for counts as listed.
 */
export async function lockedByOwnWord(
  run: Run,
  employeeIds: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const locked = new Set<string>();
  await inParallel(employeeIds, run.limits.concurrency, async (id) => {
    const own = await readOne<Employee | null>(
      run,
      () => run.service.employee(id, signal),
      () => null,
    );
    if (own?.locked === true) locked.add(id);
  });
  return locked;
}
