import { rawAt, type Finding, type Path } from '../../schema/raw.ts';

const LOOKUPS: Path = ['lookups'];

/** Finds tables of `lookup` that no expression uses. Whether their files can be read is seen when the source is opened. */
export function unusedTables(raw: unknown): readonly Finding[] {
  const tables = rawAt(raw, LOOKUPS);
  if (typeof tables !== 'object' || tables === null || Array.isArray(tables)) return [];
  const expressions = expressionsIn([rawAt(raw, ['source']), rawAt(raw, ['sync', 'protect', 'where'])]);
  return Object.keys(tables)
    .filter((name) => !expressions.some((text) => mentions(text, name)))
    .map((name) => unused([...LOOKUPS, name]));
}

function unused(path: Path): Finding {
  return {
    problem: 'config-unused',
    path,
    wrong: 'no expression uses this table',
    remedy: `write lookup('${path.at(-1)}', …), or remove it`,
  };
}

/** Returns every text below; what is none of an expression does no harm. */
function expressionsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((inner) => expressionsIn(inner));
}

function mentions(text: string, name: string): boolean {
  return text.includes('lookup') && [`'${name}'`, `"${name}"`].some((quoted) => text.includes(quoted));
}
