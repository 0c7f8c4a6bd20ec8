import { describe, expect, test } from 'vitest';

import type { Change } from '../../src/domain/changes.ts';
import { hashLine } from '../../src/plan/changes/change-digest.ts';
import { at, personChange, unitChange } from './build.ts';

const person = personChange('7', { kind: 'update', fields: [{ field: 'name', from: 'A', to: 'B' }] });
const unit = unitChange('u');

describe('the hash covers', () => {
  test.each<[string, Change, Change]>([
    ['the source id', person, { ...person, id: '8' }],
    ['the kind', person, { ...person, kind: 'enable' }],
    ['the value before', person, { ...person, fields: [{ field: 'name', from: 'X', to: 'B' }] }],
    ['the value after', person, { ...person, fields: [{ field: 'name', from: 'A', to: 'X' }] }],
    ['what is sent', person, { ...person, payload: { ...person.payload, positions: [at('tech')] } }],
    ['the parent of a unit', unit, { ...unit, payload: { ...unit.payload, parent: 'p' } }],
    [
      'unit or person',
      personChange('u', { fields: [] }),
      { ...unit, payload: personChange('u').payload } as never,
    ],
  ])('%s', (_, one, other) => {
    expect(hashLine(other)).not.toBe(hashLine(one));
  });
});

describe('the hash does not cover', () => {
  test.each<[string, Change, Change]>([
    ['an employee id', person, { ...person, employeeId: '1' }],
    ['a node’s id', unit, { ...unit, orgId: '1' }],
    ['the wording', person, { ...person, why: { code: 'words', values: { words: 'otherwise' } } }],
  ])('%s', (_, one, other) => {
    expect(hashLine(other)).toBe(hashLine(one));
  });
});
