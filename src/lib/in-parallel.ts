import pLimit from 'p-limit';

/**
 * Does the work for each item, at most `concurrency` at a time. Items are taken from the iterable as places
 * come free: as many again wait in the queue, and no more, since a longer queue would hold all of them in
 * memory. After the first failure no more work is started; the failure is thrown once everything under way
 * has ended.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const limit = pLimit(concurrency);
  const failures: unknown[] = [];
  const attempt = async (item: T): Promise<void> => {
    if (failures.length > 0) return;
    await work(item).catch((error: unknown) => failures.push(error));
  };
  const queued = new Set<Promise<void>>();
  try {
    for (const item of items) {
      const task: Promise<void> = limit(attempt, item).finally(() => queued.delete(task));
      queued.add(task);
      if (queued.size >= 2 * concurrency) await Promise.race(queued);
      if (failures.length > 0) break;
    }
  } catch (error) {
    failures.push(error);
  }
  await Promise.all(queued);
  if (failures.length > 0) throw failures[0];
}
