import { setImmediate } from 'node:timers/promises';

import type { OracleLibrary } from '../../../src/source/sql/oracle/oracle-library.ts';
import type { Answer, FakeAnswer } from './fake-answers.ts';

export interface FakeOracle {
  readonly driver: OracleLibrary;
  /** What the program passed, and did with it. */
  readonly options: Record<string, unknown>[];
  readonly sent: string[];
  /** Types that values were asked for as, by column. */
  readonly fetchedAs: Record<string, unknown>;
  callTimeout: number | undefined;
  closed: number;
}

interface ExecuteOptions {
  readonly fetchTypeHandler: (column: { readonly name: string; readonly dbTypeName: string }) => unknown;
}

/** The driver `oracledb`, as far as it is used, with answers in the place of a server. */
export function fakeOracle(answer: Answer): FakeOracle {
  const fake: Omit<FakeOracle, 'driver'> = {
    options: [],
    sent: [],
    fetchedAs: {},
    callTimeout: undefined,
    closed: 0,
  };
  const connection = {
    broken: false,
    set callTimeout(milliseconds: number) {
      fake.callTimeout = milliseconds;
    },
    async execute(sql: string, _binds?: unknown, options?: ExecuteOptions): Promise<unknown> {
      fake.sent.push(sql);
      await setImmediate();
      if (options === undefined) return { rows: [] };
      try {
        return { resultSet: resultOf(answer(sql), options) };
      } catch (error) {
        throw oracleError(error);
      }
    },
    async break(): Promise<void> {
      this.broken = true;
    },
    async close(): Promise<void> {
      fake.closed += 1;
    },
  };

  function resultOf({ columns, rows }: FakeAnswer, { fetchTypeHandler }: ExecuteOptions): object {
    for (const { name, type } of columns) fake.fetchedAs[name] = fetchTypeHandler({ name, dbTypeName: type });
    const left = rows[Symbol.iterator]();
    return {
      async getRows(count: number): Promise<readonly unknown[]> {
        await setImmediate();
        if (connection.broken) throw oracleError(new Error('user requested cancel'));
        const batch: unknown[] = [];
        try {
          for (let next = left.next(); next.done !== true; next = left.next()) {
            batch.push(next.value);
            if (batch.length === count) break;
          }
        } catch (error) {
          throw oracleError(error);
        }
        return batch;
      },
      close: async (): Promise<void> => undefined,
    };
  }

  const driver = {
    getConnection: async (options: Record<string, unknown>) => {
      fake.options.push(options);
      connection.broken = false;
      return connection;
    },
    OUT_FORMAT_ARRAY: 4001,
    STRING: 'as text',
    BUFFER: 'as bytes',
  };
  return Object.assign(fake, { driver: driver as unknown as OracleLibrary });
}

function oracleError(error: unknown): Error {
  const words = error instanceof Error ? error.message : String(error);
  return Object.assign(new Error(`ORA-01476: ${words}`), { code: 'ORA-01476' });
}
