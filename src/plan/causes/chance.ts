/** Stirling's series, exact to ten digits from here on. */
const SERIES_FROM = 20;

function logFactorial(n: number): number {
  if (n < SERIES_FROM) {
    let sum = 0;
    for (let i = 2; i <= n; i += 1) sum += Math.log(i);
    return sum;
  }
  return n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + 1 / (12 * n) - 1 / (360 * n ** 3);
}

const logChoose = (n: number, k: number): number => logFactorial(n) - logFactorial(k) - logFactorial(n - k);

/** A trait among the held records and among the others. */
export interface Counts {
  readonly held: number;
  readonly of: number;
  readonly others: number;
  readonly ofOthers: number;
}

/**
 * Returns how likely it is that so many of the held records have the trait, or more, if the held ones had been drawn
 * from all by lot (the upper tail of the hypergeometric distribution).
 */
export function chance({ held, of, others, ofOthers }: Counts): number {
  const [all, having] = [of + ofOthers, held + others];
  const most = Math.min(of, having);
  let sum = 0;
  for (let hits = held; hits <= most; hits += 1) {
    if (of - hits > all - having) continue;
    const term = Math.exp(logChoose(having, hits) + logChoose(all - having, of - hits) - logChoose(all, of));
    sum += term;
    if (term < sum * 1e-9) break;
  }
  return Math.min(1, sum);
}
