import { FullReadNeededError } from './errors.ts';
import type { FullReadNeeded } from './reading/increment.ts';

/** Returns what comes of reading an increment or, where only the read has shown that it is not enough, why. */
export async function orFullRead<T>(work: () => Promise<T>): Promise<T | FullReadNeeded> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FullReadNeededError) return { why: error.why };
    throw error;
  }
}
