import { expect, test } from 'vitest';

import type { UnitEntry } from '../../src/domain/ports/ledger/entries.ts';
import type { Organization } from '../../src/domain/ports/service.ts';
import type { RecordState } from '../../src/domain/records/next.ts';
import type { Fields } from '../../src/domain/records/fields.ts';
import type { Unit } from '../../src/domain/records/records.ts';
import { decideUnits, type UnitsDecision, type UnitsInput } from '../../src/plan/units/decide-units.ts';
import { buildTree, unitName } from '../../src/plan/units/tree.ts';
import { node, SYNC, treeOf, unit, unitEntry } from './build.ts';
import { tellChange, tellFields, tellReason, told } from './tell.ts';

interface World extends Partial<Omit<UnitsInput, 'tree' | 'sync' | 'organizations'>> {
  readonly units?: readonly Unit[] | UnitsInput['tree'];
  readonly sync?: Partial<UnitsInput['sync']>;
  /** Without it, each entry has its node below that of its parent. */
  readonly nodes?: readonly Organization[];
}

const nodeOf = ({ id, sent }: UnitEntry): Organization =>
  node(`o-${id}`, {
    parentId: sent.parent === null ? 'root' : `o-${sent.parent}`,
    name: unitName(sent),
    serialNo: id,
    fields: sent.fields,
  });

function decide({
  units = [],
  entries = [],
  nodes = entries.map(nodeOf),
  sync,
  ...more
}: World): UnitsDecision {
  return decideUnits({
    tree: 'nodes' in units ? units : treeOf(units),
    entries,
    organizations: nodes,
    rootOrgId: 'root',
    sync: { ...SYNC, ...sync },
    ...more,
  });
}

/** All of a decision but what goes to which node for whom, line by line. */
function tell({ changes, blocked, drift, forgotten, renamed }: UnitsDecision): string {
  const maps = [
    ...Array.from(blocked, ([id, reason]) => `${id} waits: ${tellReason(reason)}`),
    ...Array.from(drift, ([id, fields]) => `${id} drifts: ${tellFields(fields).join(', ')}`),
    ...Array.from(
      forgotten,
      ([id, reason]) => `${id} forgotten${reason === null ? '' : `: ${tellReason(reason)}`}`,
    ),
    ...Array.from(renamed, ([id, by]) => `${id} gives its node to ${by}`),
  ];
  const lines = changes.map((change) => {
    const { id, orgId, serialNo, payload } = change;
    const below = payload.parent === null ? '' : ` below ${payload.parent}`;
    return `${id}, number ${serialNo}, node ${orgId ?? '-'}${below}: ${tellChange(change)}`;
  });
  return [...lines, ...maps].join('\n    ') || 'nothing';
}

const named = (id: string, parent: string | null, name: string, more: Fields = {}): Unit =>
  unit(id, parent, { name, ...more });
/** A managed unit. */
const managed = (id: string, parent: string | null = null, name = id, more: Fields = {}): UnitEntry =>
  unitEntry(id, { sent: { fields: { name, ...more }, parent }, accepted: { name } });

const entries = [managed('a'), managed('b'), managed('c', 'b'), managed('d', 'c')];
const chain = [managed('a'), managed('b', 'a'), managed('c', 'b')];
const nested = [unit('a'), unit('b', 'a'), unit('c', 'b'), unit('d', 'c')];
const half = [managed('a'), managed('b', 'a'), managed('c', 'b')];
const anew = [managed('a'), managed('b'), managed('c', 'b')];
const logo = `md5:${'0'.repeat(32)}`;
const logoNode = [{ ...nodeOf(managed('a')), id: 'n-a', fields: { name: 'a', logo: '17' } }];
const twins = [named('1', null, 'Same'), named('2', null, 'Same')];
const theirs = node('t', { name: 'X', serialNo: null });
const others = node('t', { name: 'X', serialNo: 'theirs' });
const toX = { units: [unit('a'), named('b', null, 'X')], entries: [managed('a'), managed('b', 'a', 'X')] };
const X = { serial_no: 'a' };
const [ofX, withP] = [managed('a', null, 'X', X), managed('p')];
const newX = named('n', null, 'X', { serial_no: 'n' });
const editedNode = node('o-a', { fields: { name: 'theirs' } });
const refusal = { subject: 'unit', id: null, place: 'row 3', field: 'id', reason: 'is empty' } as const;
const refusing = (label: string | null) =>
  buildTree({ units: [unit('x')], refusals: [{ ...refusal, label }], root: null });

