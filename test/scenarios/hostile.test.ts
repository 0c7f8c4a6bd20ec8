import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { escapeHidden } from '../../src/domain/text/printable.ts';
import { openStage, type Stage, type Typed } from '../commands/command-line.ts';

/** What stands behind each line break of a value: no line may begin with it. */
const FORGED = 'FORGED In all: people - 0 remove';

/** Values that attack whoever reads them, by what they do. */
const HOSTILE = {
  clears: 'a\u001B[2J\u001B[H',
  retitles: 'b\u001B]0;title\u0007',
  colours: 'c\u001B[31mred\u001B[8m',
  c1: 'd\u009B2J\u0085e',
  breaks: `e\n${FORGED}`,
  returns: `f\r${FORGED}\r\n${FORGED}`,
  separates: `g\u2028${FORGED}\u2029${FORGED}`,
  turns: 'h\u202Etxt.\u2066\u200F\u061Cexe',
  hides: 'i\u200B\u2060\uFEFFj',
  ends: 'k\0l\u0008\u0008\u007F',
  floods: `m${'x'.repeat(1_048_576)}`,
} as const;

const text = (value: string): string => `cast(x'${Buffer.from(value).toString('hex')}' as text)`;

const TABLES = `
  create table department (id text, parent_id text, name text);
  create table employee (emp_no text, login text, full_name text, email text, status text);
  create table assignment (emp_no text, dept_id text, title text, is_primary integer);
  insert into department values ('d1', null, 'Company');
`;

/**
 * For each a unit and people with it in every field, one of whom has a unit that nobody has; and one whose id and login
 * are plain: invisible characters in these are refused.
 */
const rowsOf = (value: string, n: number): string => `
  insert into employee values ('p${n}', 'plain${n}', ${text(`name ${value}`)}, ${text(value)}, '');
  insert into assignment values ('p${n}', 'd1', ${text(`title ${value}`)}, 1);
  insert into department values (${text(`u ${value}`)}, 'd1', ${text(`unit ${value}`)});
  insert into department values (${text(`v ${value}`)}, ${text(`none ${value}`)}, ${text(`lost ${value}`)});
  insert into employee values (${text(`1 ${value}`)}, ${text(`login ${value}`)}, ${text(`name ${value}`)}, ${text(value)}, ''),
    (${text(`2 ${value}`)}, ${text(`second ${value}`)}, ${text(`name ${value}`)}, null, ''),
    (${text(`3 ${value}`)}, null, ${text(`name ${value}`)}, null, '');
  insert into assignment values (${text(`1 ${value}`)}, ${text(`u ${value}`)}, ${text(`title ${value}`)}, 1),
    (${text(`2 ${value}`)}, ${text(`none ${value}`)}, null, 1);
`;

/** Nobody asks for colours here: one that stands in a line is a value's own. */
const STEERS = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Nothing but line breaks steers the terminal, no value begins a line, and none is long. */
function expectHarmless(verb: string, { out, err }: Typed): void {
  const lines = (out + err).split('\n');
  for (const line of lines) {
    expect([verb, STEERS.exec(line)?.[0].codePointAt(0)]).toEqual([verb, undefined]);
    expect([verb, line]).not.toEqual([verb, expect.stringMatching(/^\s*FORGED/u)]);
    expect([verb, line.length < 12_000]).toEqual([verb, true]);
  }
}

async function typeAll(stage: Stage, verbs: readonly (readonly string[])[]): Promise<string> {
  let all = '';
  for (const verb of verbs) {
    const typed = await stage.type(...verb);
    expectHarmless(verb.join(' '), typed);
    all += typed.out + typed.err;
  }
  return all;
}

const values = Object.values(HOSTILE);

test('no value of the source or the service steers the terminal, whatever verb shows it', async () => {
  const stage = await openStage({ hr: TABLES + values.map(rowsOf).join('') });
  stage.setEnv({ LEVEL: 'error' });
  const plan = await typeAll(stage, [['plan', '--all'], ['plan'], ['check'], ['status']]);
  for (const value of values.filter(({ length }) => length < 1_000))
    for (const word of ['login', 'name']) expect(plan).toContain(escapeHidden(`${word} ${value}`));
  expect(plan).toMatch(/x… \(1,048,58\d characters\)/u);
  await stage.type('sync');
  stage.hr(
    `update employee set full_name = 'new ' || full_name, email = login where emp_no like '1%' or emp_no like 'p%'`,
  );
  stage.hr(`update department set name = 'new ' || name where id like 'u%'`);
  stage.hr(`delete from employee where emp_no like '2%'`);
  const short = values.filter((value) => value.length < 1_000 && !value.includes('\0'));
  await typeAll(stage, [
    ['plan', '--all', '--full'],
    ['status', '--unmanaged'],
    ...short.map((value) => ['explain', `login ${value}`, '--live']),
    ['explain', `1 ${HOSTILE.clears}`],
    ['explain', `unit ${HOSTILE.breaks}`],
    ['explain', `unit ${HOSTILE.turns}`, '--live'],
    ['explain', `second ${HOSTILE.c1}`],
    ['explain', `nobody ${HOSTILE.returns}`],
  ]);
}, 300_000);

test('several records of one hostile name are listed line by line', async () => {
  const stage = await openStage();
  stage.setEnv({ LEVEL: 'error' });
  const name = `Sales\u001B[2J\n${FORGED}`;
  stage.hr(`insert into department values ('x\u001By', 'd1', ${text(name)}), ('z', 'd2', ${text(name)})`);
  await stage.type('sync');
  const listed = await stage.type('explain', name);
  expect(listed.code).toBe(2);
  expectHarmless('explain', listed);
  expect(listed.out).toContain(String.raw`rollcall explain 'unit:x\x1by'`);
});

test('errors cannot steer it either: of the database, of the configuration, of what was typed', async () => {
  const stage = await openStage();
  const bad = `"a\u001B[2J\u009B\n${FORGED}\u202E"`;
  const yaml = JSON.stringify('a\u001B[2J\n FORGED key\u202E').replaceAll('\u202E', String.raw`\u202e`);
  stage.configure(['select * from employee', JSON.stringify(`select ${bad}\u2028 from employee`)]);
  const typed = await typeAll(stage, [['plan'], ['check'], ['explain', 'ann', '--live']]);
  expect(typed).toContain(String.raw`\x1b[2J`);
  stage.configure(['log: {', `log: { ${yaml}: 1,`]);
  const config = await typeAll(stage, [['plan'], ['status']]);
  expect(config).toContain(String.raw`\x1b[2J`);
  stage.configure();
  const strange = join(stage.folder, `no\u001B[2J\n${FORGED}.yaml`);
  const usage = await typeAll(stage, [
    [`ver\u001B[2Jb\n${FORGED}`],
    ['plan', `--opt\u202E\n${FORGED}`],
    ['stats\u001B'],
    ['sync', '--wait', `1\n${FORGED}`],
    ['--config', strange, 'plan'],
    ['sandbox', '--reading', `x=\u001B\n${FORGED}`],
  ]);
  expect(usage).toContain(String.raw`unknown command 'ver\x1b[2Jb\nFORGED`);
  writeFileSync(strange, 'service: [');
  await typeAll(stage, [['--config', strange, 'plan']]);
});
