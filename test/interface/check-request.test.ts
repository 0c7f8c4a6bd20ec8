import { describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationName } from '../../src/interface/operations/operations.ts';
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
    ['createOrganization', { body: { ...NODE, parent_id: '', parent_path: '/a', sort_order: null } }],
    ['createEmployee', { body: { ...PERSON, tel: '', tags: [], birthday: null, senior: null } }],
    ['pushMessage', { body: { type: 'TEXT', body: {}, action_acl: null } }],
    [
      'templateDetail',
      { parts: { templateId: '1' }, query: { appId: 'a', source_type: '', category_id: '' } },
    ],
    ['organizationBySerial', { parts: { code: 'c', serialNo: 'a/b%2Fc' }, query: { domain_id: 'd' } }],
    ['getEmployee', { parts: { code: 'c', employeeId: 'tree' } }],
    ['viewImage', { parts: { media_id: '1' }, query: { domain_id: 'd', heigh: '5', height: '5' } }],
    ...(
      [
        ['office', 'pdf'],
        ['office', 'jpg'],
        ['PDF', 'image'],
        ['amr', 'mp3'],
      ] as const
    ).map(
      ([source, dest]) =>
        [
          'translateMedia',
          { parts: { media_id: '1' }, query: { source_type: source, dest_type: dest } },
        ] as const,
    ),
    [
      'uploadFileForm',
      { query: { file_digest: 'sha-256', file_size: '1', filename: 'a' }, form: { filename: 'a' } },
    ],
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
    ['createOrganization', { body: { ...NODE, name: '' } }, ['body.name is required']],
    ...['tel', 'contact', 'logo'].map(
      (name) =>
        [
          'modifyOrganization',
          { parts: { org_code: 'c', id: '1' }, body: { [name]: null } },
          [`body.${name} is null: leave it out, or give an empty value`],
        ] as const,
    ),
    [
      'createEmployee',
      { body: { ...PERSON, tags: null, source_identifiers: null } },
      ['tags', 'source_identifiers'].map(
        (name) => `body.${name} is null: leave it out, or give an empty value`,
      ),
    ],
    ...(
      [
        ['listTemplates', 'limit'],
        ['pageUsers', 'refresh_time'],
        ['pushMessage', 'for_all'],
        ['pushMessage', 'source_type'],
      ] as const
    ).map(
      ([name, param]) =>
        [
          name,
          { query: { [param]: '' }, ...(name === 'pushMessage' ? { body: { type: 'text', body: {} } } : {}) },
          [`query ${param} is empty: leave it out`],
        ] as const,
    ),
    [
      'viewImage',
      { parts: { media_id: '1' }, query: { domain_id: 'd', heigh: '5', height: '6' } },
      ['query heigh is 5, and query height is 6'],
    ],
    [
      'templateDetail',
      { parts: { templateId: '1' }, query: { appId: 'a', app_id: 'b' } },
      ['query appId is a, and query app_id is b'],
    ],
    [
      'compressImage',
      { query: { width: '1' }, form: { width: '2' } },
      ['query width is 1, and form width is 2'],
    ],
    ...(
      [
        ['amr', 'pdf'],
        ['office', 'mp3'],
        ['constructor', 'pdf'],
      ] as const
    ).map(
      ([source, dest]) =>
        [
          'translateMedia',
          { parts: { media_id: '1' }, query: { source_type: source, dest_type: dest } },
          [`query dest_type is ${dest}, which is unsupported for ${source}`],
        ] as const,
    ),
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

const DAY = (begin: number, end: number): object => ({ begin_date: begin, end_date: end });

test.each([
  [20_240_229, true],
  [20_261_231, true],
  [20_261_399, false],
  [20_260_229, false],
  [20_260_431, false],
  [20_260_100, false],
  [2026_1, false],
])('%s is a day of the calendar: %s', (day, is) => {
  const found = problemsOf('modifySchedule', {
    parts: { schedule_id: '1' },
    body: { excludes: [DAY(20_260_101, day)] },
  });
  const words = 'body.excludes[0].end_date is not a day as yyyyMMdd';
  expect(found.includes(words)).toBe(!is);
});

const OF_ORG = { org_code: 'c', code: 'c' };

describe('a part of a path asks no other operation', () => {
  test.each([
    ['modifyOrganization', { id: 'import-orgs' }, '{org_code}/import-orgs'],
    ['modifyOrganization', { id: 'Import-Orgs/' }, '{org_code}/import-orgs'],
    ['modifyOrganization', { id: 'employees' }, '{code}/employees'],
    ['deleteOrganization', { id: 'tree' }, '{code}/tree'],
    ['deleteOrganization', { id: 'tre%65' }, '{code}/tree'],
    ['getOrganization', { id: 'serial/7' }, '{code}/serial/{serialNo}'],
    ['getOrganization', { id: String.raw`serial\7` }, '{code}/serial/{serialNo}'],
    ['organizationInfo', { org_code: 'c/7' }, '{org_code}/{id}'],
    ['modifyEmployee', { employeeId: '7/disable' }, '{code}/employees/{employeeId}/disable'],
    ['deleteEmployee', { employeeId: '7%2Funlock' }, '{code}/employees/{employeeId}/unlock'],
    ['deleteEmployee', { employeeId: '7%252Flock' }, '{code}/employees/{employeeId}/lock'],
  ] as const)('%s %j', (name, parts, other) => {
    const found = problemsOf(name, { parts: { ...OF_ORG, ...parts }, body: NODE });
    expect(found[0]).toMatch(/^path .* would ask another operation: /u);
    expect(found[0]?.endsWith(`/v1/admin/organizations/${other}`)).toBe(true);
  });

  test.each([
    ['downloadFile', { media_id: 'images' }, '/v1/medias/images'],
    ['viewImage', { media_id: 'info' }, '/v1/medias/{media_id_or_media_md5}/info'],
    ['mediaInfo', { media_id_or_media_md5: 'images' }, '/v1/medias/images/{media_id}'],
  ] as const)('%s %j', (name, parts, other) => {
    const found = problemsOf(name, { parts, query: { domain_id: 'd' } });
    expect(found[0]?.endsWith(`would ask another operation: ${other}`)).toBe(true);
  });

  test.each(['.', '..', '%2e%2E', '1/..', String.raw`1\..\2`])('%s is a step', (id) => {
    const parts = { ...OF_ORG, id };
    expect(problemsOf('deleteOrganization', { parts })).toEqual([
      'path id is a step of a path: another operation would be asked',
    ]);
  });
});
