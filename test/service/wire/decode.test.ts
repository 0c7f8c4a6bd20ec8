import { expect, test } from 'vitest';
import { decodeEmployee, decodeEmployeeResult } from '../../../src/service/wire/decode-employee.ts';
import { decodeImport, readEnvelope } from '../../../src/service/wire/decode.ts';
import { decodeOrganization } from '../../../src/service/wire/decode-organization.ts';
import { decodeUser } from '../../../src/service/resources/employees.ts';
import { retryAfterMs } from '../../../src/lib/pace.ts';

const same = (words: string): string => words;

test('ids are text whether the service writes text or numbers', () => {
  expect(decodeOrganization({ id: 7, parent_org_id: 5 })).toMatchObject({ id: '7', parentId: '5' });
  expect(decodeUser({ user_id: '9007199254740993', username: 'ann' })).toEqual({
    userId: '9007199254740993',
    username: 'ann',
  });
  expect(() => decodeOrganization({ name: 'x' })).toThrow(/\borganization\b/u);
});

test.each([
  ['absent', {}],
  ['null', { parent_org_id: null }],
  ['empty', { parent_org_id: '' }],
  ['0', { parent_org_id: 0 }],
  ['itself', { parent_org_id: '7' }],
])('a parent that is %s is none; the path tells where it goes on', (_, shown) => {
  expect(decodeOrganization({ id: '7', ...shown, path: '/7/' }).parentId).toBeNull();
  expect(decodeOrganization({ id: '7', ...shown, path: '/1/5/7/' }).parentId).toBe('5');
});

test('a node that is shown as not valid is known as such', () => {
  expect(decodeOrganization({ id: '7', disabled: true }).disabled).toBe(true);
  expect(decodeOrganization({ id: '7', disabled: false })).not.toHaveProperty('disabled');
});

test('an employee: the shown fields under the names of the body, null as null, missing as not shown', () => {
  const { employee } = decodeEmployee({
    id: '9007199254740993',
    username: 'ann',
    locked: false,
    name: 'Ann',
    display_name: 'Ann A.',
    email: null,
    sn: 17,
    sort_order: '3',
    employee_rank: 4,
    tags: ['9007199254740995', 2],
    properties: [{ data_schema_id: 12, values: ['x', 1] }],
    unknown: { deep: true },
    positions: [
      { org_id: '9007199254740997', job_title: 'Chief', primary: true, chief: null },
      { path: '/1/5/', primary: 'false' },
      { job_title: 'nowhere' },
    ],
  });
  expect(employee).toEqual({
    id: '9007199254740993',
    username: 'ann',
    locked: false,
    fields: {
      name: 'Ann',
      email: null,
      sn: '17',
      sort_order: '3',
      rank: '4',
      tags: ['9007199254740995', '2'],
      properties: { '12': ['x', '1'] },
    },
    positions: [
      { orgId: '9007199254740997', fields: { job_title: 'Chief', primary: true, chief: null } },
      { orgId: '5', fields: { primary: false } },
    ],
  });
});

test('what no import takes as it is shown is there, by its elements, spelled one way', () => {
  const shirt = { schema: { name: 'Shirt', id: 900 }, data: 'XL' };
  const { employee } = decodeEmployee({
    id: '1',
    username: 'a',
    sn: { text: '' },
    senior: 1,
    properties: [shirt, '9007199254740993', null],
    tags: [],
    tag_names: ['VIP', 'Board'],
    employee_rank: 0,
    employee_rank_name: 'Director',
  });
  const unread = {
    senior: ['1'],
    properties: ['"9007199254740993"', 'null', '{"data":"XL","schema":{"id":900,"name":"Shirt"}}'],
    tag_names: ['"Board"', '"VIP"'],
    employee_rank_name: ['"Director"'],
  };
  expect(employee.unread).toEqual(unread);
  expect(employee.unwritable).toEqual(Object.keys(unread).toSorted());
});

test.each([
  [{ tags: [7], tag_names: ['VIP'], employee_rank: 4, employee_rank_name: 'Director' }],
  [{ tag_names: [], employee_rank_name: '' }],
  [{ properties: [{}, { schema: {}, data: null }], mobile: {} }],
])('nothing is unread of %j', (record) => {
  expect(decodeEmployee({ id: '1', username: 'a', ...record }).employee).not.toHaveProperty('unread');
});

test('tags by name are a set of names, which are no loss where the ids are shown', () => {
  const { employee } = decodeEmployee({
    id: '1',
    username: 'a',
    tags: [7],
    tag_names: ['VIP', 'Board', 'VIP'],
  });
  expect(employee.fields).toEqual({ tags: ['7'], tag_names: ['Board', 'VIP'] });
  const odd = decodeEmployee({ id: '1', username: 'a', tags: [7], tag_names: [{ tag: 'VIP' }] }).employee;
  expect([odd.fields, odd.unread]).toEqual([{ tags: ['7'] }, undefined]);
});