const WORLDS: Readonly<Record<string, World>> = {
  'new units, parents first': { units: [unit('a', 'b'), unit('b'), unit('c', 'a')] },
  'new, with a mapped serial number': {
    units: [named('a', null, 'A', { serial_no: 'S1' }), named('b', null, 'B', { serial_no: null })],
  },
  'new, and a node has the number: what differs, and what is not shown': {
    units: [named('a', null, 'New', { tel: '1', type: 'DEPT' })],
    nodes: [
      node('o1', { name: 'Old', serialNo: 'a', fields: { name: 'Old', type: 'DEPT', serial_no: 'a' } }),
    ],
  },
  'new, below a parent that is adopted in the same plan': {
    units: [unit('a'), unit('b', 'a')],
    nodes: [
      node('o1', { name: 'a', serialNo: null }),
      node('o2', { name: 'b', serialNo: null, parentId: 'o1' }),
    ],
  },
  'new, and the node of the name has another number': {
    units: [unit('a'), unit('b', 'a'), unit('c', 'b')],
    nodes: [node('o1', { name: 'a', serialNo: 'theirs' })],
  },
  'new, and two nodes have the name': {
    units: [unit('a')],
    nodes: ['o1', 'o2'].map((id) => node(id, { name: 'a', serialNo: null })),
  },
  'new, and the node with the number stands elsewhere': {
    units: [unit('a')],
    nodes: [
      node('elsewhere', { name: 'Theirs', serialNo: null }),
      node('o1', { serialNo: 'a', parentId: 'elsewhere' }),
    ],
  },
  'new, two siblings of one name': { units: twins },
  'new, two siblings of one name in the other order': { units: twins.toReversed() },
  'new, with the name of the root, and of a unit elsewhere': {
    units: [unit('h'), named('1', 'h', 'Acme'), named('2', '1', 'Acme')],
    nodes: [node('root', { name: 'Acme', parentId: null, serialNo: null })],
  },
  'the number of another unit, which is managed': {
    units: [unit('a'), named('b', null, 'b', X)],
    entries: [managed('a')],
  },
  'the number of another new unit': { units: [unit('a'), named('b', null, 'b', X)] },
  renamed: { units: [named('a', null, 'A2')], entries: [managed('a')] },
  'moved and renamed': { units: [unit('b'), named('a', 'b', 'A2')], entries: [managed('a'), managed('b')] },
  'edited by others': { units: [unit('a')], entries: [managed('a')], nodes: [editedNode] },
  'edited by others, drift report': {
    units: [unit('a')],
    entries: [managed('a')],
    nodes: [editedNode],
    sync: { drift: 'report' },
  },
  'changed, and edited by others: written whole': {
    units: [named('a', null, 'A2', { logo: 'md5:1' })],
    entries: [
      unitEntry('a', {
        sent: { fields: { name: 'a', logo: 'md5:1' }, parent: null },
        accepted: { name: 'a', logo: '17' },
      }),
    ],
    nodes: [node('o-a', { fields: { name: 'a', logo: 'theirs' } })],
  },
  'records that became bad': {
    units: [unit('a', 'nowhere'), unit('b', 'a'), unit('c', 'c2'), unit('c2', 'c')],
    entries: ['a', 'b', 'c'].map((id) => managed(id)),
  },
  'missing: removed, children first, after everything else': { units: [unit('n')], entries: chain },
  'missing, in another order': { units: [unit('n')], entries: chain.toReversed() },
  'missing, and kept': { entries: chain, sync: { unitsGone: 'keep' } },
  'missing, and a unit without id and label': { units: refusing(null), entries: chain },
  'missing, and one that is called so has no id': { units: refusing(' A '), entries: chain },
  'missing, and another one has no id': { units: refusing('somebody else'), entries: chain },
  'gone, and another missing unit has its name: its node is taken over': {
    units: [named('a', null, 'B')],
    entries: [unitEntry('a'), managed('b', null, 'B')],
    nodes: [node('o-b', { name: 'B', serialNo: 'b' })],
  },
  'moved, with what is below': { units: nested, entries },
  'moved, and one below moves elsewhere': {
    units: [unit('a'), unit('b', 'a'), unit('c'), unit('d', 'b')],
    entries,
  },
  'moved half by an interrupted run': {
    units: nested.slice(0, 3),
    entries: half,
    nodes: [
      node('old', { name: 'b', serialNo: 'b~old' }),
      ...half.map(nodeOf).map((one) => (one.id === 'o-c' ? { ...one, parentId: 'old' } : one)),
    ],
  },
  'below a parent whose node is another’s by now': {
    units: nested.slice(0, 2),
    entries: [managed('a'), managed('b', 'a')],
    nodes: [
      node('o-a', { name: 'Theirs', serialNo: 'theirs', fields: { name: 'Theirs' } }),
      nodeOf(managed('b', 'a')),
    ],
  },
  'nodes that were made anew elsewhere': {
    units: [unit('a'), unit('b'), unit('c', 'b')],
    entries: anew,
    nodes: anew.map((one) => ({
      ...nodeOf(one),
      id: `n-${one.id}`,
      parentId: one.id === 'a' ? 'root' : 'n-a',
    })),
  },
  'another node now, with a logo that was chosen there': {
    units: [named('a', null, 'a', { logo })],
    entries: [managed('a')],
    nodes: logoNode,
  },
  'new, with a logo that was chosen there': { units: [named('a', null, 'a', { logo })], nodes: logoNode },
  'moved to where the node already is': {
    units: nested,
    entries,
    nodes: entries.map(nodeOf).map((one) => (one.id === 'o-b' ? { ...one, parentId: 'o-a' } : one)),
  },
  'moved, and protected': { units: nested, entries, sync: { protect: { usernames: [], units: ['b'] } } },
  'moved, interrupted before the new node, and back in the source': {
    units: [unit('a')],
    entries: [managed('a')],
    nodes: [{ ...nodeOf(managed('a')), serialNo: 'a~o-a' }],
  },
  'the name of one that is renamed': { units: [named('a', null, 'Y', X), newX], entries: [ofX] },
  'the name of one that is moved': {
    units: [unit('p'), named('a', 'p', 'X', X), newX],
    entries: [ofX, withP],
  },
  'the name of one that is removed': { units: [unit('p'), newX], entries: [ofX, withP] },
  'the name of one that stays': {
    units: [named('a', null, 'X'), named('n', null, 'X')],
    entries: [managed('a', null, 'X')],
  },
  'the name of one that is kept': { units: [newX], entries: [ofX], sync: { unitsGone: 'keep' } },
  'moved onto the name of a node of others': { ...toX, nodes: [...toX.entries.map(nodeOf), theirs] },
  'moved onto that of a node with a number of others': {
    ...toX,
    nodes: [...toX.entries.map(nodeOf), others],
  },
  'the name of a node that its unit has left': {
    units: [named('n', null, 'X')],
    nodes: [{ ...others, serialNo: 'n~t' }],
  },
  'missing, and one that cannot be placed has nearly its id': {
    units: [unit('a'), unit('5.0', 'gone')],
    entries: [managed('a'), managed('5'), managed('6')],
  },
  'the name that a managed unit gets': {
    units: [named('b', null, 'X'), named('a', null, 'X')],
    entries: [managed('b', null, 'Y')],
  },
};

