import { expect, test } from 'vitest';
import { openScene } from './open-scene.ts';
import { itemsOf, personChange, staged, unitChange } from './records.ts';

test('a person who gets the id of somebody of the same call takes calls and repairs along', () => {
  const { ledger } = openScene('renamed-person');
  const changes = ['1', '2'].map((id) => personChange(id));
  for (const { id } of changes) ledger.staging.person(staged(id), {});
  const call = ledger.journal.open({ operation: 'employee.import', items: itemsOf(...changes) });
  const settlements = changes.map((change) => ({ is: 'imported', id: change.id, change }) as const);
  ledger.journal.settle(call, settlements, [{ subject: 'person', id: '2', fields: ['name'] }]);
  ledger.people.rekey('2', { id: '1', username: 'u2' });
  expect(ledger.people.entry('1')).toMatchObject({ id: '1', username: 'u2' });
  expect(ledger.troubles.repairs(0)).toEqual(new Map([['person 1 name', 1]]));
  expect(ledger.journal.callsOf('person', '1', 9)).toMatchObject([{ outcome: 'imported' }]);
});

test('a unit that gets another id takes calls and repairs along', () => {
  const { ledger } = openScene('renamed-unit');
  const change = unitChange('1');
  const call = ledger.journal.open({ operation: 'org.import', items: itemsOf(change) });
  const settled = { is: 'unit', id: '1', orgId: 'node', sent: change.payload, accepted: null } as const;
  ledger.journal.settle(call, [settled], [{ subject: 'unit', id: '1', fields: ['name'] }]);
  ledger.units.rekey(new Map([['1', '2']]));
  expect(ledger.troubles.repairs(0)).toEqual(new Map([['unit 2 name', 1]]));
  expect(ledger.journal.callsOf('unit', '2', 9)).toMatchObject([{ outcome: 'unit' }]);
});
