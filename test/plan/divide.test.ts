import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/domain/changes.ts';
import type { OpenPart } from '../../src/domain/ports/ledger/plan-book.ts';
import { divided } from '../../src/plan/changes/divide.ts';
import { personChange, unitChange } from './build.ts';

const open = (bucket: string, hash: string): OpenPart => ({ bucket, hash });
/** Each part: its kind, its fields before and after, and the hashes that it needs. */
const parts = (change: Change, ...held: readonly OpenPart[]): readonly unknown[] =>
  divided(change, held).map(({ change: { kind, fields }, hashes }) => [
    kind,
    Object.fromEntries(fields.map(({ field, from, to }) => [field, [from, to]])),
    hashes,
  ]);

describe('a change that guards hold is listed by its parts', () => {
  const update = personChange('1', {
    kind: 'update',
    guard: 'updates',
    payload: { fields: { name: 'New', email: null, tel: null }, positions: [] },
    fields: [
      { field: 'name', from: 'Old', to: 'New' },
      { field: 'email', from: 'a@b', to: null },
      { field: 'tel', from: '1', to: null },
    ],
  });
  const [email, tel] = [open('emptied person email', 'hE'), open('emptied person tel', 'hT')];
  const updates = open('updates person', 'hU');

  test('all of it under its own guard', () => {
    expect(parts(unitChange('u', { kind: 'remove' }), open('unitsRemoved unit', 'h'))).toEqual([
      ['remove', {}, ['h']],
    ]);
  });

  test('each thing that turns empty on its own, and the rest goes on with the old values', () => {
    expect(parts(update, email, tel)).toEqual([
      ['update', { name: ['Old', 'New'] }, []],
      ['update', { email: ['a@b', null] }, ['hE']],
      ['update', { tel: ['1', null] }, ['hT']],
    ]);
    const [rest] = divided(update, [email, tel]);
    expect(rest.change.payload).toMatchObject({ fields: { name: 'New', email: 'a@b', tel: '1' } });
  });

  test('what two guards hold needs both hashes', () => {
    expect(parts(update, updates, email)).toEqual([
      ['update', { name: ['Old', 'New'], tel: ['1', null] }, ['hU']],
      ['update', { email: ['a@b', null] }, ['hU', 'hE']],
    ]);
    expect(
      parts({ ...update, loses: { fields: ['fax'], certain: true } }, updates, open('lost person', 'hL')),
    ).toMatchObject([['update', {}, ['hU', 'hL']]]);
  });

  test('nothing goes on where nothing else is left, and a person who is taken over is updated by what is left', () => {
    expect(parts({ ...update, fields: update.fields.slice(1, 2) }, email)).toEqual([
      ['update', { email: ['a@b', null] }, ['hE']],
    ]);
    expect(parts({ ...update, kind: 'adopt' }, email).map((part) => (part as [string])[0])).toEqual([
      'adopt',
      'update',
    ]);
  });

  test('of several properties the one that turns empty, beside those that change', () => {
    const properties = {
      field: 'properties',
      from: { '11': ['a'], '12': ['b'], '13': ['c'] },
      to: { '11': [], '12': [], '13': ['d'] },
    };
    const change = { ...update, fields: [properties] };
    const held = [open('emptied person properties.11', 'h1'), open('emptied person properties.12', 'h2')];
    const rest = { '11': ['a'], '12': ['b'], '13': ['d'] };
    expect(parts(change, ...held)).toEqual([
      ['update', { properties: [properties.from, rest] }, []],
      ['update', { properties: [rest, { ...rest, '11': [] }] }, ['h1']],
      ['update', { properties: [rest, { ...rest, '12': [] }] }, ['h2']],
    ]);
  });
});