test('units of all worlds', async () => {
  const lines = Object.entries(WORLDS).map(([what, world]) => [what, tell(decide(world))] as const);
  await expect(told(lines)).toMatchFileSnapshot('units.txt');
});

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
const STATES: readonly (RecordState | 'unknown')[] = ['unknown', 'creating', 'managed', 'removed'];

test('every case of a unit', async () => {
  const cells = [[unit('a')], []].flatMap((units) =>
    Object.entries(SHOWN).flatMap(([shown, nodes]) =>
      STATES.map((state) => {
        const orgId = state === 'creating' ? null : 'o-a';
        const known = state === 'unknown' ? [] : [unitEntry('a', { state, orgId })];
        const what = `${units.length === 0 ? 'missing' : 'in the source'}, ${state}, shown: ${shown}`;
        return [what, tell(decide({ units, entries: known, nodes }))] as const;
      }),
    ),
  );
  await expect(told(cells)).toMatchFileSnapshot('unit-cells.txt');
});

test('a chain of 5,000 missing units is ordered in a moment', () => {
  const long = Array.from({ length: 5_000 }, (_, n) => managed(`u${n}`, n === 0 ? null : `u${n - 1}`));
  expect(decide({ entries: long }).changes.map(({ id }) => id)).toEqual(
    long.map(({ id }) => id).toReversed(),
  );
});
