import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endingsOf, freePort, startDaemon } from './daemon.ts';
import { scratchFolder } from './scratch.ts';

export interface Redis {
  readonly url: string;
  readonly port: number;
  /** SIGKILL, as a crash does. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export const REDIS_PASSWORD = 'turns-p@ss';

/** A real Redis on a loopback port, in memory alone, with a password. */
export async function startRedis(wanted?: number): Promise<Redis> {
  const folder = scratchFolder('redis');
  const port = wanted ?? (await freePort());
  const logFile = join(folder, 'log');
  writeFileSync(logFile, '');
  const options = {
    port,
    bind: '127.0.0.1',
    save: '',
    appendonly: 'no',
    requirepass: REDIS_PASSWORD,
    dir: folder,
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const daemon = await startDaemon({ command: '/usr/bin/redis-server', args, port, logFile, account: null });
  return {
    url: `redis://:${encodeURIComponent(REDIS_PASSWORD)}@127.0.0.1:${port}`,
    port,
    ...endingsOf(() => daemon, folder),
  };
}
