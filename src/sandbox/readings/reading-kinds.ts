/**
 * One thing that the interface leaves open: how its values are written, which one is the default, and what it
 * is about.
 */
export interface Reading<T> {
  readonly values: string;
  readonly byDefault: T;
  readonly about: string;
  /** Parses a value; `undefined` for one that does not exist. */
  readonly parse: (text: string) => T | undefined;
}

/** Returns a reading with these values; the first one is the default. */
export function choice<const V extends string>(values: readonly [V, ...V[]], about: string): Reading<V> {
  const parse = (text: string): V | undefined => values.find((value) => value === text);
  return { values: values.join('|'), byDefault: values[0], about, parse };
}

export function toggle(byDefault: boolean, about: string): Reading<boolean> {
  return { values: 'on|off', byDefault, about, parse: parseToggle };
}

function parseToggle(text: string): boolean | undefined {
  return { on: true, off: false }[text];
}

/** Returns a reading that is a number; 0, the default, stands for none. */
export function quantity(about: string): Reading<number> {
  return { values: 'N', byDefault: 0, about, parse: parseQuantity };
}

function parseQuantity(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000 };

/** Returns a reading in milliseconds, 0 by default. */
export function duration(about: string): Reading<number> {
  return { values: '2s|500ms', byDefault: 0, about, parse: parseDuration };
}

function parseDuration(text: string): number | undefined {
  const [, digits, unit] = /^(\d{1,7})(ms|s)$/.exec(text) ?? [];
  const factor = UNIT_MS[unit ?? ''];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}
