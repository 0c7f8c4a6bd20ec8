const CLAUSE = /\b(?:where|group\s+by|order\s+by|having|limit|union)\b/i;

/**
 * Where a query's rows come from, for the identity of a source: another table holds other records; another column or
 * condition does not. The text from FROM to the first clause after it; the whole query where there is no FROM.
 */
export function tablesOf(query: string): string {
  const line = query.replaceAll(/\s+/g, ' ').replace(/;? ?$/, '').trim().toLowerCase();
  const from = line.search(/\bfrom\b/);
  if (from < 0) return line;
  const rest = line.slice(from);
  const end = rest.search(CLAUSE);
  return (end < 0 ? rest : rest.slice(0, end)).trim();
}