test('what stands in another form than expected is not shown, rather than read wrongly', () => {
  const odd = {
    id: '1',
    username: 'a',
    name: { zh: 'x' },
    tags: [{}],
    properties: ['x'],
    sort_order: 'first',
    senior: 1,
  };
  expect(decodeEmployee(odd).employee.fields).toEqual({});
});

test.each([
  [true, true],
  ['true', true],
  [false, false],
  [null, false],
  [undefined, false],
])('locked: %s', (locked, isLocked) => {
  expect(decodeEmployee({ id: '1', username: 'a', locked }).employee.locked).toBe(isLocked);
});

test('an import that answers nothing readable leaves every item unknown', () => {
  for (const result of [null, undefined, 'ok', [], { successes: [] }]) {
    expect(decodeImport(result, same)).toEqual({ successes: [], failures: [] });
  }
  expect(
    decodeImport(
      { successes: { ann: '9007199254740993', bob: 5 }, failures: { cid: 'no', dan: null } },
      same,
    ),
  ).toEqual({
    successes: [
      ['ann', '9007199254740993'],
      ['bob', '5'],
    ],
    failures: [
      ['cid', 'no'],
      ['dan', 'null'],
    ],
  });
});

test.each([
  ['', 'nothing'],
  ['  \n', 'nothing'],
  ['<!doctype html>', 'HTML'],
  ['{"status":0,"result":{"id":1', 'JSON that is cut off or broken'],
  ['{"records":[]}', 'JSON without a status'],
  ['{"status":"0"}', 'JSON without a status'],
  ['{"status":1.5}', 'JSON without a status'],
  ['[]', 'JSON without a status'],
  ['Bad Gateway', 'text'],
])('without an envelope: %s', (body, kind) => {
  expect(readEnvelope(body)).toBe(kind);
});

test('Retry-After in seconds, or as a date on the clock of the answer', () => {
  const date = Date.parse('Sat, 21 Nov 2026 06:00:00 GMT');
  expect(retryAfterMs('12', date)).toBe(12_000);
  expect(retryAfterMs('Sat, 21 Nov 2026 06:00:30 GMT', date)).toBe(30_000);
  expect(retryAfterMs('Sat, 21 Nov 2026 05:00:30 GMT', date)).toBe(0);
  expect(retryAfterMs('soon', date)).toBeNull();
  expect(retryAfterMs(null, date)).toBeNull();
});

const result = (more: object): object => ({ employee_id: { id: '9007199254740993' }, ...more });

test('the record of one employee: who and where it is, and whether locked, under the names of the list', () => {
  const positions = [{ org_id: '9007199254740997', job_title: 'Clerk', primary: true }];
  const user = { id: 5, username: 'ann', gender: 'FEMALE', name: 'Ann of the domain' };
  const shown = result({
    name: 'Ann',
    email: null,
    rank: 3,
    user,
    disabled: true,
    deleted: false,
    positions,
  });
  expect(decodeEmployeeResult(shown)).toEqual({
    id: '9007199254740993',
    username: 'ann',
    locked: true,
    fields: { name: 'Ann', email: null, rank: '3', gender: 'FEMALE' },
    positions: [{ orgId: '9007199254740997', fields: { job_title: 'Clerk', primary: true } }],
  });
});

test.each([
  ['an id of its own', { employee_id: 7 }, { id: '7', username: '', locked: false }],
  ['the keys of the list', { id: 7, username: 'ann', locked: true }, { username: 'ann', locked: true }],
  ['no word on being locked', { id: 7, disabled: 'no', locked: null }, { locked: false }],
])('the record of one employee with %s is read too', (_, shown, expected) => {
  expect(decodeEmployeeResult(shown)).toMatchObject(expected);
});

test('only null and what is shown as deleted is nobody; what has no id is no answer', () => {
  expect(decodeEmployeeResult(null)).toBeNull();
  expect(decodeEmployeeResult(result({ deleted: true }))).toBeNull();
  expect(decodeEmployeeResult(result({ deleted: null }))).not.toBeNull();
  expect(() => decodeEmployeeResult({ deleted: false })).toThrow(/\bemployee\b/u);
});

const disabledOf = (disabled: unknown) => decodeUser({ user_id: 1, username: 'ann', disabled }).disabled;

test('a user is disabled only where it is shown so', () => {
  expect([true, 'true', false, null, 'no', undefined].map(disabledOf)).toEqual([
    true,
    true,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
