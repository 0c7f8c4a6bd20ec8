import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import type { SqlServerLibrary } from '../../../src/source/sql/sqlserver/sqlserver-library.ts';
import type { Answer } from './fake-answers.ts';

export interface FakeSqlServer {
  readonly driver: SqlServerLibrary;
  /** What the program passed, and did with it. */
  readonly options: Record<string, unknown>[];
  readonly isolation: number[];
  readonly sent: string[];
  rolledBack: number;
  /** How many rows the stream took at most before they were asked for. */
  ahead: number;
}

/** The driver `mssql`, as far as it is used, with answers in the place of a server. */
export function fakeSqlServer(answer: Answer, { snapshot = true } = {}): FakeSqlServer {
  const fake: Omit<FakeSqlServer, 'driver'> = {
    options: [],
    isolation: [],
    sent: [],
    rolledBack: 0,
    ahead: 0,
  };
  const closed = new Set<() => void>();

  class Request extends EventEmitter {
    arrayRowMode = true;
    #ended: (() => void) | null = null;
    #stream: Readable | null = null;
    #rows: Iterator<readonly unknown[]> | null = null;

    toReadableStream(): Readable {
      this.#stream = new Readable({ objectMode: true, highWaterMark: 500, read: () => this.#push() });
      return this.#stream;
    }

    async query(sql: string): Promise<unknown> {
      fake.sent.push(sql);
      if (this.#stream === null) return { recordset: [{ administrator: 0, writable: null }] };
      const done = new Promise<void>((resolve) => (this.#ended = resolve));
      const stop = (): void => void this.#stream?.destroy(new Error('the socket was closed'));
      closed.add(stop);
      await setImmediate();
      try {
        const { columns, rows } = answer(sql);
        const described = columns.map(({ name, type, scale }) => ({
          name,
          type: { declaration: type },
          scale,
        }));
        this.emit('recordset', described);
        this.#rows = rows[Symbol.iterator]();
        this.#push();
      } catch (error) {
        this.#stream.destroy(serverError(error));
      }
      await done;
      return undefined;
    }

    cancel(): void {
      this.#ended?.();
    }

    #push(): void {
      if (this.#rows === null || this.#stream === null) return;
      let taken = 0;
      for (let more = true; more;) {
        const next = this.#next();
        if (next === null) return;
        taken += 1;
        fake.ahead = Math.max(fake.ahead, taken);
        more = this.#stream.push(next.done === true ? null : next.value) && next.done !== true;
        if (next.done === true) this.#ended?.();
      }
    }

    #next(): IteratorResult<readonly unknown[]> | null {
      try {
        return this.#rows?.next() ?? null;
      } catch (error) {
        this.#stream?.destroy(serverError(error));
        this.#ended?.();
        return null;
      }
    }
  }

  class ConnectionPool extends EventEmitter {
    readonly #options: Record<string, unknown>;

    constructor(options: Record<string, unknown>) {
      super();
      this.#options = options;
      fake.options.push(options);
    }

    async connect(): Promise<void> {
      const seen = this.#options['beforeConnect'] as (socket: { close(): void }) => void;
      seen({ close: () => closed.forEach((close) => close()) });
    }

    request(): { query(): Promise<unknown> } {
      return { query: async () => ({ recordset: [[snapshot ? 1 : 0, true]] }) };
    }

    async close(): Promise<void> {
      closed.clear();
    }
  }

  class Transaction {
    async begin(level: number): Promise<void> {
      fake.isolation.push(level);
    }

    async rollback(): Promise<void> {
      fake.rolledBack += 1;
    }
  }

  const driver = {
    ConnectionPool,
    Transaction,
    Request,
    ISOLATION_LEVEL: { READ_COMMITTED: 2, SNAPSHOT: 5 },
  };
  return Object.assign(fake, { driver: driver as unknown as SqlServerLibrary });
}

/** An error as the driver wraps those of the server. */
function serverError(error: unknown): Error {
  const words = error instanceof Error ? error.message : String(error);
  return Object.assign(new Error(words), { code: 'EREQUEST', number: 8134 });
}
