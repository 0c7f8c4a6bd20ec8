/** Number of entries of each table of `lookups` that is a file, by its name. */
type Sizes = Readonly<Record<string, number>>;

/**
 * Returns a sentence about tables that have no entry, and had some in the last complete read: what they say of everybody
 * would change; `null`: there are none.
 */
export function emptiedTables(before: Sizes, now: Sizes): string | null {
  const emptied = Object.keys(now).filter((name) => now[name] === 0 && (before[name] ?? 0) > 0);
  if (emptied.length === 0) return null;
  const told = emptied.map((name) => {
    const entries = before[name] === 1 ? 'one entry' : `${(before[name] ?? 0).toLocaleString('en')} entries`;
    return `lookups.${name}.file has its header alone, and had ${entries} in the last complete read`;
  });
  return (
    `source: ${told.join(', and ')}; the read is taken as incomplete and nothing is sent. Export it again; where it ` +
    'is empty for good, write values: {} in its place'
  );
}
