import { rawAt, type Finding, type Path } from './problem.ts';
import { lookupFileSchema } from '../schema/settings-schema.ts';
import { LookupProblem, readLookupFile } from '../../lib/lookup-file.ts';

const LOOKUPS: Path = ['lookups'];

/** Finds tables of `lookup` that cannot be read, and those that no expression uses. */
export function lookupFindings(raw: unknown): readonly Finding[] {
  const tables = rawAt(raw, LOOKUPS);
  if (typeof tables !== 'object' || tables === null || Array.isArray(tables)) return [];
  const expressions = expressionsIn([rawAt(raw, ['source']), rawAt(raw, ['sync', 'protect', 'where'])]);
  return Object.entries(tables).flatMap(([name, table]) => [
    ...fileFindings([...LOOKUPS, name, 'file'], table),
    ...(expressions.some((text) => mentions(text, name)) ? [] : [unused([...LOOKUPS, name])]),
  ]);
}

function fileFindings(path: Path, table: unknown): readonly Finding[] {
  const parsed = lookupFileSchema.safeParse(table);
  if (!parsed.success) return [];
  try {
    readLookupFile(parsed.data);
    return [];
  } catch (error) {
    if (!(error instanceof LookupProblem)) throw error;
    return [{ path, wrong: error.message, remedy: error.remedy }];
  }
}

function unused(path: Path): Finding {
  return {
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
