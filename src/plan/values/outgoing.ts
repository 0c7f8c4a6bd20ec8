import {
  PERSON_FIELDS,
  UNIT_FIELDS,
  type Fields,
  type FieldSpec,
  type FieldValue,
} from '../../domain/records/fields.ts';
import type { SyncSettings } from '../../domain/settings.ts';

type Specs = Readonly<Record<string, FieldSpec>>;

/**
 * Returns how an absent value goes out; `undefined`: not at all. Numbers, dates, booleans and what takes certain values
 * only have no empty one.
 */
function absent(spec: FieldSpec | undefined, clear: SyncSettings['clear']): FieldValue | null | undefined {
  if (clear === 'omit' || spec === undefined || spec.values !== undefined) return undefined;
  if (clear === 'null') return null;
  if (spec.kind === 'text') return '';
  return spec.kind === 'integers' || spec.kind === 'properties' ? [] : undefined;
}

interface OutgoingOptions {
  readonly clear: SyncSettings['clear'];
  /** A new record has nothing to clear, and gets what goes out on creation only. */
  readonly creating: boolean;
}

function outgoing(fields: Fields, specs: Specs, { clear, creating }: OutgoingOptions): Fields {
  const result: Record<string, FieldValue | null> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!creating && specs[name]?.creationOnly === true) continue;
    const sent = value ?? (creating ? undefined : absent(specs[name], clear));
    if (sent !== undefined) result[name] = sent;
  }
  return result;
}

/** Fields of a person's import: all that are mapped, secrets included (contract, `sync.clear`). */
export function outgoingPerson(fields: Fields, options: OutgoingOptions & { readonly id: string }): Fields {
  const sent = outgoing(fields, PERSON_FIELDS, options);
  return options.creating && sent['extension_id'] === undefined
    ? { ...sent, extension_id: options.id }
    : sent;
}

/** "Modify node" takes `sort_order` as a String, which can be empty; an import takes an Integer. */
const MODIFIED_UNIT_FIELDS: Specs = { ...UNIT_FIELDS, sort_order: { kind: 'text' } };

/** Fields of a node's import or modification: all that are mapped, with the required type and serial number. */
export function outgoingUnit(
  fields: Fields,
  options: OutgoingOptions & { readonly serialNo: string },
): Fields {
  const sent = outgoing(fields, options.creating ? UNIT_FIELDS : MODIFIED_UNIT_FIELDS, options);
  const defaults = options.creating ? { type: 'DEPT', serial_no: options.serialNo } : {};
  return { ...defaults, ...sent };
}
