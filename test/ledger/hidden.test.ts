import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { atOnce } from '../../src/lib/in-steps.ts';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import type { User } from '../../src/domain/ports/service.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { employee, personChange, Scene, staged } from './records.ts';
import { listed } from '../doubles/listed.ts';

const at = (...orgIds: readonly string[]) => orgIds.map((orgId) => ({ orgId, fields: {} }));

function open(): { ledger: Ledger; scene: Scene } {
  const folder = scratchFolder('ledger');
  const path = join(folder, 'ledger.db');
  const ledger = openLedger({ path, binding: 'a/b', now: () => 1, mode: 'write' });
  onTestFinished(() => {
    ledger.close();
    rmSync(`${path}.staging`, { force: true });
    removeFolder(folder);
  });
  return { ledger, scene: new Scene(ledger) };
}

test('disabled users are remembered by name in any case, page after page, until they are shown otherwise', () => {
  const { ledger, scene } = open();
  const people = ['1', '2', '3'].map((id) => staged(id));
  const disabled = (): readonly string[] => {
    atOnce(ledger.people.prepare(new Set()));
    const rows = ledger.people.rows({ after: '', limit: 10 });
    return rows.filter(({ isUserDisabled }) => isUserDisabled).map(({ id }) => id);
  };
  const take = (complete: boolean, ...users: readonly User[]): readonly string[] => {
    ledger.view.candidates([], 'anew');
    for (const user of users) ledger.view.candidates([user]);
    ledger.view.saveUsers(complete);
    return disabled();
  };
  scene.read(...people);
  const one = { userId: '1', username: 'U1', disabled: true };
  const two = { userId: '2', username: 'u2', disabled: true };
  expect(take(true, one, two, { userId: '3', username: 'u3' })).toEqual(['1', '2']);
  expect(take(false)).toEqual(['1', '2']);
  expect(take(false, { userId: '2', username: 'u2' }, { ...one, username: 'u3' })).toEqual(['3']);
  expect(take(true, two)).toEqual(['2']);
  scene.newRun().read(...people);
  expect(disabled()).toEqual(['2']);
  ledger.view.saveEmployees(['u2'], listed([employee('u2')]));
  expect(disabled()).toEqual([]);
});

test('locked employees by the node where they were last seen, anybody’s', () => {
  const { ledger } = open();
  ledger.view.saveEmployees(
    [],
    listed([
      employee('b', { locked: true, positions: at('n1', 'n2') }),
      employee('a', { locked: true, positions: at('n1') }),
      employee('c', { positions: at('n1') }),
    ]),
  );
  const found = ledger.view.seenAt(['n1', 'n2', 'n3'], 'locked');
  const names = [...found].map(([orgId, there]) =>
    [orgId, ...there.map(({ username }) => username)].join(' '),
  );
  expect(new Set(names)).toEqual(new Set(['n1 a b', 'n2 b']));
  expect(ledger.view.seenAt(['n1']).get('n1')).toHaveLength(3);
  expect(ledger.view.seenAt([]).size).toBe(0);
});

test('who is inactive and was last seen locked is asked for on full runs, and where the user changed', () => {
  const { ledger, scene } = open();
  scene.managed('1', '2');
  for (const id of ['1', '2']) {
    scene.call(personChange(id, { kind: 'disable' }), { is: 'disabled', id, at: 7 });
    ledger.view.saveEmployees([`u${id}`], listed([employee(`u${id}`, { locked: true })]));
  }
  scene.newRun().read(staged('1', { active: false }), staged('2'));
  const asked = (full: boolean): readonly string[] => {
    atOnce(ledger.view.prepareToAsk({ full, onlyUsers: false }));
    return ledger.view.usernamesToAsk({ after: '', limit: 10 });
  };
  expect(asked(false)).toEqual(['u2']);
  expect(asked(true)).toEqual(['u1', 'u2']);
  ledger.view.candidates([{ userId: '1', username: 'u1' }]);
  expect(asked(false)).toEqual(['u1', 'u2']);
});
