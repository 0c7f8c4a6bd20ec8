import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { Employee } from '../../src/domain/ports/service.ts';
import { listed } from '../doubles/listed.ts';
import { ledgerFile } from './ledger-file.ts';
import { employee, personChange, readBack, Scene, staged } from './records.ts';

interface Opened {
  readonly scene: Scene;
  readonly db: Sqlite.Database;
}

/** A ledger, and another connection to its file. */
function opened(): Opened {
  const { path, open } = ledgerFile('shown');
  const scene = new Scene(open());
  const db = new Sqlite(path);
  onTestFinished(() => void db.close());
  return { scene, db };
}

const names = (db: Sqlite.Database, sql: string): readonly unknown[] => db.prepare(sql).pluck().all();
const usernames = (db: Sqlite.Database) => names(db, 'SELECT username FROM employee ORDER BY username');

const saves = ({ ledger }: Scene, account: Employee) => ledger.view.saveEmployees(['u1'], listed([account]));

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
  saves(scene, employee('u1'));
  expect(names(db, 'SELECT id FROM person WHERE open = 1')).toEqual(['9']);
});

test('another spelling of the account is forgotten, although the account is shown as a person', () => {
  const { scene, db } = opened();
  scene.managed('1');
  db.exec(`INSERT INTO employee VALUES ('U1', 'u1', 'e-u1', 0, '{}', NULL, 0)`);
  saves(scene, employee('u1'));
  expect(usernames(db)).toEqual(['u1']);
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
