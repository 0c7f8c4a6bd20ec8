import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readSecret } from '../../src/lib/read-secret.ts';
import { removeFolder, scratchFolder } from '../servers/scratch.ts';

test.each([
  ['a line break at its end', 'secret\n'],
  ['several, as an editor of another system leaves them', 'secret\r\n\r\n'],
  ['a byte order mark', '\uFEFFsecret\n'],
])('a file with %s holds the secret alone', async (_, text) => {
  const folder = scratchFolder('secret');
  onTestFinished(() => removeFolder(folder));
  const file = join(folder, 'token');
  writeFileSync(file, text);
  expect(await readSecret({ file })).toBe('secret');
});
