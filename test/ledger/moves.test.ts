import { beforeEach, describe, expect, test } from 'vitest';

import { atOnce } from '../../src/lib/in-steps.ts';
import type { Ledger } from '../../src/domain/ports/ledger/ledger.ts';
import { openScene } from './open-scene.ts';
import { organization, personChange, staged, unitChange, type Scene } from './records.ts';

describe('the ledger of a move', () => {
  let ledger: Ledger;
  let scene: Scene;

  beforeEach(() => {
    scene = openScene('ledger-moves');
    ledger = scene.ledger;
  });

  const { payload: sent } = unitChange('u');
  const unit = { id: 'u', sent, accepted: null };

  test('knows the new node alone; the one that it has left is forgotten once it is gone', () => {
    scene.call(unitChange('u'), { ...unit, is: 'unit', orgId: 'old' });
    const move = unitChange('u', { kind: 'move', orgId: 'old' });
    scene.call(move, { ...unit, is: 'unit', serialNo: 's', orgId: 'new' });
    expect(ledger.units.all()).toMatchObject([{ id: 'u', orgId: 'new', serialNo: 's', state: 'managed' }]);
    ledger.view.saveOrganizations([organization('old')], false);
    scene.call(move, { is: 'swept', id: 'u', orgId: 'old' });
    expect(ledger.view.organizations()).toEqual([]);
  });

  test('decides who was sent to a node that its unit has not, and only them', () => {
    const here = personChange('1').payload.positions[0]?.unit ?? '';
    scene.call(unitChange(here), { ...unit, id: here, is: 'unit', orgId: 'n1' });
    scene.managed('1', '2');
    const elsewhere = { ...personChange('2').payload, positions: [{ unit: 'other', fields: {} }] };
    const change = { ...personChange('2'), payload: elsewhere };
    scene.read(staged('2')).call(change, { is: 'imported', id: '2', change }).newRun().see('1', '2');
    const todo = (): readonly string[] => ledger.people.rows({ after: '', limit: 9 }).map(({ id }) => id);
    atOnce(ledger.people.prepare(new Set(['n2', 'n1'])));
    expect(todo()).toEqual([]);
    atOnce(ledger.people.prepare(new Set(['n2'])));
    expect(todo()).toEqual(['1']);
  });
});
