import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { SandboxCall } from '../../src/sandbox/http/call-log.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { compiled } from '../runtime/compiled.ts';
import { LOOSE } from '../scenarios/kills.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { SimulatedDaemon } from './simulated-daemon.ts';
import { SoakCompany, type Change } from './soak-company.ts';

const MINUTE_MS = 60_000;
/** So long after a full minute, ms: the schedule has to see that it has come. */
const AFTER_MS = 20;

export interface SoakOptions {
  readonly people: number;
  readonly cron: string;
  readonly fullCron: string;
  readonly keepDays: number;
}

export type OnCall = (call: SandboxCall, body: string) => void;

/** A directory, the service, the daemons between them, and the time of all of them. */
export class SoakStage {
  readonly company: SoakCompany;
  readonly folder: string;
  readonly #options: SoakOptions;
  readonly #slapd: Slapd;
  readonly #program: string;
  #sandbox: Sandbox;
  #faults: string | undefined;
  #watchAhead = 0;
  #clockAhead = 0;
  #daemons: SimulatedDaemon[] = [];
  onCall: OnCall = () => undefined;

  static async open(options: SoakOptions): Promise<SoakStage> {
    const company = new SoakCompany(options.people);
    const folder = scratchFolder('soak');
    const slapd = await startSlapd({ ldif: company.ldif() });
    const program = compiled(['src', 'test/soak/preload']);
    const clock = { now: Date.now };
    const sandbox = await sandboxIn(folder, () => clock.now());
    const stage = new SoakStage(options, { company, folder, slapd, program, sandbox });
    clock.now = () => stage.now;
    onTestFinished(() => stage.#close());
    stage.#watch();
    stage.configure(options);
    return stage;
  }

  private constructor(
    options: SoakOptions,
    parts: {
      readonly company: SoakCompany;
      readonly folder: string;
      readonly slapd: Slapd;
      readonly program: string;
      readonly sandbox: Sandbox;
    },
  ) {
    this.#options = options;
    this.company = parts.company;
    this.folder = parts.folder;
    this.#slapd = parts.slapd;
    this.#program = parts.program;
    this.#sandbox = parts.sandbox;
    mkdirSync(this.scratch);
  }

  get sandbox(): Sandbox {
    return this.#sandbox;
  }

  get scratch(): string {
    return join(this.folder, 'tmp');
  }

  /** The service's clock, ms since the epoch; that of the daemons may be set otherwise. */
  get now(): number {
    return Date.now() + this.#watchAhead;
  }

  get ledgerFile(): string {
    return join(this.folder, 'state/rollcall.db');
  }

  /** Writes the configuration, with this schedule. */
  configure({ cron, fullCron }: Pick<SoakOptions, 'cron' | 'fullCron'>): void {
    const { baseUrl, domainId, orgCode, token } = this.#sandbox;
    const limits = { requestsPerSecond: 1000 };
    const config = {
      service: { baseUrl, domainId, orgCode, token, limits },
      source: this.company.source(this.#slapd),
      // A company that changes all day long is what this is about.
      sync: { cron, fullCron, guard: LOOSE },
      state: { path: this.ledgerFile, keepDays: this.#options.keepDays },
    };
    writeFileSync(join(this.folder, 'rollcall.yaml'), JSON.stringify(config));
  }

  start(): SimulatedDaemon {
    const daemon = new SimulatedDaemon({
      program: this.#program,
      configFile: join(this.folder, 'rollcall.yaml'),
      scratch: this.scratch,
      watchAhead: this.#watchAhead,
      clockAhead: this.#clockAhead,
    });
    this.#daemons.push(daemon);
    return daemon;
  }

  /** Ends a daemon, or kills it; resolves with its exit code. */
  async end(daemon: SimulatedDaemon, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    this.#daemons = this.#daemons.filter((one) => one !== daemon);
    return daemon.end(signal);
  }

  /** Makes the next change of the company. */
  change(): Change {
    const change = this.company.change();
    this.#slapd.modify(change.ldif);
    return change;
  }

  /** Lets time pass until shortly after the next multiple of so many minutes; the daemons hear of it in this order. */
  async pass(minutes: number, daemons: readonly SimulatedDaemon[] = this.#daemons): Promise<void> {
    const span = minutes * MINUTE_MS;
    const ms = span - (this.now % span) + AFTER_MS;
    this.#watchAhead += ms;
    for (const daemon of daemons) await daemon.advance(ms);
  }

  /** Sets the clock of the daemons ahead of the service's. */
  async setClock(minutes: number): Promise<void> {
    this.#clockAhead = minutes * MINUTE_MS;
    for (const daemon of this.#daemons) await daemon.setClock(this.#clockAhead);
  }

  setFaults(spec: string | undefined): void {
    if (spec === this.#faults) return;
    this.#faults = spec;
    this.#sandbox.setFaults(spec);
  }

  /** Stops the service, and starts it again at the same address with what it had. */
  async restartService(): Promise<void> {
    const { port } = new URL(this.#sandbox.baseUrl);
    await this.#sandbox.close();
    this.#sandbox = await sandboxIn(this.folder, () => this.now, Number(port));
    this.#sandbox.setFaults(this.#faults);
    this.#watch();
  }

  /** Resolves once no run holds the ledger any more. */
  async idle(): Promise<void> {
    while (
      this.ledger<{ readonly n: number }>(`SELECT count(*) AS n FROM fact WHERE name = 'lease'`)[0]?.n !== 0
    )
      await new Promise((resolve) => setTimeout(resolve, 5));
  }

  ledger<Row>(sql: string): readonly Row[] {
    const ledger = new Database(this.ledgerFile, { readonly: true });
    try {
      return ledger.prepare<[], Row>(sql).all();
    } finally {
      ledger.close();
    }
  }

  /** Bytes of the ledger with its log. */
  ledgerBytes(): number {
    const sizes = ['', '-wal'].map(
      (suffix) => statSync(this.ledgerFile + suffix, { throwIfNoEntry: false })?.size,
    );
    return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  }

  /** Names of all files beside the ledger and in the folder of temporary files. */
  files(): readonly string[] {
    const beside = readdirSync(join(this.folder, 'state'));
    return [...beside, ...readdirSync(this.scratch, { recursive: true, encoding: 'utf8' })].toSorted();
  }

  #watch(): void {
    this.#sandbox.onCall = (call, body) => this.onCall(call, body);
  }

  async #close(): Promise<void> {
    for (const daemon of this.#daemons) await daemon.end('SIGKILL');
    await this.#sandbox.close();
    await this.#slapd.stop();
    removeFolder(this.folder);
  }
}

function sandboxIn(folder: string, now: () => number, port = 0): Promise<Sandbox> {
  return startSandbox({ data: join(folder, 'sandbox.db'), now, port });
}
