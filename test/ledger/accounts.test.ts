import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { Employee } from '../../src/domain/ports/service.ts';
import { listed } from '../doubles/listed.ts';
import { ledgerFile } from './ledger-file.ts';
import { employee, payload, personChange, readBack, RECORD, Scene, staged } from './records.ts';

interface Opened {
  readonly scene: Scene;
  readonly db: Sqlite.Database;
}

/** A ledger, and another connection to its file. */
function opened(): Opened {
  const { path, open } = ledgerFile('shown');
  const ledger = open();
  const db = new Sqlite(path);
  onTestFinished(() => {
    db.close();
    ledger.close();
  });
  return { scene: new Scene(ledger), db };
}

const names = (db: Sqlite.Database, sql: string): readonly unknown[] => db.prepare(sql).pluck().all();
const usernames = (db: Sqlite.Database) => names(db, 'SELECT username FROM employee ORDER BY username');

const saves =
  (account: Employee) =>
  ({ ledger }: Scene): void =>
    ledger.view.saveEmployees(['u1'], listed([account]));
const update = personChange('1', { kind: 'update', payload: payload('Anna') });
const imports = (scene: Scene) => void scene.call(update, { is: 'imported', id: '1', change: update });

test('a person with the username of another, removed one gets the account, and it is shown once', () => {
  const { scene, db } = opened();
  scene.managed('1').call(personChange('1', { kind: 'remove' }), { is: 'personGone', id: '1' });
  const change = personChange('2', { username: 'u1' });
  scene.read(staged('2', { username: 'u1' })).call(change, { is: 'imported', id: '2', change });
  scene.ledger.view.accept([readBack('2', employee('u1', { id: 'new' }))]);
  expect(names(db, 'SELECT id FROM employee')).toEqual(['new']);
});

test('another person with the username is looked at, although the account is shown as the first one', () => {
  const { scene, db } = opened();
  scene.managed('1');
  db.exec(
    `INSERT INTO person (id, username, username_key, state, sent) VALUES ('9', 'u1', 'u1', 'disabled', '{}')`,
  );
  saves(employee('u1'))(scene);
  expect(names(db, 'SELECT id FROM person WHERE open = 1')).toEqual(['9']);
});

test('another spelling of the account is forgotten, although the account is shown as a person', () => {
  const { scene, db } = opened();
  scene.managed('1');
  db.exec(`INSERT INTO employee VALUES ('U1', 'u1', 'e-u1', 0, '{}', NULL, 0)`);
  saves(employee('u1'))(scene);
  expect(usernames(db)).toEqual(['u1']);
});

test('an account that is read back with another spelling is called so from now on', () => {
  const { scene, db } = opened();
  const change = personChange('1');
  scene.read(staged('1')).call(change, { is: 'imported', id: '1', change });
  scene.ledger.view.accept([readBack('1', employee('U1', { id: 'e-u1' }))]);
  expect(scene.ledger.people.entry('1')?.username).toBe('U1');
  expect(usernames(db)).toEqual(['U1']);
});

test('a change that was not shown, and a failure, are noted as done when the account is read back', () => {
  const { scene, db } = opened();
  scene.managed('1');
  imports(scene);
  scene.ledger.history.add('person', '1', RECORD);
  scene.ledger.history.unseen(['1']);
  const failure = { subject: 'person', id: '1', label: 'u1', reason: 'no' } as const;
  scene.ledger.troubles.failed([failure]);
  scene.ledger.view.accept([readBack('1', employee('u1'))]);
  expect(names(db, 'SELECT count(*) FROM history WHERE unseen = 1')).toEqual([0]);
  expect(names(db, 'SELECT count(*) FROM history')).toEqual([1]);
  expect(scene.ledger.troubles.failures()).toEqual([]);
});

/** Who is listed as left inside after a run in which person 1 is inactive, and the service shows these accounts. */
function leftInsideAfter(...accounts: readonly Employee[]): readonly string[] {
  const { scene } = opened();
  const { leftInside, view } = scene.managed('1', '2').ledger;
  view.saveEmployees(['u1', 'u2'], listed(accounts));
  scene.read(staged('1', { active: false, hash: 'left' }), staged('2', { hash: 'x' }));
  const query = { misses: 2, isDecided: true, isForeseen: false, isRight: false, isUnlock: () => false };
  return leftInside.find(query, () => 'x').map(({ id }) => id);
}

test('a leaver is left inside if the account is active, also under the username of another person', () => {
  expect(leftInsideAfter(employee('u2', { id: 'e-u1' }))).toEqual(['1']);
  expect(
    leftInsideAfter(employee('u2', { id: 'e-u1', locked: true }), employee('u1', { id: 'e-u2' })),
  ).toEqual([]);
  expect(leftInsideAfter(employee('u1', { id: 'made anew' }))).toEqual(['1']);
});
