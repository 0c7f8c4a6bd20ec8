import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { HistoryRecord } from '../../src/domain/ports/history.ts';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import type { Settlement } from '../../src/domain/ports/ledger/journal.ts';
import { FORGOTTEN } from '../../src/domain/records/account-named.ts';
import { ledgerFile, type LedgerFile } from './ledger-file.ts';
import { employee, itemsOf, NOTHING_OLD, personChange, readBack, Scene, staged } from './records.ts';

const PEOPLE = Array.from({ length: 60 }, (_, index) => `p${index + 10}`);

const recordOf = (id: string, kind: HistoryRecord['kind'] = 'create'): HistoryRecord => ({
  kind,
  label: `U${id}`,
  fields: [
    { field: 'name', from: null, to: `Name ${id}` },
    { field: 'tel', from: '1', to: null },
  ],
  ...(id === 'p11' && { places: { before: [], after: [{ unit: 'u', fields: {} }] } }),
  why: 'new in the source',
  origin: null,
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

/** All of them in one call, or each in its own: the history has to be the same. */
const WAYS = {
  'in a page': (ledger: Ledger): void => imports(ledger, PEOPLE),
  'in rows': (ledger: Ledger): void => PEOPLE.forEach((id) => imports(ledger, [id])),
};

function loaded(name: string, way: (ledger: Ledger) => void): { file: LedgerFile; scene: Scene } {
  const file = ledgerFile(name);
  const scene = new Scene(file.open());
  scene.ledger.history.add('person', 'first', recordOf('first', 'update'));
  scene.read(...PEOPLE.map((id) => staged(id)));
  way(scene.ledger);
  scene.ledger.history.add('person', 'p12', recordOf('p12', 'update'));
  return { file, scene };
}

const everything = { since: 0, of: null } as const;
const of = (
  ...ids: readonly string[]
): { since: number; of: { subject: 'person'; ids: readonly string[] } } => ({
  since: 0,
  of: { subject: 'person', ids },
});

/** All that can be read of a history. */
function reads({ history }: Ledger) {
  const latest: unknown[] = [];
  for (let page = history.latest(everything, null, 7); page.length > 0;) {
    latest.push(page);
    page = history.latest(everything, page.at(-1) ?? null, 7);
  }
  return {
    all: [...history.entries(everything)],
    some: [...history.entries(of('p12', 'p30', 'nobody'))],
    none: [...history.entries({ since: 2, of: null })],
    latest,
    latestOf: history.latest(of('p12', 'p69'), null, 2),
    ofRun: [...history.ofRun('run 1')],
    ids: ['p20', 'uP20', 'UP20', 'Up69', 'nobody'].map((name) => history.idsOf('person', name)),
    runs: history.runs(5),
    oldest: history.oldest(),
    unproven: history.unproven('run 1'),
  };
}

/** Does it to both kinds of history, and expects the same of both. */
function sameAfter(change: (scene: Scene) => void): { rows: number; pages: number; all: unknown } {
  const story = (name: keyof typeof WAYS): { read: ReturnType<typeof reads>; file: LedgerFile } => {
    const way = WAYS[name];
    const { file, scene } = loaded(name, way);
    change(scene);
    const read = reads(scene.ledger);
    scene.ledger.close();
    return { read, file };
  };
  const page = story('in a page');
  expect(page.read).toEqual(story('in rows').read);
  const db = new Sqlite(page.file.path, { readonly: true });
  const count = (table: string): number =>
    (db.prepare(`select count(*) as n from ${table}`).get() as { n: number }).n;
  const counts = { rows: count('history'), pages: count('history_page') };
  db.close();
  return { ...counts, all: page.read.all };
}

test('what a call did to many people reads as if each had a row', () => {
  const { all, ...counts } = sameAfter(() => undefined);
  expect(counts).toEqual({ rows: 2, pages: 1 });
  expect(all).toHaveLength(PEOPLE.length + 2);
  expect(all).toContainEqual({ ...recordOf('p11'), n: 3, at: 1, run: 'run 1', subject: 'person', id: 'p11' });
});

test('a run reads in the order of its calls, also where the clock was set back between them', () => {
  let now = 9;
  const { ledger } = new Scene(ledgerFile('pages-clock').open(() => now));
  const [first, second] = [PEOPLE.slice(0, 30), PEOPLE.slice(30)];
  imports(ledger, first);
  ledger.history.add('person', 'between', recordOf('between', 'update'));
  now = 2;
  imports(ledger, second);
  expect(Array.from(ledger.history.ofRun('run 1'), ({ id }) => id)).toEqual([...first, 'between', ...second]);
  expect(Array.from(ledger.history.entries(everything), ({ at }) => at)).toEqual(
    [...second, 'between', ...first].map((_, index) => (index < 30 ? 2 : 9)),
  );
  ledger.close();
});

test('people whom the service does not show yet are left out, and stand at the end when it does', () => {
  const hidden = PEOPLE.filter((_, index) => index % 3 === 0);
  expect(sameAfter(({ ledger }) => ledger.history.unseen(hidden)).all).toHaveLength(42);
  const { all } = sameAfter(({ ledger }) => {
    ledger.history.unseen(hidden);
    for (const id of hidden) ledger.view.accept([readBack(id, employee(personChange(id).username))]);
  });
  expect((all as { id: string }[]).slice(-20).map(({ id }) => id)).toEqual(hidden);
});

test('a person who gets another id takes the history along', () => {
  const { all } = sameAfter(({ ledger }) => {
    ledger.people.rekey('p20', personChange('new'));
  });
  expect(all).toContainEqual(expect.objectContaining({ id: 'new', label: 'Up20' }));
  expect(JSON.stringify(all)).not.toContain('"p20"');
});

test('a person who is erased is in no page', () => {
  const { all, rows } = sameAfter(({ ledger }) => {
    const entry = ledger.people.entry('p20');
    expect(ledger.forgotten.erase(entry).entries).toBe(1);
    expect(ledger.history.idsOf('person', 'Up20')).toEqual([]);
  });
  expect(rows).toBe(2);
  expect(JSON.stringify(all)).not.toContain('p20');
});

test('an approver who is erased is named in no page', () => {
  const { all } = sameAfter(({ ledger }) => {
    const approver = personChange('x', { username: 'Ann' });
    ledger.journal.open({ operation: 'employee.import', items: itemsOf(approver) });
    ledger.forgotten.erase(ledger.people.entry('x'));
  });
  expect(all).toContainEqual(
    expect.objectContaining({ id: 'p30', approval: { hash: 'abc', by: FORGOTTEN } }),
  );
});

test('everything is forgotten after its time', () => {
  expect(sameAfter(({ ledger }) => ledger.forgetOld({ ...NOTHING_OLD, history: 2 }))).toEqual({
    rows: 0,
    pages: 0,
    all: [],
  });
});

test('only what is done is in it; what is in doubt is listed as that, and proven by a later change', () => {
  const file = ledgerFile('pages-doubt');
  const { ledger } = new Scene(file.open()).read(...PEOPLE.map((id) => staged(id)));
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
  ledger.close();
});
