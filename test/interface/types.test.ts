import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  PERSON_FIELDS,
  POSITION_FIELDS,
  UNIT_FIELDS,
  type FieldKind,
  type FieldSpec,
} from '../../src/domain/records/fields.ts';
import { OPERATIONS } from '../../src/interface/operations.ts';
import type { Field, Fields } from '../../src/interface/terms/field.ts';
import type { PartsOf, RecordOf, ValueOf } from '../../src/interface/terms/value-of.ts';

type Bodies = typeof OPERATIONS;
type NewNode = RecordOf<Bodies['createOrganization']['body']['of']['fields']>;
type Positions = Bodies['importEmployees']['body']['of']['of']['fields']['positions'];

test('types of requests come from the rows', () => {
  expectTypeOf<NewNode['name']>().toEqualTypeOf<string>();
  expectTypeOf<NewNode['type']>().toEqualTypeOf<'DEPT' | 'CORP'>();
  expectTypeOf<NewNode['sort_order']>().toEqualTypeOf<number | undefined>();
  const positions: ValueOf<Positions> = [{ org_id: '9007199254740993', primary: true }];
  expect(positions).toHaveLength(1);
  expectTypeOf<PartsOf<Bodies['getEmployee']['path']>>().toEqualTypeOf<'code' | 'employeeId'>();
  // @ts-expect-error -- a node has no owner that could be sent
  const wrong: NewNode = { type: 'DEPT', name: 'x', owner: 'y' };
  expect(wrong).toHaveProperty('owner');
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
