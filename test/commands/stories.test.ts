import Database from 'better-sqlite3';
import { copyFileSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventsOf, openStage, type Stage } from './command-line.ts';
import { configured, expectStory, type Step } from './story.ts';

/** People of the service, with their mail addresses. */
const PEOPLE: Step = [
  'who is in the service',
  ({ sandbox }) =>
    sandbox.state
      .employees()
      .map(({ username, name, profile: { email }, locked }) =>
        [username, name, ...(typeof email === 'string' ? [email] : []), ...(locked ? ['locked'] : [])].join(
          ' ',
        ),
      )
      .toSorted()
      .join('\n'),
];
const ledger = (what: string, sql: string): Step => [
  what,
  ({ ledgerFile }) => {
    const db = new Database(ledgerFile);
    db.exec(sql);
    db.close();
  },
];
const guard = (guards: string): Step => configured(['log:', `sync: { guard: { ${guards} } }\nlog:`]);
const STRANGER: Step = [
  'guest is made in the service',
  ({ sandbox: { edit, rootId } }) =>
    edit.addEmployee({ username: 'guest', name: 'G', positions: [{ org_id: rootId }] }),
];

/** A company in which the source makes a mistake, which is applied. */
const MISTAKEN: readonly Step[] = [
  'sync',
  `update employee set email = 'wrong@example.com' where login = 'ann'; update employee set status = 'left' where login = 'bob'`,
  `insert into employee values ('4', 'eve', 'Eve', null, 'active'); insert into assignment values ('4', 'd3', 'Clerk', 1)`,
  'sync',
];

const WORDS = ['quetzalcoatl', 'Xochiquetzal', 'quetz@example.com', 'emp-000-zyx'];
const hire = (id: string): string =>
  `insert into employee values ('${id}', 'quetzalcoatl', 'Xochiquetzal', 'quetz@example.com', 'active');
  insert into assignment values ('${id}', 'd3', null, 1)`;
const GONE = `delete from employee where emp_no = 'emp-000-zyx'; delete from assignment where emp_no = 'emp-000-zyx'`;
const LEFT_IN_FILES: Step = [
  'what the files of the ledger have of them',
  ({ folder }) => {
    const state = join(folder, 'state');
    const files = readdirSync(state).filter((name) => name.startsWith('rollcall.db'));
    const bytes = files.map((name) => readFileSync(join(state, name), 'utf8'));
    return WORDS.filter((word) => bytes.some((text) => text.includes(word))).join('\n');
  },
];
const lock = (username: string, locked: boolean): Step => [
  `${username} is ${locked ? 'locked' : 'unlocked'} in the service`,
  ({ sandbox: { edit } }) => (locked ? edit.lockEmployee(username) : edit.unlockEmployee(username)),
];
/** Somebody was hired and is inactive by now, with a disabled account. */
const DISABLED: readonly Step[] = [
  hire('emp-000-zyx'),
  'sync',
  `update employee set status = 'left' where emp_no = 'emp-000-zyx'`,
  'sync',
];

const titles = (text: string | null): Step => [
  `titles.csv: ${text ?? 'is removed'}`,
  ({ folder }) =>
    text === null ? rmSync(join(folder, 'titles.csv')) : writeFileSync(join(folder, 'titles.csv'), text),
];
const LOOKUP = configured(
  ['job_title: title', `job_title: { expr: "lookup('titles', title, '')" }`],
  ['log:', 'lookups: { titles: { file: titles.csv, key: key, value: value } }\nlog:'],
);
const WHOLE = titles('key,value\nEngineer,Engineering\n');

const UNITS_MOVE: readonly Step[] = [
  `insert into department values ('d7', 'd2', 'Below'); update employee set login = 'd1' where emp_no = '1'`,
  'sync',
  `delete from assignment where dept_id = 'd3'; update department set parent_id = 'd3' where id = 'd2';
    insert into department values ('d8', 'd1', 'New')`,
];

