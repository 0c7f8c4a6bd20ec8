import { expect, test } from 'vitest';
import type { HistoryRecord } from '../../src/domain/ports/history.ts';
import { ledgerFile } from './ledger-file.ts';

const record: HistoryRecord = {
  kind: 'update',
  label: 'u1',
  fields: [
    { field: 'name', from: null, to: 'Ann' },
    { field: 'phone', from: '1', to: null },
    { field: 'title', from: 'Boss', to: 'Chief' },
  ],
  why: 'x',
  origin: null,
  guard: null,
  approval: null,
};

test('entries of an older version are read as before', () => {
  const file = ledgerFile('packed-fields');
  const before = file.open();
  before.history.add('person', '1', record);
  before.close();
  file.raw((db) => db.prepare('UPDATE history SET fields = ?').run(JSON.stringify(record.fields)));
  const ledger = file.open();
  expect([...ledger.history.entries({ since: 0, of: null })]).toMatchObject([{ fields: record.fields }]);
  ledger.close();
});
