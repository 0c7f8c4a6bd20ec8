import { expect, test } from 'vitest';
import {
  encodeEmployeeModification,
  encodeEmployees,
  encodeJson,
  encodeModification,
  encodeOrganizations,
  long,
} from '../../../src/service/wire/encode-body.ts';
import { parseLossless } from '../../../src/lib/parse-lossless.ts';

test('a long goes out digit for digit; what is no number stays text', () => {
  expect(encodeJson({ a: long('9007199254740993'), b: [long('-1'), long('007'), long('x1')] })).toBe(
    '{"a":9007199254740993,"b":[-1,7,"x1"]}',
  );
});

test('text is escaped, broken surrogates too, and names of members are text', () => {
  expect(encodeJson({ 'a"b': 'line\n"x" \uD800 \u2028' })).toBe(
    JSON.stringify({ 'a"b': 'line\n"x" \uD800 \u2028' }),
  );
});

test('an employee body: numbers for Integer and Long, null for null, nothing for what is not mapped', () => {
  const body = encodeEmployees([
    {
      username: 'ann',
      fields: {
        name: 'Ann',
        sort_order: '3',
        birthday: '1700000000000',
        senior: false,
        tags: ['9007199254740993', '2'],
        rank: null,
        email: '',
        source_identifiers: { card: '00123' },
        properties: { '9007199254740995': ['x', 'y'], schema: [] },
      },
      positions: [{ orgId: '9007199254740997', fields: { job_title: 'Chief', primary: true, chief: null } }],
      ops: 'REMOVE',
    },
  ]);
  expect(body).toBe(
    '[{"username":"ann","name":"Ann","sort_order":3,"birthday":1700000000000,"senior":false,' +
      '"tags":[9007199254740993,2],"rank":null,"email":"","source_identifiers":{"card":"00123"},' +
      '"properties":[{"data_schema_id":9007199254740995,"values":["x","y"]},{"data_schema_id":"schema","values":[]}],' +
      '"positions":[{"org_id":9007199254740997,"job_title":"Chief","primary":true,"chief":null}],"ops":"REMOVE"}]',
  );
});

test('sort_order is an Integer where nodes are imported, a String where one is modified; parent_id is a String', () => {
  const fields = { name: 'Sales', type: 'DEPT', sort_order: '12', tel: null };
  expect(encodeOrganizations([{ parentId: '9007199254740993', fields }])).toBe(
    '[{"parent_id":"9007199254740993","name":"Sales","type":"DEPT","sort_order":12,"tel":null}]',
  );
  expect(parseLossless(encodeModification(fields))).toEqual({ ...fields, sort_order: '12' });
});

test('a modified employee: no field of creation or import alone, ids of properties as text', () => {
  const fields = {
    name: 'Ann',
    rank: '9007199254740993',
    id_card: '4711',
    email: null,
    source_id: 's',
    user_id: '7',
    password: 'x',
    source_credentials: 'c',
    source_identifiers: { card: '00123' },
    properties: { '12': ['x'] },
  };
  const positions = [{ orgId: '9007199254740997', fields: { primary: true } }];
  expect(encodeEmployeeModification({ fields, positions })).toBe(
    '{"name":"Ann","rank":9007199254740993,"id_card":"4711","email":null,' +
      '"properties":[{"data_schema_id":"12","values":["x"]}],"positions":[{"org_id":9007199254740997,"primary":true}]}',
  );
  const cleared = encodeEmployeeModification({ fields: { name: 'Ann', properties: null }, positions: [] });
  expect(cleared).toBe('{"name":"Ann","properties":null,"positions":[]}');
});

test('a field that the interface does not have is a mistake of ours', () => {
  expect(() => encodeModification({ nome: 'x' })).toThrow('nome');
});
