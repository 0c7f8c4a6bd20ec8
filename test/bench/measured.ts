import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Measured {
  readonly seconds: number;
  /** Peak resident memory, MB. */
  readonly peakMB: number;
  readonly stdout: string;
  readonly code: number;
}

const POLL_MS = 50;

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Runs a command to its end: wall time, and the kernel's own high-water mark of its memory. */
export function measured(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Measured> {
  const started = performance.now();
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const chunks: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => chunks.push(text.slice(-200_000)));
  let peakMB = 0;
  const poll = setInterval(() => {
    peakMB = Math.max(peakMB, peakOf(child.pid ?? 0));
  }, POLL_MS);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(poll);
      const seconds = (performance.now() - started) / 1000;
      resolve({
        seconds,
        peakMB: Math.round(peakMB),
        stdout: chunks.join('').slice(-200_000),
        code: code ?? -1,
      });
    });
  });
}
