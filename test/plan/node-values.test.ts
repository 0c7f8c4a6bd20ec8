import { describe, expect, test } from 'vitest';
import type { Fields } from '../../src/domain/records/fields.ts';
import { madeByMoveOf, madeOf, NodeValues } from '../../src/plan/nodes/node-values.ts';
import { node, unitEntry } from './build.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const nodesWith = (...fields: readonly Fields[]) =>
  fields.map((some, index) => node(`o-${IDS[index]}`, { fields: some }));

/** What is lost with each node in turn; `made`: what those that we made showed then. */
function lost(shown: readonly Fields[], made: readonly (Fields | undefined)[] = []): readonly string[] {
  const nodes = nodesWith(...shown);
  const entries = made.map((one, index) =>
    unitEntry(IDS[index] ?? '', one === undefined ? {} : { made: one }),
  );
  const values = new NodeValues(nodes, entries);
  return nodes.map((one) => values.lostWith(one).join(' '));
}

const BOSS = { owner_id: '7' };

describe('what a node shows is', () => {
  test.each<readonly [string, Fields, string]>([
    [
      'typed in, each field on its own',
      { en_name: 'Sales', tw_name: 'S', owner_id: '7' },
      'en_name tw_name owner_id',
    ],
    ['nothing where it is empty', { en_name: '', tw_name: null, owner_id: ' ' }, ''],
    ['nothing where it is the name', { en_name: 'a', tw_name: 'a' }, ''],
    ['typed in where an owner is called like the name', { owner_id: 'a' }, 'owner_id'],
    ['none of our business otherwise', { sn: '1', logo: 'l' }, ''],
  ])('%s', (_, fields, names) => {
    expect(lost([fields])).toEqual([names]);
  });

  test('the service’s own where it showed it when we had made it, and typed in where it shows another now', () => {
    const made = { en_name: 'generated', owner_id: '' };
    expect(lost([{ en_name: 'generated' }, { en_name: 'Sales', ...BOSS }], [made, made])).toEqual([
      '',
      'en_name owner_id',
    ]);
  });

  test.each<readonly [string, readonly Fields[], readonly string[]]>([
    ['more than half', [BOSS, BOSS, BOSS, {}, { owner_id: '8' }], ['', '', '', '', 'owner_id']],
    ['half', [BOSS, BOSS, {}, {}], ['owner_id', 'owner_id', '', '']],
    ['two of two', [BOSS, BOSS], ['owner_id', 'owner_id']],
  ])('the service’s own where most show it, from three on: %s', (_, shown, names) => {
    expect(lost(shown)).toEqual(names);
  });

  test('typed in on most, where those that we made did not show it then', () => {
    const all = [BOSS, BOSS, BOSS, BOSS];
    expect(lost(all, [{}, {}, {}, {}])).toEqual(all.map(() => 'owner_id'));
  });

  test('what a new node will show, where those that we made showed it', () => {
    const own = { owner_id: '1' };
    expect(lost([own, own, own, own, BOSS], [own, own, own])).toEqual(['', '', '', '', 'owner_id']);
  });
});

test('a logo goes along, unless it is the service’s own', () => {
  const [own, theirs] = nodesWith({ logo: 'default' }, { logo: 'chosen' });
  const values = new NodeValues(
    [own, theirs].filter((one) => one !== undefined),
    [unitEntry('a', { made: { logo: 'default' } }), unitEntry('b', { made: {} })],
  );
  expect([own, theirs].map((one) => (one === undefined ? null : values.along(one)))).toEqual([
    {},
    { logo: 'chosen' },
  ]);
});

test('a logo that was sent along is not taken for the service’s own', () => {
  const [moved] = nodesWith({ logo: 'chosen', en_name: 'E', sn: '1' });
  expect(moved === undefined ? [] : [madeOf(moved), madeByMoveOf(moved)]).toEqual([
    { logo: 'chosen', en_name: 'E' },
    { en_name: 'E' },
  ]);
});
