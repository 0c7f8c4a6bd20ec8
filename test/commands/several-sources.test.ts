import { writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configText, openStage, type Stage } from './command-line.ts';

/** Accounts in a second database, with the numbers of the HR database. */
function accounts({ folder }: Stage): void {
  const database = new Database(join(folder, 'accounts.db'));
  database.exec(`create table account (login text, full_name text, number text, dept text);
    insert into account values ('ann', 'Ann Ash', '1', 'Sales/EMEA'), ('bob', 'Bob Birch', '2', 'sales'), ('cyd', 'Cyd Cedar', '9', 'Sales')`);
  database.close();
}

const SOURCES = `sources:
  hr: { type: sql, url: "sqlite:hr2.db" }
  directory: { type: sql, url: "sqlite:accounts.db" }
`;

function hr({ folder }: Stage): void {
  const database = new Database(join(folder, 'hr2.db'));
  database.exec(`create table dept (id text, parent text, name text);
    insert into dept values ('d1', '0', 'Company'), ('d2', 'd1', 'Sales');
    create table staff (no text, dept text); insert into staff values ('1', 'd2'), ('2', 'd1')`);
  database.close();
}

/** Puts another source in place of that of the stage. */
function withSource(stage: Stage, source: string): void {
  writeFileSync(join(stage.folder, 'rollcall.yaml'), configText(stage.sandbox, source));
}

test('a tree from one source with accounts from another is checked, planned, synced and explained', async () => {
  const stage = await openStage();
  accounts(stage);
  hr(stage);
  withSource(
    stage,
    `${SOURCES}source:
  units: { from: hr, query: "select * from dept", noParent: ["0"], fields: { id: id, parent: parent, name: name } }
  people:
    from: directory
    query: select * from account
    fields: { id: number, username: login, name: full_name, positions: [{ unit: hr.dept }] }
    join: { from: hr, query: "select * from staff", on: { number: no } }
`,
  );
  const check = await stage.type('check');
  expect([check.code, check.out]).toEqual([4, expect.stringContaining('directory sqlite:accounts.db')]);
  expect(check.out).toMatch(/! person \S+.*: join: no record of hr belongs to it \(hr\.no = number\)/u);
  expect((await stage.type('plan')).out).toContain('ann');
  expect((await stage.type('sync')).code).toBe(4);
  const unitOf = (username: string): string | undefined => {
    const position = stage.sandbox.state.employee(username)?.positions[0];
    return stage.sandbox.state.organizations().find(({ id }) => id === position?.orgId)?.name;
  };
  expect([unitOf('ann'), unitOf('bob'), unitOf('cyd')]).toEqual(['Sales', 'Company', undefined]);
  const explained = await stage.type('explain', 'ann', '--live');
  expect(explained.out).toContain('hr.dept');
  expect((await stage.type('sync')).code).toBe(4);
  expect(stage.sandbox.state.employees()).toHaveLength(2);
});
