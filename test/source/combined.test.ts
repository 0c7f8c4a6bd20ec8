import { join } from 'node:path';

import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { SourceError } from '../../src/domain/errors.ts';
import type { Source } from '../../src/domain/reading/source.ts';
import { openSource } from '../../src/source/open-source.ts';
import { load, problemsOf, SERVICE } from '../config/config-file.ts';
import { toLdif } from '../servers/ldif.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';
import { startSlapd, type Slapd } from '../servers/slapd.ts';
import { never, readAll, type ReadResult } from './source-contract.ts';
import { problem } from './problem.ts';

const BASE = 'ou=people,dc=example,dc=com';

/** Accounts, in one flat folder. */
function accounts(): string {
  const people = [
    ['ann', '1', 'Ann Ash', 'Sales / EMEA'],
    ['bob', '2', 'Bob Birch', 'sales/emea'],
    ['cyd', '3', 'Cyd Cedar', 'Sales/APAC'],
    ['dan', 'X9', 'Dan Dogwood', ' Sales'],
  ] as const;
  return toLdif([
    [BASE, { objectClass: 'organizationalUnit', ou: 'people' }],
    ...people.map(([uid, employeeNumber, cn, departmentNumber]) => {
      const required = { objectClass: 'inetOrgPerson', cn, sn: 'x' };
      return [`uid=${uid},${BASE}`, { ...required, uid, employeeNumber, departmentNumber }] as const;
    }),
  ]);
}

const HR = [
  'create table dept (id text, parent text, name text)',
  `insert into dept values ('0', '0', 'Company'), ('d1', '0', 'Sales'), ('d2', 'd1', 'EMEA')`,
  'create table staff (no text, dept text, mail text, pass text)',
  `insert into staff values ('1', 'd2', 'ann@x', 's1'), ('2', 'd1', 'bob@x', 's2'), ('3', 'd1', 'c@x', 's3'), ('3', 'd2', 'c2@x', 's4'),
     ('x9', 'd1', 'dan@x', 's5'), ('77', 'd1', 'nobody@x', 's6')`,
];

let server: Slapd;
let folder = '';
let hr = '';

beforeAll(async () => {
  folder = scratchFolder('combined');
  hr = join(folder, 'hr.db');
  const database = new Database(hr);
  for (const sql of HR) database.exec(sql);
  database.close();
  server = await startSlapd({ ldif: accounts() });
});
afterAll(async () => {
  await server.stop();
  removeFolder(folder);
});

const directory = (more = ''): string =>
  `{ type: ldap, url: "${server.url}", bindDn: "${server.bindDn}", bindPassword: ${server.password}${more} }`;

function sources(more: { readonly ad?: string; readonly hr?: string } = {}): string {
  return `${SERVICE}sources:
  hr: { type: sql, url: "sqlite:${hr}"${more.hr ?? ''} }
  ad: ${directory(more.ad)}
`;
}

const UNITS =
  '{ from: hr, query: "select * from dept", fields: { id: id, parent: { expr: "parent == \'0\' ? \'\' : parent" }, name: name } }';
const JOIN = 'join: { from: hr, query: "select * from staff", on: { employeeNumber: no }';

/** A tree of the HR database with the accounts of the directory. */
function treeAndAccounts(joined = `${JOIN} }`, fields = ''): string {
  return `${sources()}source:
  units: ${UNITS}
  people:
    from: ad
    base: ${BASE}
    filter: (objectClass=inetOrgPerson)
    fields: { id: uid, username: uid, name: cn, email: hr.mail, positions: [{ unit: hr.dept }]${fields} }
    ${joined}
`;
}

const opened = (text: string): Source => {
  const { settings } = load(text);
  return openSource(settings.source, { lookups: settings.lookups });
};

const told = ({ people, refusals }: ReadResult): readonly string[] =>
  [
    ...people.map(({ id, fields, positions }) => {
      return `${id} ${JSON.stringify(fields['email'] ?? null)} in ${positions.map(({ unit }) => unit).join(', ')}`;
    }),
    ...refusals.map(({ id, field, reason }) => `${id ?? '?'}: ${field}: ${reason}`),
  ].toSorted();

