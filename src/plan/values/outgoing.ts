import {
  PERSON_FIELDS,
  UNIT_FIELDS,
  type FieldKind,
  type Fields,
  type FieldSpec,
  type FieldValue,
} from '../../domain/records/fields.ts';
import type { SyncSettings } from '../../domain/settings.ts';

type Specs = Readonly<Record<string, FieldSpec>>;

const EMPTY: Readonly<Partial<Record<FieldKind, FieldValue>>> = {
  text: '',
  textMap: {},
  integers: [],
  properties: [],
  tagNames: [],
};

interface Absent extends Pick<SyncSettings, 'clear'> {
  /** Whether the field has had a value until now. */
  readonly isEmptied: boolean;
}

/**
 * Returns how an absent value goes out; `undefined`: not at all. A number, a date or a boolean has no empty value: `null`
 * empties it. A field with a fixed set of values is never emptied.
 */
function absent(spec: FieldSpec | undefined, { clear, isEmptied }: Absent): FieldValue | null | undefined {
  if (clear === 'omit' || spec === undefined || spec.values !== undefined) return undefined;
  if (clear === 'null') return null;
  return EMPTY[spec.kind] ?? (isEmptied ? null : undefined);
}

interface OutgoingOptions {
  readonly clear: SyncSettings['clear'];
  /** A new record has nothing to clear, and gets the fields that go out on creation only. */
  readonly creating: boolean;
  /** The fields that change. */
  readonly changed?: ReadonlySet<string>;
}

function outgoing(fields: Fields, specs: Specs, { clear, creating, changed }: OutgoingOptions): Fields {
  const result: Record<string, FieldValue | null> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!creating && specs[name]?.creationOnly === true) continue;
    const isEmptied = changed?.has(name) === true;
    const sent = value ?? (creating ? undefined : absent(specs[name], { clear, isEmptied }));
    if (sent !== undefined) result[name] = sent;
  }
  return result;
}

/** Returns the fields of a person's import: all that are mapped, secrets included (contract, `sync.clear`). */
export function outgoingPerson(fields: Fields, options: OutgoingOptions & { readonly id: string }): Fields {
  const sent = outgoing(fields, PERSON_FIELDS, options);
  return options.creating && sent['extension_id'] === undefined
    ? { extension_id: options.id, ...sent }
    : sent;
}

/** "Modify node" takes `sort_order` as a String, which can be empty; an import takes an Integer. */
const MODIFIED_UNIT_FIELDS: Specs = {
  ...UNIT_FIELDS,
  sort_order: { ...UNIT_FIELDS.sort_order, kind: 'text' },
};

/**
 * Returns the fields of a node's import or modification: all that are mapped. An import also has the required type and
 * serial number.
 */
export function outgoingUnit(
  fields: Fields,
  options: OutgoingOptions & { readonly serialNo: string },
): Fields {
  const sent = outgoing(fields, options.creating ? UNIT_FIELDS : MODIFIED_UNIT_FIELDS, options);
  const defaults = options.creating ? { type: 'DEPT', serial_no: options.serialNo } : {};
  return { ...defaults, ...sent };
}
