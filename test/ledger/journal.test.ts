import { describe, expect, test } from 'vitest';
import type { PersonChange, UnitChange } from '../../src/domain/changes.ts';
import type { Settlement } from '../../src/domain/ports/ledger/journal.ts';
import { listed } from '../doubles/listed.ts';
import { node } from '../plan/build.ts';
import { openScene } from './ledger-file.ts';
import {
  employee,
  itemsOf,
  LONG,
  NOTHING_OLD,
  personChange,
  readBack,
  RECORD,
  staged,
  unitChange,
} from './records.ts';

const WEEK_MS = 7 * 86_400_000;
const FIRST = { after: '', limit: 1_000 };
const END = { endedAt: 9, result: 'ok', exitCode: 0 } as const;
const change = personChange('1');
const imported: Settlement = { is: 'imported', id: '1', change };

/** A ledger with a clock. */
function opened(now = 1_000_000) {
  const clock = { now };
  const scene = openScene({ now: () => clock.now });
  const { ledger } = scene;
  const open = (
    operation: 'employee.import' | 'org.import',
    ...changes: readonly (PersonChange | UnitChange)[]
  ) => ledger.journal.open({ operation, items: itemsOf(...changes) });
  return { clock, scene, ledger, open, ...ledger, entry: (id: string) => ledger.people.entry(id) };
}

describe('a call', () => {
  test('is opened and settled whole or not at all', () => {
    const { journal, open, entry } = opened();
    const impossible = { ...personChange('2'), payload: { fields: { n: 1n }, positions: [] } };
    expect(() => open('employee.import', change, impossible as never)).toThrow('BigInt');
    expect([entry('1'), journal.unsettled()]).toEqual([null, []]);
    const call = open('employee.import', change);
    const unit = { is: 'unit', id: 'u', orgId: 1n, sent: { fields: {}, parent: 1n }, accepted: null };
    expect(() => journal.settle(call, [imported, unit as never])).toThrow('BigInt');
    expect(entry('1')?.state).toBe('creating');
    expect(journal.unsettled()).toHaveLength(1);
  });

  test('stands among the calls of its records, the last first, until it is old and settled', () => {
    const { clock, scene, ledger, journal, open, entry, runs } = opened();
    scene.read(staged('1')).call(change, imported);
    clock.now = 2_000_000;
    open('employee.import', personChange('1', { kind: 'update' }));
    const calls = (limit = 10) => journal.callsOf('person', '1', limit);
    expect(calls()).toEqual([
      { at: 2_000_000, run: 'run 1', operation: 'employee.import', outcome: 'not settled' },
      { at: 1_000_000, run: 'run 1', operation: 'employee.import', outcome: 'imported' },
    ]);
    expect([calls(1).length, journal.callsOf('unit', '1', 10)]).toEqual([1, []]);
    runs.end({ ...END, id: 'run 1', kind: 'full', startedAt: 1, report: {}, isQuiet: true });
    ledger.forgetOld({ ...NOTHING_OLD, calls: 1_000_000 });
    expect([calls().length, runs.last(10)]).toEqual([2, []]);
    ledger.forgetOld({ ...NOTHING_OLD, calls: 9_000_000 });
    expect([calls().length, journal.unsettled().length, entry('1')?.state]).toEqual([1, 1, 'managed']);
  });

  test('goes along where a person gets the id of somebody of the same call, with the repairs', () => {
    const { ledger, journal, open } = opened();
    const both = [change, personChange('2')];
    for (const { id } of both) ledger.staging.person(staged(id), {});
    journal.settle(
      open('employee.import', ...both),
      both.map((one) => ({ is: 'imported', id: one.id, change: one })),
    );
    const fields = [{ field: 'name', from: 'a', to: 'b' }];
    ledger.history.add('person', '2', { ...RECORD, fields, why: { code: 'edited' } });
    ledger.people.rekey('2', { id: '1', username: 'u2' });
    expect(ledger.people.entry('1')).toMatchObject({ id: '1', username: 'u2' });
    expect(ledger.troubles.repairs(0)).toEqual(new Map([['person 1 name', 1]]));
    expect(journal.callsOf('person', '1', 9)).toMatchObject([{ outcome: 'imported' }]);
  });
});