describe('people of a directory completed by a database', () => {
  test('are in the units of the database, and whoever has no or several partners is left as is', async () => {
    const read = await readAll(opened(treeAndAccounts()));
    const { units, evidence } = read;
    expect(units.map((unit) => [unit.id, unit.parent])).toEqual([
      ['0', null],
      ['d1', null],
      ['d2', 'd1'],
    ]);
    expect(told(read)).toEqual([
      'ann "ann@x" in d2',
      'bob "bob@x" in d1',
      'cyd: join: several records of hr belong to it, or one that has several values there (hr.no = employeeNumber): keep one of them',
      'dan "dan@x" in d1',
    ]);
    expect(evidence.parts).toMatchObject([
      { part: 'units', from: 'hr', records: 3 },
      { part: 'people', from: 'ad', records: 4 },
      { part: 'partners', from: 'hr', records: 6, end: 'end of rows' },
    ]);
  });

  test('are left as they are without a partner, or go on without its values', async () => {
    const only = JOIN.replace('select * from staff', `select * from staff where no <> '2' and dept = 'd2'`);
    const blocked = await readAll(opened(treeAndAccounts(`${only} }`)));
    const reason = expect.stringContaining('missing: empty') as string;
    expect(blocked.refusals).toContainEqual(expect.objectContaining({ id: 'bob', field: 'join', reason }));
    const empty = await readAll(opened(treeAndAccounts(`${only}, missing: empty }`)));
    expect(empty.people.find(({ id }) => id === 'bob')).toMatchObject({
      fields: { email: null },
      positions: [],
    });
  });

  test('may use the other source in expressions and in secrets, which are on no disk in the clear', async () => {
    const fields = ', label: { expr: "hr.mail + \'!\'" }, password: hr.pass';
    const { people } = await readAll(opened(treeAndAccounts(`${JOIN} }`, fields)));
    const ann = people.find(({ id }) => id === 'ann');
    expect([ann?.fields['label'], ann?.secrets['password']]).toEqual(['ann@x!', 's1']);
  });

  test('are found with what they are completed by, secrets left out', async () => {
    const text = treeAndAccounts(undefined, ', password: hr.pass');
    const [sample, ...others] = await opened(text).find('person', ['ANN'], never);
    expect(others).toEqual([]);
    expect(sample?.reading).toMatchObject({ ok: true, record: { id: 'ann', fields: { email: 'ann@x' } } });
    expect(sample?.place).toMatch(/^ad: uid=ann/u);
    expect(sample?.raw).toMatchObject({ uid: ['ann'], 'hr.mail': ['ann@x'], 'hr.dept': ['d2'] });
    expect(Object.keys(sample?.raw ?? {})).not.toContain('hr.pass');
  });

  test('are incomplete where the other source is, or has no such column', async () => {
    const missing = treeAndAccounts(JOIN.replace('from staff', 'from nowhere') + ' }');
    await expect(opened(missing).open(never)).rejects.toThrow(SourceError);
    const column = treeAndAccounts(`${JOIN} }`).replace('hr.mail', 'hr.male');
    await expect(opened(column).open(never)).rejects.toThrow(
      problem('sql-column', 'source.people.fields.email', ' male ', 'mail?'),
    );
  });

  test('say where in the file the source stands that fails', async () => {
    const noFile = treeAndAccounts().replace(`sqlite:${hr}`, `sqlite:${hr}-lost`);
    await expect(opened(noFile).open(never)).rejects.toThrow(/check sources\.hr\.url/u);
    const password = treeAndAccounts().replace(server.password, 'wrong');
    const refused = opened(password);
    const wanted = /sources\.ad\.bindDn and sources\.ad\.bindPassword/u;
    await expect(refused.open(never)).rejects.toThrow(wanted);
    await expect(refused.find('person', ['ann'], never)).rejects.toThrow(wanted);
  });

  test('are incomplete where one of the sources brings nothing', async () => {
    const text = treeAndAccounts().replace('select * from dept', 'select * from dept where 0');
    await expect(readAll(opened(text))).rejects.toThrow(problem('source-brings-none', 'sources.hr', 'units'));
  });
});

