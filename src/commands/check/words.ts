import type { Person, Unit } from '../../domain/records/records.ts';
import { printable } from '../../domain/text/printable.ts';

/** Returns a rule of the configuration in one line: an expression may have many. */
export function ruleText(rule: string): string {
  return printable(rule.replaceAll(/\s+/gu, ' '));
}

/** Says by which expression a record is out of scope. */
export function scopeText(record: Unit | Person): string {
  const part = 'username' in record ? 'people' : 'units';
  return `out of scope by source.${part}.where: ${ruleText(record.outOfScope ?? '')}`;
}

/** Returns `username (id)`, safe to show within a line. */
export function namedText(name: string, id: string): string {
  return `${printable(name)} (${printable(id)})`;
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

/** Lays out a table: each column is as wide as its widest cell, and the second one holds numbers. */
export function table(rows: readonly (readonly [string, string, string])[]): readonly string[] {
  const width = (column: 0 | 1): number => Math.max(0, ...rows.map((row) => row[column].length));
  const [names, values] = [width(0), width(1)];
  return rows.map(([name, value, note]) =>
    `${name.padEnd(names)}  ${value.padStart(values)}  ${note}`.trimEnd(),
  );
}
