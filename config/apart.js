/** Packages that are not part of the bundle, since they are not plain JavaScript or are seldom needed. */
export const APART = ['better-sqlite3', 'libphonenumber-js'];

/** The same of optional drivers: each with the packages that it needs. */
export const DRIVERS = { mssql: ['mssql', 'tedious'], oracledb: ['oracledb'] };
