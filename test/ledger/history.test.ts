import { expect, test } from 'vitest';
import type { HistoryEntry, HistoryRecord } from '../../src/domain/ports/history.ts';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import type { Settlement } from '../../src/domain/ports/ledger/journal.ts';
import { ledgerFile, openScene } from './ledger-file.ts';
import { employee, itemsOf, personChange, readBack, Scene, staged } from './records.ts';

const PEOPLE = Array.from({ length: 60 }, (_, index) => `p${index + 10}`);

const recordOf = (id: string, kind: HistoryRecord['kind'] = 'create'): HistoryRecord => ({
  kind,
  label: `U${id}`,
  fields: [
    { field: 'name', from: null, to: `Name ${id}` },
    { field: 'tel', from: '1', to: null },
  ],
  ...(id === 'p11' && { places: { before: [], after: [{ unit: 'u', fields: {} }] } }),
  why: { code: 'new' },
  guard: 'joiners',
  approval: { hash: 'abc', by: 'Ann' },
});

/** One call for these people; what becomes of each of them. */
function imports(
  ledger: Ledger,
  ids: readonly string[],
  settlementOf = (id: string): Settlement => ({ is: 'imported', id, change: personChange(id) }),
): void {
  const items = itemsOf(...ids.map((id) => personChange(id))).map((item) => ({
    ...item,
    record: recordOf(item.id),
  }));
  ledger.journal.settle(ledger.journal.open({ operation: 'employee.import', items }), ids.map(settlementOf));
}

const inDoubt = (id: string): Extract<Settlement, { is: 'doubt' }> => ({
  is: 'doubt',
  failure: { subject: 'person', id, label: id, reason: 'x' },
  at: 1,
});

function loaded(scene = openScene()): Scene {
  scene.ledger.history.add('person', 'first', recordOf('first', 'update'));
  scene.read(...PEOPLE.map((id) => staged(id)));
  imports(scene.ledger, PEOPLE);
  scene.ledger.history.add('person', 'p12', recordOf('p12', 'update'));
  return scene;
}

const everything = { since: 0, of: null } as const;
const of = (
  ...ids: readonly string[]
): { since: number; of: { subject: 'person'; ids: readonly string[] } } => ({
  since: 0,
  of: { subject: 'person', ids },
});

const all = ({ history }: Ledger) => [...history.entries(everything)];

test('the latest entries are read page by page, of all records or some', () => {
  const file = ledgerFile();
  const { ledger } = loaded(new Scene(file.open()));
  const pages: (readonly HistoryEntry[])[] = [];
  for (let page = ledger.history.latest(everything, null, 7); page.length > 0;) {
    pages.push(page);
    page = ledger.history.latest(everything, page.at(-1) ?? null, 7);
  }
  expect(pages.flat().toReversed()).toEqual(all(ledger));
  expect(pages.flat()).toHaveLength(PEOPLE.length + 2);
  expect(ledger.history.latest(of('p12', 'p69'), null, 2).map(({ id }) => id)).toEqual(['p12', 'p69']);
  file.raw((db) => db.exec('UPDATE history SET at = 20 WHERE n > 60'));
  expect(ledger.history.latest({ since: 20, of: null }, null, 9).map(({ n }) => n)).toEqual([62, 61]);
  expect(all(ledger)).toContainEqual({
    ...recordOf('p11'),
    n: 3,
    at: 1,
    run: 'run 1',
    subject: 'person',
    id: 'p11',
  });
  const named = ['p20', 'uP20', 'UP20', 'Up69', 'nobody'].map((name) => ledger.history.idsOf('person', name));
  expect(named).toEqual([['p20'], ['p20'], ['p20'], ['p69'], []]);
  expect(ledger.history.runs(5)).toEqual(['run 1']);
});

test('people whom the service does not show yet are left out, and stand at the end when it does', () => {
  const { ledger } = loaded();
  const hidden = PEOPLE.filter((_, index) => index % 3 === 0);
  ledger.history.unseen(hidden);
  expect(all(ledger)).toHaveLength(42);
  for (const id of hidden) ledger.view.accept([readBack(id, employee(personChange(id).username))]);
  expect(
    all(ledger)
      .slice(-20)
      .map(({ id }) => id),
  ).toEqual(hidden);
});

test('a person who gets another id takes the history along', () => {
  const { ledger } = loaded();
  ledger.people.rekey('p20', personChange('new'));
  expect(all(ledger)).toContainEqual(expect.objectContaining({ id: 'new', label: 'Up20' }));
  expect(JSON.stringify(all(ledger))).not.toContain('"p20"');
});

test('only what is done is in it; what is in doubt is listed as that, and proven by a later change', () => {
  const { ledger } = openScene().read(...PEOPLE.map((id) => staged(id)));
  imports(ledger, PEOPLE, (id) => {
    if (id === 'p10') return inDoubt(id);
    if (id === 'p11') return { ...inDoubt(id), is: 'failed' };
    return { is: 'imported', id, change: personChange(id) };
  });
  expect([...ledger.history.entries(everything)].map(({ id }) => id)).toEqual(PEOPLE.slice(2));
  expect(ledger.history.unproven('run 1').map(({ id }) => id)).toEqual(['p10']);
  const adopt = personChange('p10', { kind: 'adopt' });
  const items = itemsOf(adopt).map((item) => ({ ...item, record: recordOf('p10', 'adopt') }));
  ledger.journal.settle(ledger.journal.open({ operation: 'employee.import', items }), [
    { is: 'imported', id: 'p10', change: adopt },
  ]);
  expect([...ledger.history.entries(of('p10'))].map(({ kind }) => kind)).toEqual(['create', 'adopt']);
  expect(ledger.history.unproven('run 1')).toEqual([]);
});
