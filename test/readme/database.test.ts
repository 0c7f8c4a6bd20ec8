import { expect, test } from 'vitest';
import { CONVERSIONS, type Conversion } from '../source/sql/conversions.ts';
import { withTables } from './page.ts';

const NAMES = {
  postgres: 'PostgreSQL',
  mariadb: 'MariaDB',
  sqlite: 'SQLite',
  sqlserver: 'SQL Server',
  oracle: 'Oracle',
} as const;
const ENGINES = ['postgres', 'mariadb', 'sqlite', 'sqlserver', 'oracle'] as const;

/** A cell ends at a bar, also within code. */
const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

/** The types that become the same text stand together; a type that has several names its database. */
function textsOf(row: Conversion): string {
  const types = new Map<string, Set<string>>();
  const all = ENGINES.flatMap((engine) => (row[engine] === undefined ? [] : [{ engine, ...row[engine] }]));
  for (const { engine, type, gives } of all) {
    const text = gives === null ? 'absent' : [gives].flat().map(code).join(', ');
    const isOne = all.every((other) => other.type !== type || String(other.gives) === String(gives));
    const name = type === 'any' ? 'each' : code(type);
    types.set(text, (types.get(text) ?? new Set()).add(isOne ? name : `${NAMES[engine]} ${name}`));
  }
  const [[only] = []] = types;
  if (types.size === 1 && only !== undefined) return only;
  return Array.from(types, ([text, named]) => `${[...named].join(', ')}: ${text}`).join('; ');
}

test('docs/sources/database.md has what becomes of the values of each engine', async () => {
  const rows = CONVERSIONS.map((row) => `- **${row.about}:** ${textsOf(row)}`);
  const tables = { conversions: rows.join('\n') };
  const { is, made } = await withTables('docs/sources/database.md', tables);
  expect(is, 'run `npm run readme`').toBe(made);
});
