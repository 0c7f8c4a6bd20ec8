import { startMariadb } from '../../servers/mariadb.ts';
import { startPostgres, type SqlServer } from '../../servers/postgres.ts';
import type { Company } from '../company.ts';
import { scriptOf, type BenchSource, type OpenBenchSource } from './bench-source.ts';
import { CHANGES, companySql, moveSql, QUERIES, TABLE_FIELDS, titlesSql } from './tables.ts';

/** PostgreSQL, in clear on the loopback interface as the others are. */
export const openPostgres: OpenBenchSource = async (company) =>
  filled('postgres', await startPostgres({ tls: false }), company);

export const openMariadb: OpenBenchSource = async (company) =>
  filled('mariadb', await startMariadb({ tls: false }), company);

const KINDS = {
  postgres: { text: 'text', floor: 'floors/postgres-read' },
  mariadb: { text: 'varchar(100)', floor: 'floors/mariadb-read' },
} as const;

/** Passwords of the servers have characters that a URL takes encoded only. */
function encoded(url: string): string {
  return url.replace(/(?<=:)[^:]*(?=@[^@]*$)/u, encodeURIComponent);
}

async function filled(name: keyof typeof KINDS, server: SqlServer, company: Company): Promise<BenchSource> {
  const { text, floor } = KINDS[name];
  const url = encoded(server.url);
  const exec = async (statements: Iterable<string>): Promise<void> => {
    for (const statement of statements) await server.exec(statement);
  };
  await exec(companySql(company, text));
  await server.exec(name === 'postgres' ? 'analyze' : 'analyze table department, employee');
  return {
    name,
    config: {
      type: 'sql',
      url,
      units: { query: QUERIES.units, fields: TABLE_FIELDS.units },
      people: { query: QUERIES.people, changes: CHANGES, fields: TABLE_FIELDS.people },
    },
    floors: [
      {
        name: 'bare driver',
        command: 'node',
        args: [scriptOf(floor), url, ...Object.values(QUERIES)],
      },
    ],
    change: (from, to) => exec(titlesSql(from, to)),
    move: () => server.exec(moveSql(company)),
    stop: () => server.stop(),
  };
}
