import Database from 'better-sqlite3';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { startScim, type ScimServer } from '../source/scim/scim-server.ts';
import { CHECK, openBeginning, put, TARGET, WRITTEN } from './init-world.ts';
import { expectStory, type Step } from './story.ts';

const database = (name: string, sql: string): Step => [
  `${name}: ${sql}`,
  ({ folder }) => {
    const db = new Database(join(folder, name));
    db.exec(sql);
    db.close();
  },
];
const COMPANY = database(
  'own.db',
  `create table department (id integer primary key, name text, parent_id integer references department);
  insert into department values (1, 'Head', null), (2, 'Lab', 1);
  create table employee (id integer primary key, login text, name text, department_id integer references department);
  insert into employee values (1, 'ann', 'Ann', 1), (2, 'bob', 'Bob', 2)`,
);
/** Into the usual place, with flags that have no blank. */
const init = (flags: string): Step => ['init', '--out', TARGET, ...flags.split(' ')];

let directory: Slapd;
let provider: ScimServer;
beforeAll(async () => {
  directory = await startSlapd();
  provider = await startScim({ Users: [], Groups: [] });
  provider.twist = ({ token }) => (token === 'good' ? null : { status: 401, body: {} });
});
afterAll(async () => {
  await directory?.stop();
  await provider?.close();
});

const STORIES: Readonly<Record<string, () => readonly Step[]>> = {
  'flags that are missing': () => [
    `init --out ${TARGET}`,
    init('--url ldap://localhost'),
    init('--url postgres://hr@localhost/hr'),
    init('--url postgres://hr:s3cret@localhost/hr'),
    init('--url mysql://localhost/hr --password-file token'),
    init(`--url ${provider.url}`),
    init(`--kind ldap --url ${provider.url}`),
    WRITTEN,
  ],
  'a file that exists': () => [COMPANY, init('--url sqlite:own.db'), init('--url sqlite:none.db')],
  'a folder that does not': () => [
    COMPANY,
    'init --out deep/er/rollcall.yaml --url sqlite:own.db',
    'init --out deep/er/rollcall.yaml/x.yaml --url sqlite:own.db',
    [
      'the user of a container can read it',
      ({ folder }) => expect(statSync(join(folder, 'deep/er/rollcall.yaml')).mode & 0o777).toBe(0o644),
    ],
  ],
  'without the service': () => [COMPANY, init('--url sqlite:own.db'), CHECK],
  printed: () => [COMPANY, init('--print --url sqlite:own.db'), WRITTEN],
  'nothing looks like people': () => [
    database('shop.db', 'create table article (id integer primary key, price real)'),
    init('--url sqlite:shop.db'),
    init('--url sqlite:shop.db --people-table staff'),
    init('--url sqlite:shop.db --people-table article'),
    CHECK,
  ],
  'sources that are not there': () => [
    init('--file none.csv'),
    init('--url ldap://localhost:1 --anonymous'),
    init(`--url ${provider.url}/none --password-file good`),
    WRITTEN,
  ],
  'refused by a directory': () => {
    const bind = `--bind-dn ${directory.bindDn} --password-file`;
    return [
      init(`--url ${directory.url} ${bind} wrong`),
      init(`--url ${directory.ldapsUrl} ${bind} right`),
      init(`--url ${directory.url} ${bind} right --base ou=none,dc=example,dc=com`),
      init(`--url ${directory.url} ${bind} right`),
      WRITTEN,
    ];
  },
  'refused by a SCIM server': () => [init(`--url ${provider.url} --password-file wrong`), WRITTEN],
};

test.each(Object.entries(STORIES))('init: %s', async (name, steps) => {
  const stage = await openBeginning();
  put(stage, 'right', directory.password);
  put(stage, 'wrong', 'no');
  put(stage, 'good', 'good');
  await expectStory(`init ${name}`, stage, steps());
});
