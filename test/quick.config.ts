import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const ROOT = new URL('..', import.meta.url).pathname;

/** What takes its time: processes, the sandbox's server, the type checker. */
const SLOW: ReadonlySet<string> = new Set([
  'node:child_process',
  'node:worker_threads',
  'typescript',
  'dependency-cruiser',
]);
const SANDBOX = join(ROOT, 'src/sandbox/sandbox.ts');
const IMPORT = /^import (?!type )[^;]*?'(?<path>[^']+)';$/gmu;

const known = new Map<string, boolean>();

/** Returns whether a test file, or a helper of the tests that it imports, uses any of that. */
function isSlow(file: string): boolean {
  const before = known.get(file);
  if (before !== undefined) return before;
  known.set(file, false);
  const paths = Array.from(
    readFileSync(file, 'utf8').matchAll(IMPORT),
    ({ groups }) => groups?.['path'] ?? '',
  );
  const files = paths.filter((path) => path.startsWith('.')).map((path) => resolve(dirname(file), path));
  const helpers = files.filter((path) => path.startsWith(join(ROOT, 'test')));
  const slow = files.includes(SANDBOX) || paths.some((path) => SLOW.has(path)) || helpers.some(isSlow);
  known.set(file, slow);
  return slow;
}

const QUICK = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .filter((name) => !isSlow(join(ROOT, 'test', name)));

/** `npm run test:quick`: what needs neither a server nor a process, for the loop at the keyboard. */
export default defineConfig({
  test: { root: ROOT, include: QUICK.map((name) => `test/${name}`), testTimeout: 60_000, maxWorkers: 2 },
});
