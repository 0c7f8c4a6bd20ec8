import { describe, expect, test } from 'vitest';

import { SourceError } from '../../../src/domain/errors.ts';
import type { CsvEncoding } from '../../../src/domain/source-choices.ts';
import { problem } from '../problem.ts';
import { smallExport } from './small.ts';

const HEAD = Buffer.from('id,login,name,title,unit\n');
const row = (name: Buffer): Buffer => Buffer.concat([Buffer.from('1,ann,'), name, Buffer.from(',,u1\n')]);
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** Reads people of whom one has these bytes as the name. */
async function nameOf(encoding: CsvEncoding, content: Buffer): Promise<unknown> {
  const small = smallExport();
  small.write('people.csv', content);
  if (encoding === 'utf-16le') small.write('units.csv', Buffer.from('id,parent_id,name\nu1,,C\n', 'utf16le'));
  const { people } = await small.read({ encoding });
  return people[0]?.fields['name'];
}

describe('text of a CSV file', () => {
  test.each<[string, CsvEncoding]>([
    ['Jörg', 'latin1'],
    ['€', 'latin1'],
    ['林平', 'gbk'],
    ['林平', 'gb18030'],
  ])('%s in UTF-8 under source.encoding %s is refused, with what to set', async (name, encoding) => {
    await expect(nameOf(encoding, Buffer.concat([HEAD, row(Buffer.from(name))]))).rejects.toThrow(
      problem('csv-encoding', 'is UTF-8 throughout'),
    );
  });

  test('of one line in UTF-8 among others in Latin-1 is read as Latin-1', async () => {
    const lines = Buffer.concat([HEAD, row(Buffer.from('Jörg')), hex('322c7a6f652c5a6fe92c2c75310a')]);
    expect(await nameOf('latin1', lines)).toBe('JÃ¶rg');
  });

  test.each<[string, CsvEncoding, Buffer, string]>([
    ['UTF-8', 'utf-8', row(Buffer.from('林 🎈')), '林 🎈'],
    ['GBK', 'gbk', row(hex('cec4 80 d6d0')), '文€中'],
    ['GB18030 with four bytes', 'gb18030', row(hex('d6d0 90308130')), '中𐀀'],
    ['Latin-1', 'latin1', row(hex('5a6fe9')), 'Zoé'],
    ['Latin-1 as Windows writes it', 'latin1', row(hex('80 93 8a 94')), '€“Š”'],
  ])('in %s is read as it is', async (_, encoding, line, name) => {
    expect(await nameOf(encoding, Buffer.concat([HEAD, line]))).toBe(name);
  });

  test.each<[string, CsvEncoding, Buffer]>([
    ['UTF-8', 'utf-8', hex('efbbbf')],
    ['GB18030', 'gb18030', hex('84319533')],
  ])('in %s may begin with a byte order mark', async (_, encoding, mark) => {
    expect(await nameOf(encoding, Buffer.concat([mark, HEAD, row(Buffer.from('Ann'))]))).toBe('Ann');
  });

  test.each([
    ['with', '\ufeff'],
    ['without', ''],
  ])('in UTF-16 %s a byte order mark is read', async (_, mark) => {
    // U+0A0A and U+010A hold the byte of a line feed.
    const text = `${mark}id,login,name,title,unit\r\n1,ann,\u0a0aĊ "🎈,,u1\r\n`.replace('"', '');
    expect(await nameOf('utf-16le', Buffer.from(text, 'utf16le'))).toBe('\u0a0aĊ 🎈');
  });

  test.each<[string, CsvEncoding, Buffer]>([
    ['a cut UTF-8 sequence', 'utf-8', hex('e69e')],
    ['half a surrogate pair in UTF-8', 'utf-8', hex('eda080')],
    ['GBK read as UTF-8', 'utf-8', hex('cec4')],
    ['a first byte of GBK without a second', 'gbk', hex('41 d6')],
    ['FF, which GBK does not have', 'gbk', hex('41 ff 42')],
    ['FF, which GB18030 does not have', 'gb18030', hex('ff')],
    ['four bytes, which GBK does not have', 'gbk', hex('90308130')],
    ['a byte that stands for nothing on Windows', 'latin1', hex('81')],
  ])('with %s is an error with its line, not another character', async (_, encoding, bytes) => {
    const small = smallExport();
    const many = Buffer.concat(Array.from({ length: 9_000 }, () => row(Buffer.from('Ann'))));
    // Beyond the first block, behind a cell of two lines.
    const quoted = Buffer.from('1,"a\nb",,,u1\n');
    small.write('people.csv', Buffer.concat([HEAD, quoted, many, row(bytes), row(Buffer.from('Bob'))]));
    const failure = small.read({ encoding });
    await expect(failure).rejects.toThrow(problem('csv-encoding', 'line 9004'));
    await expect(failure).rejects.toBeInstanceOf(SourceError);
  });

  test('of another encoding than its byte order mark says is refused with the setting to change', async () => {
    const small = smallExport();
    small.write('people.csv', Buffer.from('\ufeffid,login,name,title,unit\n', 'utf16le'));
    await expect(small.read()).rejects.toThrow(problem('csv-encoding', 'mark of utf-16le'));
    small.write('people.csv', Buffer.concat([hex('efbbbf'), HEAD]));
    await expect(small.read({ encoding: 'latin1' })).rejects.toThrow(
      problem('csv-encoding', 'mark of utf-8'),
    );
  });

  test('with zero bytes, as a crash leaves them, is an error with its line', async () => {
    const small = smallExport();
    small.write('people.csv', Buffer.concat([HEAD, row(Buffer.from('Ann')), Buffer.alloc(4096)]));
    await expect(small.read()).rejects.toThrow(problem('csv-encoding', 'line 3 zero bytes'));
  });
});
