import { LedgerError } from '../../domain/errors.ts';
import type { Row } from './database.ts';

/** Is thrown where a column is decoded: a ledger of the right version holds these types, anything else is damage. */
function damaged(row: Row, name: string): LedgerError {
  return new LedgerError(`ledger: column ${name} holds an unexpected ${typeof row[name]}: restore a backup`);
}

export function text(row: Row, name: string): string {
  const value = row[name];
  if (typeof value !== 'string') throw damaged(row, name);
  return value;
}

export function number(row: Row, name: string): number {
  const value = row[name];
  if (typeof value !== 'number') throw damaged(row, name);
  return value;
}

export const flag = (row: Row, name: string): boolean => number(row, name) === 1;

export function textOrNull(row: Row, name: string): string | null {
  return row[name] === null ? null : text(row, name);
}

export function numberOrNull(row: Row, name: string): number | null {
  return row[name] === null ? null : number(row, name);
}

/** Parses text that this program wrote with `JSON.stringify`; the caller names the type that it wrote. */
export function json<T>(row: Row, name: string): T {
  return JSON.parse(text(row, name)) as T;
}

export function jsonOrNull<T>(row: Row, name: string): T | null {
  return row[name] === null ? null : json<T>(row, name);
}
