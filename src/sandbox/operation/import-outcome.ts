import { requireAtMost } from './query.ts';
import { Refused } from './refused.ts';
import type { Service } from './service.ts';
import type { WireObject, WireValue } from '../wire/wire-value.ts';

/** One item that was accepted, under the key of the interface. */
export interface Taken {
  readonly key: string;
  readonly value: WireValue;
}

export interface ImportSteps {
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
