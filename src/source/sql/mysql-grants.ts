/** Rights that do not allow any change. */
const READING: ReadonlySet<string> = new Set([
  'USAGE',
  'SELECT',
  'EXECUTE',
  'SHOW VIEW',
  'SHOW DATABASES',
  'LOCK TABLES',
  'PROCESS',
  'REPLICATION CLIENT',
  'BINLOG MONITOR',
  'SLAVE MONITOR',
]);

/**
 * Returns the rights that a line of SHOW GRANTS names, without their columns; a role grants what other lines
 * name.
 */
function grantedBy(line: string): readonly string[] {
  const [, list] = /^GRANT (.+?) ON /u.exec(line) ?? [];
  return list === undefined ? [] : list.replaceAll(/\s*\([^)]*\)/gu, '').split(/,\s*/u);
}

/** Returns the rights to change something that these lines of SHOW GRANTS name, each once. */
export function rightsToChange(lines: readonly string[]): readonly string[] {
  const rights = lines.flatMap((line) => grantedBy(line)).filter((right) => !READING.has(right));
  return [...new Set(rights)].toSorted();
}
