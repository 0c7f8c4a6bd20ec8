import type { Run } from './world.ts';

/** Clocks that are so close to each other are right. */
const SAME_MS = 10 * 60_000;

/**
 * Our clock and the service's. Where they differ one of them is wrong, and nobody knows which: what would be done too
 * early goes by the earlier one, what is written down for later by the later one.
 */
export function earlierClock({ clock, service }: Pick<Run, 'clock' | 'service'>): number {
  return Math.min(clock.now(), service.now() + SAME_MS);
}

export function laterClock({ clock, service }: Pick<Run, 'clock' | 'service'>): number {
  return Math.max(clock.now(), service.now());
}
