import { expect, test } from 'vitest';
import { openSource } from '../../src/source/open-source.ts';
import { inTempDir, load, sqlConfig } from '../config/config-file.ts';

/** Opens a source whose names come from a table with these settings. */
function openWith(table: string): ReturnType<typeof openSource> {
  const text = sqlConfig(['name: full_name', `name: { expr: "lookup('t', x)" }`]);
  const { settings } = load(`${text}lookups: { t: ${table} }\n`);
  return openSource(settings.source, { lookups: settings.lookups });
}

const openWithFile = (content: string | Uint8Array): ReturnType<typeof openSource> =>
  openWith(`{ file: ${inTempDir('t.csv', content)}, key: code, value: name }`);

test.each([
  ['/nowhere/t.csv', 'lookups.t.file: there is no file /nowhere/t.csv; correct the path'],
  ['/tmp', 'lookups.t.file: /tmp cannot be read (EISDIR)'],
])('a table in %s is refused where the source is opened', (file, words) =>
  expect(() => openWith(`{ file: ${file}, key: a, value: b }`)).toThrow(words),
);

test.each([
  [
    'code,name\n1,a\n2,b\n1,c\n2,d\n3,e\n3,e\n',
    't.csv has keys more than once: "1", "2"; keep one row of each',
  ],
  ['Code;name\n1;a\n', 't.csv has no column code; it has Code;name'],
  ['cod,name\n1,a\n', 't.csv has no column code; did you mean cod?'],
  ['', 't.csv has no column code; it is empty'],
  ['code,name\n1,"a\n', 'is no CSV with the separator ","'],
  [Buffer.from('code,name\n1,Stra\u00dfe\n', 'latin1'), 'is not in UTF-8; save it in UTF-8'],
])('a file with %j is refused', (content, words) => expect(() => openWithFile(content)).toThrow(words));

test.each([
  ['\uFEFFcode,name\r\n1,"a, ""b""\nc"\r\n', ['yes', 'yes']],
  ['x,name,code\n,a,1\n,b,\n,c,', ['yes', 'no']],
  ['code,name\n', ['no', 'yes']],
  ['"code"; name\n1;a\n', ['yes', 'yes']],
  ['x, y\tname\tcode\n1\ta\t2\n', ['yes', 'yes']],
])('of a file with %j it is known whether it has entries, and ends with a line break', (content, marks) =>
  expect(openWithFile(content).tableMarks?.map(({ value }) => value)).toEqual(marks),
);

test('a table in the configuration has no marks', () =>
  expect(openWith('{ values: { a: b } }').tableMarks).toEqual([]));
