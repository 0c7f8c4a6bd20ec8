import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

const require = createRequire(import.meta.url);
const SRC = new URL('../../src/', import.meta.url);

/** Returns the names that src imports of undici, besides types. */
function imported(): readonly string[] {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const names = files.flatMap((file) => {
    const [, list = ''] =
      /^import \{([^}]*)\} from 'undici';$/mu.exec(readFileSync(new URL(file, SRC), 'utf8')) ?? [];
    return list.split(',').map((name) => name.trim());
  });
  return [...new Set(names.filter((name) => name !== '' && !name.startsWith('type ')))].toSorted();
}

test('the bundle has all that src imports of undici, and the same as its index', () => {
  const undici = require('undici') as Readonly<Record<string, unknown>>;
  const parts = require('../../config/undici.cjs') as typeof undici;
  expect(Object.keys(parts).toSorted()).toEqual(imported());
  for (const [name, part] of Object.entries(parts)) expect(part).toBe(undici[name]);
});
