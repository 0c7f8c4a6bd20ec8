import { describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationName } from '../../src/interface/operations.ts';
import { checkRequest, type CheckedRequest } from '../../src/interface/requests/check-request.ts';

const NODE = { type: 'DEPT', name: 'n', parent_id: '1' };
const PERSON = { username: 'ann', name: 'Ann', positions: [{ org_id: 1 }] };

function problemsOf(name: OperationName, request: Partial<CheckedRequest>): readonly string[] {
  const found = checkRequest(OPERATIONS[name], {
    parts: { org_code: 'c', code: 'c' },
    query: {},
    ...request,
  });
  return found.map(({ place, text }) => `${place} ${text}`);
}

const LARGEST = 2n ** 63n - 1n;

test.each([
  [9_007_199_254_740_993n, []],
  [LARGEST, []],
  [-LARGEST - 1n, []],
  [LARGEST + 1n, [`is larger than ${LARGEST}`]],
  [1e30, [`is larger than ${LARGEST}`]],
  [-LARGEST - 2n, [`is smaller than ${-LARGEST - 1n}`]],
])('an id has 64 bits: %s', (id, problems) => {
  const body = [{ ...PERSON, positions: [{ org_id: id }] }];
  const found = problemsOf('importEmployees', { body });
  expect(found).toEqual(problems.map((words) => `body[0].positions[0].org_id ${words}`));
  const query = { domain_id: 'd', refresh_time: BigInt(id).toString() };
  expect(problemsOf('pageOrganizations', { query })).toEqual(
    problems.map((words) => `query refresh_time ${words}`),
  );
});

describe('a request', () => {
  test.each([
    ['createOrganization', { body: NODE }],
    ['createOrganization', { body: { ...NODE, parent_id: null, parent_path: '/a', logo: null } }],
    ['importEmployees', { body: [{ ...PERSON, positions: [{ org_id: Number.MAX_SAFE_INTEGER }] }] }],
    ['importEmployees', { body: [{ ...PERSON, positions: [{ org_id: 'a-uuid' }] }] }],
    ['pageOrganizations', { query: { domain_id: 'd', limit: '10', refresh_time: '-1' } }],
    ['listTemplates', { query: { kw: '' } }],
    ['uploadImageForm', { query: { quality: '0.5', rotate: '-90' }, form: { file_type: 'image/png' } }],
    ['pushMessage', { body: { type: 'TEXT', body: {}, actions: [[1, 2, 3, 4, 5]] } }],
  ] as const)('%s %o is right', (name, request) => {
    expect(problemsOf(name, request)).toEqual([]);
  });

  test.each([
    ['createOrganization', {}, ['body is required']],
    ['createOrganization', { body: [] }, ['body is no JSON object']],
    ['createOrganization', { body: { ...NODE, tags: 1 } }, ['body.tags is not in the interface']],
    ['createOrganization', { body: { ...NODE, type: 'dept' } }, ['body.type is none of DEPT, CORP']],
    ['createOrganization', { body: { ...NODE, name: null } }, ['body.name is required']],
    ['createOrganization', { body: { ...NODE, sort_order: '7' } }, ['body.sort_order is not a whole number']],
    [
      'createOrganization',
      { body: { ...NODE, parent_id: '' } },
      ['body needs one of parent_path, parent_id'],
    ],
    [
      'modifyOrganization',
      { parts: { org_code: 'c', id: '1' }, body: { sort_order: 7 } },
      ['body.sort_order is not text'],
    ],
    ['modifyOrganization', { parts: { org_code: 'c', id: '' }, body: {} }, ['path id is required']],
    ['importOrganizations', { body: NODE }, ['body is no JSON array']],
    ['importOrganizations', { body: [NODE, null] }, ['body[1] is required']],
    [
      'importEmployees',
      { body: [{ ...PERSON, positions: [{ org_id: '1' }] }] },
      ['body[0].positions[0].org_id is not a whole number'],
    ],
    ['importEmployees', { body: [{ ...PERSON, senior: 'true' }] }, ['body[0].senior is not true or false']],
    [
      'importEmployees',
      { body: [{ ...PERSON, source_identifiers: { k: 1 } }] },
      ['body[0].source_identifiers.k is not text'],
    ],
    ['createEmployee', { body: { ...PERSON, ops: 'REMOVE' } }, ['body.ops is not in the interface']],
    [
      'modifyEmployee',
      { parts: { code: 'c', employeeId: '1' }, body: PERSON },
      ['body.username is not in the interface'],
    ],
    ['pageOrganizations', { query: {} }, ['query domain_id is required']],
    ['pageOrganizations', { query: { domain_id: 'd', limit: '-1' } }, ['query limit is smaller than 0']],
    ['pageOrganizations', { query: { domain_id: 'd', limt: '1' } }, ['query limt is not in the interface']],
    ['pageOrganizations', { query: { domain_id: 'd' }, body: {} }, ['body is not taken']],
    ['uploadImageForm', { query: { quality: '1.5' } }, ['query quality is larger than 1']],
    [
      'uploadImage',
      { body: { file_name: 'a', file_content: 'no base64' } },
      ['body.file_content is not base64'],
    ],
    ['uploadFileForm', { query: { file_digest: 'x', file_size: '1' } }, ['form filename is required']],
    [
      'pushMessage',
      { body: { type: 'text', body: {}, actions: [[], [], [], [], [], []] } },
      ['body.actions has 6 elements, and at most 5 are allowed'],
    ],
    [
      'pushMessage',
      { body: { type: 'text', body: {}, actions: [[1, 2, 3, 4, 5, 6]] } },
      ['body.actions[0] has 6 elements, and at most 5 are allowed'],
    ],
    [
      'modifySchedule',
      { parts: { schedule_id: '1' }, body: { ops: 'delete' } },
      [
        'body.ops is none of update',
        ...['summary', 'repeat_type', 'full_time', 'begin_time', 'end_time', 'reminder', 'schedule_date'].map(
          (name) => `body.${name} is required`,
        ),
      ],
    ],
  ] as const)('%s %j is wrong', (name, request, problems) => {
    expect(problemsOf(name, request)).toEqual(problems);
  });
});
