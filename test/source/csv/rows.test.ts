import { describe, expect, test } from 'vitest';

import { csvSource } from '../open-one.ts';
import type { CsvSettings } from '../../../src/source/csv/kind.ts';
import { never } from '../source-contract.ts';
import { problem } from '../problem.ts';
import { smallExport } from './small.ts';
import type { Whole } from '../world.ts';

const HEAD = 'id,login,name,title,unit\n';

/** Names and titles of the people of a file. */
async function peopleOf(
  content: string,
  changes: Partial<Whole<CsvSettings>> = {},
): Promise<readonly (readonly unknown[])[]> {
  const small = smallExport();
  small.write('people.csv', content);
  const { people, refusals } = await small.read(changes);
  expect(refusals).toEqual([]);
  return people.map(({ id, fields, positions }) => [
    id,
    fields['name'],
    positions[0]?.fields['job_title'] ?? null,
  ]);
}

describe('rows of a CSV file', () => {
  test.each([
    ['commas', HEAD + '1,ann,Ann,Boss,u1\n'],
    ['semicolons', 'id;login;name;title;unit\n1;ann;Ann;Boss;u1\n'],
    ['tabs', 'id\tlogin\tname\ttitle\tunit\n1\tann\tAnn\tBoss\tu1\n'],
    ['bars', 'id|login|name|title|unit\n1|ann|Ann|Boss|u1\n'],
    [
      'semicolons, and commas in a quoted name',
      '"id";"login";"name";"title";"unit";"a,b,c,d,e,f,g"\n1;ann;Ann;Boss;u1;x\n',
    ],
    ['blank lines before, between and after', `\n\n${HEAD}\n1,ann,Ann,Boss,u1\n\n\n`],
    ['rows without any value', `${HEAD},,,,\n1,ann,Ann,Boss,u1\n , ,,,\n`],
    ['line ends of Windows', (HEAD + '1,ann,Ann,Boss,u1\n').replaceAll('\n', '\r\n')],
    ['line ends of the old Macintosh', (HEAD + '1,ann,Ann,Boss,u1\n').replaceAll('\n', '\r')],
    ['no line end at the end', HEAD + '1,ann,Ann,Boss,u1'],
    ['names of columns in any case and with blanks', ' ID , Login,NAME,Title,"unit "\n1,ann,Ann,Boss,u1\n'],
    [
      'columns that nobody reads, without names or with one name',
      'id,login,name,title,unit,,x,x\n1,ann,Ann,Boss,u1,,,\n',
    ],
  ])('with %s', async (_, content) => {
    expect(await peopleOf(content)).toEqual([['1', 'Ann', 'Boss']]);
  });

  test('with separators, quotes and line breaks within quotes', async () => {
    const content = `${HEAD}1,ann,"Ann ""the\r\nBoss"", Dr.",Boss,u1\n2,bob,Bob,"a\nb",u2\n`;
    expect(await peopleOf(content)).toEqual([
      ['1', 'Ann "the\r\nBoss", Dr.', 'Boss'],
      ['2', 'Bob', 'a\nb'],
    ]);
  });

  test('with quotes within cells that are not in quotes', async () => {
    const content = 'id\tlogin\tname\ttitle\tunit\n1\tann\tAnn "A\t5" disk\tu1\n';
    expect(await peopleOf(content)).toEqual([['1', 'Ann "A', '5" disk']]);
  });

  test('with a set separator are not guessed', async () => {
    const small = smallExport();
    small.write('units.csv', 'id;parent_id;name\nu1;;Company\n');
    small.write('people.csv', 'id;login;name;unit;title,a,b,c,d,e\n1;ann;Ann;u1;Boss\n');
    const { people: part } = small.settings();
    const rules = { ...part.rules, positions: [{ unit: 'unit', job_title: 'title,a,b,c,d,e' }] };
    const changes = { people: { ...part, rules } };
    await expect(small.read({ ...changes })).rejects.toThrow(
      problem('csv-column', 'it has: id;login;name;unit;title, a'),
    );
    const { people } = await small.read({ ...changes, separator: ';' });
    expect(people[0]?.positions).toEqual([{ unit: 'u1', fields: { job_title: 'Boss' } }]);
  });

  test('know their line, also behind quoted line breaks of each kind and blank lines', async () => {
    const small = smallExport();
    small.write('people.csv', `${HEAD}1,ann,"A\r\nnn",,u1\n\n2,bob,"B\nob",,u1\r\n3,,Cid,,u1\n`);
    const found = await csvSource(small.settings()).find('person', ['1', '2', 'Cid'], never);
    expect(found.map(({ place }) => place)).toEqual([
      'line 2 of people.csv',
      'line 5 of people.csv',
      'line 7 of people.csv',
    ]);
  });

  test('of two people with one id are both delivered: what reads them leaves both as they are', async () => {
    expect(await peopleOf(`${HEAD}1,ann,Ann,,u1\n1,bob,Bob,,u1\n`)).toHaveLength(2);
  });
});

describe('a CSV file that is damaged', () => {
  const behind = '9,zoe,"Z\r\noe",,u1\n';
  test.each([
    ['a row with too few cells', `${behind}1,ann,Ann\n`],
    ['a row with too many cells', `${behind}1,ann,"A\nnn",Boss,u1,x\n`],
    ['a row that is cut', `${behind}1,ann,Ann,Bo`],
    ['a file that ends within quotes', `${behind}1,ann,"Ann,Boss,u1\n`],
    ['a quote within quotes', `${behind}1,ann,"An"n",Boss,u1\n`],
    ['a quote that swallows the rest', `${behind}1,ann,"Ann,Boss,u1\n${'2,bob,Bob,,u1\n'.repeat(1_300_000)}`],
  ])('%s is named with its line', async (_, content) => {
    const small = smallExport();
    small.write('people.csv', HEAD + content);
    await expect(small.read()).rejects.toThrow(problem('csv-row', 'people.csv, line 4: '));
  });

  test('a line without end is named before it fills the memory', async () => {
    const small = smallExport();
    small.write('people.csv', HEAD + 'x'.repeat(18_000_000));
    await expect(small.read()).rejects.toThrow(problem('csv-row', 'line 2: it is longer'));
  });

  test.each<[string, string, RegExp]>([
    [
      'misses a column',
      'id,login,nmae,title,unit',
      /^source\.people\.fields\.name: \S+people\.csv has no column name \(did you mean nmae\?\); it has: id, login, nmae, title, unit/u,
    ],
    [
      'misses a column, and has one without a name',
      'id,login,,title,unit',
      /has no column name; it has: id, login, column 3 without a name, title/u,
    ],
    [
      'has a column twice',
      'id,login,name,name ,unit,title',
      /^source\.people\.fields\.name: \S+people\.csv has several columns name, the 3 and 4\. of them/u,
    ],
    ['has one column', 'id login name title unit', /if this is several columns, set source\.separator/u],
    [
      'is behind a mark for Excel',
      'sep=;\nid;login',
      /; its first line is a mark for Excel: export it without/u,
    ],
  ])('a header that %s is named with the field', async (_, header, sentence) => {
    const small = smallExport();
    small.write('people.csv', `${header}\n`);
    await expect(small.read()).rejects.toThrow(sentence);
  });
});
