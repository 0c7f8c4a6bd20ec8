import type { config as Config, ConnectionPool, Request, Transaction } from 'mssql';

import { loadDriver, type OptionalDriver } from '../load-driver.ts';

/** What is used of the driver `mssql`, which speaks with the server through `tedious`. */
export interface SqlServerDriver {
  readonly ConnectionPool: new (options: Config) => ConnectionPool;
  readonly Transaction: new (pool: ConnectionPool) => Transaction;
  readonly Request: new (transaction: Transaction) => Request;
  readonly ISOLATION_LEVEL: { readonly READ_COMMITTED: 2; readonly SNAPSHOT: 5 };
}

/** mssql takes tedious 19 or 20; 20 wants Node 22. */
export const SQL_SERVER: OptionalDriver = {
  name: 'mssql',
  packages: 'mssql@12.7.14 tedious@19.2.2',
  database: 'SQL Server',
};

/** Loads the driver. Throws a `ConfigError` where it is not installed. */
export async function loadSqlServer(): Promise<SqlServerDriver> {
  const { default: driver } = await loadDriver(SQL_SERVER, async () => import('mssql'));
  return {
    ConnectionPool: driver.ConnectionPool,
    Transaction: driver.Transaction,
    Request: driver.Request,
    ISOLATION_LEVEL: { READ_COMMITTED: 2, SNAPSHOT: 5 },
  };
}
