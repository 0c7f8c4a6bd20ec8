import { describe, expect, test } from 'vitest';
import {
  LISTED_FIELDS,
  LISTED_POSITION_FIELDS,
  PERSON_FIELDS,
  POSITION_FIELDS,
  UNIT_FIELDS,
  type FieldKind,
  type FieldSpec,
} from '../../src/domain/records/fields.ts';
import type { Operation } from '../../src/interface/operation.ts';
import { NODE } from '../../src/interface/operations/directory-records.ts';
import { OPERATIONS } from '../../src/interface/operations/operations.ts';
import { tableOf, withTables } from './page.ts';
import { code, KINDS, takes, type Schema } from './schema-rows.ts';

const TYPES: Readonly<Record<FieldKind, string>> = {
  text: 'text',
  integer: 'integer',
  date: 'date',
  boolean: 'true or false',
  integers: 'list of integers',
  textMap: 'KEY: text',
  properties: 'ID: list of text',
  tagNames: 'GROUP: list of text',
};

/** A rule for what is mapped and is no field of the interface. */
const RULES = {
  unit: { id: 'entryUUID', refs: '[dn]', parent: 'parentDn' },
  person: {
    id: 'entryUUID',
    username: 'uid',
    active: `{ expr: "employeeType != 'left'" }`,
    positions: '[{ unit: parentDn, job_title: title }]',
  },
  position: { unit: 'parentDn' },
} as const;

const ldap = KINDS[0]?.properties ?? {};
const fieldsOf = (part: string): Schema => ldap[part]?.properties?.['fields'] ?? {};
const UNIT = fieldsOf('units');
const PERSON = fieldsOf('people');
const POSITION = PERSON.properties?.['positions']?.items ?? {};

interface Part {
  readonly schema: Schema;
  readonly specs: Readonly<Record<string, FieldSpec>>;
  readonly rules: Readonly<Record<string, string>>;
  /** Fields that the service shows. */
  readonly shown: readonly string[];
}

const PARTS: Readonly<Record<string, Part>> = {
  unit: {
    schema: UNIT,
    specs: UNIT_FIELDS,
    rules: RULES.unit,
    shown: Object.keys(NODE.fields),
  },
  person: { schema: PERSON, specs: PERSON_FIELDS, rules: RULES.person, shown: LISTED_FIELDS },
  position: {
    schema: POSITION,
    specs: POSITION_FIELDS,
    rules: RULES.position,
    shown: LISTED_POSITION_FIELDS,
  },
};

/** Types of what is mapped and is no field of the interface's body. */
const OTHERS: Readonly<Record<string, string>> = {
  id: 'text',
  refs: 'list of rules',
  parent: 'text',
  username: 'text',
  active: 'true or false',
  positions: 'list of positions',
  unit: 'text',
};
const REQUIRED: ReadonlySet<string> = new Set(['id', 'name', 'username', 'unit']);

function notesOf(field: string, spec: FieldSpec | undefined): string {
  const notes = [REQUIRED.has(field) ? 'required' : '', (spec?.values ?? []).map(code).join(' or ')];
  if (spec?.secret === true) notes.push('secret');
  if (spec?.creationOnly === true) notes.push('only at creation');
  return notes.filter(Boolean).join(', ');
}

function rowsOf({ schema, specs, rules, shown }: Part): readonly (readonly string[])[] {
  const fields = Object.entries(schema.properties ?? {});
  const own = fields.filter(([field]) => !(field in specs));
  return [...own, ...fields.filter(([field]) => field in specs)].map(([field, { description = '' }]) => {
    const spec = specs[field];
    const type = spec === undefined ? (OTHERS[field] ?? '?') : TYPES[spec.kind];
    const notes = [type === 'text' ? '' : type, notesOf(field, spec)];
    if (spec !== undefined && shown.includes(field)) notes.push('shown');
    const example = code(spec?.example ?? rules[field] ?? '?');
    return [code(field), description, example, notes.filter(Boolean).join(', ')];
  });
}

const bodyOf = ({ body }: Operation): Readonly<Record<string, unknown>> =>
  body.kind === 'json' && body.of.kind === 'record' ? body.of.fields : {};

describe('docs/fields.md', () => {
  test('has every field that can be mapped', async () => {
    const tables = Object.entries(PARTS).map(([name, part]) => [
      `fields of a ${name}`,
      tableOf(['field', 'meaning', 'example', 'notes'], rowsOf(part)),
    ]);
    const { is, made } = await withTables('docs/fields.md', Object.fromEntries(tables));
    expect(is, 'run `npm run readme`').toBe(made);
    expect(made).not.toContain('`?`');
  });

  test('has rules that the schema takes', () => {
    const wrong = Object.values(PARTS).flatMap(({ schema, specs, rules }) => {
      const examples = Object.entries(specs).map(([field, { example }]) => [field, example] as const);
      return [...Object.entries(rules), ...examples].filter(
        ([field, rule]) => !takes(schema.properties?.[field] ?? {}, rule),
      );
    });
    expect(wrong).toEqual([]);
  });

  test('has fields that the interface takes when a record is created', () => {
    const person = bodyOf(OPERATIONS.createEmployee);
    const unit = bodyOf(OPERATIONS.createOrganization);
    expect(Object.keys(PERSON_FIELDS).filter((field) => !(field in person))).toEqual([]);
    expect(Object.keys(UNIT_FIELDS).filter((field) => !(field in unit))).toEqual([]);
  });
});