const STORIES: Readonly<Record<string, readonly Step[]>> = {
  'plan and status': [
    'plan',
    'status',
    STRANGER,
    `insert into employee values ('9', null, 'Nobody', null, 'active')`,
    'sync',
    'plan --exit-code',
    'status --unmanaged',
    'status --exit-code',
    `insert into employee values ('4', 'dan', 'Dan', null, 'active'); insert into assignment values ('4', 'd3', null, 1)`,
    'plan',
    'plan --full',
    'plan --json',
    'plan --exit-code',
  ],
  'another configuration': [
    'sync',
    [
      'other.yaml takes the login for the name',
      ({ folder, configFile }) =>
        writeFileSync(
          join(folder, 'other.yaml'),
          readFileSync(configFile, 'utf8').replace('name: full_name', 'name: login'),
        ),
    ],
    'plan --config other.yaml',
    '--config other.yaml explain zoe',
    'plan --exit-code',
  ],
  'another username': [
    'sync',
    `update employee set login = 'anna' where emp_no = '1'`,
    'sync',
    'status',
    `update employee set login = 'ann' where emp_no = '1'`,
    'sync',
    'status',
  ],
  'people who wait': ['sync', `delete from employee where emp_no = '3'`, 'plan --json'],
  history: [
    `update employee set full_name = '=1+1' || char(27) || '[31m"' where emp_no = '2'`,
    'sync',
    `update employee set email = 'new@example.com', full_name = 'Anna' where emp_no = '1'`,
    'sync',
    ledger(
      'a run holds the lease',
      `insert into fact values ('lease', '{"holder":"x","renewals":0,"expiresAt":9e15,"boot":null,"ends":9e15}')`,
    ),
    'history',
    'history --person ANN --json',
    'history --unit sales',
    'history --since 0h',
  ],
  'history where ids tell nothing': [
    `update employee set emp_no = '6ba7b810-9dad-11d1-80b4-00c04fd430c' || emp_no;
      update assignment set emp_no = '6ba7b810-9dad-11d1-80b4-00c04fd430c' || emp_no`,
    'sync',
    'history',
  ],
  revert: [
    ...MISTAKEN,
    'revert RUN --json --only ann',
    'revert RUN',
    PEOPLE,
    'revert RUN --approve HASH',
    PEOPLE,
    'status',
    'history --person ann',
    'revert RUN --only ann',
  ],
  'a revert that a guard holds': [
    ...MISTAKEN,
    guard('leavers: 0'),
    'revert RUN --only eve',
    'revert RUN --only eve --approve HASH',
    PEOPLE,
    'revert RUN --only eve',
    'revert RUN --only eve --approve HASH --approve HASH2',
    PEOPLE,
  ],
  'a revert that is refused': [
    ...MISTAKEN,
    'revert RUN~',
    'revert 20200101-000000-abcd',
    'revert RUN --only lin',
    ledger(
      'its last call is open',
      'update call set settled_at = null where call = (select max(call) from call)',
    ),
    'revert RUN',
    'sync',
    'revert RUN',
  ],
  forget: [
    ...DISABLED,
    'forget quetzalcoatl',
    LEFT_IN_FILES,
    [
      'a plan, a run and a message that were killed left files',
      ({ ledgerFile }) => {
        for (const left of ['plan-7', 'staging', 'plan.html'])
          copyFileSync(ledgerFile, `${ledgerFile}.${left}`);
      },
    ],
    GONE,
    'forget QuetzalCoatl',
    LEFT_IN_FILES,
    'sync --full',
    'history --person quetzalcoatl',
    'forget quetzalcoatl',
    hire('other'),
    'sync',
  ],
  'forget by a condition': [
    ...DISABLED,
    configured([
      'query: select * from employee\n',
      `query: select * from employee\n    where: "status != 'left'"\n`,
    ]),
    'forget quetzalcoatl',
  ],
  'forgotten and back': [
    ...DISABLED,
    GONE,
    'forget quetzalcoatl',
    hire('emp-000-zyx'),
    'sync',
    'explain quetzalcoatl',
    'plan',
    'sync --approve HASH',
    'explain quetzalcoatl',
    lock('quetzalcoatl', false),
    'sync --full',
    'explain quetzalcoatl',
    PEOPLE,
  ],
  'forget where the source is not whole': [
    ...DISABLED,
    GONE,
    [
      'the database is older than at the last read',
      ({ folder }) => utimesSync(join(folder, 'hr.db'), new Date(0), new Date(1e12)),
    ],
    'forget quetzalcoatl',
    LEFT_IN_FILES,
  ],
  'forget that is refused': [
    ...DISABLED,
    'forget ann',
    'forget nobody',
    ledger(
      'a call about them was interrupted',
      `insert into call (call, run, operation, at) values (999, 'r', 'employee.import', 1);
      insert into call_item (call, subject, id) values (999, 'person', 'emp-000-zyx')`,
    ),
    'forget quetzalcoatl',
    ledger('it is settled', 'delete from call where call = 999; delete from call_item where call = 999'),
    GONE,
    lock('quetzalcoatl', false),
    'forget quetzalcoatl',
    lock('quetzalcoatl', true),
    ledger(
      'ann and they have one username',
      `update person set username_key = 'ann', username = 'ANN' where id = 'emp-000-zyx'`,
    ),
    'forget ann',
    configured(['log:', 'sync: { leavers: { removeAfterDays: 30 } }\nlog:']),
    'forget emp-000-zyx',
    LEFT_IN_FILES,
  ],
  'a table of lookups that is cut': [
    WHOLE,
    LOOKUP,
    'sync',
    titles('key,value\nEngineer,Eng'),
    'sync',
    'status',
    titles('key,value\n'),
    'plan',
    'plan --full',
    WHOLE,
    'sync',
  ],
  'a table of lookups that is gone': [
    WHOLE,
    LOOKUP,
    'sync',
    titles(null),
    'sync',
    'status',
    'history --since 0h',
  ],
  'one record that is named': [
    ...UNITS_MOVE,
    'sync --only nobody',
    'sync --only d1',
    'sync --only d2',
    'sync --only unit:d7',
    `update department set parent_id = 'd8' where id = 'd2'; delete from department where id = 'd3'`,
    'sync --only d3',
  ],
  'one record of several that fail': [
    'sync',
    `insert into employee values ('4', 'eve', 'Eve', null, 'active'), ('5', null, 'Max', null, 'active');
      insert into assignment values ('4', 'nowhere', null, 1), ('5', 'd3', null, 1)`,
    'sync',
    'sync --only bob',
    'status',
    'sync --only eve',
    `update employee set full_name = null where login = 'eve'; update assignment set dept_id = 'd3'`,
    'sync --only eve',
    'status',
  ],
};

test.each(Object.entries(STORIES))('%s', async (name, steps) => {
  await expectStory(name, await openStage(), steps);
});

test('the log of forget has no word of the person', async () => {
  const stage: Stage = await openStage();
  for (const step of [...DISABLED, GONE].map(String))
    await (step === 'sync' ? stage.type(step) : stage.hr(step));
  const { err } = await stage.type('forget', 'quetzalcoatl');
  expect(eventsOf(err).at(-1)).toMatchObject({ msg: 'a person was forgotten', entries: 2 });
  expect(WORDS.filter((word) => err.includes(word))).toEqual([]);
});
