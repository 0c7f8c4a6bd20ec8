import type { Readings } from '../readings/readings.ts';
import { invalid } from './refused.ts';

export interface Page {
  readonly skip: number;
  readonly limit: number;
}

type PageReadings = Pick<Readings, 'pageCap' | 'maxLimit'>;

export function requiredText(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (value === null || value === '') throw invalid(`query parameter ${name} is required`);
  return value;
}

export function wholeNumber(query: URLSearchParams, name: string, byDefault: number): number {
  const value = query.get(name);
  if (value === null || value === '') return byDefault;
  if (!/^(?:\d{1,15}|-1)$/.test(value)) throw invalid(`query parameter ${name} is not a whole number`);
  return Number(value);
}

export function flag(query: URLSearchParams, name: string, byDefault: boolean): boolean {
  const value = query.get(name);
  if (value === null || value === '') return byDefault;
  if (value !== 'true' && value !== 'false')
    throw invalid(`query parameter ${name} is neither true nor false`);
  return value === 'true';
}

/** Reads the page to return: `skip` is 0 and `limit` 10 by default (interface: Limits). */
export function page(query: URLSearchParams, { pageCap, maxLimit }: PageReadings): Page {
  const skip = wholeNumber(query, 'skip', 0);
  const limit = wholeNumber(query, 'limit', 10);
  if (skip < 0 || limit < 0) throw invalid('skip and limit cannot be negative');
  requireAtMost(maxLimit, limit, 'limit');
  return { skip, limit: capped(limit, pageCap) };
}

/** Refuses more than `most` items; 0 allows any number. */
export function requireAtMost(most: number, count: number, what: string): void {
  if (most > 0 && count > most) throw invalid(`${what} is ${count}, and at most ${most}`);
}

/** Returns the limit, at most the cap; a cap of 0 is none. */
export function capped(limit: number, cap: number): number {
  return cap > 0 ? Math.min(limit, cap) : limit;
}

/** Splits a comma-separated list, without its blanks and empty parts. */
export function commaList(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}
