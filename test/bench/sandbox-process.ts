import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface SandboxProcess {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** The heap it may take, MB: 1,000,000 employees are more than the default of Node. */
const HEAP_MB = 12_000;

/** Starts the stand-in of the service as a process of its own, empty and in memory. */
export async function startSandboxProcess(rollcall: string): Promise<SandboxProcess> {
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP_MB}`, rollcall, 'sandbox'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const [first] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const baseUrl = /baseUrl:\s+(\S+)/u.exec(first)?.[1];
  if (baseUrl === undefined) throw new Error(`the sandbox did not say where it is: ${first}`);
  return {
    baseUrl,
    async stop() {
      process.off('exit', killAtExit);
      await ended(child);
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
