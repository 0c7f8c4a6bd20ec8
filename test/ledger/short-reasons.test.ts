import { expect, onTestFinished, test } from 'vitest';

import { openLedger } from '../../src/ledger/open-ledger.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { personChange, Scene, staged } from './records.ts';

test('a reason is kept short, however long the words of others are that it is made of', () => {
  const folder = scratchFolder('ledger');
  const ledger = openLedger({ path: `${folder}/ledger.db`, binding: 'a/b', now: () => 1, mode: 'write' });
  onTestFinished(() => {
    ledger.close();
    removeFolder(folder);
  });
  const scene = new Scene(ledger);
  const reason = `cannot be used: ${'x'.repeat(1_048_576)}`;
  const person = { subject: 'person', id: '1', label: 'u1' } as const;
  const { staging, plan, troubles } = ledger;
  staging.note({ is: 'refused', refusal: { ...person, place: 'row 1', field: 'name', reason } });
  staging.note({ is: 'lost', loss: { ...person, field: 'email', reason } });
  scene
    .read(staged('2'))
    .call(personChange('2'), { is: 'failed', failure: { ...person, id: '2', reason }, at: 5 });
  plan.note({ ...person, reason });
  const { refusals, losses } = staging.bad();
  const kept = [...refusals, ...losses, ...plan.blockedRecords(), ...troubles.failures()];
  expect(kept).toHaveLength(4);
  for (const { reason: short } of kept) {
    expect(short).toMatch(/^cannot be used: x+… \(1,048,592 characters\)$/u);
    expect(short.length).toBeLessThan(900);
  }
});
