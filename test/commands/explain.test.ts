import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PNG } from '../sandbox/pictures.ts';
import type { Stage } from './command-line.ts';
import { CARD, openExplained, SOURCE } from './explained.ts';
import { expectStory, type Step } from './story.ts';

/** Somebody new in Sales with this username. */
const hire = (username: string, more: { readonly id?: string; readonly unit?: string } = {}): string =>
  `insert into employee values ('${more.id ?? 'E8'}', '${username}', 'Guest', null, null, null, null, 'active');
    insert into assignment values ('${more.id ?? 'E8'}', '${more.unit ?? 'd2'}', null, 1)`;

const GUEST: Step = [
  'guest is made in the service',
  ({ sandbox: { edit, rootId } }) =>
    edit.addEmployee({ username: 'guest', name: 'Guest', positions: [{ org_id: rootId, primary: true }] }),
];
const edit = (what: string, act: (edit: Stage['sandbox']['edit']) => void): Step => [
  `${what} in the service`,
  ({ sandbox }) => act(sandbox.edit),
];
const lock = (username: string): Step =>
  edit(`${username} is locked`, (service) => service.lockEmployee(username));
const withSource = (source: string): Step => [
  `the configuration has\n${source}`,
  (stage) => stage.setSource(source),
];
const withSync = (sync: string): Step => [
  `sync: ${sync}`,
  (stage) => stage.setSource(`${SOURCE}sync: ${sync}\n`),
];
/** Conditions of people and units. */
const where = (people: string, units = 'true'): Step => [
  `people where ${people}, units where ${units}`,
  (stage) =>
    stage.setSource(
      SOURCE.replace('select * from employee\n', `$&    where: ${JSON.stringify(people)}\n`).replace(
        'select * from department,',
        `$& where: ${JSON.stringify(units)},`,
      ),
    ),
];
const TIME_PASSES: Step = ['ten minutes pass', (stage) => stage.passTime()];
const DOWN: Step = ['the service is down', ({ sandbox }) => sandbox.close()];
const LOGOS: Step = [
  'units have logos',
  (stage) => {
    stage.setSource(SOURCE.replace('name: name }', `name: name, logo: { expr: 'id + ".png"' } }`));
    for (const id of ['d1', 'd2', 'd3', 'd4']) writeFileSync(join(stage.folder, `${id}.png`), PNG);
  },
];

