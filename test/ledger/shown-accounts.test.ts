import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { Employee } from '../../src/domain/ports/service.ts';
import { shownOf } from '../../src/domain/ports/shown.ts';
import { foldUsername } from '../../src/domain/text/fold.ts';
import { listed } from '../doubles/listed.ts';
import { ledgerFile } from './ledger-file.ts';
import { employee, payload, personChange, readBack, Scene, staged } from './records.ts';

const EDITED = { fields: { name: 'edited' } };

const RECORD = {
  kind: 'update',
  label: 'u1',
  fields: [],
  why: 'x',
  origin: null,
  guard: null,
  approval: null,
} as const;

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
/** Usernames of the accounts that have rows of their own, and of those that are in the row of their person alone. */
const placesOf = (db: Sqlite.Database) => ({
  own: names(db, 'SELECT username FROM account ORDER BY username'),
  folded: names(db, 'SELECT username FROM person WHERE is_shown = 1 ORDER BY username'),
});

const saves =
  (account: Employee) =>
  ({ ledger }: Scene): void =>
    ledger.view.saveEmployees(['u1'], listed([account]));
const update = personChange('1', { kind: 'update', payload: payload('Anna') });
const imports = (scene: Scene) => void scene.call(update, { is: 'imported', id: '1', change: update });

test('an account that is shown as it was accepted is in the row of its person alone', () => {
  const { scene, db } = opened();
  scene.managed('1', '2');
  scene.ledger.view.saveEmployees([], listed([employee('stranger')]));
  expect(placesOf(db)).toEqual({ own: ['stranger'], folded: ['u1', 'u2'] });
  const { id, username, locked } = employee('u1');
  expect(scene.ledger.view.employee('U1')).toEqual({ id, username, locked, shown: shownOf(employee('u1')) });
});

test.each<readonly [string, (scene: Scene) => void, Partial<Employee> | null]>([
  ['edited', saves(employee('u1', { created: 7, ...EDITED })), EDITED],
  ['locked by others', saves(employee('u1', { created: 7, locked: true })), { locked: true }],
  ['another', saves(employee('u1', { created: 7, id: 'other' })), { id: 'other' }],
  ['made at another time', saves(employee('u1', { created: 8 })), {}],
  ['imported again', imports, {}],
  [
    'disabled',
    (scene) => scene.call(personChange('1', { kind: 'disable' }), { is: 'disabled', id: '1', at: 7 }),
    { locked: true },
  ],
  ['of nobody in the source', ({ ledger }) => ledger.people.note('1', { is: 'nowhere', at: 1 }), {}],
  [
    'of a person whose id goes to another',
    ({ ledger }) => ledger.people.rekey('2', { id: '1', username: 'u2' }),
    {},
  ],
  ['gone', ({ ledger }) => ledger.view.saveEmployees(['u1'], listed([])), null],
  [
    'removed',
    (scene) => scene.call(personChange('1', { kind: 'remove' }), { is: 'personGone', id: '1' }),
    null,
  ],
  ['of a person who is erased', ({ ledger }) => ledger.forgotten.erase(ledger.people.entry('1')), null],
])(
  'an account that is %s is no longer in the row of its person, and shown as it was last seen',
  (_, act, last) => {
    const { scene, db } = opened();
    scene.managed('1', '2');
    saves(employee('u1', { created: 7 }))(scene);
    expect(placesOf(db)).toEqual({ own: [], folded: ['u1', 'u2'] });
    act(scene);
    expect(placesOf(db)).toEqual({ own: last === null ? [] : ['u1'], folded: ['u2'] });
    const account = last === null ? null : employee('u1', last);
    expect(scene.ledger.view.employee('u1')).toEqual(
      account && { id: account.id, username: 'u1', locked: account.locked, shown: shownOf(account) },
    );
  },
);

