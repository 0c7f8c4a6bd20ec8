import { beforeEach, expect, test } from 'vitest';
import { atOnce } from '../../src/lib/in-steps.ts';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import { listed } from '../doubles/listed.ts';
import { openScene } from './ledger-file.ts';
import { employee, personChange, staged, type Scene } from './records.ts';

let ledger: Ledger;
let scene: Scene;
beforeEach(() => {
  scene = openScene();
  ledger = scene.ledger;
});

const asked = (how: Parameters<Ledger['view']['prepareToAsk']>[0]): string => {
  const count = atOnce(ledger.view.prepareToAsk(how));
  return `${count}: ${ledger.view.usernamesToAsk({ after: '', limit: 1_000 }).join(' ')}`;
};

test('candidates, new people, the open and those not read back are asked for; on a full run all', () => {
  const unread = personChange('unread');
  scene.managed('open', 'same').call(unread, { is: 'imported', id: 'unread', change: unread });
  ledger.view.saveEmployees(['uopen'], listed([]));
  ledger.view.candidates([{ userId: '1', username: 'candidate' }]);
  scene.read(staged('new'), staged('gone', { active: false }), staged('same', { hash: 'x' }));
  expect(asked({ full: false, onlyUsers: false })).toBe('4: candidate unew uopen uunread');
  expect(asked({ full: true, onlyUsers: false, anew: true })).toBe(
    '6: candidate ugone unew uopen usame uunread',
  );
  expect(ledger.view.usernamesToAsk({ after: 'ugone', limit: 2 })).toEqual(['unew', 'uopen']);
});

test('those who are to be decided and were not asked for are asked for then', () => {
  scene
    .managed('1', '2')
    .newRun()
    .read(staged('3'), staged('2', { hash: 'x' }));
  expect(asked({ full: false, onlyUsers: false })).toBe('1: u3');
  scene.todo();
  expect(asked('decided')).toBe('2: u1 u2');
});

test('who is inactive and was last seen locked is asked for on full runs, and if the user changed', () => {
  scene.managed('1', '2');
  for (const id of ['1', '2']) {
    scene.call(personChange(id, { kind: 'disable' }), { is: 'disabled', id, at: 7 });
    ledger.view.saveEmployees([`u${id}`], listed([employee(`u${id}`, { locked: true })]));
  }
  scene.newRun().read(staged('1', { active: false }), staged('2'));
  expect(asked({ full: false, onlyUsers: false })).toBe('1: u2');
  expect(asked({ full: true, onlyUsers: false })).toBe('2: u1 u2');
  ledger.view.candidates([{ userId: '1', username: 'u1' }]);
  expect(asked({ full: false, onlyUsers: false })).toBe('2: u1 u2');
});

const { fields, positions } = employee('u1');
test.each([
  ['edited', true, employee('u1', { fields: { name: 'edited' } })],
  ['moved', true, employee('u1', { positions: [] })],
  ['locked', true, employee('u1', { locked: true })],
  ['another one', true, employee('u1', { id: 'other' })],
  ['gone', true, null],
  [
    'shown in another order',
    false,
    employee('u1', {
      fields: Object.fromEntries(Object.entries(fields).toReversed()),
      positions: positions.toReversed(),
    }),
  ],
])('an account that is %s opens its person: %s', (_, opens, found) => {
  scene.managed('1', '2');
  ledger.view.saveEmployees(['u1', 'u2'], listed([...(found === null ? [] : [found]), employee('u2')]));
  expect(['1', '2'].map((id) => ledger.staging.known(id)?.open)).toEqual([opens, false]);
});

test('an account is shown by its very username before one in another case', () => {
  ledger.view.saveEmployees([], listed([employee('u1'), employee('U1'), employee('Ann')]));
  const shown = ['U1', 'u1', 'aNN', 'nobody'].map((name) => ledger.view.employee(name)?.id);
  expect(shown).toEqual(['e-U1', 'e-u1', 'e-Ann', undefined]);
});

test('disabled users are known by name in any case, page after page, until they are shown otherwise', () => {
  const people = ['1', '2', '3'].map((id) => staged(id));
  const disabled = (): string => {
    scene.todo();
    const rows = ledger.people.rows({ after: '', limit: 10 });
    return rows.flatMap(({ id, isUserDisabled }) => (isUserDisabled ? [id] : [])).join(' ');
  };
  /** Users 1 and 2 under these names; those with a `!` are disabled. */
  const take = (
    complete: boolean,
    ...users: readonly (readonly [userId: string, username: string])[]
  ): string => {
    ledger.view.candidates([], 'anew');
    for (const [userId, name] of users)
      ledger.view.candidates([
        { userId, username: name.replace('!', ''), ...(name.endsWith('!') && { disabled: true }) },
      ]);
    ledger.view.saveUsers(complete);
    return disabled();
  };
  scene.read(...people);
  expect(take(true, ['1', 'U1!'], ['2', 'u2!'], ['3', 'u3'])).toBe('1 2');
  expect(take(false)).toBe('1 2');
  expect(take(false, ['2', 'u2'], ['1', 'u3!'])).toBe('3');
  expect(take(true, ['2', 'u2!'])).toBe('2');
  scene.newRun().read(...people);
  expect(disabled()).toBe('2');
  ledger.view.saveEmployees(['u2'], listed([employee('u2')]));
  expect(disabled()).toBe('');
});
