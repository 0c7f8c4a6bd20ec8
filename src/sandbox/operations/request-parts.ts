import { invalid, Refused, type Service } from './operation.ts';
import type { Readings } from '../options/readings.ts';
import { isList, isObject, type WireObject, type WireValue } from '../world/wire-value.ts';

/** Fields by name, only those that are present; `undefined` where the field is to be cleared. */
export type FieldChanges = ReadonlyMap<string, WireValue | undefined>;

/** Returns the named fields of a body, whose row was checked; null, "" and [] clear one. */
export function fieldsIn(body: WireObject, names: readonly string[]): FieldChanges {
  const present = names.filter((name) => body[name] !== undefined);
  return new Map(present.map((name) => [name, isEmpty(body[name] ?? null) ? undefined : body[name]]));
}

function isEmpty(value: WireValue): boolean {
  return value === null || value === '' || (isList(value) && value.length === 0);
}

export function requiredField(body: WireObject, name: string): string {
  const value = body[name];
  if (typeof value !== 'string' || value.trim() === '') throw invalid(`${name} is required`);
  return value;
}

export function requiredObject(body: WireValue | undefined): WireObject {
  if (!isObject(body)) throw invalid('a JSON object is expected');
  return body;
}

export function requiredList(body: WireValue | undefined): readonly WireValue[] {
  if (!isList(body)) throw invalid('a JSON array is expected');
  return body;
}

/** Returns an identifier as a string, whether it came as one or as a number of any size. */
export function identifier(value: WireValue | undefined): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value.toString();
  return typeof value === 'string' && value !== '' ? value : undefined;
}

interface RequestedPage {
  readonly skip: number;
  readonly limit: number;
}

type PageReadings = Pick<Readings, 'pageCap' | 'maxLimit'>;

/** Returns a number of the query, which its row has checked. */
export function numberIn(query: URLSearchParams, name: string, byDefault: number): number {
  return Number(query.get(name) || byDefault);
}

export function flagIn(query: URLSearchParams, name: string, byDefault = false): boolean {
  return (query.get(name) || String(byDefault)) === 'true';
}

/** Reads the page to return: `skip` is 0 and `limit` 10 by default (interface: Limits). */
export function page(query: URLSearchParams, { pageCap, maxLimit }: PageReadings): RequestedPage {
  const skip = numberIn(query, 'skip', 0);
  const limit = numberIn(query, 'limit', 10);
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

/* What the reading `normalizes` does to values, as a real service may. */

export function collapseBlanks(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

export function phoneDigits(text: string): string {
  return text.replaceAll(/[\s-]/g, '');
}

/*
 * The sandbox has no dictionary of pinyin: letters stand for themselves, so that the fields are there and
 * can be searched.
 */

export function pinyin(name: string): string {
  return name.toLowerCase().replaceAll(/\s+/g, '');
}

export function initials(name: string): string {
  const words = name.toLowerCase().split(/\s+/);
  return words.map((word) => word.slice(0, 1)).join('');
}

/** One item that was accepted, under the key of the interface. */
export interface Taken {
  readonly key: string;
  readonly value: WireValue;
}

interface ImportSteps {
  /** Returns the key under which a refused item is reported. */
  readonly keyOf: (item: WireValue, index: number) => string;
  readonly take: (item: WireValue) => Taken;
}

/** Imports each item on its own, in the given order: a refused one does not stop the next. */
export function importItems(service: Service, items: readonly WireValue[], steps: ImportSteps): WireObject {
  requireAtMost(service.readings.maxBatch, items.length, 'the number of records');
  const successes: [string, WireValue][] = [];
  const failures: [string, WireValue][] = [];
  const spell = (key: string): string => (service.readings.keysLower ? key.toLowerCase() : key);
  for (const [index, item] of items.entries()) {
    try {
      const { key, value } = steps.take(item);
      successes.push([spell(key), value]);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      failures.push([spell(steps.keyOf(item, index)), error.message]);
    }
  }
  return { successes: Object.fromEntries(successes), failures: Object.fromEntries(failures) };
}
