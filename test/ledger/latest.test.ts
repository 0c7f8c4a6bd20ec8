import { expect, test } from 'vitest';
import { ledgerFile } from './ledger-file.ts';
import { RECORD } from './records.ts';

test('the history is read from its end, page by page, also where times are the same', () => {
  const file = ledgerFile('latest');
  const ledger = file.open();
  for (const id of ['1', '2', '1', '3', '1']) ledger.history.add('person', id, RECORD);
  file.raw((db) => db.exec('UPDATE history SET at = iif(n < 3, 10, 20)'));
  const pages = (of: readonly string[] | null, since = 0): readonly (readonly number[])[] => {
    const query = { since, of: of === null ? null : ({ subject: 'person', ids: of } as const) };
    const first = ledger.history.latest(query, null, 2);
    const next = ledger.history.latest(query, first.at(-1) ?? null, 2);
    return [first, next].map((page) => page.map(({ n }) => n));
  };
  expect(pages(null)).toEqual([
    [5, 4],
    [3, 2],
  ]);
  expect(pages(['1'])).toEqual([[5, 3], [1]]);
  expect(pages(null, 20)).toEqual([[5, 4], [3]]);
  ledger.close();
});

test('failures are found by id and by name in any case, and lists are read to a limit', () => {
  const ledger = ledgerFile('failures-of').open();
  const failure = { subject: 'person', id: 'E1', label: 'Ann', reason: 'refused' } as const;
  ledger.troubles.failed([failure, { ...failure, id: 'E2', label: 'Bob' }], 'refused');
  for (const name of ['E1', 'e1', 'ANN'])
    expect(ledger.troubles.failures({ name }).map(({ id }) => id)).toEqual(['E1']);
  expect(ledger.troubles.failures({ name: 'zoe' })).toEqual([]);
  expect(ledger.troubles.failures(1)).toHaveLength(1);
  ledger.close();
});
