import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { atOnce } from '../../src/lib/in-steps.ts';
import type { Change } from '../../src/domain/changes.ts';
import { LedgerError } from '../../src/domain/errors.ts';
import type { Settlement } from '../../src/domain/ports/ledger/journal.ts';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import type { PersonEntry } from '../../src/domain/ports/ledger/entries.ts';
import { plannedOf } from '../../src/plan/changes/change-digest.ts';
import {
  employee,
  NOTHING_OLD,
  itemsOf,
  LONG,
  organization,
  payload,
  personChange,
  readBack,
  Scene,
  staged,
  unitChange,
} from './records.ts';
import { listed } from '../doubles/listed.ts';

export interface LedgerUnderTest {
  readonly ledger: Ledger;
  /** Another connection to the same ledger, as another process has it; `null` where there can be none. */
  other(): Ledger | null;
  stop(): void;
}

/** The ledger's clock. */
export interface TestClock {
  now: number;
}

const planned = (change: Change) => plannedOf(change);

const WEEK_MS = 7 * 86_400_000;
const FIRST = { after: '', limit: 1_000 };

/** What every ledger must do. */
export function describeLedger(name: string, start: (clock: TestClock) => LedgerUnderTest): void {
  describe(`${name} as a ledger`, () => {
    const clock: TestClock = { now: 0 };
    let world: LedgerUnderTest;
    let ledger: Ledger;
    let scene: Scene;

    beforeEach(() => {
      clock.now = 1_000_000;
      world = start(clock);
      ledger = world.ledger;
      scene = new Scene(ledger);
    });
    afterEach(() => world.stop());

    const entry = (id: string): PersonEntry => ledger.people.entry(id)!;
    const refusals = () => Array.from(ledger.staging.bad().refusals, ({ id, field }) => `${id}: ${field}`);
    const rowOf = (id: string) => ledger.people.rows(FIRST).find((row) => row.id === id);

    describe('staging', () => {
      test('knows nobody at first, then who was imported, with the hash', () => {
        expect(ledger.staging.known('1')).toBeUndefined();
        scene.managed('1');
        expect(ledger.staging.known('1')).toMatchObject({ hash: 'hash 1', open: false });
      });

      test('refuses people who share an id', () => {
        const others = [staged('2'), staged('3'), staged('3', { problem: 'bad' })];
        scene.read(staged('1', { username: 'a' }), staged('1', { username: 'b', hash: 'b' }), ...others);
        expect(refusals()).toEqual(['1: id', '3: id']);
        expect(scene.todo()).toEqual(['2']);
      });

      test('takes equal records for one, but for secrets that differ', () => {
        for (const pin of ['1', '1']) ledger.staging.person(staged('1'), { password: pin });
        for (const pin of ['1', '2']) ledger.staging.person(staged('2'), { password: pin });
        scene.read(staged('3'), staged('3'));
        expect(refusals()).toEqual(['2: id']);
        expect(scene.todo()).toEqual(['1', '3']);
      });

      test('refuses people of whom one was seen unchanged and another one shares the id', () => {
        scene.managed('1', '2');
        ledger.staging.person(staged('1'), {});
        scene.see('1', '2', '2');
        expect(refusals()).toEqual(['1: id']);
        expect(scene.todo()).toEqual([]);
      });

      test('refuses all who share a username, also in another case', () => {
        scene.read(
          staged('1', { username: 'Ann' }),
          staged('2', { username: 'aNN' }),
          staged('3', { username: 'ÄÖ' }),
          staged('4', { username: 'äö' }),
          staged('5'),
        );
        expect(refusals()).toEqual(['1: username', '2: username', '3: username', '4: username']);
        expect(scene.todo()).toEqual(['5']);
      });

      test('refuses nobody who has the account of a username, unchanged or not: the others are decided', () => {
        scene.managed('1', '3');
        const claimants = [staged('2', { username: 'U1' }), staged('4', { username: 'U3' })];
        for (const one of [...claimants, staged('3', { hash: 'new' })]) ledger.staging.person(one, {});
        scene.see('1');
        expect(refusals()).toEqual([]);
        expect(scene.todo()).toEqual(['2', '3', '4']);
        for (const [id, owner] of [
          ['2', '1'],
          ['4', '3'],
        ] as const)
          expect(rowOf(id)?.owner).toMatchObject({ id: owner, isHere: 'yes' });
      });

      test('refuses nobody because of a username of somebody who is not in the read', () => {
        scene.managed('1').read(staged('2', { username: 'u1' }));
        expect(refusals()).toEqual([]);
        expect(rowOf('2')).toBeUndefined();
        expect(scene.todo()).toEqual(['1', '2']);
        expect(rowOf('2')?.owner).toMatchObject({ id: '1', isHere: 'no' });
      });

      test('keeps secrets for their person, and from everybody after', () => {
        const secrets = { password: 'pässword', source_identifiers: { A: LONG } };
        ledger.staging.person(staged('1'), secrets);
        scene.read(staged('2'));
        expect(ledger.staging.secretsOf('1')).toEqual(secrets);
        expect(ledger.staging.secretsOf('2')).toEqual({});
        ledger.staging.end();
        ledger.staging.begin();
        expect(ledger.staging.secretsOf('1')).toEqual({});
      });

      test('gives changes back by kind, page by page, in the order they came', () => {
        const changes = ['c', 'a', 'b'].map((id) => personChange(id));
        for (const change of [unitChange('u'), ...changes, personChange('x', { kind: 'disable' })])
          ledger.plan.add(planned(change));
        const query = { subject: 'person', kinds: ['create', 'update'], limit: 2 } as const;
        const first = ledger.plan.changes({ ...query, after: 0 });
        const second = ledger.plan.changes({ ...query, after: first[1]!.seq });
        expect([...first, ...second].map(({ change }) => change)).toEqual(changes);
        expect(first).toHaveLength(2);
      });

      test('asks for all, then for those who are to be decided and were not asked for', () => {
        scene.managed('1', '2').newRun();
        const asked = () => ledger.view.usernamesToAsk(FIRST);
        scene.read(staged('3'), staged('2', { hash: 'x' }));
        expect(atOnce(ledger.view.prepareToAsk({ full: false, onlyUsers: false }))).toBe(1);
        expect(asked()).toEqual(['u3']);
        scene.todo();
        expect(atOnce(ledger.view.prepareToAsk('decided'))).toBe(2);
        expect(asked()).toEqual(['u1', 'u2']);
        expect(atOnce(ledger.view.prepareToAsk({ full: true, onlyUsers: false, anew: true }))).toBe(3);
        expect(asked()).toEqual(['u1', 'u2', 'u3']);
      });
    });

    describe('the list of what is to be decided', () => {
      test('holds who is staged, open or missing, and nobody who is as he was', () => {
        scene.managed('changed', 'missing', 'open', 'same');
        ledger.view.saveEmployees(['uopen'], listed([employee('uopen', { fields: { name: 'edited' } })]));
        ledger.staging.person(staged('changed', { hash: 'other' }), {});
        ledger.staging.person(staged('new'), {});
        scene.see('open', 'same');
        expect(scene.todo()).toEqual(['changed', 'missing', 'new', 'open']);
        expect(rowOf('missing')?.record).toBeNull();
        expect(rowOf('open')?.record).toBe('unchanged');
        expect(rowOf('changed')?.record).toEqual(staged('changed', { hash: 'other' }));
        expect(rowOf('new')).toMatchObject({ entry: null, employee: null, owner: null });
      });

      test('leaves out whom a refusal names, but not for a unit of the same id, nor for a mere row of positions', () => {
        scene.managed('1', '2', '3', '4');
        const refusal = { place: 'row 1', field: 'name', reason: 'is empty' };
        ledger.staging.note({ is: 'refused', refusal: { ...refusal, subject: 'person', id: '1' } });
        ledger.staging.note({ is: 'refused', refusal: { ...refusal, subject: 'position', id: '2' } });
        ledger.staging.note({ is: 'refused', refusal: { ...refusal, subject: 'position', id: '4' } });
        ledger.staging.note({ is: 'refused', refusal: { ...refusal, subject: 'unit', id: '3' } });
        ledger.staging.note({ is: 'refused', refusal: { ...refusal, subject: 'person', id: null } });
        scene.read(staged('4'));
        expect(scene.todo()).toEqual(['2', '3']);
      });

      test('joins the account of the ledger’s username, and names who owns the wanted one', () => {
        scene.managed('1', '2').read(staged('1', { username: 'U2', hash: 'x' }));
        scene.todo();
        expect(rowOf('1')).toMatchObject({ employee: { username: 'u1', locked: false }, owner: { id: '2' } });
      });
    });

    describe('misses', () => {
      test('are counted, and forgotten when the person is back, in whatever way', () => {
        scene.managed('seen', 'staged', 'refused', 'missing');
        for (const id of ['seen', 'staged', 'refused', 'missing'])
          ledger.people.note(id, { is: 'missing', misses: 1, at: 5 });
        ledger.staging.person(staged('staged', { hash: 'x' }), {});
        ledger.staging.note({
          is: 'refused',
          refusal: { subject: 'person', id: 'refused', place: '', field: 'name', reason: '' },
        });
        ledger.staging.note({
          is: 'refused',
          refusal: { subject: 'unit', id: 'missing', place: '', field: 'name', reason: '' },
        });
        scene.see('seen');
        ledger.people.cancelMisses();
        for (const id of ['seen', 'staged', 'refused'])
          expect(entry(id)).toMatchObject({ misses: 0, missedAt: null });
        expect(entry('missing')).toMatchObject({ misses: 1, missedAt: 5 });
      });

      test('of who has not left yet are told', () => {
        scene.managed('new', 'near', 'due', 'here');
        ledger.people.note('new', { is: 'missing', misses: 1, at: 5 });
        ledger.people.note('near', { is: 'missing', misses: 2, at: 7 });
        ledger.people.note('due', { is: 'missing', misses: 3, at: 7 });
        expect(ledger.people.waiting(3)).toEqual([
          { misses: 2, missedAt: 7, count: 1, first: [{ id: 'near', username: 'unear', name: 'Ann' }] },
          { misses: 1, missedAt: 5, count: 1, first: [{ id: 'new', username: 'unew', name: 'Ann' }] },
        ]);
        for (let n = 0; n < 11; n += 1) scene.managed(`m${n}`);
        for (let n = 0; n < 11; n += 1) ledger.people.note(`m${n}`, { is: 'missing', misses: 2, at: 5 });
        expect(ledger.people.waiting(3)[0]).toMatchObject({ count: 12, first: { length: 10 } });
      });
    });

    describe('the view', () => {
      test('keeps organizations as they are, and forgets what a complete read does not have', () => {
        const nodes = [organization(LONG, { serialNo: null, parentId: null }), organization('007')];
        ledger.view.saveOrganizations(nodes, true);
        expect(ledger.view.organizations()).toEqual(expect.arrayContaining(nodes));
        ledger.view.saveOrganizations([organization('007', { name: 'new' })], false);
        expect(ledger.view.organizations()).toHaveLength(2);
        ledger.view.saveOrganizations([organization('007')], true);
        expect(ledger.view.organizations()).toEqual([organization('007')]);
      });

      test('asks for candidates, new people, who is open and who was not read back; on a full run for all', () => {
        scene.managed('open', 'same').call(personChange('unread'), {
          is: 'imported',
          id: 'unread',
          change: personChange('unread'),
        });
        ledger.view.saveEmployees(['uopen'], listed([]));
        ledger.view.candidates([{ userId: '1', username: 'candidate' }]);
        scene.read(staged('new'), staged('gone', { active: false }), staged('same', { hash: 'x' }));
        const asked = () => ledger.view.usernamesToAsk(FIRST);
        expect(atOnce(ledger.view.prepareToAsk({ full: false, onlyUsers: false }))).toBe(4);
        expect(asked()).toEqual(['candidate', 'unew', 'uopen', 'uunread']);
        expect(atOnce(ledger.view.prepareToAsk({ full: true, onlyUsers: false, anew: true }))).toBe(6);
        expect(asked()).toEqual(['candidate', 'ugone', 'unew', 'uopen', 'usame', 'uunread']);
        expect(ledger.view.usernamesToAsk({ after: 'ugone', limit: 2 })).toEqual(['unew', 'uopen']);
      });

      test.each([
        ['edited', employee('u1', { fields: { name: 'edited' } })],
        ['moved', employee('u1', { positions: [] })],
        ['locked', employee('u1', { locked: true })],
        ['another account', employee('u1', { id: 'other' })],
        ['gone', null],
      ])('opens a managed person whose account is %s', (_, found) => {
        scene.managed('1', '2');
        ledger.view.saveEmployees(['u1', 'u2'], listed([...(found === null ? [] : [found]), employee('u2')]));
        expect(ledger.staging.known('1')?.open).toBe(true);
        expect(ledger.staging.known('2')?.open).toBe(false);
      });

      test('opens nobody whose account looks as it did, in whatever order the answer has its fields', () => {
        scene.managed('1');
        const { fields, positions } = employee('u1');
        const turned = Object.fromEntries(Object.entries(fields).toReversed());
        ledger.view.saveEmployees(
          ['u1'],
          listed([employee('u1', { fields: turned, positions: positions.toReversed() })]),
        );
        expect(ledger.staging.known('1')?.open).toBe(false);
      });

      test('shows an employee by username, the very one before one in another case', () => {
        ledger.view.saveEmployees([], listed([employee('u1'), employee('U1'), employee('Ann')]));
        expect(ledger.view.employee('U1')).toMatchObject({ username: 'U1', id: 'e-U1', locked: false });
        expect(ledger.view.employee('u1')?.username).toBe('u1');
        expect(ledger.view.employee('aNN')?.username).toBe('Ann');
        expect(ledger.view.employee('nobody')).toBeNull();
      });

      test('counts employees here who are not ours', () => {
        scene.managed('1', '2').call(personChange('2', { kind: 'remove' }), { is: 'personGone', id: '2' });
        const another = { ...employee('u2'), id: 'e-another' };
        ledger.view.saveEmployees(['a', 'u2'], listed([another, employee('stranger')]));
        expect(ledger.view.unmanaged(0).count).toBe(2);
        expect(ledger.view.unmanaged(10).first.map(({ username }) => username)).toEqual(['stranger', 'u2']);
        expect(ledger.view.unmanaged(1).first).toMatchObject([{ id: 'e-stranger', locked: false }]);
      });
    });

    describe('the journal', () => {
      const change = personChange('1');

      test('claims a new person before the call: in doubt until settled', () => {
        ledger.journal.open({ operation: 'employee.import', items: itemsOf(change) });
        expect(entry('1')).toMatchObject({
          state: 'creating',
          username: 'u1',
          employeeId: null,
          sent: payload(),
        });
        expect(ledger.staging.known('1')).toMatchObject({ hash: null, open: true });
      });

      test('knows what was not settled', () => {
        const first = ledger.journal.open({
          operation: 'employee.import',
          items: itemsOf(change, personChange('2')),
        });
        const second = ledger.journal.open({ operation: 'org.import', items: itemsOf(unitChange('u')) });
        expect(ledger.journal.unsettled()).toMatchObject([
          {
            call: first,
            operation: 'employee.import',
            items: [
              { subject: 'person', id: '1' },
              { subject: 'person', id: '2' },
            ],
          },
          { call: second, operation: 'org.import', items: [{ subject: 'unit', id: 'u' }] },
        ]);
        ledger.journal.settle(first, []);
        ledger.journal.settle(second, []);
        expect(ledger.journal.unsettled()).toEqual([]);
      });

      test('settles a call whole or not at all', () => {
        scene.read(staged('1'));
        const call = ledger.journal.open({ operation: 'employee.import', items: itemsOf(change) });
        const impossible = {
          is: 'unit',
          id: 'u',
          orgId: 1n,
          sent: { fields: {}, parent: 1n },
          accepted: null,
        };
        const settlements = [
          { is: 'imported', id: '1', change },
          impossible,
        ] as unknown as readonly Settlement[];
        expect(() => ledger.journal.settle(call, settlements)).toThrow('BigInt');
        expect(entry('1').state).toBe('creating');
        expect(ledger.journal.unsettled()).toHaveLength(1);
      });

      test('opens a call whole or not at all', () => {
        const impossible = { ...personChange('2'), payload: { fields: { n: 1n }, positions: [] } };
        const changes = [change, impossible] as unknown as readonly (typeof change)[];
        expect(() =>
          ledger.journal.open({ operation: 'employee.import', items: itemsOf(...changes) }),
        ).toThrow('BigInt');
        expect(ledger.people.entry('1')).toBeNull();
        expect(ledger.journal.unsettled()).toEqual([]);
      });

      test('remembers the calls of a record, the last first, with their outcomes', () => {
        scene.read(staged('1')).call(change, { is: 'imported', id: '1', change });
        clock.now = 2_000_000;
        ledger.journal.open({
          operation: 'employee.disable',
          items: itemsOf(personChange('1', { kind: 'disable' })),
        });
        expect(ledger.journal.callsOf('person', '1', 10)).toEqual([
          { at: 2_000_000, run: 'run 1', operation: 'employee.disable', outcome: 'not settled' },
          { at: 1_000_000, run: 'run 1', operation: 'employee.import', outcome: 'imported' },
        ]);
        expect(ledger.journal.callsOf('person', '1', 1)).toHaveLength(1);
        expect(ledger.journal.callsOf('unit', '1', 10)).toEqual([]);
      });

      test('forgets settled calls and ended runs when they are old, and nothing that is open', () => {
        scene.read(staged('1'), staged('2')).call(change, { is: 'imported', id: '1', change });
        ledger.journal.open({ operation: 'employee.import', items: itemsOf(personChange('2')) });
        const ended = {
          id: 'run 1',
          kind: 'full',
          startedAt: 1,
          endedAt: 2,
          result: 'ok',
          exitCode: 0,
          report: {},
          isQuiet: true,
        } as const;
        ledger.runs.end(ended);
        ledger.forgetOld({ ...NOTHING_OLD, calls: 1_000_000 });
        expect(ledger.journal.callsOf('person', '1', 10)).toHaveLength(1);
        expect(ledger.runs.last(10)).toEqual([]);
        ledger.forgetOld({ ...NOTHING_OLD, calls: 1_000_001 });
        expect(ledger.journal.callsOf('person', '1', 10)).toEqual([]);
        expect(ledger.journal.unsettled()).toHaveLength(1);
        expect(entry('1').state).toBe('managed');
      });

      test('keeps what the last plan says of its records, or of some of them alone', () => {
        const { plan, troubles } = ledger;
        const waits = { subject: 'person', id: '007', label: 'Ann', reason: 'waits' } as const;
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
    });

    describe('a settlement', () => {
      const change = personChange('1');

      test('personGone: removed, not to be decided again, its username still its own', () => {
        scene.managed('1').call(personChange('1', { kind: 'remove' }), { is: 'personGone', id: '1' });
        expect(entry('1')).toMatchObject({ state: 'removed', accepted: null });
        scene.read(staged('2', { username: 'U1' }));
        expect(scene.todo()).toEqual(['2']);
        expect(rowOf('2')).toMatchObject({ employee: null, owner: { id: '1' } });
        expect(ledger.people.named('U1', 'username')[0]?.id).toBe('1');
        expect(ledger.people.named('U1', 'username').map(({ id }) => id)).toEqual(['1']);
      });

      test('imported: managed, with what was sent and the hash of the read; to be read back', () => {
        scene.read(staged('1', { secretHash: 's' })).call(change, { is: 'imported', id: '1', change });
        expect(entry('1')).toMatchObject({
          state: 'managed',
          sent: payload(),
          secretHash: 's',
          accepted: null,
        });
        expect(ledger.staging.known('1')).toMatchObject({ hash: 'hash 1', open: false });
        expect(ledger.people.unverified(FIRST).map(({ id }) => id)).toEqual(['1']);
        expect(ledger.people.counts()).toEqual({ creating: 0, managed: 1, disabled: 0, removed: 0 });
      });

      test('imported again, and locked by others since: nobody is asked for, until the account is unlocked', () => {
        const update = personChange('1', { kind: 'update' });
        scene
          .managed('1')
          .read(staged('1', { hash: 'h2' }))
          .call(update, { is: 'imported', id: '1', change: update });
        for (const [locked, asked] of [
          [false, ['1']],
          [true, []],
          [false, ['1']],
        ] as const) {
          ledger.view.saveEmployees([], listed([employee('u1', { locked })]));
          expect(ledger.people.unverified(FIRST).map(({ id }) => id)).toEqual(asked);
        }
      });

      test('forget: one of ours is removed, a doubtful person is gone after a week', () => {
        scene.managed('1');
        ledger.journal.open({ operation: 'employee.import', items: itemsOf(personChange('2')) });
        ledger.people.note('1', { is: 'nowhere', at: 0 });
        ledger.people.note('2', { is: 'nowhere', at: WEEK_MS });
        expect(entry('1').state).toBe('removed');
        expect(entry('2').state).toBe('creating');
        ledger.people.note('2', { is: 'nowhere', at: 2 * WEEK_MS });
        expect(ledger.people.entry('2')).toBeNull();
      });

      describe('of a unit', () => {
        const unit = unitChange('007', { serialNo: LONG });
        const sent = unit.payload;
        const done: Settlement = { is: 'unit', id: '007', orgId: LONG, sent, accepted: null };

        test('claims it before the call, and holds it after, ids to the last digit', () => {
          const call = ledger.journal.open({ operation: 'org.import', items: itemsOf(unit) });
          expect(ledger.units.all()).toEqual([
            { id: '007', state: 'creating', orgId: null, serialNo: LONG, sent, accepted: null },
          ]);
          ledger.journal.settle(call, [done]);
          expect(ledger.units.all()).toEqual([
            { id: '007', state: 'managed', orgId: LONG, serialNo: LONG, sent, accepted: null },
          ]);
          ledger.units.note({ is: 'accepted', unit: '007', fields: { name: 'N', tel: null } });
          expect(ledger.units.all()[0]?.accepted).toEqual({ name: 'N', tel: null });
        });

        test('gone: removed, and no longer in the view', () => {
          scene.call(unit, done);
          ledger.view.saveOrganizations([organization(LONG), organization('1')], true);
          scene.call(unitChange('007', { kind: 'remove' }), { is: 'unitGone', id: '007' });
          expect(ledger.units.all()).toMatchObject([{ state: 'removed', orgId: LONG, serialNo: LONG }]);
          expect(ledger.view.organizations().map(({ id }) => id)).toEqual(['1']);
        });
      });
    });

    describe('identifiers', () => {
      test.each([LONG, '007', '1e3', '0x10', ' 1', '1.0', '-0', '𝟙', "o'neil", 'ou=a,dc=b'])(
        '%s comes back as it is, everywhere',
        (id) => {
          const change = personChange(id, { username: id });
          scene.read(staged(id, { username: id, hash: id }));
          expect(scene.todo()).toEqual([id]);
          scene.call(change, { is: 'imported', id, change });
          ledger.view.accept([readBack(id, employee(id, { id }))]);
          expect(entry(id)).toMatchObject({ id, username: id, employeeId: id });
          expect(ledger.staging.known(id)?.hash).toBe(id);
          scene.call(unitChange(id, { serialNo: id }), {
            is: 'unit',
            id,
            orgId: id,
            sent: { fields: {}, parent: id },
            accepted: null,
          });
          expect(ledger.units.all()).toMatchObject([{ id, orgId: id, serialNo: id, sent: { parent: id } }]);
          expect(ledger.journal.callsOf('person', id, 1)).toHaveLength(1);
        },
      );
    });

    function takesCall(): boolean {
      try {
        return ledger.journal.open({ operation: 'employee.import', items: [] }) > 0;
      } catch (error) {
        if (error instanceof LedgerError) return false;
        throw error;
      }
    }

    describe('the lease', () => {
      test('of a holder who does not renew is taken over, and not before', () => {
        expect(ledger.lease.acquire('other')).toBe('me');
        clock.now += 59_999;
        expect(ledger.lease.acquire('other')).toBe('me');
        expect(ledger.lease.renew()).toBe(true);
        clock.now += 1;
        expect(ledger.lease.acquire('other')).toBe('me');
        clock.now += 600_000;
        expect(ledger.lease.acquire('other')).toBeNull();
      });

      test('that was lost stops the holder before its next call, and leaves the call in flight to be read again', () => {
        const second = world.other();
        if (second === null) return;
        scene.read(staged('1'));
        const change = personChange('1');
        const call = ledger.journal.open({ operation: 'employee.import', items: itemsOf(change) });
        clock.now += 600_000;
        expect(second.lease.acquire('other')).toBeNull();
        expect(ledger.lease.renew()).toBe(false);
        expect(() =>
          ledger.journal.open({ operation: 'employee.import', items: itemsOf(personChange('2')) }),
        ).toThrow(LedgerError);
        expect(ledger.people.entry('2')).toBeNull();
        expect(() => ledger.journal.settle(call, [{ is: 'imported', id: '1', change }])).toThrow(LedgerError);
        expect(entry('1').state).toBe('creating');
        expect(second.journal.unsettled()).toMatchObject([{ call }]);
        ledger.lease.release();
        expect(ledger.lease.acquire('third')).toBe('other');
        second.close();
      });

      test('is needed for a call, but not in a copy for planning', () => {
        ledger.lease.release();
        const second = world.other();
        second?.close();
        expect(takesCall()).toBe(second === null);
      });
    });

    describe('runs and facts', () => {
      test('times that a wrong clock has put into the future are now', () => {
        scene.managed('1');
        const change = personChange('1', { kind: 'disable', guard: 'leavers' });
        scene.call(change, { is: 'disabled', id: '1', at: 9_000_000 });
        ledger.plan.add(plannedOf(change));
        scene.approveLeavers({ hash: 'hash', by: null, at: 9_000_000 });
        ledger.noneAfter(2_000_000, 2_000_000);
        expect(entry('1').disabledAt).toBe(2_000_000);
        expect(ledger.approvals.under('hash').isKnown).toBe(true);
        ledger.noneAfter(3_000_000, 2_000_001);
        expect(ledger.approvals.under('hash').isKnown).toBe(false);
        expect(entry('1').disabledAt).toBe(2_000_000);
      });

      test('an answer counts once, waits for a run, and is kept with what became of it', () => {
        const { approvals } = ledger;
        const reply = { signature: 'aa', hash: 'h1', by: 'eve', text: 'approve h1', at: 5, count: 3 };
        const [other, later] = [
          { ...reply, signature: 'cc', hash: 'h2', at: 6 },
          { ...reply, signature: 'bb', at: 4 },
        ];
        expect(approvals.addReply(reply)).toBe(true);
        expect(approvals.addReply(other)).toBe(true);
        expect(approvals.addReply({ ...reply, hash: 'h3' })).toBe(false);
        expect(approvals.addReply(later)).toBe(true);
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

      test('an answer that released nothing counts once too, and is not listed', () => {
        const { approvals } = ledger;
        const reply = { signature: 'aa', hash: 'h1', by: 'eve', text: 'approve h1', at: 5, count: 0 };
        expect(approvals.addReply(reply, 'refused')).toBe(true);
        expect([approvals.replies('open'), approvals.replies(9)]).toEqual([[], []]);
        expect(approvals.addReply(reply)).toBe(false);
      });

      test('the last runs come first, open ones without an end', () => {
        const end = { id: 'run 1', kind: 'full', endedAt: 9, result: 'ok', exitCode: 0 } as const;
        ledger.runs.end({ ...end, startedAt: 9, report: { applied: 3 }, isQuiet: false });
        ledger.runs.begin({ id: 'grown', kind: 'incremental', at: 49 });
        ledger.runs.end({ ...end, id: 'grown', startedAt: 49, report: {}, isQuiet: true });
        expect(ledger.runs.last(1)).toMatchObject([{ id: 'grown', kind: 'full', startedAt: 49 }]);
        ledger.runs.begin({ id: 'later', kind: 'incremental', at: 50 });
        expect(ledger.runs.last(1)).toEqual([
          {
            id: 'later',
            kind: 'incremental',
            startedAt: 50,
            endedAt: null,
            result: null,
            exitCode: null,
            report: null,
          },
        ]);
        expect(ledger.runs.last(5)[2]).toEqual({ ...end, startedAt: 1, report: { applied: 3 } });
      });

      test('quiet runs are forgotten sooner, and the last 1,000 runs are all there', () => {
        const end = { kind: 'incremental', endedAt: 9, result: 'ok', exitCode: 0, report: {} } as const;
        for (let at = 1; at <= 1_100; at += 1) {
          const id = `minute ${at}`;
          ledger.runs.begin({ id, kind: 'incremental', at });
          ledger.runs.end({ ...end, id, startedAt: at, isQuiet: at % 50 !== 0 });
        }
        const [all, last] = [ledger.runs.last(2_000), ledger.runs.last(1_000)];
        ledger.forgetOld({ ...NOTHING_OLD, quietRuns: 60 });
        const left = ledger.runs.last(2_000);
        const gone = all.filter(({ id }) => left.every((one) => one.id !== id));
        // At 60 and later it is too young.
        expect(gone.map(({ startedAt }) => startedAt).filter((at) => at >= 60 || at === 50)).toEqual([]);
        expect(gone).toHaveLength(58);
        ledger.forgetOld({ ...NOTHING_OLD, quietRuns: 10_000 });
        expect(ledger.runs.last(1_000)).toEqual(last);
        const early = ledger.runs.last(2_000).slice(1_000);
        expect(early.map(({ id }) => id)).toEqual(['minute 100', 'minute 50', 'run 1']);
      });
    });
  });
}
