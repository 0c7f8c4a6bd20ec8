import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { atOnce } from '../../src/lib/in-steps.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import {
  employee,
  NOTHING_OLD,
  personChange,
  readBack,
  RECORD,
  Scene,
  staged,
  unitChange,
} from './records.ts';
import { listed } from '../doubles/listed.ts';

/** Tables that hold a row for each person. */
const LARGE = /\bSCAN (?:\w+\.)?(?:person|account|seen|position|p|a|e|s|d|o)\b/u;

/** A run's statements, as the ledger sends them to SQLite. */
function statementsOfARun(folder: string): readonly string[] {
  const options = { path: join(folder, 'ledger.db'), binding: 'a/b', now: () => 1, mode: 'write' } as const;
  openLedger(options).close();
  const prepare = vi.spyOn(Sqlite.prototype, 'prepare');
  const exec = vi.spyOn(Sqlite.prototype, 'exec');
  const ledger = openLedger(options);
  const scene = new Scene(ledger).managed('1', '2');
  ledger.staging.note({ is: 'position', row: { person: '1', position: { unit: null, fields: {} } } });
  ledger.staging.positionsOf('1');
  ledger.staging.person(staged('3'), { password: 'x' });
  scene.see('1');
  ledger.staging.secretsOf('3');
  ledger.view.saveUsers(true);
  ledger.view.seenAt(['u'], 'locked');
  atOnce(ledger.view.prepareToAsk({ full: true, onlyUsers: false }));
  ledger.view.usernamesToAsk({ after: '', limit: 10 });
  ledger.view.saveEmployees(['u1', 'u2'], listed([employee('u1')]));
  scene.todo();
  ledger.people.note('1', { is: 'unchanged', accepted: null });
  ledger.people.note('2', { is: 'missing', misses: 1, at: 1 });
  ledger.people.note('2', { is: 'nowhere', at: 1 });
  scene.call(personChange('2', { kind: 'forget' }), { is: 'vanished', id: '2' });
  ledger.people.unverified({ after: '', limit: 10 });
  ledger.people.kept(10);
  ledger.people.waiting(2);
  ledger.people.accounts(['u1', 'u2']);
  scene.call(personChange('1'), { is: 'disabled', id: '1', at: 1 }, { is: 'enabled', id: '1' });
  scene.call(personChange('1'), { is: 'personGone', id: '1' }, { is: 'reopened', id: '1' });
  scene.call(unitChange('u'), { is: 'unitGone', id: 'u' });
  ledger.journal.callsOf('person', '1', 1);
  ledger.history.add('person', '1', RECORD);
  const queries = [null, { subject: 'person', ids: ['1'] } as const].map((of) => ({ since: 0, of }));
  for (const query of queries) expect([...ledger.history.entries(query)].length).toBeGreaterThan(0);
  for (const query of queries) expect(ledger.history.latest(query, null, 10).length).toBeGreaterThan(0);
  expect(ledger.history.idsOf('person', 'U1')).toEqual(['1']);
  ledger.history.unseen(['1']);
  ledger.view.accept([readBack('1', employee('u1')), readBack('2', employee('U2'))]);
  ledger.view.likelyEmployees(10);
  ledger.view.tellsField('email', 10);
  ledger.view.employee('u1');
  ledger.people.idsOf(['u1']);
  ledger.leftInside.add({
    subject: 'person',
    id: '1',
    label: 'u1',
    left: 'missing in the source',
    reason: 'x',
  });
  ledger.forgetOld({ ...NOTHING_OLD, calls: 1, history: 1 });
  ledger.leftInside.find(
    { misses: 2, isDecided: true, isForeseen: false, isRight: false, isUnlock: () => false },
    () => 'y',
  );
  ledger.leftInside.list(10);
  ledger.journal.unsettled();
  ledger.view.unmanaged(10);
  ledger.close();
  const prepared = prepare.mock.calls.map(([text]) => text);
  const executed = exec.mock.calls.flatMap(([text]) => text.split(';').map((one) => one.trim()));
  prepare.mockRestore();
  exec.mockRestore();
  return [...new Set([...prepared, ...executed])];
}

describe('the statements of a run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-ledger-'));
  let plans: readonly { readonly text: string; readonly plan: string }[];

  beforeAll(() => {
    const texts = statementsOfARun(folder);
    const db = new Sqlite(join(folder, 'ledger.db'));
    db.exec(`ATTACH '${join(folder, 'staging')}' AS staging`);
    for (const text of texts)
      if (/^CREATE (?:TABLE|INDEX) (?:IF NOT EXISTS )?staging\./u.test(text)) db.exec(text);
    db.exec('CREATE TEMP TABLE shared (key)');
    plans = texts
      .map((text) => text.replace(/^CREATE TEMP TABLE shared AS/u, ''))
      .filter((text) => /^\s*(?:SELECT|WITH|INSERT|UPDATE|DELETE)/u.test(text))
      .map((text) => {
        const bound = text.replaceAll(/\?|(?<=[\s(,]):\w+/gu, `'x'`);
        const rows = db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${bound}`).all();
        return { text, plan: rows.map(({ detail }) => detail).join('\n') };
      });
    db.close();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('are seen', () => {
    expect(plans.length).toBeGreaterThan(50);
  });

  test.each<readonly [string, (text: string) => boolean, number, RegExp, RegExp | null]>([
    ['the few whose usernames are shared', (text) => text.includes('temp.shared k'), 2, LARGE, null],
    ['a part of the history', (text) => /\bhistory\b/u.test(text), 8, /SCAN history\b(?!_)/u, null],
    [
      'accounts, unless the first that is found will do',
      (text) => /\b(?:account|employee)\b/u.test(text),
      21,
      /SCAN person/u,
      /LIMIT (?:\?|1)$/u,
    ],
    ['one record', (text) => /\b(?:id|username|username_key|person) = [?:]/u.test(text), 21, LARGE, null],
    [
      'the row of each record, to find those that share an id or a username',
      (text) => /HAVING count|EXISTS \(SELECT 1 FROM staging\.person o/u.test(text),
      3,
      /(?:SCAN|SEARCH) (?:staging\.person|o|d) USING INDEX person_(?:id|username)(?! \(id=\?)/u,
      null,
    ],
  ])('never go through a large table to find %s', (...[, isOne, least, isSlow, allowed]) => {
    const found = plans.filter(({ text }) => isOne(text));
    expect(found.length).toBeGreaterThanOrEqual(least);
    expect(found.filter(({ text, plan }) => isSlow.test(plan) && allowed?.test(text) !== true)).toEqual([]);
  });

  test('never go through a large table once for each row of another one', () => {
    const slow = plans.filter(({ plan }) => LARGE.test(plan.split('CORRELATED').slice(1).join('\n')));
    expect(slow).toEqual([]);
  });
});