test('several directories are one, each with a prefix before its ids', async () => {
  const part = `base: "${BASE}", filter: (objectClass=inetOrgPerson), fields: { id: uid, username: uid, name: cn, positions: [{ unit: parentDn }] }`;
  const text = `${SERVICE}sources:
  one: ${directory(', idPrefix: "1-"')}
  two: ${directory(', idPrefix: "2-"')}
source:
  units:
    - { from: one, base: "dc=example,dc=com", filter: (ou=people), fields: { id: ou, name: ou } }
    - { from: two, base: "dc=example,dc=com", filter: (ou=people), fields: { id: ou, name: ou } }
  people:
    - { from: one, ${part} }
    - { from: two, ${part} }
`;
  const source = opened(text);
  const { units, people } = await readAll(source);
  expect(units.map((unit) => unit.id)).toEqual(['1-people', '2-people']);
  const ids = people.map(({ id, positions }) => [id, positions[0]?.unit]);
  expect(ids).toHaveLength(8);
  expect(ids).toContainEqual(['1-ann', `1-${BASE}`]);
  expect(ids).toContainEqual(['2-ann', `2-${BASE}`]);
  const found = await source.find('person', ['2-ann'], never);
  expect(found.map(({ reading }) => reading.ok && reading.record.id)).toEqual(['2-ann']);
});

/** A directory whose units are made from values. */
const flat = (units: string): string => `${SERVICE}source:
  type: ldap
  url: ${server.url}
  bindDn: ${server.bindDn}
  bindPassword: ${server.password}
  units: ${units}
  people:
    base: ${BASE}
    filter: (objectClass=inetOrgPerson)
    fields: { id: uid, username: uid, name: cn }
`;

describe('units made from values', () => {
  test('are paths, whatever the spelling, called as most of their people call them', async () => {
    const read = await readAll(opened(flat('{ distinct: departmentNumber, separator: "/" }')));
    const { units } = read;
    expect(units.map((unit) => [unit.id, unit.parent, unit.fields['name']])).toEqual([
      ['sales', null, 'Sales'],
      ['sales/emea', 'sales', 'EMEA'],
      ['sales/apac', 'sales', 'APAC'],
    ]);
    expect(told(read)).toEqual([
      'ann null in sales/emea',
      'bob null in sales/emea',
      'cyd null in sales/apac',
      'dan null in sales',
    ]);
  });

  test('are one level without a separator; who has left makes none', async () => {
    const text = flat('{ distinct: departmentNumber }').replace(
      'name: cn',
      `name: cn, active: { expr: "uid != 'cyd'" }`,
    );
    const { units } = await readAll(opened(text));
    expect(units.map((unit) => unit.fields['name'])).toEqual(['Sales / EMEA', 'Sales']);
  });
});

describe('a file with several sources', () => {
  test.each([
    [
      'a part of none of them',
      [' from: ad', ' from: add'],
      'source.people.from: is no name in sources; did you mean ad?',
    ],
    [
      'a part without a name',
      ['from: hr, query: "select * from dept"', 'query: "select * from dept"'],
      'source.units.from: is missing; name one of sources: hr, ad',
    ],
    [
      'an unknown key in a part',
      ['base: ou=people', 'bass: ou=people'],
      'source.people.bass: unknown key; did you mean base?',
    ],
    [
      'an unknown key of a connection',
      ['bindDn', 'bindDM'],
      'sources.ad.bindDM: unknown key; did you mean bindDn?',
    ],
    ['a kind that does not exist', ['type: sql', 'type: sqll'], 'sources.hr.type: '],
    [
      'a join on nothing',
      ['on: { employeeNumber: no }', 'on: {}'],
      'source.people.join.on: is empty; name what is equal on both sides',
    ],
    [
      'a join that goes on in no way that exists',
      ['on: { employeeNumber: no }', 'on: { employeeNumber: no }, missing: blocked'],
      'source.people.join.missing: "blocked" is not one of block, empty; did you mean block?',
    ],
    [
      'a join without a query',
      ['query: "select * from staff", ', ''],
      'source.people.join.query: is missing',
    ],
    [
      'a source that nobody reads',
      ['  hr: {', '  old: { type: sql, url: "sqlite:x.db" }\n  hr: {'],
      'sources.old: is read by no part of source; write from: old there, or remove it',
    ],
    [
      'a key of the connection in source',
      ['source:\n', 'source:\n  encoding: utf-8\n'],
      'source.encoding: is given as well as sources; move it below the source',
    ],
  ] as const)('that has %s is refused with the place', (_, [search, replacement], said) => {
    const text = treeAndAccounts();
    expect(text).toContain(search);
    expect(problemsOf(text.replace(search, () => replacement))).toContain(said);
  });
});
