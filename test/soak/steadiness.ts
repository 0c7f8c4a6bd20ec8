/** What grows in a process that leaks. */
export interface Sample {
  readonly minute: number;
  readonly heapMB: number;
  readonly rssMB: number;
  readonly handles: number;
  readonly files: number;
  readonly ledgerKB: number;
}

export interface Growth {
  readonly heapMB: number;
  readonly rssMB: number;
  readonly handles: number;
  readonly files: number;
}

/**
 * Returns by how much the last third of the samples is above the first third. Memory by its median; of what is counted
 * the least, since a connection may be open a moment longer.
 */
export function growthOf(samples: readonly Sample[]): Growth {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const [first, last] = [samples.slice(0, third), samples.slice(-third)];
  const median = (of: readonly Sample[], value: (one: Sample) => number): number =>
    of.map(value).toSorted((one, other) => one - other)[Math.floor((of.length - 1) / 2)] ?? 0;
  const least = (of: readonly Sample[], value: (one: Sample) => number): number => Math.min(...of.map(value));
  const grown = (by: typeof median, value: (one: Sample) => number): number =>
    by(last, value) - by(first, value);
  return {
    heapMB: grown(median, ({ heapMB }) => heapMB),
    rssMB: grown(median, ({ rssMB }) => rssMB),
    handles: grown(least, ({ handles }) => handles),
    files: grown(least, ({ files }) => files),
  };
}