describe('a settlement', () => {
  test('imported again, and locked by others since: not read back until it is unlocked', () => {
    const { scene, people, view } = opened();
    const update = personChange('1', { kind: 'update' });
    scene
      .managed('1')
      .read(staged('1', { hash: 'h2' }))
      .call(update, { is: 'imported', id: '1', change: update });
    const asked = [false, true, false].map((locked) => {
      view.saveEmployees([], listed([employee('u1', { locked })]));
      return people.unverified(FIRST).length;
    });
    expect(asked).toEqual([1, 0, 1]);
  });

  test('personGone: removed, not to be decided again, its username still its own', () => {
    const { scene, people, entry } = opened();
    scene.managed('1').call(personChange('1', { kind: 'remove' }), { is: 'personGone', id: '1' });
    expect(entry('1')).toMatchObject({ state: 'removed', accepted: null });
    scene.read(staged('2', { username: 'U1' }));
    expect(scene.todo()).toEqual(['2']);
    expect(people.rows(FIRST)).toMatchObject([{ id: '2', employee: null, owner: { id: '1' } }]);
    expect(people.named('U1', 'username').map(({ id }) => id)).toEqual(['1']);
  });

  test('unitGone: removed, and no longer in the view', () => {
    const { scene, ledger, units, view } = opened();
    const unit = unitChange('007', { serialNo: LONG });
    const done: Settlement = { is: 'unit', id: '007', orgId: LONG, sent: unit.payload, accepted: null };
    scene.call(unit, done);
    view.saveOrganizations(
      [LONG, '1'].map((id) => node(id)),
      true,
    );
    scene.call(unitChange('007', { kind: 'remove' }), { is: 'unitGone', id: '007' });
    expect(units.all()).toMatchObject([{ state: 'removed', orgId: LONG, serialNo: LONG }]);
    expect(ledger.view.organizations().map(({ id }) => id)).toEqual(['1']);
  });

  test('nowhere: one of ours is removed, a doubtful person is gone after a week', () => {
    const { scene, people, open, entry } = opened();
    scene.managed('1');
    open('employee.import', personChange('2'));
    people.note('1', { is: 'nowhere', at: 0 });
    people.note('2', { is: 'nowhere', at: WEEK_MS });
    expect([entry('1')?.state, entry('2')?.state]).toEqual(['removed', 'creating']);
    people.note('2', { is: 'nowhere', at: 2 * WEEK_MS });
    expect(entry('2')).toBeNull();
  });
});

test.each([LONG, '007', '1e3', '0x10', ' 1', '1.0', '-0', '𝟙', "o'neil", 'ou=a,dc=b'])(
  'the identifier %s comes back as it is, everywhere',
  (id) => {
    const { scene, staging, view, units, journal, entry } = opened();
    const one = personChange(id, { username: id });
    scene.read(staged(id, { username: id, hash: id }));
    expect(scene.todo()).toEqual([id]);
    scene.call(one, { is: 'imported', id, change: one });
    view.accept([readBack(id, employee(id, { id }))]);
    expect(entry(id)).toMatchObject({ id, username: id, employeeId: id });
    expect(staging.known(id)?.hash).toBe(id);
    const sent = { fields: {}, parent: id };
    scene.call(unitChange(id, { serialNo: id }), { is: 'unit', id, orgId: id, sent, accepted: null });
    expect(units.all()).toMatchObject([{ id, orgId: id, serialNo: id, sent }]);
    expect(journal.callsOf('person', id, 1)).toHaveLength(1);
  },
);

describe('troubles', () => {
  const waits = { subject: 'person', id: '007', label: 'Ann', reason: 'waits' } as const;

  test('of the last plan are kept for its records, or for some of them alone', () => {
    const { scene, plan, troubles } = opened();
    const held = { ...waits, reason: 'is held', kind: 'held', hash: 'abc' } as const;
    const other = { ...waits, id: '1', label: 'bob' } as const;
    scene.read();
    for (const one of [waits, other]) plan.note(one);
    plan.note(held);
    troubles.keepNotes();
    expect(troubles.blocked()).toEqual([waits, other]);
    for (const text of ['007', 'aNN'])
      expect(troubles.notes(text)).toEqual([{ ...waits, kind: 'blocked', hash: null }, held]);
    scene.newRun().read();
    plan.note({ ...other, reason: 'waits again' });
    troubles.keepNotes([waits]);
    expect(troubles.blocked()).toEqual([other]);
    expect(troubles.notes('007')).toEqual([]);
    troubles.keepNotes();
    expect(troubles.blocked()).toEqual([{ ...other, reason: 'waits again' }]);
  });

  test('are found by id and by name in any case, and read to a limit', () => {
    const { troubles } = opened();
    const failure = { ...waits, id: 'E1' } as const;
    troubles.failed([failure, { ...failure, id: 'E2', label: 'Bob' }], 'refused');
    const found = ['E1', 'e1', 'ANN', 'zoe'].map((name) =>
      troubles
        .failures({ name })
        .map(({ id }) => id)
        .join(),
    );
    expect(found).toEqual(['E1', 'E1', 'E1', '']);
    expect(troubles.failures(1)).toHaveLength(1);
  });

  test('have a short reason, however long the words of others are that it is made of', () => {
    const { scene, staging, plan, troubles } = opened();
    const reason = `cannot be used: ${'x'.repeat(1_048_576)}`;
    staging.note({ is: 'refused', refusal: { ...waits, place: 'row 1', field: 'name', reason } });
    staging.note({ is: 'lost', loss: { ...waits, field: 'email', reason } });
    scene
      .read(staged('2'))
      .call(personChange('2'), { is: 'failed', failure: { ...waits, id: '2', reason }, at: 5 });
    plan.note({ ...waits, reason });
    const { refusals, losses } = staging.bad();
    const kept = [...refusals, ...losses, ...plan.blockedRecords(), ...troubles.failures()];
    expect(kept.map((one) => one.reason.replace(/x+/u, 'x'))).toEqual(
      Array(4).fill('cannot be used: x… (1,048,592 characters)'),
    );
    for (const one of kept) expect(one.reason.length).toBeLessThan(900);
  });
});

