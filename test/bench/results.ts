import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname } from 'node:path';

export const SOURCE_NAMES = ['slapd', 'postgres', 'csv', 'rest'] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];

export const STORIES = [
  'initial load',
  'right after',
  'unchanged',
  'in the daemon',
  '1 % changed',
  'full',
  'unit moved',
  'incremental',
] as const;
export type Story = (typeof STORIES)[number];

/**
 * What a story is measured against: a bare read of the same records, bare posts of the same batches, or bare reads of the
 * same answers of the service.
 */
export const FLOORS = ['bare driver', 'ldapsearch', 'bare posts', 'bare answers'] as const;
export type FloorName = (typeof FLOORS)[number];

/** One measured process. */
export interface Row {
  readonly source: SourceName;
  readonly people: number;
  readonly what: Story | FloorName;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMB: number;
  /** Longest stall of the event loop, ms. */
  readonly stallMs: number | null;
  /** Of `run.end`; `null`: no run of rollcall, or one that did not come to its end. */
  readonly run: RunFigures | null;
  /** Bytes of the ledger a person, after the run. */
  readonly ledgerBytes: number | null;
  /** Medians of the floors that were measured so far. */
  readonly floors: Floors;
  /** What went wrong. */
  readonly problem: string | null;
}

/** Seconds of each floor: by the clock, and of the processors. The latter tell more where others use the machine too. */
export type Floors = Readonly<
  Partial<Record<FloorName, { readonly seconds: number; readonly cpuSeconds: number }>>
>;

export interface RunFigures {
  readonly result: string;
  readonly applied: number;
  /** Calls of the service. */
  readonly requests: number;
  /** Milliseconds by phase. */
  readonly phases: Readonly<Record<string, number>>;
}

/** Keeps the rows of a run of the bench in a file: each is on disk once it is added. */
export class Recorder {
  readonly #file: string;
  readonly #run;
  readonly #rows: Row[] = [];

  constructor(file: string, command: string) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
    this.#run = { date: new Date().toISOString(), commit: commitNow(), command, machine: machineNow() };
  }

  add(row: Row): void {
    this.#rows.push(row);
    writeFileSync(this.#file, `${JSON.stringify({ ...this.#run, rows: this.#rows }, null, 1)}\n`);
  }
}

export function machineNow(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${first?.model.trim() ?? 'cpu'}, ${memory} GB, Node ${process.versions.node}`;
}

function commitNow(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'unknown';
  }
}

export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
