import { expect, onTestFinished, test } from 'vitest';
import { startScim, type ScimServer, type Twist } from '../source/scim/scim-server.ts';
import { openStage, type Stage } from './command-line.ts';

const GROUPS = [
  { id: 'g1', displayName: 'Company', members: [{ value: '1' }] },
  { id: 'g2', displayName: '研发部', members: [{ value: '2' }, { value: '3' }] },
];
const USERS = ['ann', 'bob', 'lin'].map((userName, index) => ({
  id: String(index + 1),
  meta: { lastModified: '2026-01-01T00:00:00Z' },
  userName,
  displayName: userName.toUpperCase(),
  emails: [{ type: 'work', value: `${userName}@example.com` }],
}));

async function openProvider(more = '', besides = ''): Promise<Stage & { readonly provider: ScimServer }> {
  const provider = await startScim({ Groups: GROUPS, Users: USERS });
  onTestFinished(() => provider.close());
  const stage = await openStage();
  stage.setSource(`source:
  type: scim
  url: ${provider.url}
  token: secret-bearer
${more}  units: { fields: { id: id, name: displayName } }
  people: { fields: { id: id, username: userName, name: displayName, email: emails.work, active: active } }
  positions: { fields: { person: member, unit: id } }
${besides}`);
  return { ...stage, provider };
}

test('an identity provider is checked, loaded, explained, and sent nothing twice', async () => {
  const stage = await openProvider();
  const checked = await stage.type('check');
  expect(checked.out).toContain(`${stage.provider.url}: 2 units, 3 people, 3 positions`);
  expect(checked.code).toBe(0);
  expect((await stage.type('sync')).code).toBe(0);
  expect(
    stage.sandbox.state
      .employees()
      .map(({ username }) => username)
      .toSorted(),
  ).toEqual(['ann', 'bob', 'lin']);
  stage.changing();
  expect((await stage.type('sync')).code).toBe(0);
  expect(stage.changing()).toEqual([]);
  const { out, code } = await stage.type('explain', '--live', 'lin');
  expect([code, out]).toEqual([0, expect.stringMatching(/Users 3[^]*Groups g2/u)]);
  expect(checked.out + checked.err + out).not.toContain('secret-bearer');
});

test('a list that is not whole sends nothing: a sentence, and exit code 1', async () => {
  const stage = await openProvider();
  await stage.type('sync');
  stage.changing();
  stage.provider.twist = ({ resource, startIndex }, list) =>
    resource === 'Users' ? { body: { ...list, Resources: startIndex === 1 ? USERS.slice(0, 1) : [] } } : null;
  for (const verb of ['sync', 'plan']) {
    const { code, out, err } = await stage.type(verb);
    expect([verb, code, stage.changing()]).toEqual([verb, 1, []]);
    expect(out + err).toMatch(/\/Users: a page is empty after 1 of 3; the read is incomplete/u);
  }
});

const OLD = { lastModified: '2025-01-01T00:00:00Z' };
const AUTO = '  changes: auto\n';

test('an identity provider is read by what changed; status says when all was read', async () => {
  const stage = await openProvider(AUTO);
  expect((await stage.type('sync')).out).toContain('"read":"full"');
  const changed = { ...USERS[1], displayName: 'Robert', meta: { lastModified: new Date().toISOString() } };
  stage.provider.lists = { Groups: GROUPS, Users: USERS.map((one) => (one.id === '2' ? changed : one)) };
  const ran = await stage.type('sync');
  expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('"read":"incremental","how":"scim"')]);
  expect(stage.sandbox.state.employee('bob')?.name).toBe('Robert');
  expect((await stage.type('status')).out).toMatch(/^source {6}read in full last at .*by increments$/mu);
});

test.each<[string, Twist, string]>([
  [
    'refuses the filter',
    ({ filter }) => (filter === null ? null : { status: 400, body: { detail: 'No' } }),
    'the server refuses meta.lastModified in a filter (400: No)',
  ],
  [
    'finds more than was changed',
    ({ filter, attributes, startIndex }) =>
      filter?.includes('meta.lastModified') !== true || attributes.length > 0
        ? null
        : {
            body: {
              totalResults: 3,
              Resources: startIndex > 1 ? [] : USERS.map((one) => ({ ...one, meta: OLD })),
            },
          },
    'the server ignores meta.lastModified in a filter: it answers with 1',
  ],
])('an identity provider that %s is read in full, and the log says why', async (_, twist, why) => {
  const stage = await openProvider(AUTO);
  stage.provider.twist = twist;
  for (let run = 0; run < 2; run += 1) {
    const ran = await stage.type('sync');
    expect([ran.code, ran.out.match(/"read":"\w+"/gu)]).toEqual([0, ['"read":"full"']]);
  }
  expect((await stage.type('sync')).out).toContain(why);
});

test.each<[string, string, RegExp]>([
  ['brings nobody', 'Users', /brought no person, .*Check resource, filter and the rights of the token/u],
  ['brings no group', 'Groups', /brought no unit, .*Check resource, filter and the rights of the token/u],
])('an identity provider that %s is told of in its own words', async (_, empty, sentence) => {
  const stage = await openProvider();
  expect((await stage.type('sync')).code).toBe(0);
  stage.provider.lists = { Groups: GROUPS, Users: USERS, [empty]: [] };
  const { code, out, err } = await stage.type('plan');
  expect([code, out + err]).toEqual([1, expect.stringMatching(sentence)]);
  expect(out + err).not.toMatch(/\b(?:base|query|file)\b/u);
});

test('an identity provider without anybody is checked in its own words', async () => {
  const stage = await openProvider();
  stage.provider.lists = { Groups: GROUPS, Users: [] };
  expect((await stage.type('check')).out).toContain(
    '! nobody maps: correct the fields of source.people, or check resource, filter and the rights of the token',
  );
});

test('an identity provider without the root is told of in its own words', async () => {
  const stage = await openProvider('', 'sync: { root: nowhere }\n');
  const { code, out, err } = await stage.type('plan');
  const sentence = 'correct sync.root, or widen source.units.filter';
  expect([code, out + err]).toEqual([1, expect.stringContaining(sentence)]);
});
