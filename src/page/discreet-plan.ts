import type { Plan } from '../domain/changes.ts';
import { PERSON_FIELDS, UNIT_FIELDS, type FieldSpec } from '../domain/records/fields.ts';
import { withoutContacts } from '../domain/text/hide.ts';
import type { PlannedChange } from '../plan/words/describe-plan.ts';

/** Fields that are shown as changed, without their values. */
const CONTACTS: ReadonlySet<string> = new Set(
  Object.entries<FieldSpec>({ ...UNIT_FIELDS, ...PERSON_FIELDS }).flatMap(([name, { contact }]) =>
    contact === true ? [name] : [],
  ),
);

/** Ids and hashes: they name records and releases, and may have many digits. */
const KEYS: ReadonlySet<string> = new Set([
  'id',
  'unit',
  'parent',
  'orgId',
  'serialNo',
  'serviceId',
  'managedAs',
  'hash',
]);

/** Where a field's values stand, in a change and in an explanation. */
const VALUES: ReadonlySet<string> = new Set(['from', 'to', 'sent', 'source', 'service']);

const HIDDEN = '…';

/** Returns the plan as it may go out with a message: without phone numbers and mail addresses. */
export function discreetPlan(plan: Plan): Plan {
  return { ...discreet(plan), unitNames: discreetNames(plan.unitNames) };
}

/** Returns names by id as they may be shown. */
export function discreetNames(names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...names].map(([id, name]) => [id, withoutContacts(name)] as const));
}

/** Yields changes as they may go out with a message. */
export function* discreetChanges(changes: Iterable<PlannedChange>): Iterable<PlannedChange> {
  for (const one of changes) yield { ...one, change: discreet(one.change) };
}

/** Returns a value of the same shape without phone numbers and mail addresses; ids and hashes stay. */
export function discreet<T>(value: T): T {
  return copyOf(value) as T;
}

function copyOf(value: unknown): unknown {
  if (typeof value === 'string') return withoutContacts(value);
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null || value instanceof Map || value instanceof Date)
    return value;
  const isContact = 'field' in value && typeof value.field === 'string' && CONTACTS.has(value.field);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]: [string, unknown]) => {
      if (KEYS.has(key)) return [key, one];
      const isHidden = CONTACTS.has(key) || (isContact && VALUES.has(key));
      return [key, isHidden ? hidden(one) : copyOf(one)];
    }),
  );
}

/** A field that was empty, or turns empty, stays so. */
const hidden = (value: unknown): unknown => (value === null || value === '' ? value : HIDDEN);
