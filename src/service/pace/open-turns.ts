import type { ServiceSettings } from '../../domain/settings.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Turns } from '../../lib/pace.ts';
import { SharedTurns, windowOf } from './shared-turns.ts';

/** Returns the turns that are shared with other processes, if the settings say so. Nothing is contacted yet. */
export function openTurns(
  { limits, baseUrl }: Pick<ServiceSettings, 'limits' | 'baseUrl'>,
  clock: Clock,
  patienceMs?: number,
): Turns | null {
  const { shared, requestsPerSecond } = limits;
  if (shared === undefined) return null;
  const { protocol, host } = new URL(shared.url);
  return new SharedTurns({
    open: async (window) => {
      const { openRedis } = await import('./redis-store.ts');
      return openRedis(shared, window);
    },
    window: windowOf(requestsPerSecond),
    name: `rollcall ${new URL(baseUrl).host}`,
    place: `${protocol}//${host}`,
    clock,
    patienceMs,
  });
}
