import { integer, list, record, text, time } from '../field.ts';
import { jsonOf, LIMITS, NO_BODY, READS, type Operation } from '../operation.ts';
import { USER } from './directory-records.ts';

const AT = { section: 'Users' } as const;
const USERS_FOUND = jsonOf(record({ total_count: integer(), users: list(USER) }));
const TYPE = text({ required: true, values: ['id', 'username'] });

export const USERS = {
  searchUsers: {
    ...AT,
    title: 'Search users',
    method: 'GET',
    path: '/v1/users',
    query: {
      query: text({ required: true }),
      type: TYPE,
      matching: text({ required: true, values: ['true', 'false'] }),
    },
    body: NO_BODY,
    answer: USERS_FOUND,
    ...READS,
    open: ['one path with the paged list: `query` tells them apart'],
  },
  getUser: {
    ...AT,
    title: 'Get user',
    method: 'GET',
    path: '/v1/users/{query}',
    query: { type: TYPE },
    body: NO_BODY,
    answer: jsonOf(USER),
    ...READS,
  },
  pageUsers: {
    ...AT,
    title: 'Paged users',
    method: 'GET',
    path: '/v1/users',
    query: {
      skip: integer({ default: LIMITS.skip, minimum: 0 }),
      limit: integer({ default: LIMITS.limit, minimum: 0 }),
      refresh_time: time({ default: -1 }),
    },
    body: NO_BODY,
    answer: USERS_FOUND,
    ...READS,
  },
} as const satisfies Readonly<Record<string, Operation>>;
