import { beforeEach, describe, expect, test } from 'vitest';

import type { Change } from '../../src/domain/changes.ts';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import { changeDigest, plannedOf } from '../../src/plan/changes/change-digest.ts';
import { openScene } from './open-scene.ts';
import { personChange, unitChange, type Scene } from './records.ts';

const LEAVER = { kind: 'disable', guard: 'leavers' } as const;
const emptying = (id: string, ...fields: readonly string[]) =>
  personChange(id, {
    kind: 'update',
    guard: 'updates',
    payload: {
      fields: { name: 'N', ...Object.fromEntries(fields.map((field) => [field, null])) },
      positions: [],
    },
    fields: fields.map((field) => ({ field, from: 'x', to: null })),
  });

describe('the plan book', () => {
  let ledger: Ledger;
  let scene: Scene;

  beforeEach(() => {
    scene = openScene('plan-book').read();
    ledger = scene.ledger;
  });

  const add = (...changes: readonly Change[]): void => {
    for (const change of changes) ledger.plan.add(plannedOf(change));
  };
  const given = { hash: 'earlier', by: null, at: 1 };
  /** Approves what is planned now of this bucket. */
  const approve = (bucket: string): void => {
    ledger.plan.gatherOpen([bucket], []);
    ledger.approvals.approve(given, { is: 'open', of: bucket, among: null });
  };
  const approved = (): readonly string[] => [...ledger.approvals.all().keys()].toSorted();
  const openUpdates = (emptied: readonly string[] | null): number =>
    ledger.plan.counts(emptied).find(({ bucket }) => bucket === 'updates person')?.open ?? 0;

  test('counts what is approved apart, and gathers the rest in the order of the plan', () => {
    const people = Array.from({ length: 1_500 }, (_, n) => personChange(String(n).padStart(4, '0'), LEAVER));
    add(people[0]!);
    approve('leavers person');
    add(...people.slice(1).toReversed());
    expect(ledger.plan.counts([])).toEqual([{ bucket: 'leavers person', approved: 1, open: 1_499 }]);
    const openIn = ledger.plan.gatherOpen(['leavers person'], []);
    expect(openIn('leavers person', { first: 2, doubts: 0 }).first).toEqual(['u0001 (Ann)', 'u0002 (Ann)']);
    expect([...openIn('leavers person', { first: 0, doubts: 0 }).digests]).toEqual(
      people.slice(1).map((change) => changeDigest(change, 'leavers person')),
    );
  });

  test('counts a change that does nothing but empty under its guard only where some of that goes on', () => {
    const renamed = emptying('3', 'fax');
    const fields = [...renamed.fields, { field: 'name', from: 'M', to: 'N' }];
    add(emptying('1', 'fax'), emptying('2', 'fax', 'tel'), { ...renamed, fields });
    expect(openUpdates(null)).toBe(1);
    expect(openUpdates(['emptied person fax'])).toBe(2);
    expect(openUpdates(['emptied person fax', 'emptied person tel'])).toBe(1);
    expect(openUpdates([])).toBe(3);
    approve('emptied person tel');
    expect(openUpdates(['emptied person fax'])).toBe(1);
  });

  test('holds whole what nothing is left of, and lists the parts of the rest one by one', () => {
    add(personChange('1', LEAVER), emptying('2', 'fax'), emptying('3', 'fax', 'tel'), personChange('4'));
    const buckets = ['leavers person', 'emptied person fax'];
    ledger.plan.gatherOpen(buckets, ['emptied person fax']);
    const hashes = new Map(buckets.map((bucket, index) => [bucket, `h${index}`]));
    const open = [...ledger.plan.holdOpen(hashes)];
    expect(open.map(({ change }) => change.id)).toEqual(['2', '3']);
    expect(open.map((one) => one.open)).toEqual([
      [{ bucket: 'emptied person fax', hash: 'h1' }],
      [{ bucket: 'emptied person fax', hash: 'h1' }],
    ]);
    expect(ledger.plan.totals()).toMatchObject({ held: 1, flowing: 3 });
    const [rest, held] = [emptying('3', 'tel'), emptying('3', 'fax')];
    const goesOn = { change: rest, hashes: [] };
    ledger.plan.divide(open[1]!.seq, [goesOn, { change: held, hashes: ['h1'] }]);
    ledger.plan.stop(open[0]!.seq, 'held', ['h1']);
    expect(ledger.plan.totals()).toMatchObject({ held: 3, flowing: 2 });
    const listed = [...ledger.plan.sequencedChanges()];
    expect(listed.map((one) => [one.change.id, one.isHeld, one.hashes])).toEqual([
      ['1', true, ['h0']],
      ['2', true, ['h1']],
      ['3', false, []],
      ['3', true, ['h1']],
      ['4', false, []],
    ]);
    expect([listed[2]?.change, listed[3]?.change]).toEqual([rest, held]);
  });

  test('holds with a unit on its way those that follow it, and whom it takes along', () => {
    const move = { kind: 'move', guard: 'unitsMoved' } as const;
    const below = { kind: 'move', guard: null, cause: 'a' } as const;
    add(unitChange('a', move), unitChange('b', below), unitChange('c', move));
    add(personChange('1', { guard: null, cause: 'a' }), personChange('2', { guard: null, cause: 'c' }));
    const [first] = ledger.plan.sequencedChanges('units');
    ledger.plan.stop(first!.seq, 'held', ['h1']);
    ledger.plan.holdCaused();
    const all = [...ledger.plan.sequencedChanges()];
    expect(all.map(({ change, isHeld, hashes }) => [change.id, isHeld, hashes])).toEqual([
      ['1', true, ['h1']],
      ['2', false, []],
      ['a', true, ['h1']],
      ['b', true, ['h1']],
      ['c', false, []],
    ]);
  });

  test('approves what it has gathered, or what was listed and is still planned', () => {
    const [one, two] = [personChange('1', LEAVER), personChange('2', LEAVER)];
    add(one, two);
    ledger.plan.gatherOpen(['leavers person'], []);
    const held = {
      guard: 'leavers',
      hash: 'listed',
      count: 2,
      limit: 0,
      first: [],
      about: '',
      cause: null,
    } as const;
    const listed = [
      { held, of: { bucket: 'leavers person' } },
      { held, of: { digest: changeDigest(one, 'leavers person') } },
    ];
    ledger.approvals.setHeld(listed);
    ledger.approvals.approve({ ...given, hash: 'now' }, { is: 'open', of: 'leavers person', among: null });
    expect(ledger.approvals.all('planned')).toEqual(ledger.approvals.all());
    expect(ledger.approvals.all().size).toBe(2);
    scene.newRun().read();
    ledger.approvals.setHeld(listed, new Set());
    expect(approved()).toEqual([]);
    add(one);
    expect(ledger.approvals.under('listed').isKnown).toBe(true);
    ledger.approvals.approve({ ...given, hash: 'listed' }, { is: 'listed', among: null });
    expect(approved()).toEqual([changeDigest(one, 'leavers person')]);
  });

  test('spends the approval of what this run has sent, and of nothing else', () => {
    const [sent, failed, waits] = ['1', '2', '3'].map((id) => personChange(id, LEAVER));
    add(sent!, failed!, waits!);
    scene.approveLeavers(given);
    const failure = { subject: 'person', id: '2', label: 'u2', reason: 'refused' } as const;
    scene.call(sent!, { is: 'disabled', id: '1', at: 1 });
    scene.call(failed!, { is: 'failed', failure, at: 1 });
    const end = { kind: 'full', startedAt: 1, endedAt: 2, result: 'ok', exitCode: 0, report: {} } as const;
    ledger.runs.end({ ...end, id: 'run 1', isQuiet: false });
    const left = [failed!, waits!].map((change) => changeDigest(change, 'leavers person'));
    expect(approved()).toEqual(left.toSorted());
  });
});