test.each<readonly [string, (scene: Scene) => void]>([
  ['edited, and back', (scene) => [EDITED, {}].forEach((as) => saves(employee('u1', as))(scene))],
  [
    'locked, and unlocked',
    (scene) => [{ locked: true }, {}].forEach((as) => saves(employee('u1', as))(scene)),
  ],
  [
    'edited, and accepted so',
    (scene) => {
      saves(employee('u1', EDITED))(scene);
      scene.ledger.people.note('1', { is: 'unchanged', accepted: shownOf(employee('u1', EDITED)) });
    },
  ],
  [
    'imported, and read back',
    (scene) => {
      imports(scene);
      scene.ledger.view.accept([readBack('1', employee('u1', EDITED))]);
    },
  ],
  [
    'spelled otherwise',
    ({ ledger }) => ledger.view.saveEmployees(['u1'], listed([employee('U1', { id: 'e-u1' })])),
  ],
  ['given an id again', ({ ledger }) => ledger.people.rekey('1', { id: '9', username: 'u1' })],
])('an account that is %s is in the row of its person again', (how, act) => {
  const { scene, db } = opened();
  scene.managed('1', '2');
  act(scene);
  expect(placesOf(db)).toEqual({ own: [], folded: [how === 'spelled otherwise' ? 'U1' : 'u1', 'u2'] });
});

test('nothing but the row of the person is written of an account that is read back', () => {
  const { scene, db } = opened();
  db.exec(`CREATE TRIGGER no_account AFTER INSERT ON account BEGIN SELECT RAISE(ABORT, 'written'); END`);
  scene.managed('1', '2');
  expect(placesOf(db)).toEqual({ own: [], folded: ['u1', 'u2'] });
});

test('nothing is written of an account that is shown as before', () => {
  const { scene, db } = opened();
  scene.managed('1');
  db.exec(`CREATE TRIGGER no_update BEFORE UPDATE ON person BEGIN SELECT RAISE(ABORT, 'written'); END;
    CREATE TRIGGER no_account AFTER INSERT ON account BEGIN SELECT RAISE(ABORT, 'written'); END`);
  saves(employee('u1'))(scene);
  expect(() => saves(employee('u1', EDITED))(scene)).toThrow('written');
});

test('a person with the username of another, removed one gets the account, and it is shown once', () => {
  const { scene, db } = opened();
  scene.managed('1').call(personChange('1', { kind: 'remove' }), { is: 'personGone', id: '1' });
  const change = personChange('2', { username: 'u1' });
  scene.read(staged('2', { username: 'u1' })).call(change, { is: 'imported', id: '2', change });
  scene.ledger.view.accept([readBack('2', employee('u1', { id: 'new' }))]);
  expect(names(db, 'SELECT id FROM person WHERE is_shown = 1')).toEqual(['2']);
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
  db.exec(`INSERT INTO account VALUES ('U1', 'u1', 'e-u1', 0, '{}', NULL)`);
  saves(employee('u1'))(scene);
  expect(names(db, 'SELECT username FROM employee')).toEqual(['u1']);
});

test('an account of a removed person that is shown is not ours', () => {
  const { scene, db } = opened();
  scene.managed('1', '2');
  db.exec(`UPDATE person SET state = 'removed' WHERE id = '1'`);
  const { count, first } = scene.ledger.view.unmanaged(10);
  expect([count, first.map(({ username }) => username)]).toEqual([1, ['u1']]);
});

test('an account that is read back with another spelling is called so from now on', () => {
  const { scene, db } = opened();
  const change = personChange('1');
  scene.read(staged('1')).call(change, { is: 'imported', id: '1', change });
  scene.ledger.view.accept([readBack('1', employee('U1', { id: 'e-u1' }))]);
  expect(scene.ledger.people.entry('1')?.username).toBe('U1');
  expect(placesOf(db)).toEqual({ own: [], folded: ['U1'] });
});

