import { expect, onTestFinished, test } from 'vitest';
import { startRest, type RestServer, type Row } from '../source/rest/rest-server.ts';
import { openStage, type Stage } from './command-line.ts';
import { expectStory, type Step } from './story.ts';

const EMPLOYEES: readonly Row[] = Array.from({ length: 12 }, (_, n) => ({
  id: n + 1,
  login: `user${n + 1}`,
  profile: { name: `Person ${n + 1}`, emails: [{ type: 'work', value: `user${n + 1}@example.com` }] },
  isActive: n !== 11,
  department: { id: n < 6 ? 10 : 20 },
}));
const DEPARTMENTS: readonly Row[] = [
  { id: 1, name: 'Company', parent: null },
  { id: 10, name: 'Sales', parent: { id: 1 } },
  { id: 20, name: '研发部', parent: { id: 1 } },
];

/** An HR system whose lists come in pages of five. */
async function openHr(): Promise<Stage & { readonly system: RestServer }> {
  const hr = await startRest({ departments: DEPARTMENTS, employees: EMPLOYEES });
  onTestFinished(() => hr.close());
  hr.token = 'secret-bearer';
  const stage = await openStage();
  stage.setSource(`source:
  type: rest
  url: ${hr.url}
  auth: { bearer: secret-bearer }
  pages: { offset: skip, size: { limit: 5 }, total: /total }
  units: { get: /departments, items: /data, fields: { id: id, name: name, parent: parent.id } }
  people:
    get: /employees
    items: /data
    complete: { count: { get: /employees/count, at: /n } }
    fields:
      id: id
      username: login
      name: profile.name
      email: 'profile.emails[type=work].value'
      active: isActive
      positions: [{ unit: department.id }]
`);
  return { ...stage, system: hr };
}

const without = (hr: RestServer, key: string): Step => [
  `the account may not see ${key} any more`,
  () => void (hr.lists = { ...hr.lists, employees: EMPLOYEES.map((one) => ({ ...one, [key]: undefined })) }),
];
const employees = (hr: RestServer, what: string, rows: readonly Row[]): Step => [
  what,
  () => void (hr.lists = { ...hr.lists, employees: rows }),
];

test('an HR system on the web is checked, loaded, explained, and sent nothing twice', async () => {
  const stage = await openHr();
  const text = await expectStory('an HR system', stage, [
    'check',
    'plan',
    'sync',
    'sync',
    'explain --live user3',
    'status',
  ]);
  expect(text).not.toContain('secret-bearer');
});

test('nobody changes by what an HR system shows no more', async () => {
  const stage = await openHr();
  const { system: hr } = stage;
  await expectStory('an HR system that shows less', stage, [
    'sync',
    without(hr, 'isActive'),
    'plan',
    without(hr, 'department'),
    'plan',
    without(hr, 'login'),
    'plan',
    employees(hr, 'its list is cut, and its total too', EMPLOYEES.slice(0, 5)),
    [
      'its number is not',
      () => void (hr.twist = ({ list }, usual) => (list.includes('/') ? { body: { n: 12 } } : usual)),
    ],
    'plan',
  ]);
});
