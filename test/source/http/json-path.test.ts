import { expect, test } from 'vitest';
import { fieldReader, type Found } from '../../../src/source/http/json-path.ts';

const RECORD = {
  name: 'Ann',
  empty: '',
  none: null,
  active: false,
  number: 0,
  nested: { login: 'ann', none: null, deep: { er: { id: 7 } }, list: ['a', null, 'b'], toString: 'own' },
  emails: [
    { type: 'home', value: 'h@x' },
    { type: 'work', value: 'w@x' },
    { type: 'work', value: null },
  ],
  places: [{ unit: { id: 'u1' } }, { unit: null }, { unit: { id: 'u2' } }],
  nothing: [],
  'with.dot': { 'a/b': 'odd' },
  '0': 'zero',
};

const texts = (...all: readonly string[]): Found => ({ texts: all, isDeep: false, isTold: true });
const UNTOLD: Found = { texts: [], isDeep: false, isTold: false };
const deep = (...all: readonly string[]): Found => ({ ...texts(...all), isDeep: true });

test.each<[string, Found]>([
  ['name', texts('Ann')],
  ['empty', texts('')],
  ['none', texts()],
  ['active', texts('false')],
  ['number', texts('0')],
  ['0', texts('zero')],
  ['absent', UNTOLD],
  ['toString', UNTOLD],
  ['__proto__', UNTOLD],
  ['NAME', UNTOLD],
  ['nested', deep()],
  ['nested.login', texts('ann')],
  ['nested.none', texts()],
  ['nested.none.more', texts()],
  ['none.more', texts()],
  ['absent.more', UNTOLD],
  ['name.length', UNTOLD],
  ['nested.toString', texts('own')],
  ['nested.deep.er.id', texts('7')],
  ['nested.deep.er', deep()],
  ['nested.list', texts('a', 'b')],
  ['nothing', texts()],
  ['nothing.id', { ...texts(), isTold: undefined }],
  ['emails.value', texts('h@x', 'w@x')],
  ['emails[type=work].value', texts('w@x')],
  ['emails[type=fax].value', UNTOLD],
  ['emails', deep()],
  ['places.unit.id', texts('u1', 'u2')],
  ['/with.dot/a~1b', texts('odd')],
  ['/nested/list/2', texts('b')],
  ['/nested/login', texts('ann')],
])('the field %s is read', (path, found) => {
  expect(fieldReader(path)(RECORD)).toEqual(found);
});
