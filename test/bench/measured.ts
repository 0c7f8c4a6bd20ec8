import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Told } from './probe.ts';

/** A command that ran to its end. */
export interface Measured {
  readonly seconds: number;
  /** Seconds of the processors, of its threads together. */
  readonly cpuSeconds: number;
  /** Peak resident memory, MB. */
  readonly peakMB: number;
  /** Longest time in which the event loop of a Node process did nothing else, from the start of its run, ms; `null`: it is none. */
  readonly stallMs: number | null;
  /** The last 200,000 characters. */
  readonly stdout: string;
  readonly code: number;
}

const POLL_MS = 50;
const KEPT = 200_000;
const TICKS_A_SECOND = 100;
const PROBE = new URL('probe.js', import.meta.url).href;

interface Seen {
  readonly peakMB: number;
  readonly cpuSeconds: number;
}

/** Returns what the kernel tells of a process so far; `null`: it has ended. */
export function look(pid: number): Seen | null {
  try {
    const peak = /VmHWM:\s+(\d+) kB/u.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    if (peak === undefined) return null;
    return { peakMB: Number(peak) / 1024, cpuSeconds: (user + system) / TICKS_A_SECOND };
  } catch {
    return null;
  }
}

/** Runs a Node script to its end, and has it tell the longest stall of its event loop. */
export async function measuredNode(args: readonly string[]): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-probe-'));
  const file = join(folder, 'told.json');
  try {
    const run = await measured(process.execPath, ['--import', PROBE, ...args], { BENCH_PROBE: file });
    return { ...run, ...tellingOf(file, beginOf(run.stdout)) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tellingOf(file: string, begin: number): Partial<Measured> {
  try {
    const { stalls, peakMB, cpuSeconds } = JSON.parse(readFileSync(file, 'utf8')) as Told;
    const stallMs = stalls.reduce((most, { end, ms }) => Math.max(most, Math.min(ms, end - begin)), 0);
    return { stallMs, cpuSeconds, peakMB: Math.round(peakMB) };
  } catch {
    return {}; // killed: it told nothing
  }
}

/** Returns when the run of a log began, ms since the epoch: loading the program before it is no stall of the run. */
function beginOf(stdout: string): number {
  const line = stdout.split('\n').find((text) => text.includes('"event":"run.start"'));
  return line === undefined ? 0 : Date.parse((JSON.parse(line) as { readonly time: string }).time);
}

/** Runs a command to its end: wall time, and what the kernel says of its memory and its time on the processors. */
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
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout = (stdout + text.slice(-KEPT)).slice(-KEPT);
  });
  let seen: Seen = { peakMB: 0, cpuSeconds: 0 };
  const poll = setInterval(() => {
    seen = look(child.pid ?? 0) ?? seen;
  }, POLL_MS);
  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      clearInterval(poll);
      reject(error);
    });
    child.on('close', (code) => {
      clearInterval(poll);
      const seconds = (performance.now() - started) / 1000;
      const { cpuSeconds } = seen;
      const peakMB = Math.round(seen.peakMB);
      resolve({ seconds, cpuSeconds, peakMB, stallMs: null, stdout, code: code ?? -1 });
    });
  });
}