describe('an answer to a hold', () => {
  const reply = { signature: 'aa', hash: 'h1', by: 'eve', text: 'approve h1', at: 5, count: 3 };

  test('counts once, waits for a run, and is kept with what became of it', () => {
    const { ledger, approvals } = opened();
    const [other, later] = [
      { ...reply, signature: 'cc', hash: 'h2', at: 6 },
      { ...reply, signature: 'bb', at: 4 },
    ];
    const taken = [reply, other, { ...reply, hash: 'h3' }, later].map((one) => approvals.addReply(one));
    expect(taken).toEqual([true, true, false, true]);
    const waits = { run: null, left: null };
    expect(approvals.replies('open')).toEqual([later, reply, other].map((one) => ({ ...one, ...waits })));
    approvals.settleReply(reply, { run: 'r1', left: 2 });
    approvals.settleReply(later, { run: 'r1', left: null });
    expect(approvals.replies('open')).toEqual([{ ...other, ...waits }]);
    expect(approvals.replies(2)).toEqual([
      { ...other, ...waits },
      { ...reply, run: 'r1', left: 2 },
    ]);
    ledger.forgetOld({ ...NOTHING_OLD, calls: 5 });
    expect(approvals.replies(9)).toHaveLength(2);
  });

  test('that released nothing counts once too, and is not listed', () => {
    const { approvals } = opened();
    expect(approvals.addReply(reply, 'refused')).toBe(true);
    expect([approvals.replies('open'), approvals.replies(9)]).toEqual([[], []]);
    expect(approvals.addReply(reply)).toBe(false);
  });
});

describe('runs', () => {
  test('come last first as they were made, whatever the clock said, open ones without an end', () => {
    const { runs } = opened();
    runs.end({ ...END, id: 'run 1', kind: 'full', startedAt: 9, report: { applied: 3 }, isQuiet: false });
    runs.begin({ id: 'grown', kind: 'incremental', at: 49_000 });
    runs.end({ ...END, id: 'grown', kind: 'full', startedAt: 49_000, report: {}, isQuiet: true });
    expect(runs.last(1)).toMatchObject([{ id: 'grown', kind: 'full', startedAt: 49_000 }]);
    const later = { id: 'later', kind: 'incremental' } as const;
    runs.begin({ ...later, at: 50 });
    expect(runs.last(1)).toEqual([
      { ...later, startedAt: 50, endedAt: null, result: null, exitCode: null, report: null },
    ]);
    expect(runs.last(5)[2]).toEqual({
      ...END,
      id: 'run 1',
      kind: 'full',
      startedAt: 1,
      report: { applied: 3 },
    });
  });

  test('that were quiet are forgotten sooner, and the last 1,000 of all stay', () => {
    const { ledger, runs } = opened();
    ledger.transaction(() => {
      for (let at = 1; at <= 1_100; at += 1) {
        const run = { id: `minute ${at}`, kind: 'incremental' } as const;
        runs.begin({ ...run, at });
        runs.end({ ...END, ...run, startedAt: at, report: {}, isQuiet: at % 50 !== 0 });
      }
    });
    const [all, last] = [runs.last(2_000), runs.last(1_000)];
    ledger.forgetOld({ ...NOTHING_OLD, quietRuns: 60 });
    const kept = new Set(runs.last(2_000).map(({ id }) => id));
    const gone = all.filter(({ id }) => !kept.has(id));
    // At 60 and later it is too young.
    expect(gone.filter(({ startedAt }) => startedAt >= 60 || startedAt === 50)).toEqual([]);
    expect(gone).toHaveLength(58);
    ledger.forgetOld({ ...NOTHING_OLD, quietRuns: 10_000 });
    expect(runs.last(1_000)).toEqual(last);
    const early = runs.last(2_000).slice(1_000);
    expect(early.map(({ id }) => id)).toEqual(['minute 100', 'minute 50', 'run 1']);
  });
});
