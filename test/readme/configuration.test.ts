import { describe, expect, test } from 'vitest';
import { GONE_KEYS } from '../../src/config/gone-keys.ts';
import { tableOf, withTables } from './page.ts';
import { code, KINDS, keysBelow, SCHEMA, SEVERAL, typeOf, type Row, type Schema } from './schema-rows.ts';

const PAGE = 'docs/configuration.md';

/** A line of a table: a key, of one or several kinds of source, in one or several of their parts. */
interface Line extends Row {
  readonly kinds: readonly string[];
  readonly types: readonly string[];
}

const lineOf = (row: Row, kind: string): Line => ({ ...row, kinds: [kind], types: [typeOf(row.schema)] });

function groupedBy<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const keys = [...new Set(all.map(keyOf))];
  return new Map(keys.map((key) => [key, all.filter((one) => keyOf(one) === key)]));
}

const wide = (path: string): string => path.replace(/^source\.(?:units|people|positions)\./u, 'source.PART.');

/** Keys that all parts of a kind have alike are one line. */
function partsOf(rows: readonly Row[], kind: string): readonly Line[] {
  const alike = groupedBy(rows, ({ path }) => wide(path));
  return rows.flatMap((row) => {
    const all = alike.get(wide(row.path)) ?? [];
    const isAlike =
      all.length > 1 && new Set(all.map((one) => cellsOf(lineOf(one, kind)).slice(1).join())).size === 1;
    if (!isAlike) return [lineOf(row, kind)];
    return row === all[0] ? [{ ...lineOf(row, kind), path: wide(row.path) }] : [];
  });
}

/** Returns the lines of all kinds, those that say the same of several once. */
function acrossKinds(lines: readonly Line[]): readonly Line[] {
  const groups = groupedBy(lines, ({ path, schema }) => `${path} ${schema.description}`);
  return [...groups.values()].map(([first, ...others]) => ({
    ...(first as Line),
    kinds: [first, ...others].flatMap((one) => one?.kinds ?? []),
    types: [...new Set([first, ...others].flatMap((one) => one?.types ?? []))],
    isRequired: [first, ...others].every((one) => one?.isRequired === true),
  }));
}

/** Returns the default of a key; `undefined`: it has none that could be written. */
function defaultOf({ schema: { default: value } }: Row): string | undefined {
  if (Array.isArray(value)) return code(`[${value.join(', ')}]`);
  if (typeof value === 'string') return code(value === '' ? "''" : value);
  return typeof value === 'object' ? undefined : code(JSON.stringify(value));
}

/** Returns what a key takes: its default, the values among which its default is the first, or its type. */
function valueOf(line: Line): string {
  const types = line.types.join(', ');
  const named = line.types.every((type) => type.startsWith('`'));
  const first = line.schema.default === undefined ? undefined : defaultOf(line);
  if (first === undefined) return line.isRequired ? `**${types}**` : types;
  return named ? [first, ...types.split(', ').filter((one) => one !== first)].join(', ') : first;
}

/** Guards are described on their own page. */
const isGuard = (path: string): boolean => path.startsWith('sync.guard.');

function cellsOf(line: Line): readonly string[] {
  const { path, kinds, schema } = line;
  const only = kinds.length > 1 && kinds.length < KINDS.length ? `(${kinds.join(', ')}) ` : '';
  const about = only + (schema.description ?? '').replace(/\.$/u, '').replaceAll('|', String.raw`\|`);
  const value = valueOf(line);
  if (isGuard(path)) return [code(path), value];
  return [code(path), value === 'text' || value === 'section' ? about : `${value}: ${about}`];
}

/** A section has no row of its own, since its keys have theirs. */
const isSection = ({ path, types }: Line): boolean => types.join() === 'section' && !path.endsWith('.fields');

const table = (lines: readonly Line[]): string =>
  tableOf(['key', 'value'], lines.filter((line) => !isSection(line)).map(cellsOf));

const section = (name: string): readonly Line[] => {
  const schema: Schema = { properties: { [name]: SCHEMA.properties?.[name] ?? {} } };
  return keysBelow({ ...schema, required: SCHEMA.required ?? [] }, '').map((row) => lineOf(row, ''));
};

const SECTIONS = [['service'], ['lookups'], ['sync'], ['state', 'log'], ['notify', 'http', 'approvals']];
const OF_KINDS = acrossKinds(
  KINDS.flatMap((schema) => partsOf(keysBelow(schema, 'source'), String(schema.properties?.['type']?.const))),
);
const SHARED = OF_KINDS.filter(({ kinds }) => kinds.length > 1);
const isShared = ({ path }: Line): boolean =>
  SHARED.some((one) => one.path === path.replace(/^sources\.NAME/u, 'source'));
const OF_SEVERAL = [...section('sources'), ...partsOf(keysBelow(SEVERAL, 'source'), '')];
const TABLES: Readonly<Record<string, readonly Line[]>> = {
  ...Object.fromEntries(SECTIONS.map((names) => [names.join(', '), names.flatMap(section)])),
  'every source': SHARED,
  ...Object.fromEntries(
    KINDS.map((schema) => {
      const kind = String(schema.properties?.['type']?.const);
      return [kind, OF_KINDS.filter(({ kinds }) => kinds.join() === kind)];
    }),
  ),
  several: OF_SEVERAL.filter((line) => !isShared(line)),
};
const ALL = Object.values(TABLES).flat();

/** What says no more than that rollcall does without the key. */
const ONLY_GOES = /^remove it: [^;]+$/u;

test('docs/upgrade.md has every key that is gone', async () => {
  const gone = Object.entries(GONE_KEYS);
  const going = gone.filter(([, remedy]) => ONLY_GOES.test(remedy)).map(([key]) => key);
  const rows = gone
    .filter(([key]) => !going.includes(key))
    .map(([key, remedy]) => `- ${code(key)}: ${remedy}`);
  const { is, made } = await withTables('docs/upgrade.md', {
    'keys with something in their place': rows.join('\n'),
    'keys to remove': `\`\`\`text\n${going.join('\n')}\n\`\`\``,
  });
  expect(is, 'run `npm run readme`').toBe(made);
});

describe('docs/configuration.md', () => {
  test('has every key of the configuration', async () => {
    const tables = Object.entries(TABLES).map(([name, lines]) => [`keys of ${name}`, table(lines)]);
    const { is, made } = await withTables(PAGE, Object.fromEntries(tables));
    expect(is, 'run `npm run readme`').toBe(made);
    expect(Object.keys(SCHEMA.properties ?? {}).toSorted()).toEqual(
      [...SECTIONS.flat(), 'source', 'sources'].toSorted(),
    );
  });

  test('has no key that is gone, and describes each', () => {
    expect(ALL.filter(({ path }) => path in GONE_KEYS)).toEqual([]);
    expect(ALL.filter(({ schema }) => schema.description === undefined)).toEqual([]);
  });
});
