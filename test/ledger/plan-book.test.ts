import { beforeEach, describe, expect, test } from 'vitest';

import type { Change } from '../../src/domain/changes.ts';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import { changeDigest, plannedOf } from '../../src/plan/changes/change-digest.ts';
import { openScene } from './ledger-file.ts';
import { personChange, type Scene } from './records.ts';

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
    scene = openScene().read();
    ledger = scene.ledger;
  });

  const add = (...changes: readonly Change[]): void => {
    for (const change of changes) ledger.plan.add(plannedOf(change));
  };
  const given = { hash: 'earlier', by: null, at: 1 };
  /** Approves what is planned now of this bucket. */
  const approve = (bucket: string): void => {
    ledger.plan.gatherOpen([bucket]);
    ledger.approvals.approve(given, { is: 'open', of: bucket, among: null });
  };
  test('counts what is approved apart, and gathers the rest, the first by their ids', () => {
    const people = Array.from({ length: 1_500 }, (_, n) => personChange(String(n).padStart(4, '0'), LEAVER));
    add(people[0]!);
    approve('leavers person');
    add(...people.slice(1).toReversed());
    expect(ledger.plan.counts()).toEqual([{ bucket: 'leavers person', approved: 1, open: 1_499 }]);
    const openIn = ledger.plan.gatherOpen(['leavers person']);
    expect(openIn('leavers person', { first: 2, doubts: 0 }).first).toEqual(['u0001 (Ann)', 'u0002 (Ann)']);
    expect([...openIn('leavers person', { first: 0, doubts: 0 }).digests]).toEqual(
      people
        .slice(1)
        .map((change) => changeDigest(change, 'leavers person'))
        .toSorted(),
    );
  });

  test('counts a change once in each of its buckets, and holds it whole under the hash of each', () => {
    add(personChange('1', LEAVER), emptying('2', 'fax'), emptying('3', 'fax', 'tel'), personChange('4'));
    const buckets = ['updates person', 'emptied person fax', 'emptied person tel'];
    expect(ledger.plan.counts().map(({ bucket, open }) => `${bucket} ${open}`)).toEqual([
      'emptied person fax 2',
      'emptied person tel 1',
      'joiners person 1',
      'leavers person 1',
      'updates person 2',
    ]);
    ledger.plan.gatherOpen(buckets);
    ledger.plan.hold(new Map(buckets.map((bucket, index) => [bucket, `h${index}`])));
    expect(ledger.plan.totals()).toMatchObject({ held: 2, flowing: 2 });
    expect([...ledger.plan.sequencedChanges()].map((one) => [one.change.id, one.isHeld, one.hashes])).toEqual(
      [
        ['1', false, []],
        ['2', true, ['h0', 'h1']],
        ['3', true, ['h0', 'h1', 'h2']],
        ['4', false, []],
      ],
    );
  });

  test('what was approved for one guard needs no other one that counts it only since then', () => {
    add(emptying('1', 'fax'));
    const open = () => ledger.plan.counts().map(({ bucket, open: count }) => [bucket, count]);
    approve('emptied person fax');
    expect(open()).toEqual([
      ['emptied person fax', 0],
      ['updates person', 0],
    ]);
    scene.newRun().read();
    add(emptying('2', 'fax'));
    ledger.plan.gatherOpen(['emptied person fax', 'updates person']);
    ledger.approvals.approve(given, { is: 'open', of: 'emptied person fax', among: null });
    expect(open()).toEqual([
      ['emptied person fax', 0],
      ['updates person', 1],
    ]);
  });
});
