import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { companyOf, type Company } from './company.ts';
import { measured, measuredNode, type Measured } from './measured.ts';
import { median, type FloorName, type Row, type RunFigures, type SourceName, type Story } from './results.ts';
import { startSandboxProcess, type SandboxProcess } from './sandbox-process.ts';
import { CONCURRENCY, hasIncrements, ROLLCALL, TOKEN, Workplace } from './workplace.ts';
import { scriptOf, type BenchSource, type OpenBenchSource } from './sources/bench-source.ts';

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
  book.workplace.configure(baseUrl, source);
  await book.floors(source);
  await book.story('initial load');
  await book.story('right after');
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) await book.floors(source);
    await book.story('unchanged');
    await book.inDaemon();
  }
  await source.change(1, changed);
  await book.story('1 % changed');
  await book.answers(baseUrl);
  await book.story('full', '--full');
  if (hasIncrements(source)) {
    book.workplace.configure(baseUrl, source, { changes: 'auto' });
    await book.prepare();
    await source.change(changed + 1, changed + FEW);
    await book.story('incremental');
    book.workplace.configure(baseUrl, source);
    // Other settings of the source have all records read anew.
    await book.prepare();
  }
  // Last of all: who is in that unit has another place afterwards.
  await source.move();
  await book.story('unit moved');
}

/** Measures, and gives each row away. */
class Book {
  readonly company: Company;
  readonly rounds: number;
  readonly #options: StoryOptions;
  readonly workplace: Workplace;
  readonly #floors = new Map<FloorName, Measured[]>();

  constructor(options: StoryOptions, company: Company, folder: string) {
    this.#options = options;
    this.company = company;
    this.rounds = options.rounds;
    this.workplace = new Workplace(folder);
  }

  /** Runs once, unmeasured, for what the next run needs from the one before. */
  async prepare(): Promise<void> {
    this.workplace.letTimePass();
    await this.workplace.sync();
  }

  async story(what: Story, ...args: readonly string[]): Promise<void> {
    if (what !== 'initial load' && what !== 'right after') this.workplace.letTimePass();
    this.#addRun(what, await this.workplace.sync(args));
  }

  /** An unchanged run of the daemon, from the signal that starts it. */
  async inDaemon(): Promise<void> {
    this.workplace.letTimePass();
    this.#addRun('in the daemon', await this.workplace.daemonRun());
  }

  #addRun(what: Story, run: Measured): void {
    const figures = runFigures(run.stdout);
    const ledgerBytes = Math.round(this.workplace.ledgerBytes() / this.company.people);
    const problem = run.code === 0 ? null : `exit ${run.code}, ${figures?.result ?? 'without run.end'}`;
    this.#add(what, run, { run: figures, ledgerBytes, problem });
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
      this.#addFloor('bare posts', await this.#calls(sandbox.baseUrl));
    } finally {
      await sandbox.stop();
    }
  }

  /** Reads barely what a full run reads of the service. */
  async answers(baseUrl: string): Promise<void> {
    this.#addFloor('bare answers', await this.#calls(baseUrl, '--read'));
  }

  async #calls(url: string, ...more: readonly string[]): Promise<Measured> {
    const { people } = this.company;
    const flags = { url, token: TOKEN, people, concurrency: CONCURRENCY };
    const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    return measuredNode([scriptOf('floors/bare-calls'), ...args, ...more]);
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
