import { readFileSync } from 'node:fs';
import { createClient } from '@redis/client';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { abortable } from '../../lib/clock.ts';
import type { SharedPaceSettings } from '../../domain/settings.ts';
import { ANSWER_WITHIN_MS, type SharedStore, type TurnWindow } from './shared-turns.ts';

/** Counts turns in windows of milliseconds, by the clock of Redis; the limiter's own script has whole seconds. */
const countIn = (ms: number): string => `
  redis.call('set', KEYS[1], 0, 'PX', ${ms}, 'NX')
  local taken = redis.call('incrby', KEYS[1], ARGV[1])
  return { taken, redis.call('pttl', KEYS[1]) }`;

/** Opens Redis as a store of turns. */
export async function openRedis(
  { url, caFile }: Pick<SharedPaceSettings, 'url' | 'caFile'>,
  { points, ms }: TurnWindow,
): Promise<SharedStore> {
  const ca = caFile === undefined ? {} : { tls: true as const, ca: readFileSync(caFile) };
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { ...ca, connectTimeout: ANSWER_WITHIN_MS, reconnectStrategy: false },
  });
  // The question that failed reports the error.
  client.on('error', () => undefined);
  try {
    await abortable(client.connect(), AbortSignal.timeout(ANSWER_WITHIN_MS));
  } catch (error) {
    client.destroy();
    throw error;
  }
  const limiter = new RateLimiterRedis({
    storeClient: client,
    useRedisPackage: true,
    keyPrefix: '',
    points,
    duration: 1,
    customIncrTtlLuaScript: countIn(ms),
  });
  return { limiter, close: async () => client.destroy() };
}
