import { expect, test } from 'vitest';
import type { RecordState } from '../../src/domain/records/next.ts';
import type { Organization } from '../../src/domain/ports/service.ts';
import { decideUnits } from '../../src/plan/units/decide-units.ts';
import { node, SYNC, treeOf, unit, unitEntry } from './build.ts';

/** What the service shows of unit `a`, whose node is `o-a` in the ledger. */
const SHOWN: Readonly<Record<string, readonly Organization[]>> = {
  'its own node': [node('o-a')],
  'another node with its number': [node('n', { name: 'Other', serialNo: 'a' })],
  'a node of its name, of nobody': [node('n', { name: 'a', serialNo: null })],
  'only the node that it was leaving': [node('o-a', { serialNo: 'a~o-a' })],
  'that and its new one': [node('o-a', { serialNo: 'a~o-a' }), node('n', { name: 'a', serialNo: 'a' })],
  'its node, which is another’s': [node('o-a', { name: 'Theirs', serialNo: 'X' })],
  'that and another with its number': [
    node('o-a', { name: 'Theirs', serialNo: 'X' }),
    node('n', { name: 'a', serialNo: 'a' }),
  ],
  'two nodes with its number': [node('n', { serialNo: 'a' }), node('m', { serialNo: 'a' })],
  nothing: [],
};

type Cell = readonly [shown: string, unknown: string, creating: string, managed: string, removed: string];

/** Kind and guard of what happens, `waits`, or `forgotten`. */
const WANTED: readonly Cell[] = [
  ['its own node', 'adopt', 'adopt', '', 'adopt'],
  ['another node with its number', 'adopt adopted', 'adopt', 'adopt adopted', 'adopt adopted'],
  ['a node of its name, of nobody', 'adopt', 'adopt', 'adopt', 'adopt'],
  ['only the node that it was leaving', 'create', 'create', 'move', 'create'],
  ['that and its new one', 'adopt', 'adopt', 'adopt', 'adopt'],
  ['its node, which is another’s', 'create', 'create', 'create adopted asked', 'create'],
  ['that and another with its number', 'adopt', 'adopt', 'adopt adopted asked', 'adopt'],
  ['two nodes with its number', 'waits', 'waits', 'waits', 'waits'],
  ['nothing', 'create', 'create', 'create gone', 'create'],
];

const ABSENT: readonly Cell[] = [
  ['its own node', '', 'remove unitsRemoved', 'remove unitsRemoved', 'remove unitsRemoved'],
  ['another node with its number', '', 'remove unitsRemoved', 'remove unitsRemoved', ''],
  ['a node of its name, of nobody', '', 'forgotten', 'forgotten', ''],
  ['only the node that it was leaving', '', 'forgotten', 'forgotten', ''],
  ['that and its new one', '', 'remove unitsRemoved', 'remove unitsRemoved', ''],
  ['its node, which is another’s', '', 'forgotten', 'forgotten, named', ''],
  ['that and another with its number', '', 'remove unitsRemoved', 'remove unitsRemoved', ''],
  ['two nodes with its number', '', 'forgotten', 'forgotten', ''],
  ['nothing', '', 'forgotten', 'forgotten', ''],
];

const STATES: readonly (RecordState | 'unknown')[] = ['unknown', 'creating', 'managed', 'removed'];

const cellsOf = (table: readonly Cell[]) =>
  table.flatMap(([shown, ...outcomes]) =>
    STATES.map((known, index) => ({ known, shown, outcome: outcomes[index] ?? '' })),
  );

function outcomeOf(known: RecordState | 'unknown', shown: string, isWanted: boolean): string {
  const { changes, blocked, forgotten } = decideUnits({
    tree: treeOf(isWanted ? [unit('a')] : []),
    entries:
      known === 'unknown'
        ? []
        : [unitEntry('a', { state: known, orgId: known === 'creating' ? null : 'o-a' })],
    organizations: SHOWN[shown] ?? [],
    rootOrgId: 'root',
    sync: SYNC,
  });
  const done = changes.map(({ kind, guard, isOthers }) =>
    [kind, guard ?? '', isOthers === true ? 'asked' : ''].join(' ').trim(),
  );
  const gone = [...forgotten.values()].map((reason) => (reason === null ? 'forgotten' : 'forgotten, named'));
  return [...done, ...gone, ...(blocked.size > 0 ? ['waits'] : [])].join(', ');
}

test.each(cellsOf(WANTED))('a unit of the source, $known, of which is shown $shown: $outcome', (cell) => {
  expect(outcomeOf(cell.known, cell.shown, true)).toBe(cell.outcome);
});

test.each(cellsOf(ABSENT))('a missing unit, $known, of which is shown $shown: $outcome', (cell) => {
  expect(outcomeOf(cell.known, cell.shown, false)).toBe(cell.outcome);
});

test('a unit whose node is gone takes over that of a missing unit, which is then not removed', () => {
  const decision = decideUnits({
    tree: treeOf([unit('a', null, { name: 'B' })]),
    entries: [unitEntry('a'), unitEntry('b', { sent: { fields: { name: 'B' }, parent: null } })],
    organizations: [node('o-b', { name: 'B', serialNo: 'b' })],
    rootOrgId: 'root',
    sync: SYNC,
  });
  expect(decision.changes.map(({ kind, id, orgId }) => [kind, id, orgId])).toEqual([['adopt', 'a', 'o-b']]);
  expect([...decision.renamed]).toEqual([['b', 'a']]);
});
