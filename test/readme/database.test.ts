import { expect, test } from 'vitest';
import { CONVERSIONS, type HandedOut, type Written } from '../source/sql/conversions.ts';
import { tableOf, withTables } from './page.ts';

const HEAD = ['value', 'PostgreSQL', 'MariaDB, MySQL', 'SQLite', 'SQL Server', 'Oracle'];
const ENGINES = ['postgres', 'mariadb', 'sqlite', 'sqlserver', 'oracle'] as const;

/** A cell ends at a bar, also within code. */
const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

function cell(of: Written | HandedOut | undefined): string {
  if (of === undefined) return '';
  const gives = of.gives === null ? 'absent' : [of.gives].flat().map(code).join(', ');
  return `${of.type === 'any' ? '' : `${code(of.type)}: `}${gives}`;
}

test('docs/sources/database.md has what becomes of the values of each engine', async () => {
  const rows = CONVERSIONS.map((row) => [row.about, ...ENGINES.map((engine) => cell(row[engine]))]);
  const { is, made } = await withTables('docs/sources/database.md', { conversions: tableOf(HEAD, rows) });
  expect(is, 'run `npm run readme`').toBe(made);
});
