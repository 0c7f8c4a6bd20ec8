/**
 * Does the work for each item, at most `limit` at a time; an item is taken from the iterable when a place is free, so
 * nothing queues up. After the first failure nothing more is started; it is thrown once all have ended.
 */
export async function eachBounded<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true && failures.length === 0; next = iterator.next()) {
      await work(next.value);
    }
  };
  const fail = (error: unknown): void => void failures.push(error);
  await Promise.all(Array.from({ length: limit }, () => worker().catch(fail)));
  if (failures.length > 0) throw failures[0];
}
