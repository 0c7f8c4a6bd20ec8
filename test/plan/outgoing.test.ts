import { describe, expect, test } from 'vitest';

import type { Fields } from '../../src/domain/records/fields.ts';
import { outgoingPerson, outgoingUnit } from '../../src/plan/values/outgoing.ts';

/** One field of each kind, absent. */
const ABSENT: Fields = {
  email: null,
  sort_order: null,
  birthday: null,
  senior: null,
  tags: null,
  source_identifiers: null,
  properties: null,
};

const send = (fields: Fields, clear: 'empty' | 'null' | 'omit', changed: readonly string[] = []) =>
  outgoingPerson(fields, { clear, creating: false, changed: new Set(changed), id: '7' });
const create = (fields: Fields) => outgoingPerson(fields, { clear: 'null', creating: true, id: '7' });
const sendUnit = (fields: Fields, creating: boolean) =>
  outgoingUnit(fields, { clear: 'empty', creating, serialNo: 's' });

describe('a person who exists', () => {
  test.each([
    ['empty', { email: '', tags: [], source_identifiers: {}, properties: [] }],
    ['null', ABSENT],
    ['omit', {}],
  ] as const)('is sent absent values as clear: %s says', (clear, expected) => {
    expect(send({ name: 'Ann', ...ABSENT }, clear)).toEqual({ name: 'Ann', ...expected });
  });

  test.each(['sort_order', 'birthday', 'senior'])(
    'is sent null for %s, which has no empty value, where it turns empty',
    (field) => {
      const sent = send(ABSENT, 'empty', [field]);
      expect(Object.keys(sent).filter((name) => sent[name] === null)).toEqual([field]);
      expect(send(ABSENT, 'omit', [field])).toEqual({});
    },
  );

  test('is sent all that is mapped, secrets too, but nothing that goes out on creation only', () => {
    const fields = {
      name: 'Ann',
      id_card: '1',
      source_identifiers: { A: '2' },
      password: 'p',
      source_credentials: 'c',
    };
    expect(send({ ...fields, user_id: 'u', source_id: null }, 'null')).toEqual({
      name: 'Ann',
      id_card: '1',
      source_identifiers: { A: '2' },
    });
  });
});

describe('a new person', () => {
  test('has nothing to clear, and everything that goes out on creation', () => {
    const fields = { name: 'Ann', password: 'p', user_id: 'u' };
    expect(create({ ...fields, ...ABSENT })).toEqual({ ...fields, extension_id: '7' });
  });

  test('has the mapped extension_id, else the id', () => {
    expect(create({ name: 'Ann', extension_id: 'e' })).toEqual({ name: 'Ann', extension_id: 'e' });
    expect(create({ name: 'Ann', extension_id: null })).toEqual({ name: 'Ann', extension_id: '7' });
  });
});

describe('a unit', () => {
  test('has type DEPT and its serial number at creation, where they are not mapped', () => {
    expect(sendUnit({ name: 'A', type: null, tel: null }, true)).toEqual({
      name: 'A',
      type: 'DEPT',
      serial_no: 's',
    });
    expect(sendUnit({ name: 'A', type: 'CORP', serial_no: 'm' }, true)).toEqual({
      name: 'A',
      type: 'CORP',
      serial_no: 'm',
    });
  });

  test('is sent only mapped fields later', () => {
    expect(sendUnit({ name: 'A', tel: null }, false)).toEqual({ name: 'A', tel: '' });
  });

  test('is cleared of its sort_order, which a modification takes as text; its type cannot be empty', () => {
    const fields = { name: 'A', sort_order: null, type: null };
    expect(sendUnit(fields, false)).toEqual({ name: 'A', sort_order: '' });
    expect(sendUnit(fields, true)).toEqual({ name: 'A', type: 'DEPT', serial_no: 's' });
  });
});
