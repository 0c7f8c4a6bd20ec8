import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  PERSON_FIELDS,
  POSITION_FIELDS,
  UNIT_FIELDS,
  type FieldKind,
  type FieldSpec,
} from '../../src/domain/records/fields.ts';
import { OPERATIONS } from '../../src/interface/operations/operations.ts';
import type { Field, Fields } from '../../src/interface/field.ts';
import type { PartsOf } from '../../src/interface/operation.ts';

type Rows = typeof OPERATIONS;

test('parts of a path come from the rows', () => {
  expectTypeOf<PartsOf<Rows['getEmployee']['path']>>().toEqualTypeOf<'code' | 'employeeId'>();
});

const IMPORTED: Fields = OPERATIONS.importEmployees.body.of.of.fields;
const POSITION: Fields = OPERATIONS.importEmployees.body.of.of.fields.positions.of.fields;

/** Kinds of the rows that a mapped kind can be sent as. */
const SENT_AS: Readonly<Record<FieldKind, readonly Field['kind'][]>> = {
  text: ['text'],
  boolean: ['flag'],
  textMap: ['map'],
  integer: ['integer', 'id'],
  date: ['time'],
  integers: ['list'],
  properties: ['list'],
  tagNames: ['list'],
};

describe('what can be mapped is in the rows, and of their kind', () => {
  test.each([
    ['people', PERSON_FIELDS, IMPORTED],
    ['positions', POSITION_FIELDS, POSITION],
    ['units', UNIT_FIELDS, OPERATIONS.createOrganization.body.of.fields],
  ] as const)('%s', (_, mapped: Readonly<Record<string, FieldSpec>>, rows: Fields) => {
    const wrong = Object.entries(mapped).filter(
      ([name, { kind }]) => !SENT_AS[kind].includes(rows[name]?.kind ?? 'json'),
    );
    expect(wrong).toEqual([]);
  });
});
