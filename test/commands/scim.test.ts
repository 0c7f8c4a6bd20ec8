import { expect, onTestFinished, test } from 'vitest';
import { startScim, type ScimServer } from '../source/scim/scim-server.ts';
import { openStage, type Stage } from './command-line.ts';

const GROUPS = [
  { id: 'g1', displayName: 'Company', members: [{ value: '1' }] },
  { id: 'g2', displayName: '研发部', members: [{ value: '2' }, { value: '3' }] },
];
const USERS = ['ann', 'bob', 'lin'].map((userName, index) => ({
  id: String(index + 1),
  userName,
  displayName: userName.toUpperCase(),
  emails: [{ type: 'work', value: `${userName}@example.com` }],
}));

async function openProvider(): Promise<Stage & { readonly provider: ScimServer }> {
  const provider = await startScim({ Groups: GROUPS, Users: USERS });
  onTestFinished(() => provider.close());
  const stage = await openStage();
  stage.setSource(`source:
  type: scim
  url: ${provider.url}
  token: secret-bearer
  units: { fields: { id: id, name: displayName } }
  people: { fields: { id: id, username: userName, name: displayName, email: emails.work, active: active } }
  positions: { fields: { person: member, unit: id } }
`);
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
