import type { FieldValue } from '../../domain/records/fields.ts';
import { isEmpty } from '../../domain/records/is-empty.ts';
import { traitKey, type TraitKey } from './trait.ts';

/** Fields whose values are of groups, not of one person. Names, numbers and addresses are not among them. */
const OF_GROUPS: ReadonlySet<string> = new Set([
  'gender',
  'senior',
  'province',
  'city',
  'industry',
  'region',
  'label',
  'extended1',
  'extended2',
  'extended3',
  'rank',
  'employee_rank_name',
  'tags',
  'tag_names',
  'properties',
  'type',
  'job_title',
  'chief',
  'source_type',
]);

const MAIL: ReadonlySet<string> = new Set(['email', 'otherEmail']);
const LONGEST = 60;
/** Looks like a phone number, or is masked. */
const PRIVATE = /^\+?[\d\s()./-]{7,}$|[*•]/u;

export const isOfGroups = (field: string): boolean => OF_GROUPS.has(field);
export const isMail = (field: string): boolean => MAIL.has(field);

/** Returns the domain of an address in lower case, or `null`. */
export function domainOf(value: FieldValue | null): string | null {
  if (typeof value !== 'string') return null;
  const at = value.lastIndexOf('@');
  return at <= 0 || at === value.length - 1 ? null : value.slice(at + 1).toLowerCase();
}

/** Returns whether a value may be named: no address, nothing like a number of somebody, not masked. */
function isNameable(text: string): boolean {
  return text !== '' && text.length <= LONGEST && !text.includes('@') && !PRIVATE.test(text);
}

/** Returns a value of one text, where it may be named; else `null`. */
export function nameable(value: FieldValue | null): string | null {
  const text = typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && isNameable(text) ? text : null;
}

/** Returns the traits that a field's value gives its record. */
export function valueTraits(field: string, value: FieldValue | null): readonly TraitKey[] {
  if (isEmpty(value)) return [traitKey('value', field, '')];
  if (isMail(field)) {
    const domain = domainOf(value);
    return domain === null ? [] : [traitKey('domain', field, domain)];
  }
  return isOfGroups(field) && value !== null ? partsOf(field, value) : [];
}

function partsOf(field: string, value: FieldValue): readonly TraitKey[] {
  if (typeof value !== 'object') {
    const text = nameable(value);
    return text === null ? [] : [traitKey('value', field, text)];
  }
  if (Array.isArray(value)) return listed(field, value as readonly string[]);
  return Object.entries(value as Readonly<Record<string, string | readonly string[]>>).flatMap(
    ([key, part]) => listed(`${field}.${key}`, typeof part === 'string' ? [part] : part),
  );
}

const listed = (field: string, values: readonly string[]): readonly TraitKey[] =>
  values.filter((text) => isNameable(text)).map((text) => traitKey('value', field, text));
