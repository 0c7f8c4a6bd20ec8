import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { look, type Measured } from './measured.ts';

/**
 * Starts the daemon, and measures the run after its first one: what a run takes where the program is loaded already.
 *
 * @param between called between the two runs
 */
export async function measuredInDaemon(args: readonly string[], between: () => void): Promise<Measured> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const pid = child.pid ?? 0;
  const begin = { at: 0, cpuSeconds: 0 };
  let measured: Measured | undefined;
  for await (const stdout of createInterface(child.stdout)) {
    const at = Date.now();
    const { cpuSeconds = 0, peakMB = 0 } = look(pid) ?? {};
    if (!stdout.includes('"event":"run.end"')) continue;
    if (begin.at > 0) {
      const seconds = (at - begin.at) / 1000;
      const cpu = cpuSeconds - begin.cpuSeconds;
      measured = { seconds, cpuSeconds: cpu, peakMB: Math.round(peakMB), stallMs: null, stdout, code: 0 };
      child.kill('SIGTERM');
    } else {
      between();
      Object.assign(begin, { at: Date.now(), cpuSeconds });
      child.kill('SIGUSR2');
    }
  }
  const [code] = (await exit) as [number | null];
  const nothing = { seconds: 0, cpuSeconds: 0, peakMB: 0, stallMs: null, stdout: '' };
  return { ...nothing, ...measured, code: code ?? -1 };
}
