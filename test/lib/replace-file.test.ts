import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replaceFile } from '../../src/lib/replace-file.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';

function* failing(): Iterable<string> {
  yield 'x'.repeat(100_000);
  throw new Error('no more');
}

test('a file is replaced as a whole; if its texts fail, the old one stays, and nothing beside it', () => {
  const folder = scratchFolder('replaced');
  onTestFinished(() => removeFolder(folder));
  const path = join(folder, 'page');
  writeFileSync(path, 'old');
  const place = { path, part: join(folder, 'page.part'), mode: 0o600 };
  expect(() => replaceFile(place, failing())).toThrow('no more');
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['page'], 'old']);
  replaceFile(place, ['n', 'ew']);
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([['page'], 'new']);
});
