import { expect, onTestFinished, test } from 'vitest';
import { startScim, type ScimServer } from '../source/scim/scim-server.ts';
import { openStage, type Stage, usernamesIn } from './command-line.ts';

const GROUPS = [
  { id: 'g1', displayName: 'Company', members: [{ value: '1' }] },
  { id: 'g2', displayName: '研发部', members: [{ value: '2' }, { value: '3' }] },
];
const USERS = ['ann', 'bob', 'lin'].map((userName, index) => ({
  id: String(index + 1),
  meta: { lastModified: '2026-01-01T00:00:00Z' },
  userName,
  displayName: userName.toUpperCase(),
  active: true,
  emails: [{ type: 'work', value: `${userName}@example.com` }],
}));

const MAPPED = 'email: emails.work, active: active';

async function openProvider(
  more = '',
  besides = '',
  mapped = MAPPED,
): Promise<Stage & { readonly provider: ScimServer }> {
  const provider = await startScim({ Groups: GROUPS, Users: USERS });
  onTestFinished(() => provider.close());
  const stage = await openStage();
  stage.setSource(`source:
  type: scim
  url: ${provider.url}
  token: secret-bearer
${more}  units: { fields: { id: id, name: displayName } }
  people: { fields: { id: id, username: userName, name: displayName, ${mapped} } }
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
  expect(usernamesIn(stage)).toEqual(['ann', 'bob', 'lin']);
  stage.changing();
  expect((await stage.type('sync')).code).toBe(0);
  expect(stage.changing()).toEqual([]);
  const { out, code } = await stage.type('explain', '--live', 'lin');
  expect([code, out]).toEqual([0, expect.stringMatching(/Users 3[^]*Groups g2/u)]);
  expect(checked.out + checked.err + out).not.toContain('secret-bearer');
});

test('attributes that no record has are named by check with their places, and a text without quotes as one', async () => {
  const stage = await openProvider('', '', 'email: emials.work, active: { expr: "active != left" }');
  const { code, out } = await stage.type('check');
  expect([code, out.replaceAll(/\s+/gu, ' ')]).toEqual([4, expect.stringContaining('WARN source')]);
  expect(out.replaceAll(/\s+/gu, ' ')).toContain(
    '! source.people.fields.email: no record has emials.work; correct it, remove it, or put it in quotes',
  );
  expect(out.replaceAll(/\s+/gu, ' ')).toContain(
    '! source.people.fields.active: no record has left; correct it,',
  );
  expect(out).not.toMatch(/no record has (?:id|userName|displayName|active|member)\b/u);
});

test.each<[string, string, RegExp]>([
  ['brings nobody', 'Users', /brought no person \(.*Check resource, filter and the rights of the token/u],
  ['brings no group', 'Groups', /brought no unit \(.*Check resource, filter and the rights of the token/u],
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
    '! source.people has no record: a run would send units alone; if that is wrong, check resource, filter and the rights of the token',
  );
});

test('an identity provider without the root is told of in its own words', async () => {
  const stage = await openProvider('', 'sync: { root: nowhere }\n');
  const { code, out, err } = await stage.type('plan');
  const sentence = 'correct sync.root, or widen source.units.filter';
  expect([code, out + err]).toEqual([1, expect.stringContaining(sentence)]);
});