const STORIES: Readonly<Record<string, readonly Step[]>> = {
  'a person in step': [
    'sync',
    'explain WANG.min',
    `update employee set email = 'new@example.com' where emp_no = 'E1'`,
    `delete from assignment where title = 'Adviser'`,
    'explain E1 --live',
    'explain wang.min --json --live',
    DOWN,
    'explain wang.min --live',
  ],
  'before the first run': ['explain nobody', 'explain wang.min --live', 'explain'],
  'a name that is not known': [
    'sync',
    'explain nobody',
    'explain nobody --live',
    ['explain', 'li wei'],
    'explain unit:E3 --live',
  ],
  'a person who is missing': [
    'sync',
    `delete from employee where emp_no = 'E2'`,
    'explain li.wei --live',
    'sync',
    'explain li.wei',
    TIME_PASSES,
    'sync',
    'explain li.wei',
  ],
  'edits of others': [
    withSync('{ drift: report }'),
    'sync',
    edit('mail of ann changes', (service) => service.changeEmployee('ann', { email: 'other@example.com' })),
    lock('li.wei'),
    'sync',
    'explain ann',
    'explain li.wei',
    edit('ann is removed', (service) => service.removeEmployee('ann')),
    'explain ann --live',
  ],
  'a change that is held': [
    'sync',
    withSync('{ guard: { leavers: 0, emptied: 0 } }'),
    `update employee set status = 'left' where emp_no = 'E2'`,
    `update employee set email = null, full_name = 'Anna' where emp_no = 'E3'`,
    'explain li.wei --live',
    'explain ann --live',
    'sync',
    'explain E2',
  ],
  'refused by the service': [
    `update employee set account = '4711' where emp_no = 'E3'`,
    'sync',
    'explain ann',
  ],
  'a field that cannot be read': ['sync', 'explain E4', 'explain bob --live'],
  'one username of two': ['sync', hire('Wang.Min', { id: 'E9' }), 'sync', 'explain wang.min', 'explain E9'],
  'only in the service': [GUEST, 'sync', 'explain Guest', hire('guest'), 'explain guest --live'],
  'a locked account that others made': [
    GUEST,
    lock('guest'),
    hire('guest'),
    'sync',
    'explain E8',
    'explain guest --live',
    `update employee set status = 'left' where emp_no = 'E8'`,
    'sync',
    'explain E8 --live',
  ],
  'inactive and never created': [
    hire('zoe'),
    `update employee set status = 'left' where emp_no = 'E8'`,
    'sync',
    'explain zoe --live',
  ],
  'a managed username under another id': [
    'sync',
    `update employee set emp_no = 'E9' where emp_no = 'E3'; update assignment set emp_no = 'E9' where emp_no = 'E3'`,
    'sync',
    'explain E9',
    'explain E9 --live',
    'explain E3 --live',
    'explain ann',
  ],
  'a username that changed in the source': [
    'sync',
    `update employee set login = 'wei.li' where emp_no = 'E2'`,
    'sync',
    'explain li.wei',
    'explain wei.li',
    `update employee set login = 'wei.2' where emp_no = 'E2'`,
    'explain wei.2 --live',
  ],
  'the node that a moved unit has left': [
    'sync',
    [
      'somebody is put into d4 in the service',
      ({ sandbox: { edit: service, state } }) =>
        service.addEmployee({
          username: 'guest',
          name: 'Guest',
          positions: [{ org_id: state.organizationBySerial('d4')?.id ?? '', primary: true }],
        }),
    ],
    `update department set parent_id = 'd1', name = 'Sales West' where id = 'd4'`,
    'sync --full',
    'explain d4',
    [
      'its former node is asked for by serial number and by id',
      async (stage) => {
        const { id = '', serialNo = '' } =
          stage.sandbox.state.organizations().find((one) => one.serialNo?.startsWith('d4~')) ?? {};
        const [bySerialNo, byId] = [await stage.type('explain', serialNo), await stage.type('explain', id)];
        expect(byId).toEqual(bySerialNo);
        return byId.out;
      },
    ],
  ],
  'gone since the last run': [
    hire('zoe', { unit: 'd9' }),
    'sync',
    'explain zoe',
    DOWN,
    `delete from employee where emp_no = 'E8'`,
    hire('ida', { id: 'E7' }),
    'explain ida --live',
  ],
  units: [
    'sync',
    'explain 研发部',
    'explain sales',
    'explain unit:d4',
    `update department set parent_id = 'gone' where id = 'd3'`,
    'explain ann --live',
    `update department set name = 'Labs', parent_id = 'd1' where id = 'd3'`,
    'explain d3 --live',
  ],
  'a logo': [LOGOS, 'sync', 'explain d3', 'explain d3 --live'],
  'units out of scope': [
    `insert into department values ('d9', 'd1', 'Old House')`,
    where('true', "id != 'd9'"),
    'sync',
    'explain unit:d9 --live',
    ['explain', 'old house', '--live'],
    'explain person:d9 --live',
  ],
  'people out of scope': [
    'sync',
    where("login != 'ann'"),
    'explain ann --live',
    'sync',
    'explain ann',
    'explain ann --live',
    hire('ann.2'),
    where("login != 'ann.2'"),
    'explain person:E8 --live',
    'explain ann.2 --live',
    'sync',
    'drop table employee',
    'explain ann --live',
  ],
  'a condition that fails': [
    where("rank == '' || int(rank) < 7"),
    'sync',
    'explain li.wei --live',
    'explain bob --live',
  ],
  'check of conditions': [
    `update employee set rank = '1' where rank = 'first'`,
    withSource(`${SOURCE}sync: { protect: { where: "rank == '7'" } }\n`),
    'check',
    where("!(login in ['ann', 'bob'])"),
    'check',
  ],
  'wrong expressions': [
    where('int(rank) & 2', 'id'),
    'check',
    'plan',
    'sync',
    withSource(
      `${SOURCE.replace('name: full_name', 'name: { expr: "uper(full_name)" }').replace(
        'email: email',
        'email: { expr: "email = 1" }',
      )}sync: { protect: { where: rank } }\n`,
    ),
    'plan',
    withSync(`{ protect: { where: "uper(rank) == 'A'" } }`),
    'plan',
  ],
};

test.each(Object.entries(STORIES))('explain: %s', async (name, steps) => {
  const text = await expectStory(`explain ${name}`, await openExplained(), steps);
  expect(text).not.toContain(CARD);
});
