import { expect, test } from 'vitest';
import type { Fields } from '../../src/domain/records/fields.ts';
import { lostWith, sentAlong } from '../../src/plan/nodes/node-values.ts';
import { node } from './build.ts';

test.each<readonly [string, Fields, readonly string[]]>([
  [
    'each field on its own',
    { en_name: 'Sales', tw_name: 'S', owner_id: '7' },
    ['en_name', 'tw_name', 'owner_id'],
  ],
  ['nothing that is empty', { en_name: '', tw_name: null, owner_id: ' ' }, []],
  ['no name that equals its own', { en_name: 'a', tw_name: 'a' }, []],
  ['an owner who is called like it', { owner_id: 'a' }, ['owner_id']],
  ['nothing that a new node takes', { sn: '1', logo: 'l' }, []],
])('a node that gives way to a new one loses %s', (_, fields, lost) => {
  expect(lostWith(node('o-a', { fields }))).toEqual(lost);
});

test('its logo goes along', () => {
  const shown = { logo: 'chosen', en_name: 'E', sn: '1' };
  expect([sentAlong({ fields: shown }), sentAlong({ fields: { logo: '' } })]).toEqual([
    { logo: 'chosen' },
    {},
  ]);
});
