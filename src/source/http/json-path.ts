import { isObject, parseLossless } from '../../lib/parse-lossless.ts';

/** A value of JSON. */
type Json = unknown;

/**
 * Returns what a JSON Pointer names (RFC 6901): `/d/results`, and the whole value for the empty one; `undefined`: nothing.
 */
export function pointed(value: Json, pointer: string): Json {
  if (pointer === '') return value;
  const names = pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<Json>((inner, name) => childOf(inner, name), value);
}

function childOf(value: Json, name: string): Json {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/u.test(name) ? (value[Number(name)] as Json) : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Returns the JSON of a text; `undefined`: it is none. */
export function jsonOf(text: string): Json {
  try {
    return parseLossless(text);
  } catch {
    return undefined;
  }
}

/** Returns a value as text; `undefined`: it is none, but null, an object or a list. */
export function textOf(value: Json): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Returns a count; some servers write numbers as text. `null`: it is none. */
export function countOf(value: Json): number | null {
  const number = typeof value === 'string' && /^\d+$/u.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** What a field path names in a record. */
export interface Found {
  readonly texts: readonly string[];
  /** Whether an object or a list of lists stands there instead of a value. */
  readonly isDeep: boolean;
  /** Whether the record says something of it, be it null; `undefined`: an empty list, which may say nothing or all. */
  readonly isTold: boolean | undefined;
}

/** One step of a field path: a name, or of a list the entries with such a value. */
type Step = { readonly name: string } | { readonly key: string; readonly is: string };

/**
 * Reads a field by its path, in its case: `profile.login`; a step over a list gives what each entry has;
 * `emails[type=work].value` takes the entries of that kind. A path that begins with `/` is a JSON Pointer.
 */
export function fieldReader(path: string): (record: Json) => Found {
  const steps = path.startsWith('/') ? null : stepsOf(path);
  const names = steps?.flatMap((step) => ('name' in step ? [step.name] : [])) ?? [];
  const isPlain = names.length > 0 && names.length === steps?.length;
  return (record) => {
    const plain = isPlain ? throughObjects(record, names) : record;
    if (typeof plain !== 'object' || plain === null) {
      const text = textOf(plain);
      return { texts: text === undefined ? [] : [text], isDeep: false, isTold: plain !== undefined };
    }
    const found = steps === null ? [pointed(record, path)] : steps.reduce<readonly Json[]>(advance, [record]);
    const values = found.flatMap((value) => (Array.isArray(value) ? (value as readonly Json[]) : [value]));
    const texts = values.flatMap((value) => textOf(value) ?? []);
    const isDeep = values.some((value) => typeof value === 'object' && value !== null);
    return {
      texts,
      isDeep,
      isTold: found.length === 0 ? undefined : found.some((value) => value !== undefined),
    };
  };
}

/** Returns whether a text is a path of a field: each part of it means something. */
export const isFieldPath = (text: string): boolean =>
  text.startsWith('/') ||
  /^[^.[\]]+(?:\[[^=\]]+=[^\]]*\])*(?:\.[^.[\]]+(?:\[[^=\]]+=[^\]]*\])*)*$/u.test(text);

/** Returns what most paths lead to, at a fifth of the costs: a value within objects. If there is a list on the way, that. */
function throughObjects(record: Json, names: readonly string[]): Json {
  let value = record;
  for (const name of names) {
    if (value === null || Array.isArray(value)) return value;
    value = childOf(value, name);
  }
  return value;
}

const STEP = /(?<name>[^.[]+)|\[(?<key>[^=\]]+)=(?<is>[^\]]*)\]/gu;

function stepsOf(path: string): readonly Step[] {
  return [...path.matchAll(STEP)].map(({ groups = {} }) => {
    const { name, key = '', is = '' }: Readonly<Record<string, string | undefined>> = groups;
    return name === undefined ? { key, is } : { name };
  });
}

function advance(values: readonly Json[], step: Step): readonly Json[] {
  const all = values.flatMap((value) => (Array.isArray(value) ? (value as readonly Json[]) : [value]));
  if ('name' in step) return all.map((value) => (value === null ? null : childOf(value, step.name)));
  const entries = all.filter((value) => value !== null);
  const chosen = entries.filter(
    (value) => value === undefined || textOf(childOf(value, step.key)) === step.is,
  );
  // Entries of other kinds tell nothing of this one.
  return chosen.length === 0 && entries.length > 0 ? [undefined] : chosen;
}
