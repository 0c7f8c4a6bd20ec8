import { expect, test } from 'vitest';
import { beyondMapped, isMasked } from '../../src/plan/values/unmapped.ts';

const slot = (id: unknown, data: unknown): string => JSON.stringify({ data, schema: { id, name: 'Shirt' } });

test('elements of mapped schemas are told by their ids, and by nothing else', () => {
  const ids = new Set(['11']);
  const elements = [
    slot('11', 'a'),
    slot(11, 'a'),
    slot(12, '11'),
    '{"data_schema_id":"11","value":1}',
    '{"name":"11"}',
    '"11"',
  ];
  expect(beyondMapped(elements, ids)).toEqual([slot(12, '11'), '{"name":"11"}', '"11"']);
  expect(beyondMapped(elements, new Set())).toEqual(elements);
});

test.each([
  ['138****0000', true],
  ['a••@example.com', true],
  ['Projektleiter*in', false],
  ['* 1990', false],
  ['• Head of sales', false],
])('%s is masked: %s', (value, isIt) => {
  expect(isMasked(value)).toBe(isIt);
  expect(isMasked({ '11': [value] })).toBe(isIt);
});
