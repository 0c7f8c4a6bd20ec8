import { FORGOTTEN } from '../../domain/records/former-account.ts';

/** What names a person in texts and values that are about others. */
export interface Words {
  readonly ids: readonly string[];
  readonly usernames: readonly string[];
  /** Ids that the service gave. */
  readonly serviceIds: readonly string[];
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const ESCAPED = /[\\^$.*+?()[\]{}|/]/gu;

const escape = (text: string): string => text.replaceAll(ESCAPED, String.raw`\$&`);

/** Returns a function that replaces whoever is named in a text. Ids are short: they count only where a text marks them. */
export function withoutWords({ ids, usernames, serviceIds }: Words): (text: string) => string {
  const names = [...usernames, ...serviceIds].map(
    (name) => `(?<![\\p{L}\\p{N}])${escape(name)}(?![\\p{L}\\p{N}])`,
  );
  const marked = ids.flatMap((id) => [
    `(?<=\\()${escape(id)}(?=\\))`,
    `(?<=source id )${escape(id)}(?![\\p{L}\\p{N}])`,
  ]);
  const pattern = new RegExp([...names, ...marked].join('|'), 'giu');
  return (text) => text.replaceAll(pattern, () => FORGOTTEN);
}

/** Keys of texts in JSON that may name somebody; other values are words of rollcall's own. */
const TEXTS: ReadonlySet<string> = new Set(['reason', 'error', 'unknown', 'label', 'first']);

/**
 * Returns the value without records of the person, and without the words in its texts.
 *
 * @param key under which the value stands
 */
export function withoutPerson(value: Json, key: string, words: Words): Json {
  if (typeof value === 'string') return TEXTS.has(key) ? withoutWords(words)(value) : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    const others = value.filter((item: Json) => !isTheirs(item, words));
    return others.map((item: Json) => withoutPerson(item, key, words));
  }
  const entries = Object.entries(value).map(
    ([name, inner]) => [name, withoutPerson(inner, name, words)] as const,
  );
  return Object.fromEntries(entries);
}

/** Returns whether the item of a list is a record of the person, or the id of the account. */
function isTheirs(item: Json, { ids, serviceIds }: Words): boolean {
  if (typeof item === 'string') return serviceIds.includes(item);
  if (item === null || typeof item !== 'object' || Array.isArray(item)) return false;
  const { id, subject = 'person' } = item as Readonly<Record<string, Json>>;
  return typeof id === 'string' && ids.includes(id) && subject === 'person';
}
