import type { Service } from '../../domain/ports/service.ts';
import type { Clock } from '../../lib/clock.ts';

/** Clocks that differ by no more than this count as the same, ms. */
const SAME_MS = 10 * 60_000;

/**
 * Returns the earlier of our clock and the service's, for what must not be done too early. If the two differ,
 * one of them is wrong, and rollcall cannot know which. Times that are stored for later come from
 * `laterClock`.
 */
export function earlierClock(clock: Clock, service: Service): number {
  return Math.min(clock.now(), service.now() + SAME_MS);
}

export function laterClock(clock: Clock, service: Service): number {
  return Math.max(clock.now(), service.now());
}
