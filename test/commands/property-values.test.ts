import { describe, expect, test } from 'vitest';
import { PropertyValues, wrongWith } from '../../src/commands/check/property-values.ts';
import type { DataSchema } from '../../src/domain/ports/service.ts';
import { learnSchemaIds, schemaKeys, type SchemaIds } from '../../src/plan/values/schema-keys.ts';
import type { Person } from '../../src/domain/records/records.ts';

const BADGE: DataSchema = {
  id: '11',
  names: ['Badge', 'Ausweis'],
  type: 'TEXT',
  options: [],
  min: null,
  max: 10,
};
const person = (id: string, properties: Readonly<Record<string, readonly string[]>>): Person => ({
  id,
  username: `l${id}`,
  active: true,
  fields: { name: id, properties },
  secrets: {},
  positions: [],
});
const LONG = 'x'.repeat(11);

test('values are compared with the schema that their key means, and the first person is named', () => {
  const values = new PropertyValues(
    ['Badge', '12'],
    [BADGE, { ...BADGE, id: '12', names: ['Desk'], max: 3 }],
    {},
  );
  for (const id of ['1', '2', '3'])
    values.add(person(id, { Badge: [id === '1' ? 'short' : LONG], '12': ['1234'] }));
  values.add({ ...person('4', { Badge: [LONG] }), active: false });
  expect(values.list()).toEqual([
    'properties "12": 3 values longer than 3, the first: l1 (1)',
    'properties "Badge": 2 values longer than 10, the first: l2 (2)',
  ]);
});

const waitsOf = (
  keys: readonly string[],
  schemas: readonly DataSchema[],
  known: SchemaIds,
): readonly string[] =>
  schemaKeys(keys, learnSchemaIds(known, keys, { schemas, isAll: false }), schemas).waiting.map(
    ({ why }) => why,
  );

test('a name that nothing shows is told with the nearest; one that a run remembers is known', () => {
  expect(waitsOf(['Bagde'], [BADGE], {})).toEqual([
    'properties "Bagde": no data schema that the service has shown is called so; did you mean "Badge"?',
  ]);
  expect(waitsOf(['Car park'], [BADGE], {})[0]).toMatch(/there are "Badge", "Ausweis"$/u);
  expect(waitsOf(['Pass'], [], { Pass: ['13'] })).toEqual([]);
  expect(waitsOf(['Badge', 'Ausweis'], [BADGE], {})).toHaveLength(2);
});

describe('what a schema takes', () => {
  test.each([
    ['12345', { max: 4 }, 'longer than 4'],
    ['🚀🚀', { max: 2 }, null],
    ['a', { min: 2 }, 'shorter than 2'],
    ['12', { type: 'INTEGER', max: 11 }, 'above 11'],
    ['-2', { type: 'NUMBER', min: 0 }, 'below 0'],
    ['11', { type: 'INTEGER', max: 11 }, null],
    ['eleven', { type: 'INTEGER' }, 'that are no number'],
    ['2026-01-01-far-too-long', { type: 'DATE', max: 1 }, null],
    ['red', { type: 'SELECT', options: ['blue', 'green'] }, 'that are no option (there are blue, green)'],
    ['blue', { type: 'SELECT', options: ['blue'], max: 1 }, null],
  ] as const)('%s with %j: %s', (value, schema, wrong) => {
    expect(wrongWith(value, { ...BADGE, max: null, ...schema })).toBe(wrong);
  });
});
