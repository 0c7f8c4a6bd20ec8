import { expect, test } from 'vitest';
import { surveyAnswer } from '../../../src/source/rest/survey-answer.ts';

const DATA = [{ id: 1 }, { id: 2 }];
const SIZE = { limit: 2 };

/** Answers as vendors document them, the query of the question, and what is seen. */
test.each<[string, { readonly value: object; readonly query: string }, string, object | null]>([
  [
    'OData 4',
    {
      value: { '@odata.count': 9, value: DATA, '@odata.nextLink': 'https://x/users?$skiptoken=1' },
      query: '$top=2',
    },
    '/value',
    { next: '/@odata.nextLink', size: { $top: 2 } },
  ],
  [
    'OData 2',
    { value: { d: { results: DATA, __next: 'https://x/User?$skiptoken=1' } }, query: '' },
    '/d/results',
    { next: '/d/__next' },
  ],
  [
    'a path of the next page',
    { value: { users: DATA, _links: { self: { href: '/a' }, next: { href: '/a?p=2' } } }, query: 'limit=2' },
    '/users',
    { next: '/_links/next/href', size: SIZE },
  ],
  [
    'a token of the next page',
    { value: { kind: 'x', users: DATA, nextPageToken: 'abc', access_token: 'no' }, query: 'maxResults=2' },
    '/users',
    { cursor: '/nextPageToken', param: 'pageToken', size: { maxResults: 2 } },
  ],
  [
    'a cursor with has_more',
    { value: { errcode: 0, result: { has_more: true, next_cursor: 10, list: DATA } }, query: 'size=2' },
    '/result/list',
    { cursor: '/result/next_cursor', param: 'cursor', more: '/result/has_more', size: { size: 2 } },
  ],
  [
    'a number of the next page',
    { value: { items: DATA, next_page: 2 }, query: 'per_page=2' },
    '/items',
    { cursor: '/next_page', param: 'page', size: { per_page: 2 } },
  ],
  [
    'totals of pages and records',
    {
      value: { success: true, metadata: { total_pages: 5, total_elements: 9 }, data: DATA },
      query: 'limit=2&offset=0',
    },
    '/data',
    { offset: 'offset', from: 0, size: SIZE, total: '/metadata/total_elements' },
  ],
  [
    'the list alone',
    { value: DATA, query: 'first=0&max=2' },
    '',
    { offset: 'first', from: 0, size: { max: 2 } },
  ],
  ['the number of a page', { value: DATA, query: 'page=0' }, '', { page: 'page', from: 0 }],
  ['an offset without a size', { value: DATA, query: 'offset=0' }, '', null],
  ['an offset with a size of one', { value: DATA, query: 'offset=0&limit=1' }, '', null],
  ['a size of one', { value: { data: DATA, next: '/p2' }, query: 'limit=1' }, '/data', { next: '/next' }],
  [
    'a null that names none that follows',
    { value: { data: DATA, next: null }, query: 'limit=2' },
    '/data',
    null,
  ],
  ['the longest of its lists', { value: { errors: [{ id: 1 }], data: DATA }, query: '' }, '/data', null],
])('pages are seen in an answer with %s', (_, { value, query }, at, pages) => {
  const paging = [...new URLSearchParams(query)];
  expect(surveyAnswer({ value, headers: {}, date: null }, '/people', paging)).toMatchObject({ at, pages });
});

test.each([[{}], [[]], [{ data: [] }], [{ data: ['a', 'b'] }], ['text'], [null], [undefined]])(
  'there is no list of records in %j',
  (value) => {
    expect(surveyAnswer({ value, headers: {}, date: null }, '/people', [])).toBeNull();
  },
);

test('columns are the paths of what has one value, without ids of what has a name', () => {
  const records = [
    {
      id: 7,
      attributes: { email: { label: 'Email', value: 'a@x' } },
      department: { id: 1, name: 'Lab' },
      manager: { id: 3 },
      phones: [
        { type: 'work', value: '1' },
        { type: 'mobile', value: '2' },
      ],
      groups: ['a', 'b'],
      'odd.key': 'x',
      nothing: null,
    },
  ];
  const facts = surveyAnswer({ value: records, headers: {}, date: null }, '/people', []);
  expect(facts?.table.columns.map(({ name, known, cells }) => [name, known, ...cells])).toEqual([
    ['id', 'id', '7'],
    ['attributes.email.label', 'email.label', 'Email'],
    ['attributes.email.value', 'email', 'a@x'],
    ['department.name', 'department.name', 'Lab'],
    ['manager.id', 'manager.id', '3'],
    ['phones[type=work].value', 'phones', '1'],
    ['phones[type=mobile].value', 'phones.mobile', '2'],
  ]);
});
