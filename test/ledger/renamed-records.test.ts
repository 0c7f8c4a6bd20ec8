import { expect, test } from 'vitest';
import { openScene } from './open-scene.ts';
import { itemsOf, personChange, RECORD, staged } from './records.ts';

test('a person who gets the id of somebody of the same call takes calls and repairs along', () => {
  const { ledger } = openScene('renamed-person');
  const changes = ['1', '2'].map((id) => personChange(id));
  for (const { id } of changes) ledger.staging.person(staged(id), {});
  const call = ledger.journal.open({ operation: 'employee.import', items: itemsOf(...changes) });
  const settlements = changes.map((change) => ({ is: 'imported', id: change.id, change }) as const);
  ledger.journal.settle(call, settlements);
  const fields = [{ field: 'name', from: 'a', to: 'b' }];
  ledger.history.add('person', '2', { ...RECORD, fields, why: { code: 'edited' } });
  ledger.people.rekey('2', { id: '1', username: 'u2' });
  expect(ledger.people.entry('1')).toMatchObject({ id: '1', username: 'u2' });
  expect(ledger.troubles.repairs(0)).toEqual(new Map([['person 1 name', 1]]));
  expect(ledger.journal.callsOf('person', '1', 9)).toMatchObject([{ outcome: 'imported' }]);
});
