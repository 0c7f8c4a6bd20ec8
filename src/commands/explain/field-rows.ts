import { PERSON_FIELDS, type Fields, type FieldSpec, type FieldValue } from '../../domain/records/fields.ts';
import { sameValue } from '../../plan/values/compare.ts';
import type { Person, Unit } from '../../domain/records/records.ts';
import type { KnownRecord, Seen } from './known-record.ts';

/** One mapped field: its rule, and its value wherever it is known. */
export interface FieldRow {
  readonly field: string;
  readonly rule: string;
  /** Whether the field is secret; then its values are in none of the other keys. */
  readonly secret: boolean;
  /** Value as last sent; `null`: absent; no key: the ledger does not keep it. */
  readonly sent?: FieldValue | null;
  /** Value in the source now, where it was asked. */
  readonly source?: FieldValue | null;
  /** Value in the service, where the service shows it. */
  readonly service?: FieldValue | null;
  /**
   * How the service's value differs: `stored`: the service stored it so from the beginning; `edited`:
   * somebody else changed it.
   */
  readonly differs: 'no' | 'stored' | 'edited';
  /** Why it is not sent until something else is known. */
  readonly waits?: string;
}

export interface FieldInput {
  readonly record: KnownRecord;
  readonly rules: Readonly<Record<string, string>>;
  readonly seen: Seen | null;
  /** The record as mapped now. */
  readonly source: Unit | Person | null;
  readonly nameOf: (unit: string | null) => string;
  /** Ids of data schemas by the names that the configuration has for them. */
  readonly schemaIds?: ReadonlyMap<string, string>;
  /** Why properties by a name wait, by the name. */
  readonly waiting?: ReadonlyMap<string, string>;
}

type Values = Readonly<Record<string, FieldValue | null>>;

const SPECS: Readonly<Record<string, FieldSpec>> = PERSON_FIELDS;

function isSecret(field: string): boolean {
  return SPECS[field.split('.')[0] ?? field]?.secret === true;
}

/**
 * Returns all values by field name; `properties.ID` and `tag_names.GROUP` are fields of their own here, because they
 * have their own rules.
 */
function spread(fields: Fields): Values {
  return Object.assign({}, fields, ...['properties', 'tag_names'].map((name) => parts(name, fields[name])));
}

function parts(name: string, value: FieldValue | null | undefined): Values {
  if (value === undefined || value === null || typeof value !== 'object' || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [`${name}.${key}`, inner]));
}

function sentValues(
  { subject, id, label, sent, parent, state }: KnownRecord,
  nameOf: FieldInput['nameOf'],
): Values {
  if (sent === null) return {};
  const own = subject === 'unit' ? { parent: nameOf(parent) } : { username: label };
  const active: Values = subject === 'person' && state === 'managed' ? { active: true } : {};
  return { ...spread(sent), ...own, ...active, id };
}

function sourceValues(source: Unit | Person | null): Values {
  if (source === null) return {};
  const own =
    'username' in source ? { username: source.username, active: source.active } : { refs: source.refs };
  return { ...spread(source.fields), ...own, id: source.id };
}

/**
 * Returns a row for every mapped field, in the order of the rules. References and parents are left out: they
 * concern other records.
 */
export function fieldRows(input: FieldInput): readonly FieldRow[] {
  const { record, rules, seen, source, nameOf } = input;
  const sent = sentValues(record, nameOf);
  const now = sourceValues(source);
  const shown = seen === null ? {} : spread(seen.fields);
  const accepted = record.accepted === null ? null : spread(record.accepted.fields);
  return Object.entries(rules).map(([field, rule]) => {
    const secret = isSecret(field);
    if (secret) return { field, rule, secret, differs: 'no' };
    const key = keyOf(field, input);
    const waits = input.waiting?.get(nameOfProperty(field) ?? '');
    return {
      field,
      rule,
      secret,
      ...(key in sent && { sent: sent[key] ?? null }),
      ...(field in now && { source: now[field] ?? null }),
      ...(key in shown && { service: shown[key] ?? null }),
      differs: differenceOf(key, { sent, shown, accepted }),
      ...(waits === undefined ? {} : { waits }),
    };
  });
}

/** Returns the name under which a field was sent: of a property its id. */
function keyOf(field: string, { schemaIds }: FieldInput): string {
  const id = nameOfProperty(field);
  const known = id === undefined ? undefined : schemaIds?.get(id);
  return known === undefined ? field : `properties.${known}`;
}

const nameOfProperty = (field: string): string | undefined =>
  /^properties\.(?<name>.*)$/su.exec(field)?.groups?.['name'];

function differenceOf(
  field: string,
  {
    sent,
    shown,
    accepted,
  }: { readonly sent: Values; readonly shown: Values; readonly accepted: Values | null },
): FieldRow['differs'] {
  if (!(field in sent) || !(field in shown) || sameValue(sent[field], shown[field])) return 'no';
  return accepted === null || sameValue(accepted[field], shown[field]) ? 'stored' : 'edited';
}
