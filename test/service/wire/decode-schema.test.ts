import { expect, test } from 'vitest';
import { SeenSchemas } from '../../../src/service/resources/gathered-employees.ts';
import { decodeSchema, schemasIn } from '../../../src/service/wire/decode-employee.ts';

const SHOWN = {
  id: '9007199254740993',
  property: 'badge',
  name: ' Badge ',
  alias: 'Badge',
  en_alias: '',
  tw_alias: null,
  type: 'TEXT',
  options: ['a', { value: 'b', label: 'B' }, null],
  min: -1,
  max: '10',
};

test('a schema has all its names once, and limits that are set', () => {
  expect(decodeSchema(SHOWN)).toEqual({
    id: '9007199254740993',
    names: ['badge', 'Badge'],
    type: 'TEXT',
    options: ['a', 'b', 'B'],
    min: null,
    max: 10,
  });
  expect(decodeSchema({ name: 'x' })).toBe(null);
  expect(decodeSchema({ id: 7, max: null, options: 'a' })).toMatchObject({ id: '7', names: [], max: null });
  expect(schemasIn({ data_schemas: [1, null, { id: 2 }] })).toEqual([{ id: 2 }]);
});

test('schemas are gathered by id, and what a later record shows counts', () => {
  const seen = new SeenSchemas();
  seen.see([{ id: '1', alias: 'old' }, { alias: 'without id' }]);
  seen.see([{ id: '1', alias: 'new' }]);
  seen.see([{ id: '1', alias: 'new' }]);
  expect(seen.list()).toMatchObject([{ id: '1', names: ['new'] }]);
});
