import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { CONVERSIONS, type HandedOut, type Written } from '../source/sql/conversions.ts';

const FILE = join(new URL('../..', import.meta.url).pathname, 'docs/databases.md');

const INTRODUCTION = `# Databases

| URL | database | driver | tried with |
| --- | --- | --- | --- |
| \`postgres://user:password@host:5432/hr\` | PostgreSQL | \`pg\` | PostgreSQL 15 |
| \`mysql://\`, \`mariadb://user:password@host:3306/hr\` | MySQL, MariaDB | \`mysql2\` | MariaDB 10.11; MySQL proper not tried |
| \`sqlite:PATH\` | SQLite 3 | \`better-sqlite3\` | its files |
| \`sqlserver://\`, \`mssql://user:password@host:1433/hr\` | SQL Server | \`mssql\` 12.7 with \`tedious\` 19 | **not tried**: by the contract of its driver alone |
| \`oracle://user:password@host:1521/SERVICE\` | Oracle, no client needed | \`oracledb\` 26, thin mode | **not tried**: by the contract of its driver alone |

The drivers of SQL Server and Oracle are optional packages, loaded when a URL asks for them; where one is missing, a
sentence says what to install. \`tedious\` stays at 19, the last that runs on Node 20. With a server of your own, load
it with the statements of \`worldSql\` in \`test/source/sql-world.ts\`; \`ROLLCALL_TEST_SQLSERVER_URL\` or
\`ROLLCALL_TEST_ORACLE_URL\` then has the tests read it as the others.

- **Rights.** Grant the user SELECT on what is read, and nothing else: a query that changes something is refused, and which rights the user has is not looked at.
- **SQL Server.** Options of the URL: \`?instance=NAME\` in the place of a port, \`?domain=CORP\`, \`?encrypt=false\`; otherwise
  TLS is spoken. All queries of a read see one state where the database allows it (\`ALTER DATABASE CURRENT SET
  ALLOW_SNAPSHOT_ISOLATION ON\`, which needs no restart); where not, the read goes on, and \`check\` and the log say so. There
  are no read-only transactions: the transaction is never committed, and a query with a word that changes something is
  not sent, also where it stands in a text, a name or a comment: a view can have it. \`OPENROWSET\` and \`OPENQUERY\` are refused as well.
- **Oracle.** \`SET TRANSACTION READ ONLY\`; \`ORA-01555\` means that the old state was
  not kept long enough. The driver takes a \`DATE\` for a time of the process: leave its time zone at UTC, as the container
  has it.
- **TLS** is spoken where \`source.tls\` has \`caFile\`, or the URL \`?sslmode=verify-full\` (MySQL:
  \`?ssl-mode=REQUIRED\`); the certificate is always checked then, with its name. For MySQL the URL has to have a
  name and no address. Oracle has no \`insecure\`. TLS on port 2484 is Oracle's default.

## What becomes of values

Each value becomes text first, as below; fields then take it as an integer, a date or a boolean. Days of another form take
a pattern: \`birthday: { expr: "date(born, 'dd.MM.yyyy')" }\`. A value that a field does not take loses that field, which
is listed with record, row and value.

Made from the table of the tests by \`npm run readme\`; those read each value from a real PostgreSQL, MariaDB and SQLite.
What SQL Server and Oracle give is what their drivers are documented to hand out.
`;

const ENGINES = ['postgres', 'mariadb', 'sqlite', 'sqlserver', 'oracle'] as const;

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

function cell(of: Written | HandedOut | undefined): string {
  if (of === undefined) return '';
  const gives = of.gives === null ? 'absent' : [of.gives].flat().map(code).join(', ');
  return `${of.type === 'any' ? '' : `${code(of.type)}: `}${gives}`;
}

function made(): string {
  const head = [
    '| value | PostgreSQL | MariaDB, MySQL | SQLite | SQL Server | Oracle |',
    '| --- | --- | --- | --- | --- | --- |',
  ];
  const rows = CONVERSIONS.map(
    (row) => `| ${[row.about, ...ENGINES.map((engine) => cell(row[engine]))].join(' | ')} |`,
  );
  return [INTRODUCTION, ...head, ...rows, ''].join('\n');
}

test('docs/databases.md has what becomes of the values of each engine', async () => {
  const text = await format(made(), { parser: 'markdown', singleQuote: true, printWidth: 110 });
  if (process.env['UPDATE'] !== undefined) writeFileSync(FILE, text);
  expect(existsSync(FILE) ? readFileSync(FILE, 'utf8') : '').toBe(text);
});
