import { readFileSync } from 'node:fs';
import { Pool } from 'pg';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { SharedPaceSettings } from '../../domain/settings.ts';
import { ANSWER_WITHIN_MS, type SharedStore, type TurnWindow } from './shared-turns.ts';

const TABLE = 'rollcall_pace';

/** Opens PostgreSQL as a store of turns: a table `rollcall_pace`, which is made where it is missing. */
export async function openPostgres(
  { url, caFile }: Pick<SharedPaceSettings, 'url' | 'caFile'>,
  { points, ms }: TurnWindow,
): Promise<SharedStore> {
  const pool = new Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
    ...(caFile !== undefined && { ssl: { ca: readFileSync(caFile) } }),
  });
  // What goes wrong is told by the question that failed.
  pool.on('error', () => undefined);
  const close = async (): Promise<void> => pool.end();
  try {
    const limiter = await new Promise<RateLimiterPostgres>((resolve, reject) => {
      const made: RateLimiterPostgres = new RateLimiterPostgres(
        { storeClient: pool, tableName: TABLE, keyPrefix: '', points, duration: ms / 1000 },
        (error) => (error === undefined ? resolve(made) : reject(error)),
      );
    });
    return { limiter, close };
  } catch (error) {
    await close();
    throw error;
  }
}
