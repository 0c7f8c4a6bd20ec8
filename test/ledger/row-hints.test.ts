import { expect, test } from 'vitest';

import { atOnce } from '../../src/lib/in-steps.ts';
import type { PersonRow } from '../../src/domain/ports/ledger/person-row.ts';
import { listed } from '../doubles/listed.ts';
import { openScene } from './open-scene.ts';
import { employee, itemsOf, payload, personChange, staged } from './records.ts';

/** What makes each look-up of a row find something, by the record that has it. */
const FOUND: Readonly<Record<string, (row: PersonRow) => unknown>> = {
  new: ({ entry, desired }) => entry === null && desired !== null,
  unchanged: ({ desired }) => desired === 'unchanged',
  missing: ({ desired, entry }) => desired === null && entry !== null,
  left: ({ desired }) => desired === 'left',
  disabled: ({ isUserDisabled }) => isUserDisabled,
  listed: ({ employee: found, entry }) => found !== null && entry === null,
  unclear: ({ unclear }) => unclear === 'two of them',
  owned: ({ usernameOwner, ownerMissing }) => usernameOwner === 'missing' && ownerMissing,
  claimed: ({ claimedBy }) => claimedBy === 'claims',
  moved: ({ renamed }) => renamed?.username === 'elsewhere',
};

test('rows of a page are those that are looked up one by one', () => {
  const scene = openScene('row-hints').managed('unchanged', 'missing', 'left', 'renamed', 'claimed', 'moved');
  const { staging, view, people, journal } = scene.ledger;
  view.candidates([{ userId: '1', username: 'Udisabled', disabled: true }], 'anew');
  view.saveUsers(true);
  view.saveEmployees(['ulisted'], listed([employee('ulisted')]));
  view.saveEmployees(['wanted'], listed([employee('wanted')]));
  view.saveEmployees(['uunclear'], { found: new Map(), unclear: new Map([['uunclear', 'two of them']]) });
  view.saveRenamed('moved', employee('elsewhere'), false);
  const change = personChange('moved', { kind: 'disable' });
  const call = journal.open({ operation: 'employee.disable', items: itemsOf(change) });
  const failure = { subject: 'person', id: 'moved', label: 'umoved', reason: 'not shown' } as const;
  journal.settle(call, [{ is: 'unconfirmed', failure, at: 1 }]);
  staging.seen(staging.known('unchanged')?.row ?? -1, { print: null, has: null });
  staging.note({
    is: 'refused',
    refusal: { subject: 'person', id: 'left', place: '', field: 'name', reason: '', active: false },
  });
  scene.read(
    staged('new'),
    staged('disabled'),
    staged('listed'),
    staged('unclear'),
    staged('renamed', { username: 'wanted' }),
    staged('owned', { username: 'UMISSING' }),
    staged('claims', { username: 'uclaimed', payload: payload('Else') }),
    staged('left', { active: false }),
  );
  atOnce(people.prepare([]));
  const rows = people.rows({ after: '', limit: 1_000 });
  expect(rows).toEqual(rows.map(({ id }) => people.row(id)));
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [id, isFound] of Object.entries(FOUND)) {
    const row = byId.get(id) ?? people.row(id);
    expect([id, isFound(row)]).toEqual([id, true]);
  }
  expect(byId.get('moved')?.isDisableUnshown).toBe(true);
});
