import type { Connection, ConnectionAttributes, DbType } from 'oracledb';

import { loadDriver, type OptionalDriver } from '../load-driver.ts';

/** What is used of the driver `oracledb`, in its thin mode, which needs no Oracle client. */
export interface OracleDriver {
  getConnection(options: ConnectionAttributes): Promise<Connection>;
  readonly OUT_FORMAT_ARRAY: number;
  /** Types to fetch values as. */
  readonly STRING: DbType;
  readonly BUFFER: DbType;
}

export const ORACLE: OptionalDriver = { name: 'oracledb', packages: 'oracledb@26.0.0', database: 'Oracle' };

/** Loads the driver. Throws a `ConfigError` where it is not installed. */
export async function loadOracle(): Promise<OracleDriver> {
  const { default: driver } = await loadDriver(ORACLE, async () => import('oracledb'));
  return {
    getConnection: async (options) => driver.getConnection(options),
    OUT_FORMAT_ARRAY: driver.OUT_FORMAT_ARRAY,
    STRING: driver.STRING,
    BUFFER: driver.BUFFER,
  };
}