test('an account that is read back of a person who had vanished is ours again', () => {
  const { scene } = opened();
  scene.managed('1').ledger.view.saveEmployees(['u1'], listed([]));
  scene.call(personChange('1', { kind: 'forget' }), { is: 'vanished', id: '1', at: 1 });
  scene.ledger.view.accept([readBack('1', employee('u1'))]);
  expect(scene.ledger.people.entry('1')?.state).toBe('managed');
});

test.each(['username', 'username_key', 'employee_id', 'accepted', 'created'])(
  'what was shown stays when %s of the person becomes another, and only then',
  (column) => {
    const { scene, db } = opened();
    scene.managed('1');
    saves(employee('u1', { created: 7 }))(scene);
    const before = rowsOf(scene, db);
    db.exec(`UPDATE person SET ${column} = ${column}`);
    expect(placesOf(db)).toEqual({ own: [], folded: ['u1'] });
    db.exec(`UPDATE person SET ${column} = ${column === 'created' ? 8 : `'x'`}`);
    expect(placesOf(db)).toEqual({ own: ['u1'], folded: [] });
    expect(rowsOf(scene, db)).toEqual(before);
  },
);

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

test('a username that was asked for in vain is no longer looked for once it is read back of another person', () => {
  const { scene, db } = opened();
  const failure = { subject: 'person', id: '1', label: 'u1', reason: 'no' } as const;
  scene.call(personChange('1'), { is: 'failed', failure, at: 1_000 });
  expect(names(db, `SELECT key FROM mark WHERE mark = 'tried'`)).toEqual(['1']);
  const change = personChange('2', { username: 'u1' });
  scene.read(staged('2', { username: 'u1' })).call(change, { is: 'imported', id: '2', change });
  scene.ledger.view.accept([readBack('2', employee('u1'))]);
  expect(names(db, `SELECT key FROM mark WHERE mark = 'tried'`)).toEqual([]);
  expect(placesOf(db)).toEqual({ own: [], folded: ['u1'] });
});

test('an account is listed as left inside if it is active, wherever it is', () => {
  const { scene } = opened();
  const { leftInside, view } = scene.managed('1').ledger;
  view.saveEmployees([], listed([employee('Open'), employee('locked', { locked: true })]));
  const labels = ['u1', 'Open', 'locked', 'nobody'];
  const listedSo = labels.map((label) =>
    leftInside.add({ subject: 'person', id: label, label, left: 'missing in the source', reason: 'x' }),
  );
  expect(listedSo).toEqual([true, true, false, false]);
});

test('people cannot both show the same account', () => {
  const { scene, db } = opened();
  scene.managed('1', '2');
  db.exec(
    `UPDATE person SET username = 'u1', username_key = 'u1' WHERE id = '2'; UPDATE person SET is_shown = 1`,
  );
  expect(names(db, `SELECT count(*) FROM employee WHERE username = 'u1'`)).toEqual([1]);
});

interface Row {
  readonly username: string;
  readonly id: string;
  readonly locked: number;
  readonly shown: string;
}

/** All accounts of a ledger. */
const rowsOf = ({ ledger }: Scene, db: Sqlite.Database): readonly unknown[] =>
  (db.prepare('SELECT username, created FROM employee ORDER BY username').all() as Row[]).map((row) => ({
    ...row,
    ...ledger.view.employee(row.username),
  }));

/** What is in the view, if each account is simply kept under its username. */
class PlainView {
  readonly accounts = new Map<string, Employee>();

  save(asked: string, account: Employee | null): void {
    if (account?.username !== asked) this.accounts.delete(asked);
    if (account === null) return;
    for (const { username, id } of this.accounts.values())
      if (id === account.id && foldUsername(username) === foldUsername(account.username))
        this.accounts.delete(username);
    this.accounts.set(account.username, account);
  }

  rows(): readonly unknown[] {
    const rows = [...this.accounts.values()].map((account) => {
      const { username, id, locked, created = null } = account;
      return { username, id, locked, shown: shownOf(account), created };
    });
    return rows.toSorted((a, b) => (a.username < b.username ? -1 : 1));
  }

