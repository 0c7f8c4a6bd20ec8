import { expect, test } from 'vitest';
import { surveyAnswer } from '../../../src/source/rest/survey-answer.ts';

const DATA = [{ id: 1 }, { id: 2 }];
const SIZE = { limit: 2 };

/** Answers as vendors document them, the query of the question, and what is seen. */
test.each<[string, object, string, string, object | null]>([
  [
    'OData 4',
    { '@odata.count': 9, value: DATA, '@odata.nextLink': 'https://x/users?$skiptoken=1' },
    '$top=2',
    '/value',
    { next: '/@odata.nextLink', size: { $top: 2 } },
  ],
  [
    'OData 2',
    { d: { results: DATA, __next: 'https://x/User?$skiptoken=1' } },
    '',
    '/d/results',
    { next: '/d/__next' },
  ],
  [
    'a path of the next page',
    { users: DATA, _links: { self: { href: '/a' }, next: { href: '/a?p=2' } } },
    'limit=2',
    '/users',
    { next: '/_links/next/href', size: SIZE },
  ],
  [
    'a token of the next page',
    { kind: 'x', users: DATA, nextPageToken: 'abc', access_token: 'no' },
    'maxResults=2',
    '/users',
    { cursor: '/nextPageToken', param: 'pageToken', size: { maxResults: 2 } },
  ],
  [
    'a cursor with has_more',
    { errcode: 0, result: { has_more: true, next_cursor: 10, list: DATA } },
    'size=2',
    '/result/list',
    { cursor: '/result/next_cursor', param: 'cursor', more: '/result/has_more', size: { size: 2 } },
  ],
  [
    'a number of the next page',
    { items: DATA, next_page: 2 },
    'per_page=2',
    '/items',
    { cursor: '/next_page', param: 'page', size: { per_page: 2 } },
  ],
  [
    'totals of pages and records',
    { success: true, metadata: { total_pages: 5, total_elements: 9 }, data: DATA },
    'limit=2&offset=0',
    '/data',
    { offset: 'offset', from: 0, size: SIZE, total: '/metadata/total_elements' },
  ],
  ['the list alone', DATA, 'first=0&max=2', '', { offset: 'first', from: 0, size: { max: 2 } }],
  ['the number of a page', DATA, 'page=0', '', { page: 'page', from: 0 }],
  ['an offset without a size', DATA, 'offset=0', '', null],
  ['a null that names none that follows', { data: DATA, next: null }, 'limit=2', '/data', null],
  ['the longest of its lists', { errors: [{ id: 1 }], data: DATA }, '', '/data', null],
])('pages are seen in an answer with %s', (_, value, query, at, pages) => {
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
