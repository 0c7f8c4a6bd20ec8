import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { companyOf, type Company } from './company.ts';
import { measured, measuredNode, type Measured } from './measured.ts';
import { median, type FloorName, type Row, type RunFigures, type SourceName, type Story } from './results.ts';
import { startSandboxProcess, type SandboxProcess } from './sandbox-process.ts';
import { scriptOf, type BenchSource, type OpenBenchSource } from './sources/bench-source.ts';

export const ROOT = new URL('../../..', import.meta.url).pathname;
export const ROLLCALL = join(ROOT, 'dist/main.js');
const TOKEN = 'sandbox-token';
const CONCURRENCY = 4;
/** People who change before the run of the story "incremental". */
const FEW = 100;

export interface StoryOptions {
  readonly source: SourceName;
  readonly open: OpenBenchSource;
  readonly people: number;
  /** How often an unchanged run and its floors are measured, one after the other: a machine is not always the same. */
  readonly rounds: number;
  readonly add: (row: Row) => void;
}

/** Tells all stories of one source at one size. Each row is given to `add` as soon as it is measured. */
export async function tellStories(options: StoryOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-bench-'));
  const company = companyOf(options.people);
  let source: BenchSource | undefined;
  let sandbox: SandboxProcess | undefined;
  try {
    source = await options.open(company, folder);
    const book = new Book(options, company, folder);
    await book.posts();
    sandbox = await startSandboxProcess(ROLLCALL);
    await tell(book, source, sandbox.baseUrl);
  } finally {
    await sandbox?.stop();
    await source?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tell(book: Book, source: BenchSource, baseUrl: string): Promise<void> {
  const { company, rounds } = book;
  const changed = Math.ceil(company.people / 100);
  book.configure(baseUrl, source);
  await book.floors(source);
  await book.story('initial load');
  await book.story('right after');
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) await book.floors(source);
    await book.story('unchanged');
  }
  await source.change(1, changed);
  await book.story('1 % changed');
  await book.story('full', '--full');
  await source.move();
  await book.story('unit moved');
  if (!hasIncrements(source)) return;
  book.configure(baseUrl, source, { changes: 'auto' });
  await book.prepare();
  await source.change(changed + 1, changed + FEW);
  await book.story('incremental');
}

/** Returns whether the program reads changes alone from this kind of source: its schema then has the key for it. */
function hasIncrements({ config }: BenchSource): boolean {
  const schema: unknown = JSON.parse(readFileSync(join(ROOT, 'config/rollcall.schema.json'), 'utf8'));
  return hasChanges(schema, config['type']);
}

function hasChanges(node: unknown, type: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if ('properties' in node) {
    const { type: kind, changes } = node.properties as Readonly<Record<string, { readonly const?: unknown }>>;
    if (changes !== undefined && kind?.const === type) return true;
  }
  return Object.values(node).some((part) => hasChanges(part, type));
}

/** Measures, and gives each row away. */
class Book {
  readonly company: Company;
  readonly rounds: number;
  readonly #options: StoryOptions;
  readonly #folder: string;
  readonly #floors = new Map<FloorName, Measured[]>();

  constructor(options: StoryOptions, company: Company, folder: string) {
    this.#options = options;
    this.company = company;
    this.rounds = options.rounds;
    this.#folder = folder;
  }

  get #config(): string {
    return join(this.#folder, 'rollcall.yaml');
  }

  get #ledger(): string {
    return join(this.#folder, 'rollcall.db');
  }

  /** Writes the configuration. The pace is out of the way: the bench is about rollcall, the source and the service. */
  configure(baseUrl: string, source: BenchSource, more: object = {}): void {
    const increments = hasIncrements(source) ? { changes: 'off', ...more } : {};
    const limits = { requestsPerSecond: 10_000, concurrency: CONCURRENCY };
    const config = {
      service: { baseUrl, domainId: 'sandbox', orgCode: 'sandbox', token: TOKEN, limits },
      source: { ...source.config, ...increments },
      state: { path: this.#ledger },
    };
    writeFileSync(this.#config, JSON.stringify(config));
  }

  /** Runs once, unmeasured, for what the next run needs from the one before. */
  async prepare(): Promise<void> {
    this.#letTimePass();
    await this.#sync([]);
  }

  async story(what: Story, ...args: readonly string[]): Promise<void> {
    if (what !== 'initial load' && what !== 'right after') this.#letTimePass();
    const run = await this.#sync(args);
    const figures = runFigures(run.stdout);
    const problem = run.code === 0 ? null : `exit ${run.code}, ${figures?.result ?? 'without run.end'}`;
    this.#add(what, run, { run: figures, ledgerBytes: this.#ledgerBytes(), problem });
  }

  /** Reads the source barely, once in each way. */
  async floors({ floors }: BenchSource): Promise<void> {
    for (const { name, command, args } of floors) {
      const run = command === 'node' ? await measuredNode(args) : await measured(command, args);
      this.#addFloor(name, run);
    }
  }

  /** Posts the batches of a first load into a sandbox of their own. */
  async posts(): Promise<void> {
    const sandbox = await startSandboxProcess(ROLLCALL);
    try {
      const { people } = this.company;
      const flags = { url: sandbox.baseUrl, token: TOKEN, people, concurrency: CONCURRENCY };
      const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
      this.#addFloor('bare posts', await measuredNode([scriptOf('floors/bare-posts'), ...args]));
    } finally {
      await sandbox.stop();
    }
  }

  #sync(args: readonly string[]): Promise<Measured> {
    return measuredNode([ROLLCALL, '--config', this.#config, 'sync', ...args]);
  }

  #addFloor(name: FloorName, run: Measured): void {
    if (run.code === 0) this.#floors.set(name, [...(this.#floors.get(name) ?? []), run]);
    this.#add(name, run, {
      run: null,
      ledgerBytes: null,
      problem: run.code === 0 ? null : `exit ${run.code}`,
    });
  }

  #add(
    what: Row['what'],
    { seconds, cpuSeconds, peakMB, stallMs }: Measured,
    more: Pick<Row, 'run' | 'ledgerBytes' | 'problem'>,
  ): void {
    const { source, people, add } = this.#options;
    const floors = Object.fromEntries([...this.#floors].map(([name, all]) => [name, medians(all)]));
    add({ source, people, what, seconds, cpuSeconds, peakMB, stallMs, floors, ...more });
  }

  #ledgerBytes(): number {
    const sizes = ['', '-wal'].map(
      (suffix) => statSync(this.#ledger + suffix, { throwIfNoEntry: false })?.size,
    );
    return Math.round(sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) / this.company.people);
  }

  /**
   * What a run finds when the one before was more than the watermark's ten minutes ago: our own writes no longer come
   * back. The bench moves the watermark instead of waiting.
   */
  #letTimePass(): void {
    const ledger = new Sqlite(this.#ledger);
    ledger.prepare("UPDATE fact SET value = ? WHERE name = 'watermark'").run(String(Date.now()));
    ledger.close();
  }
}

function medians(runs: readonly Measured[]): { readonly seconds: number; readonly cpuSeconds: number } {
  return {
    seconds: median(runs.map(({ seconds }) => seconds)) ?? 0,
    cpuSeconds: median(runs.map(({ cpuSeconds }) => cpuSeconds)) ?? 0,
  };
}

function runFigures(stdout: string): RunFigures | null {
  const line = stdout.split('\n').findLast((text) => text.includes('"event":"run.end"'));
  if (line === undefined) return null;
  const { result, applied, requests, phases } = JSON.parse(line) as RunFigures;
  return { result, applied, requests, phases };
}