  lock(username: string, locked: boolean): void {
    const account = this.accounts.get(username);
    if (account !== undefined) this.accounts.set(username, { ...account, locked });
  }
}

/** Returns numbers below a limit, the same ones for a seed. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Step = (scene: Scene, plain: PlainView, roll: (below: number) => number) => void;

const personOf = (roll: (below: number) => number) => String(1 + roll(2));
const settles =
  (kind: 'disable' | 'enable' | 'remove', after: (plain: PlainView, username: string) => void): Step =>
  ({ ledger }, plain, roll) => {
    const id = personOf(roll);
    const username = ledger.people.entry(id)?.username;
    if (username === undefined) return;
    const is = ({ disable: 'disabled', enable: 'enabled', remove: 'personGone' } as const)[kind];
    const call = ledger.journal.open({ operation: 'employee.modify', items: [] });
    ledger.journal.settle(call, [is === 'disabled' ? { is, id, at: 1 } : { is, id }]);
    after(plain, username);
  };
const seenAs = (username: string, roll: (below: number) => number): Employee =>
  employee(username, {
    id: roll(4) === 0 ? 'e2' : 'e1',
    locked: roll(4) === 0,
    ...(roll(3) === 0 ? EDITED : {}),
    ...(roll(6) === 0 ? {} : { created: roll(6) === 0 ? 2 : 1 }),
  });
const spelled = (roll: (below: number) => number) => ['u1', 'U1', 'u2'][roll(3)]!;

const STEPS: readonly Step[] = [
  ({ ledger }, plain, roll) => {
    const [asked, found] = [spelled(roll), roll(5) === 0 ? null : seenAs(spelled(roll), roll)];
    const same = found !== null && foldUsername(found.username) === foldUsername(asked) ? found : null;
    ledger.view.saveEmployees([asked], {
      found: new Map(same === null ? [] : [[asked, same]]),
      unclear: new Map(),
    });
    plain.save(asked, same);
  },
  (scene, _, roll) => {
    const change = personChange(personOf(roll), {
      username: spelled(roll),
      kind: roll(2) ? 'create' : 'update',
    });
    scene.call(change, { is: 'imported', id: change.id, change });
  },
  ({ ledger }, plain, roll) => {
    const id = personOf(roll);
    const username = ledger.people.entry(id)?.username;
    if (username === undefined) return;
    const account = seenAs(username, roll);
    ledger.view.accept([readBack(id, account)]);
    plain.save(username, account);
  },
  ({ ledger }, _, roll) => {
    const id = personOf(roll);
    const account = ledger.view.employee(ledger.people.entry(id)?.username ?? '');
    if (account !== null) ledger.people.note(id, { is: 'unchanged', accepted: account.shown });
  },
  ({ ledger }, _, roll) => ledger.people.note(personOf(roll), { is: 'nowhere', at: 1 }),
  ({ ledger }, _, roll) => ledger.people.rekey(personOf(roll), { id: personOf(roll), username: 'u1' }),
  settles('disable', (plain, username) => plain.lock(username, true)),
  settles('enable', (plain, username) => plain.lock(username, false)),
  settles('remove', (plain, username) => void plain.accounts.delete(username)),
];

test('whatever is done, the view has each account once, as it was last seen', () => {
  const { scene, db } = opened();
  const plain = new PlainView();
  const roll = dice(1);
  scene.read(staged('1'), staged('2'));
  const steps = Array.from({ length: 2_500 }, () => roll(STEPS.length));
  const folded = steps.map((step, n) => {
    STEPS[step]!(scene, plain, roll);
    expect(rowsOf(scene, db), `after step ${n}`).toEqual(plain.rows());
    return placesOf(db).folded.length;
  });
  expect(folded.filter((count) => count > 0).length).toBeGreaterThan(200);
});
