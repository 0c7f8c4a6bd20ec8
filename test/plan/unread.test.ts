import { describe, expect, test } from 'vitest';
import { beyondMapped, fateOf } from '../../src/plan/values/unread.ts';

const slot = (id: unknown, data: unknown): string => JSON.stringify({ data, schema: { id, name: 'Shirt' } });

describe('what became of a value that cannot be read', () => {
  test.each([
    ['kept', [slot(1, 'XL')], [slot(1, 'XL')]],
    ['kept', ['"VIP"', '"VIP"'], ['"VIP"', '"VIP"']],
    ['lost', [slot(1, 'XL')], []],
    ['lost', [slot(1, 'XL')], [slot(1, null)]],
    ['lost', [slot(1, ['XL', 'L'])], [slot(1, ['XL'])]],
    ['lost', ['"VIP"', '"VIP"'], ['"VIP"']],
    ['other', [slot(1, 'XL')], [slot(1, 'L')]],
    ['other', [slot(1, 'XL')], [slot(2, 'XL')]],
    ['kept', ['7', 'true', 'null', '{}'], ['7', 'true', '[]']],
  ])('%s: %j → %j', (fate, before, now) => {
    expect(fateOf(before, now)).toBe(fate);
  });
});

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
