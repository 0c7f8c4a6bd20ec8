import { expect, onTestFinished, test } from 'vitest';
import { startScim, type ScimServer } from '../source/scim/scim-server.ts';
import { openStage, type Stage } from './command-line.ts';
import { expectStory, type Step } from './story.ts';

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

const users = (provider: ScimServer, Users: typeof USERS, Groups = GROUPS): Step => [
  `${Users.length} users and ${Groups.length} groups`,
  () => void (provider.lists = { Groups, Users }),
];

test('an identity provider is checked, loaded, explained, and sent nothing twice', async () => {
  const stage = await openProvider();
  const { provider } = stage;
  const text = await expectStory('an identity provider', stage, [
    'check',
    'sync',
    'sync',
    'explain --live lin',
    users(provider, []),
    'plan',
    'check',
    users(provider, USERS, []),
    'plan',
  ]);
  expect(text).not.toContain('secret-bearer');
});

test('what no user has, and an unknown root, are named in the words of a provider', async () => {
  const mapped = 'email: emials.work, active: { expr: "active != left" }';
  const fields = await openProvider('', '', mapped);
  await expectStory('attributes of a provider', fields, ['check']);
  const root = await openProvider('', 'sync: { root: nowhere }\n');
  await expectStory('the root of a provider', root, ['plan']);
});
