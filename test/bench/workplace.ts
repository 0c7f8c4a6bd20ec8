import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { measuredInDaemon } from './daemon-run.ts';
import { measuredNode, type Measured } from './measured.ts';
import type { BenchSource } from './sources/bench-source.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
export const ROLLCALL = join(ROOT, 'dist/main.js');
export const TOKEN = 'sandbox-token';
export const CONCURRENCY = 4;

/** The service's clock is told in whole seconds: a watermark that is later than the run begins would be a wrong clock's. */
const TICK_MS = 2_000;

/** A folder with a configuration and a ledger, in which the program runs. */
export class Workplace {
  readonly #folder: string;

  constructor(folder: string) {
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
      http: { listen: '127.0.0.1:0' },
    };
    writeFileSync(this.#config, JSON.stringify(config));
  }

  /** Makes one run of the program. */
  sync(args: readonly string[] = []): Promise<Measured> {
    return measuredNode([ROLLCALL, '--config', this.#config, 'sync', ...args]);
  }

  /** Makes an unchanged run in the daemon, after its first one. */
  daemonRun(): Promise<Measured> {
    return measuredInDaemon([ROLLCALL, '--config', this.#config, 'run'], () => {
      this.letTimePass();
    });
  }

  /** Returns the bytes of the ledger with its log. */
  ledgerBytes(): number {
    const sizes = ['', '-wal'].map(
      (suffix) => statSync(this.#ledger + suffix, { throwIfNoEntry: false })?.size,
    );
    return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  }

  /**
   * What a run finds when the one before was more than the watermark's ten minutes ago: our own writes no longer come
   * back. The bench moves the watermark instead of waiting.
   */
  letTimePass(): void {
    const watermark = String(Date.now() - TICK_MS);
    this.#change("UPDATE fact SET value = ? WHERE name = 'watermark'", watermark);
  }

  #change(sql: string, ...values: readonly string[]): void {
    const ledger = new Sqlite(this.#ledger);
    ledger.prepare(sql).run(...values);
    ledger.close();
  }
}

/** Returns whether the program reads changes alone from this kind of source. */
export const hasIncrements = ({ name }: BenchSource): boolean => name === 'slapd' || name === 'postgres';
